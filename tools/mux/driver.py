"""The driver of `mux-compile`: compiles, links and finalises, and writes the result."""

from __future__ import annotations

import sys
from pathlib import PurePath

from passes.frontends.spirv import AssemblyError, assemble
from runtime.mux import (
    Context,
    Module,
    MuxError,
    NDRangeOptions,
    Target,
    get_info,
    parse_compilation_options,
)
from tools.cli import CommandError, ReportedError, UsageError, display_name, read_bytes, write_bytes
from tools.mux.command import LANGUAGES, MuxOptions

_LARGEST_INPUT = 256 << 20


def run(options: MuxOptions) -> int:
    """Executes the command line and returns 0.

    Raises:
        CommandError: If a program is wrong, or a file cannot be read or written.
    """
    info = get_info(options.target)
    if options.list_options:
        write_bytes(options.output, _listed(info.compilation_options).encode())
        return 0
    target = info.create_target(Context())
    target.init_with_builtins()
    modules = [_compiled(target, file, options) for file in options.files]
    write_bytes(options.output, _output(_whole(target, modules, options), options))
    return 0


def _listed(text: str) -> str:
    """Returns the options of a compiler as a table."""
    options = parse_compilation_options(text)
    names = [f"{option.name}=VALUE" if option.takes_value else option.name for option in options]
    width = max(map(len, names), default=0)
    return "".join(f"{name:{width}}  {option.help}\n" for name, option in zip(names, options, strict=True))


def _module(target: Target, filename: str) -> Module:
    module = target.create_module()
    if module is None:
        raise MemoryError
    module.filename = filename
    return module


def _compiled(target: Target, file: str, options: MuxOptions) -> Module:
    """Returns the module of a file."""
    name = display_name(file)
    language = options.language or next((w for w, suffix in LANGUAGES.items() if PurePath(file).suffix == suffix), None)
    if language is None:
        raise UsageError(f"{name}: which language? name it with --language")
    data = read_bytes(file, _LARGEST_INPUT)
    module = _module(target, name)
    try:
        if options.options:
            module.parse_options(options.options)
        _compile(module, data, language, name)
    except MuxError as error:
        raise _reported(module, error) from None
    return module


def _compile(module: Module, data: bytes, language: str, name: str) -> None:
    if language == "mux":
        if not module.deserialize(data):
            raise ReportedError(_messages(module))
    elif language == "spirv":
        module.compile_spirv(data)
    elif language == "spirv-asm":
        try:
            module.compile_spirv(assemble(_text(data, name)))
        except AssemblyError as error:
            raise CommandError(f"is no SPIR-V: {error.message}", f"{name}:{error.line}") from None
    elif language == "llvm":
        module.compile_llvm_ir(_text(data, name))
    else:
        module.compile_opencl_c("FULL_PROFILE", _text(data, name))


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CommandError(f"is no text: {error}", name) from None


def _whole(target: Target, modules: list[Module], options: MuxOptions) -> Module:
    """Returns one module of all."""
    if len(modules) == 1:
        return modules[0]
    whole = _module(target, "<linked>")
    try:
        if options.options:
            whole.parse_options(options.options)
        whole.link(modules)
    except MuxError as error:
        raise _reported(whole, error) from None
    return whole


def _output(module: Module, options: MuxOptions) -> bytes:
    """Returns the bytes to write; messages that are not errors go to standard error."""
    try:
        if options.emit == "mux":
            return module.serialize()
        if module.finalized_llvm_module is None:
            module.finalize()
        if options.emit == "llvm":
            return (module.finalized_llvm_module or "").encode()
        binary = module.create_binary() if options.kernel is None else _specialized(module, options)
    except MuxError as error:
        raise _reported(module, error) from None
    if module.log.text:
        print(module.log.text, end="", file=sys.stderr)
    return binary


def _specialized(module: Module, options: MuxOptions) -> bytes:
    """Returns a kernel made for the launch of the command line."""
    kernel = module.get_kernel(options.kernel or "")
    if kernel is None:
        known = ", ".join(each.name for each in module.program_info.kernels) or "none"
        raise CommandError(f"no kernel '{options.kernel}', there are: {known}", module.filename)
    local, whole = options.local_size or (), options.global_size or ()
    offset = options.global_offset or (0,) * len(whole)
    return kernel.create_specialized_kernel(
        NDRangeOptions((*local, *(3 - len(local)) * (1,)), whole, offset, len(whole))
    )


def _reported(module: Module, error: MuxError) -> CommandError:
    """Returns an error with the messages of a module, or with its own if there are none."""
    if module.log.num_errors:
        return ReportedError(_messages(module))
    return CommandError(error.message, module.filename)


def _messages(module: Module) -> str:
    return module.log.text.rstrip("\n")
