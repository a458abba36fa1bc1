"""Measures of how the code is arranged; `scripts/structure` prints them, `tests/unit/test_structure.py` holds them."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.paths import ROOT
from xegpu.targets import TARGETS, platforms

PACKAGES = ("xegpu", "passes", "zebin", "runtime", "tools")

LAYERS = (
    "passes",
    "runtime.api",
    "runtime.card",
    "runtime.debugger",
    "runtime.disk_cache",
    "runtime.driver",
    "runtime.host",
    "runtime.llvm",
    "runtime.mux",
    "runtime.simulator",
    "runtime.ze",
    "runtime.zes",
    "runtime.zet",
    "tools",
    "xegpu.diagnostics",
    "xegpu.dialects",
    "xegpu.isa",
    "xegpu.mlir",
    "xegpu.targets",
    "xegpu.view",
    "zebin",
)
"""Packages whose modules others reach only through the `__init__` of a package, theirs or one inside it."""

DOORS = frozenset(
    {
        "passes.pipeline_text",
        "passes.pipelines",
        "runtime.driver.analysis",  # `xegpu-driver` reads the filters of traces before a program starts
        "runtime.llvm.conversions",  # its functions, such as `decode`, are called by the name of the module
        "runtime.ze.conversion",  # the driver in C and system management have structures, too
        "runtime.ze.declaration",  # and functions
        "runtime.ze.dispatch",  # the tools API is a layer over the same table
        "runtime.private_files",
        "runtime.ze.inventory",  # `ze-info` needs no more than this of the Python side
        "runtime.zes.inventory",  # nor `ze-info --sysman` and `xegpu-top`
        "xegpu.dialects.printer",
        "xegpu.discovery",
        "xegpu.markup",
        "xegpu.python_children",
        "zebin.products",  # names of GPUs for messages
    }
)
"""Modules that are imported by name from everywhere, beside the modules that are a whole dialect."""

_HEADLESS = re.compile(r"(What|Whether|Which|Where|Those|Of|How|That|As)\b")


@cache
def sources() -> dict[str, Path]:
    """Returns the files of the product by the names of their modules."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }


@cache
def trees() -> dict[str, ast.Module]:
    """Returns the syntax trees of all modules."""
    return {module: ast.parse(path.read_text()) for module, path in sources().items()}


def lines() -> int:
    """Returns the number of lines of the product."""
    return sum(len(path.read_text().splitlines()) for path in sources().values())


def code_lines() -> int:
    """Returns the number of lines of the product that are neither blank, comment, docstring nor import."""
    return sum(_code_lines(path.read_text().splitlines(), trees()[module]) for module, path in sources().items())


def _code_lines(lines: list[str], tree: ast.Module) -> int:
    left_out: set[int] = set()
    for node in ast.walk(tree):
        is_text = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if isinstance(node, ast.Import | ast.ImportFrom) or is_text:
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        number not in left_out and bool(line.strip()) and not line.lstrip().startswith("#")
        for number, line in enumerate(lines, 1)
    )


def modules_per_folder() -> Counter[str]:
    """Returns how many modules lie directly in each folder."""
    return Counter(path.parent.relative_to(ROOT).as_posix() for path in sources().values())


def classes_by_name() -> dict[str, list[str]]:
    """Returns the modules that define a class, by its name, for names that are defined more than once."""
    found = defaultdict(list)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def layer_of(module: str) -> str:
    """Returns the layer that a module belongs to, or its top-level package."""
    return max(
        (layer for layer in LAYERS if module == layer or module.startswith(f"{layer}.")),
        key=len,
        default=module.split(".")[0],
    )


@cache
def offered(package: str) -> frozenset[str]:
    """Returns the public names of a package: what it defines, and what it imports `as` that name."""
    found: set[str] = set()
    for node in ast.walk(trees()[package]):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names if alias.asname == alias.name)
    for node in trees()[package].body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(name for name in found if not name.startswith("_"))


def deep_imports() -> Iterator[str]:
    """Yields imports across layers that name a module instead of a package."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    imported = whole if whole in sources() and alias.name not in offered(node.module) else node.module
                    if layer_of(imported) != layer_of(module) and not _is_door(imported):
                        yield f"{module} imports {imported}"


def imported_modules(module: str) -> Iterator[str]:
    """Yields the modules of the product that a module imports."""
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in sources() else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in sources())


def folder_imports() -> dict[str, set[str]]:
    """Returns the other folders that the modules of each folder import from.

    What the `__init__` of a package imports from folders inside it does not count: that is what the package offers.
    """
    found = defaultdict(set)
    for module, path in sources().items():
        folder = _folder(path)
        for imported in imported_modules(module):
            other = _folder(sources()[imported]) if imported in sources() else folder
            is_offered = path.name == "__init__.py" and other.startswith(f"{folder}/")
            if other != folder and not is_offered:
                found[folder].add(other)
    return found


def _folder(path: Path) -> str:
    return path.parent.relative_to(ROOT).as_posix()


def folder_pairs() -> Iterator[str]:
    """Yields the pairs of folders that import each other."""
    imports = folder_imports()
    for folder, others in imports.items():
        yield from (f"{folder} and {other}" for other in others if folder < other and folder in imports.get(other, ()))


def folder_cycles() -> list[list[str]]:
    """Returns the sets of folders that reach each other by imports, so that they have no order."""
    imports = folder_imports()
    reached = {folder: _reached(folder, imports) for folder in imports}
    cycles = {
        frozenset(other for other in others if folder in reached.get(other, ())) for folder, others in reached.items()
    }
    return sorted(sorted(cycle) for cycle in cycles if cycle)


def _reached(start: str, imports: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    to_do = [start]
    while to_do:
        new = imports.get(to_do.pop(), set()) - found
        found |= new
        to_do += new
    return found


def comparisons_with_gpus() -> Iterator[str]:
    """Yields what decides by the name of a GPU or by its size of registers, outside of `xegpu.targets`.

    That is a string that names a GPU or a generation, an import of one, and a register size that is compared with a
    number or with another one, or that orders GPUs. Code asks the platform instead.
    """
    for module, tree in trees().items():
        if module == "xegpu.targets" or module.startswith("xegpu.targets."):
            continue
        texts = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if id(node) not in texts and _decides_by_gpu(node):
                yield f"{module}:{getattr(node, 'lineno', '')}: {ast.unparse(node)}"


def _decides_by_gpu(node: ast.AST) -> bool:
    match node:
        case ast.Constant(str(text)):
            return text.lower().replace("_", "-") in _gpu_names()
        case ast.ImportFrom(module="xegpu.targets"):
            return any(alias.name.lower().replace("_", "-") in _gpu_names() for alias in node.names)
        case ast.Compare():
            sides = [node.left, *node.comparators]
            return any(map(_is_register_size, sides)) and all(
                _is_register_size(side) or (isinstance(side, ast.Constant) and isinstance(side.value, int))
                for side in sides
            )
        case ast.keyword(arg="key"):
            return any(map(_is_register_size, ast.walk(node.value)))
        case _:
            return False


def _is_register_size(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("grf_bytes", "register_bytes")


@cache
def _gpu_names() -> frozenset[str]:
    names = [name for gpu in TARGETS.values() for name in (gpu.name, gpu.ocloc_device, *gpu.chips) if name]
    return frozenset((*names, *(platform.name for platform in platforms())))


def large_classes(limit: int = 25) -> dict[str, int]:
    """Returns the classes of more than `limit` methods, where overloads and setters do not count."""
    counts = {
        f"{module}.{node.name}": sum(isinstance(part, ast.FunctionDef) and _is_method(part) for part in node.body)
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    return {name: count for name, count in counts.items() if count > limit}


def _is_method(function: ast.FunctionDef) -> bool:
    names = {ast.unparse(decorator).split(".")[-1] for decorator in function.decorator_list}
    return not names & {"overload", "setter"}


def assert_isinstance_in_handlers() -> Iterator[str]:
    """Yields each assertion of the class of a parameter that is any operation, in modules that define handlers."""
    for module, tree in trees().items():
        if any(isinstance(node, ast.FunctionDef) and _is_handler(node) for node in tree.body):
            for function in tree.body:
                if isinstance(function, ast.FunctionDef):
                    yield from (f"{module}:{node.lineno}: {ast.unparse(node)}" for node in _asserts_of_class(function))


def _asserts_of_class(function: ast.FunctionDef) -> Iterator[ast.Assert]:
    parameters = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    any_operation = {p.arg for p in parameters if p.annotation is not None and ast.unparse(p.annotation) == "Operation"}
    for node in ast.walk(function):
        match node:
            case ast.Assert(test=ast.Call(func=ast.Name("isinstance"), args=[ast.Name(name), _])):
                if name in any_operation:
                    yield node


def _is_handler(function: ast.FunctionDef) -> bool:
    return any(re.match(r"(\w+\.)*(lowers|handles)", ast.unparse(mark)) for mark in function.decorator_list)


def _is_door(module: str) -> bool:
    path = sources().get(module)
    if path is None or path.name == "__init__.py" or module in DOORS or module == layer_of(module):
        return True
    return path.parent == ROOT / "xegpu/dialects/upstream"


def imports_in_functions() -> Iterator[str]:
    """Yields each import statement in a function: modules that programs should not wait for are imported on demand."""
    for module, tree in trees().items():
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Import | ast.ImportFrom):
                        yield f"{module}:{node.lineno}: {ast.unparse(node)}"


def headless_docstrings() -> Iterator[str]:
    """Yields docstrings of public names that begin with a relative clause."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                text = ast.get_docstring(node)
                if text is not None and _HEADLESS.match(text):
                    yield f"{module}.{node.name}: {text.splitlines()[0]}"
        text = ast.get_docstring(tree)
        if text is not None and _HEADLESS.match(text):
            yield f"{module}: {text.splitlines()[0]}"


def wide_signatures(limit: int = 7) -> Iterator[str]:
    """Yields functions that take more than `limit` parameters."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                count = len(node.args.posonlyargs) + len(node.args.args) + len(node.args.kwonlyargs)
                if count > limit:
                    yield f"{module}.{node.name}: {count}"


def main() -> None:
    """Prints all measures."""
    print(f"modules: {len(sources())}, lines: {lines()}, of these code: {code_lines()}")
    print("largest folders:", ", ".join(f"{folder} {count}" for folder, count in modules_per_folder().most_common(8)))
    large = [(len(path.read_text().splitlines()), module) for module, path in sources().items()]
    print("largest modules:", ", ".join(f"{module} {count}" for count, module in sorted(large, reverse=True)[:8]))
    twice = classes_by_name()
    print(f"class names defined more than once: {len(twice)}")
    for name, modules in sorted(twice.items()):
        print(f"  {name}: {', '.join(modules)}")
    cycles = folder_cycles()
    print(f"folders without an order: {sum(map(len, cycles))} in {len(cycles)} cycles")
    for cycle in cycles:
        print(f"  {', '.join(cycle)}")
    for title, found in (
        ("pairs of folders that import each other", folder_pairs()),
        ("classes of more than 25 methods", (f"{name}: {count}" for name, count in large_classes().items())),
        ("asserts of types in handlers of operations", assert_isinstance_in_handlers()),
        ("imports of modules across layers", deep_imports()),
        ("comparisons with GPU names or register sizes outside of xegpu/targets", comparisons_with_gpus()),
        ("imports in functions", imports_in_functions()),
        ("docstrings without subject and verb", headless_docstrings()),
        ("functions of more than seven parameters", wide_signatures()),
    ):
        rows = sorted(found)
        print(f"{title}: {len(rows)}")
        for row in rows[:20]:
            print(f"  {row}")


if __name__ == "__main__":
    main()
