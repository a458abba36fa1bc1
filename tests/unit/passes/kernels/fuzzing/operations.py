"""Draws the operations of random kernels that are not control flow."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np

from tests.unit.passes.kernels.fuzzing.program import EXTENT, Level, Operation, State, Statement, constant
from tests.unit.passes.kernels.fuzzing.values import DTYPES, PRECISION, SMALL, Type, Variable, signed
from tests.unit.passes.kernels.harness import Array
from xegpu.targets import Target

Function = Callable[..., Array]

_INTEGER: dict[str, Function] = {
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
    "minui": np.minimum,
    "maxui": np.maximum,
    "minsi": lambda a, b: np.minimum(signed(a), signed(b)).view(a.dtype),
    "maxsi": lambda a, b: np.maximum(signed(a), signed(b)).view(a.dtype),
}
_FLOAT: dict[str, Function] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}
_BOOLEAN: dict[str, Function] = {"andi": np.logical_and, "ori": np.logical_or, "xori": np.logical_xor}
_COMPARISONS: dict[str, Function] = {
    "cmpi slt": lambda a, b: signed(a) < signed(b),
    "cmpi ult": np.less,
    "cmpi eq": np.equal,
    "cmpi sge": lambda a, b: signed(a) >= signed(b),
    "cmpf olt": np.less,
    "cmpf oeq": np.equal,
    "cmpf oge": np.greater_equal,
    "cmpf une": np.not_equal,
}
_REDUCTIONS: dict[str, Function] = {"add": np.add, "xor": np.bitwise_xor, "maxui": np.maximum}
_FLOAT_REDUCTIONS: dict[str, Function] = {"add": np.add, "maxnumf": np.fmax}
_ITEM_SHAPES = [(), (), (), (2,), (4,), (3,), (1,), (2, 3), (3, 2), (2, 1), (8, 1), (8, 2), (2, 8)]
RESULTS = {"bf16": "f32", "f16": "f32", "i8": "i32"}


class Operations:
    """Draws operations on the values in scope."""

    def __init__(
        self,
        rng: random.Random,
        level: Level,
        target: Target,
        lanes: int,
        items: int,
        fragments: bool,
        *,
        upstream: bool = False,
    ) -> None:
        self.upstream = upstream
        self.rng, self.level, self.target, self.lanes, self.items = rng, level, target, lanes, items
        self.fragments = fragments
        self.scope: list[Variable] = []
        self.initial: list[Statement] = []
        self.uniform = True
        self._count = 0
        self.matrix = rng.choice(sorted(RESULTS))
        wide = ["f64"] if target.name == "pvc" else []
        pool = ["i32", "f32", *rng.sample(["i8", "i16", "i64", "f16", "bf16", *wide], 2)]
        if self.multiplies:
            pool = ["i32", "f32", self.matrix, rng.choice(["i16", "i64", "f16"])]
        self.elements = list(dict.fromkeys(pool))
        n, k = target.platform.subgroup_size, self.depth
        thread_shapes = [(), (), (n,), (4,), (8, n), (8, n), (8, k), (k, n), (n, 8), (2, 3), (1, n)]
        self.shapes: list[tuple[int, ...]] = _ITEM_SHAPES if level is Level.ITEM else thread_shapes
        self.rows = rng.choice([8, 8, 4, 1])

    @property
    def multiplies(self) -> bool:
        return self.level is not Level.ITEM or self.fragments

    @property
    def factor(self) -> int:
        return 32 // Type(self.matrix).bits

    @property
    def depth(self) -> int:
        return self.target.platform.dpas.depth * self.factor

    # Names and values ------------------------------------------------------------------------------------------------

    def name(self) -> str:
        self._count += 1
        return f"n{self._count}"

    def fresh(self, type: Type, uniform: bool = False, bound: float = np.inf) -> Variable:
        return Variable(self.name(), type, uniform, bound)

    def type(self) -> Type:
        return Type(self.rng.choice(self.elements), self.rng.choice(self.shapes))

    def some_types(self) -> list[Type]:
        found = []
        for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3])):
            known = [v.type for v in self.scope if v.type.element != "index"]
            found.append(self.rng.choice(known) if known and self.rng.random() < 0.8 else self.type())
        return found

    def value(self, type: Type, *, uniform: bool = False, bound: float = np.inf) -> tuple[Variable, list[Statement]]:
        """Returns a value of a type from the scope, or a new one, and the statements that compute it."""
        fit = [v for v in self.scope if v.type == type and _serves(v, uniform, bound)]
        if fit and self.rng.random() < 0.9:
            # Early values and late ones: both live long.
            return self.rng.choice(fit if self.rng.random() < 0.6 else fit[-2:]), []
        return self._new(type, uniform, bound)

    def _new(self, type: Type, uniform: bool, bound: float) -> tuple[Variable, list[Statement]]:
        scalars = [v for v in self.scope if v.type == Type(type.element) and type.shape and _serves(v, uniform, bound)]
        if scalars and self.rng.random() < 0.6:
            made = self._broadcast(self.rng.choice(scalars), type)
            return made.result, [made]
        if type.element == "i1" and self.rng.random() < 0.8:
            operand = type.of("i32")
            a, first = self.value(operand, uniform=uniform)
            b, second = self.value(operand, uniform=uniform)
            return (made := self._compared(a, b)).result, [*first, *second, made]
        if type == Type("index") and self.rng.random() < 0.8:
            number, first = self.value(Type("i32"), uniform=uniform)
            result = self.fresh(type, number.uniform)
            source = f"{result} = arith.index_castui {number} : i32 to index"
            return result, [*first, Operation(result, source, (number,), lambda _, v: v[0])]
        made = constant(self.fresh(type, True, SMALL), self.rng.randint(0, 1 if type.element == "i1" else 5))
        return made.result, [made]

    def result(self, type: Type, operands: Sequence[Variable], bound: float = np.inf) -> Variable:
        return self.fresh(type, all(v.uniform for v in operands), bound)

    def below(self, value: Variable, limit: int) -> tuple[Variable, list[Statement]]:
        """Returns an index modulo a power of two."""
        mask = constant(self.fresh(value.type, True), limit - 1)
        result = self.fresh(value.type, value.uniform)
        source = f"{result} = arith.andi {value}, {mask.result} : {value.type}"
        return result, [mask, Operation(result, source, (value, mask.result), lambda _, v: v[0] & v[1])]

    def computed(
        self, type: Type, source: str, operands: Sequence[Variable], compute: Function, bound: float = np.inf
    ) -> Operation:
        """Returns an operation whose result joins the scope; `{r}` in the source stands for it."""
        result = self.result(type, operands, bound)
        self.scope.append(result)
        return Operation(result, source.replace("{r}", str(result)), tuple(operands), lambda _, v: compute(*v))

    # Kinds -----------------------------------------------------------------------------------------------------------

    def operation(self) -> list[Statement]:
        return self.rng.choice(self.kinds())()

    def kinds(self) -> list[Callable[[], list[Statement]]]:
        """Returns what may be drawn now, the likely ones more than once."""
        kinds: list[Callable[[], list[Statement]]] = [self._binary] * 6
        kinds += [self._select, self._select, self._compare, self._cast, self._cast, self._broadcasting, self._loading]
        kinds += [self._gather, self._transfer]
        kinds += [self._private] if self.level is Level.ITEM else []
        kinds += [self._reduce, self._rearrange, self._rearrange, self._extract, self._insert, self._lookup]
        if self.level is Level.ITEM and self.uniform and self.items % self.lanes == 0:
            kinds += [self._between_lanes]
        return kinds

    def _known(self) -> Variable:
        found = [v for v in self.scope if v.type.element != "index"]
        return self.rng.choice(found if self.rng.random() < 0.5 else found[-5:])

    def _vector(self, rank: int = 0) -> tuple[Variable, list[Statement]]:
        """Returns a vector, of a rank if one is named."""
        found = [v for v in self.scope if v.type.shape and (not rank or len(v.type.shape) == rank)]
        if found and self.rng.random() < 0.9:
            return self.rng.choice(found), []
        shapes = [s for s in self.shapes if s and (not rank or len(s) == rank)]
        return self.value(Type(self.rng.choice(self.elements), self.rng.choice(shapes)))

    def _binary(self) -> list[Statement]:
        a = self._known()
        b, made = self.value(a.type)
        table = _BOOLEAN if a.type.element == "i1" else _FLOAT if a.type.is_float else _INTEGER
        op = self.rng.choice(sorted(table))
        bound = {"mulf": a.bound * b.bound, "maxnumf": max(a.bound, b.bound), "minnumf": max(a.bound, b.bound)}
        limit = bound.get(op, a.bound + b.bound) if a.type.is_float else np.inf
        return [*made, self.computed(a.type, f"{{r}} = arith.{op} {a}, {b} : {a.type}", (a, b), table[op], limit)]

    def _compared(self, a: Variable, b: Variable) -> Operation:
        prefix = "cmpf" if a.type.is_float else "cmpi"
        op = self.rng.choice([name for name in sorted(_COMPARISONS) if name.startswith(prefix)])
        name, rule = op.split()
        source = f"{{r}} = arith.{name} {rule}, {a}, {b} : {a.type}"
        return self.computed(a.type.of("i1"), source, (a, b), _COMPARISONS[op])

    def _compare(self) -> list[Statement]:
        found = [v for v in self.scope if v.type.element != "i1"]
        a = self.rng.choice(found)
        b, made = self.value(a.type)
        return [*made, self._compared(a, b)]

    def _select(self) -> list[Statement]:
        a = self._known()
        b, made = self.value(a.type)
        whole = bool(a.type.shape) and self.rng.random() < 0.5
        condition, more = self.value(a.type.of("i1") if whole else Type("i1"))
        clause = f"{condition.type}, {a.type}" if whole else str(a.type)
        source = f"{{r}} = arith.select {condition}, {a}, {b} : {clause}"

        def compute(c: Array, x: Array, y: Array) -> Array:
            return np.where(c.reshape(*c.shape, *[1] * (x.ndim - c.ndim)), x, y)

        chosen = self.computed(a.type, source, (condition, a, b), compute, max(a.bound, b.bound))
        return [*made, *more, chosen]

    def _cast(self) -> list[Statement]:
        a = self._known()
        options = [e for e in (*self.elements, "i1") if e != a.type.element]
        to = Type(self.rng.choice(options), a.type.shape)
        bound = a.bound if to.is_float and a.bound <= SMALL else np.inf
        op, compute = _conversion(a.type, to)
        if not op:
            return []
        return [self.computed(to, f"{{r}} = arith.{op} {a} : {a.type} to {to}", (a,), compute, bound)]

    def _broadcast(self, a: Variable, to: Type) -> Operation:
        def compute(v: Array) -> Array:
            return np.broadcast_to(
                v.reshape(len(v), *[1] * (len(to.shape) - v.ndim + 1), *v.shape[1:]), (len(v), *to.shape)
            )

        source = f"{{r}} = vector.broadcast {a} : {a.type} to {to}"
        return self.computed(to, source, (a,), compute, a.bound)

    def _broadcasting(self) -> list[Statement]:
        a = self._known()
        fit = [s for s in self.shapes if s and s != a.type.shape and s[len(s) - len(a.type.shape) :] == a.type.shape]
        return [self._broadcast(a, a.type.shaped(*self.rng.choice(fit)))] if fit else []

    def _reduce(self) -> list[Statement]:
        a, made = self._vector()
        type = a.type
        if type.element in ("i1", "index"):
            return made
        table = _FLOAT_REDUCTIONS if type.is_float else _REDUCTIONS
        kind = self.rng.choice(sorted(table))
        if kind == "add" and type.is_float and a.bound * type.count > 2 ** (PRECISION[type.element] - 1):
            return made
        bound = a.bound * type.count if kind == "add" else a.bound
        if len(type.shape) == 1:
            source = f"{{r}} = vector.reduction <{kind}>, {a} : {type} into {type.element}"
            return [*made, self.computed(type.shaped(), source, (a,), lambda v: table[kind].reduce(v, axis=1), bound)]
        dimension = self.rng.randrange(2)
        to = type.shaped(type.shape[1 - dimension])
        start, more = self.value(to, bound=SMALL)
        source = f"{{r}} = vector.multi_reduction <{kind}>, {a}, {start} [{dimension}] : {type} to {to}"

        def compute(v: Array, s: Array) -> Array:
            return table[kind](table[kind].reduce(v, axis=1 + dimension), s)

        if kind == "add" and type.is_float and bound + SMALL > 2 ** (PRECISION[type.element] - 1):
            return [*made, *more]
        return [*made, *more, self.computed(to, source, (a, start), compute, bound + SMALL)]

    def _rearrange(self) -> list[Statement]:
        a, made = self._vector()
        type = a.type
        if len(type.shape) == 2 and self.rng.random() < 0.5:
            to = type.shaped(*type.shape[::-1])
            source = f"{{r}} = vector.transpose {a}, [1, 0] : {type} to {to}"
            return [*made, self.computed(to, source, (a,), lambda v: v.swapaxes(1, 2), a.bound)]
        kind = self.rng.choice(["cast", "slice", "shuffle"])
        if kind == "cast":
            fit = [s for s in self.shapes if s and s != type.shape and np.prod(s) == type.count]
            if not fit:
                return made
            to = type.shaped(*self.rng.choice(fit))
            source = f"{{r}} = vector.shape_cast {a} : {type} to {to}"
            return [*made, self.computed(to, source, (a,), lambda v: v.reshape(len(v), *to.shape), a.bound)]
        if kind == "slice":
            size = self.rng.randint(1, type.shape[0])
            first = self.rng.randint(0, type.shape[0] - size)
            to = type.shaped(size, *type.shape[1:])
            sizes = f"offsets = [{first}], sizes = [{size}], strides = [1]"
            source = f"{{r}} = vector.extract_strided_slice {a} {{{sizes}}} : {type} to {to}"
            return [*made, self.computed(to, source, (a,), lambda v: v[:, first : first + size], a.bound)]
        if len(type.shape) != 1:
            return made
        b, more = self.value(type)
        size = self.rng.choice([type.shape[0], 1, 2])
        mask = [self.rng.randrange(2 * type.shape[0]) for _ in range(size)]
        source = f"{{r}} = vector.shuffle {a}, {b} {mask} : {type}, {type}"
        to, bound = type.shaped(size), max(a.bound, b.bound)
        shuffled = self.computed(to, source, (a, b), lambda v, w: np.concatenate([v, w], 1)[:, mask], bound)
        return [*made, *more, shuffled]

    def _place(
        self, size: int
    ) -> tuple[str, tuple[Variable, ...], Callable[[Sequence[Array]], Array], list[Statement]]:
        """Returns a position along a dimension: text, operands, a function of these, and statements before it."""
        if self.rng.random() < 0.5 or size & (size - 1):
            number = self.rng.randrange(size)
            return str(number), (), lambda _: np.int64(number), []
        index, made = self.value(Type("index"))
        index, more = self.below(index, size)
        return str(index), (index,), lambda v: v[0], [*made, *more]

    def _extract(self) -> list[Statement]:
        a, made = self._vector()
        type = a.type
        to = type.shaped(*type.shape[1:])
        text, operands, place, more = self._place(type.shape[0])

        def compute(v: Array, *rest: Array) -> Array:
            return v[np.arange(len(v)), place(rest)]

        source = f"{{r}} = vector.extract {a}[{text}] : {to} from {type}"
        return [*made, *more, self.computed(to, source, (a, *operands), compute, a.bound)]

    def _insert(self) -> list[Statement]:
        a, made = self._vector()
        type = a.type
        part, others = self.value(type.shaped(*type.shape[1:]))
        text, operands, place, more = self._place(type.shape[0])

        def compute(v: Array, p: Array, *rest: Array) -> Array:
            new = v.copy()
            new[np.arange(len(v)), place(rest)] = p
            return new

        source = f"{{r}} = vector.insert {part}, {a}[{text}] : {part.type} into {type}"
        bound = max(a.bound, part.bound)
        return [*made, *others, *more, self.computed(type, source, (a, part, *operands), compute, bound)]

    # Memory ----------------------------------------------------------------------------------------------------------

    def _loading(self) -> list[Statement]:
        return [self.loaded()]

    def loaded(self) -> Operation:
        """Loads a scalar, a vector or a tile at the number of the work-item."""
        type = self.type()
        return self._load(type, Variable("gid", Type("index"), self.level is not Level.ITEM))

    def _lookup(self) -> list[Statement]:
        """Loads at an index that was computed."""
        index, made = self.value(Type("index"))
        index, more = self.below(index, 8)
        return [*made, *more, self._load(self.type(), index)]

    def _load(self, type: Type, row: Variable) -> Operation:
        """Loads from a row on; rows are taken modulo what the buffer has."""
        element, count = type.element, EXTENT - 8
        buffer, memref = f"%in_{element}", f"memref<{EXTENT}x{EXTENT}x{element}>"
        result = self.result(type, (row,), SMALL)
        self.scope.append(result)
        name = f"{result}_row"
        source = f"{name}_c = arith.constant 7 : index\n{name} = arith.andi {row}, {name}_c : index\n"
        height, width = (*[1] * (2 - len(type.shape)), *type.shape)[-2:]
        assert height <= count
        tile = len(type.shape) == 2 and self.level is not Level.ITEM and width % self.target.platform.subgroup_size == 0
        if tile:
            descriptor = self._descriptor(type)
            created, offsets = self.placed(f"{name}, %zero")
            source += f"{name}_t = xegpu.create_nd_tdesc {buffer}{created} : {memref} -> {descriptor}\n"
            source += f"{result} = xegpu.load_nd {name}_t{offsets} : {descriptor} -> {type}"
        elif type.shape:
            source += f"{result} = vector.load {buffer}[{name}, %one] : {memref}, {type}"
        else:
            source += f"{result} = memref.load {buffer}[{name}, %one] : {memref}"
        column = 0 if tile else 1

        def compute(state: State, v: Sequence[Array]) -> Array:
            rows = (v[0] & np.uint64(7)).astype(int)
            data = state.buffers[buffer[1:]]
            found = np.stack([data[r : r + height, column : column + width] for r in rows])
            return found.reshape(len(rows), *type.shape)

        return Operation(result, source, (row,), compute)

    def placed(self, offsets: str) -> tuple[str, str]:
        """Returns the offsets as the creation of a descriptor has them, and as a message has them."""
        return ("", f"[{offsets}]") if self.upstream else (f"[{offsets}]", "")

    def _descriptor(self, type: Type) -> str:
        shape = "x".join(map(str, type.shape))
        mapped = self.level is Level.MAPPED and type.shape[1] % self.lanes == 0
        return f"!xegpu.tensor_desc<{shape}x{type.element}{', #plain' if mapped else ''}>"

    def tile_store(self, value: Variable, buffer: str, memref: str) -> str:
        """Stores a matrix of a subgroup."""
        rows, columns = value.type.shape
        name = f"%{buffer}_row"
        source = f"{name}_c = arith.constant {rows} : index\n{name} = arith.muli %gid, {name}_c : index\n"
        if columns % self.target.platform.subgroup_size:
            return f"{source}vector.store {value}, %{buffer}[{name}, %zero] : {memref}, {value.type}"
        descriptor = self._descriptor(value.type)
        created, offsets = self.placed(f"{name}, %zero")
        return (
            f"{source}{name}_t = xegpu.create_nd_tdesc %{buffer}{created} : {memref} -> {descriptor}\n"
            f"xegpu.store_nd {value}, {name}_t{offsets} : {value.type}, {descriptor}"
        )

    def _transfer(self) -> list[Statement]:
        """Reads a vector of which a part may lie outside of the buffer."""
        column, made = self.value(Type("index"))
        column, more = self.below(column, EXTENT)
        element = self.rng.choice(self.elements)
        padding, others = self.value(Type(element))
        size = self.rng.choice([s[0] for s in self.shapes if len(s) == 1])
        memref, type = f"memref<{EXTENT}x{EXTENT}x{element}>", Type(element, (size,))
        source = f"{{r}} = vector.transfer_read %in_{element}[%one, {column}], {padding} : {memref}, {type}"

        def compute(state: State, v: Sequence[Array]) -> Array:
            columns = v[0].astype(int)[:, None] + np.arange(size)
            found = state.buffers[f"in_{element}"][1][np.minimum(columns, EXTENT - 1)]
            return np.where(columns < EXTENT, found, v[1][:, None])

        return [*made, *more, *others, self._from_memory(type, source, (column, padding), compute)]

    def _gather(self) -> list[Statement]:
        """Reads elements at indices that were computed, where a mask says so."""
        element = self.rng.choice(self.elements)
        type = Type(element, (self.rng.choice([s[0] for s in self.shapes if len(s) == 1]),))
        indices, made = self.value(type.of("i32"))
        indices, more = self.below(indices, EXTENT)
        mask, others = self.value(type.of("i1"))
        other, rest = self.value(type)
        memref = f"memref<{EXTENT}x{EXTENT}x{element}>"
        source = (
            f"{{r}} = vector.gather %in_{element}[%one, %zero] [{indices}], {mask}, {other} : "
            f"{memref}, {indices.type}, {mask.type}, {type} into {type}"
        )

        def compute(state: State, v: Sequence[Array]) -> Array:
            return np.where(v[1], state.buffers[f"in_{element}"][1][v[0].astype(int)], v[2])

        operands = (indices, mask, other)
        return [*made, *more, *others, *rest, self._from_memory(type, source, operands, compute)]

    def _private(self) -> list[Statement]:
        """Stores and loads a value in memory of the work-item."""
        a = self._known()
        while a.type.element == "i1" or a.type.shape:
            a, _ = self.value(Type(self.rng.choice(self.elements)))
            if a not in self.scope:
                return []
        b, made = self.value(a.type)
        places: list[Variable] = []
        for _ in range(3):
            place, first = self.value(Type("index"))
            place, second = self.below(place, 4)
            made = [*made, *first, *second]
            places.append(place)
        memref = f"memref<4x{a.type}>"
        source = f"{{r}}_m = memref.alloca() : {memref}\n"
        for number in range(4):
            source += f"{{r}}_{number} = arith.constant {number} : index\n"
            source += f"memref.store {a}, {{r}}_m[{{r}}_{number}] : {memref}\n"
        source += (
            f"memref.store {b}, {{r}}_m[{places[0]}] : {memref}\nmemref.store {a}, {{r}}_m[{places[1]}] : {memref}\n"
        )
        source += f"{{r}} = memref.load {{r}}_m[{places[2]}] : {memref}"

        def compute(_: State, v: Sequence[Array]) -> Array:
            first, second, third = v[2:]
            return np.where((third == first) & (third != second), v[1], v[0])

        return [*made, self._from_memory(a.type, source, (a, b, *places), compute, max(a.bound, b.bound))]

    def _from_memory(
        self,
        type: Type,
        source: str,
        operands: tuple[Variable, ...],
        compute: Callable[[State, Sequence[Array]], Array],
        bound: float = SMALL,
    ) -> Operation:
        result = self.result(
            type, operands, max([bound, *(v.bound for v in operands if v.type.element == type.element)])
        )
        self.scope.append(result)
        return Operation(result, source.replace("{r}", str(result)), operands, compute)

    # Between lanes ---------------------------------------------------------------------------------------------------

    def _between_lanes(self) -> list[Statement]:
        """Exchanges or combines values of the work-items of a subgroup."""
        number, made = self.value(Type("i32"))
        lanes = self.lanes
        kind = self.rng.choice(["reduce", "shuffle", "index", "broadcast"])
        if kind in ("index", "broadcast"):
            lane, more = self.value(Type("i32"), uniform=kind == "broadcast")
            own = constant(self.fresh(Type("i32"), True), lanes - 1)
            result = self.result(Type("i32"), (number, lane))
            source = f"{result}_l = arith.andi {lane}, {own.result} : i32\n"
            if kind == "index":
                source += f"{result}_w = arith.constant {lanes} : i32\n"
                source += f"{result}, {result}_p = gpu.shuffle idx {number}, {result}_l, {result}_w : i32"
            else:
                source += f"{result} = gpu.subgroup_broadcast {number}, specific_lane {result}_l : i32"
            self.scope.append(result)

            def moved(_: State, v: Sequence[Array]) -> Array:
                first = np.arange(self.items) // lanes * lanes
                return v[0][first + (v[1] & v[2]).astype(int)]

            return [*made, *more, own, Operation(result, source, (number, lane, own.result), moved)]
        if kind == "reduce":
            source = f"{{r}} = gpu.subgroup_reduce add {number} : (i32) -> i32"

            def total(v: Array) -> Array:
                return np.repeat(v.reshape(-1, lanes).sum(1, dtype=v.dtype), lanes)

            return [*made, self.computed(Type("i32"), source, (number,), total)]
        distance = self.rng.randrange(1, lanes)
        result = self.fresh(Type("i32"))
        source = (
            f"{result}_d = arith.constant {distance} : i32\n{result}_w = arith.constant {lanes} : i32\n"
            f"{result}, {result}_p = gpu.shuffle xor {number}, {result}_d, {result}_w : i32"
        )
        self.scope.append(result)
        order = np.arange(self.items) ^ distance
        return [*made, Operation(result, source, (number,), lambda _, v: v[0][order])]


def _serves(value: Variable, uniform: bool, bound: float) -> bool:
    """Returns whether a value is as uniform and as small as it must be; integers are exact at any size."""
    return value.uniform >= uniform and (value.bound <= bound or not value.type.is_float)


def _conversion(a: Type, to: Type) -> tuple[str, Function]:
    """Returns the name and the function of a conversion of elements; no name where a number may not fit."""
    if a.is_float:
        if not to.is_float or a.bits == to.bits:
            return "", np.copy
        return "extf" if to.bits > a.bits else "truncf", lambda v: v.astype(DTYPES[to.element])
    if to.is_float:
        if a.element == "i1":
            return "uitofp", lambda v: v.astype(np.float32).astype(to.dtype)
        if a.bits > 16:
            return "", np.copy
        return "sitofp", lambda v: signed(v).astype(np.float32).astype(to.dtype)
    if to.element == "i1":
        return "trunci", lambda v: (v & v.dtype.type(1)).astype(bool)
    if a.element == "i1":
        return "extui", lambda v: v.astype(to.dtype)
    if to.bits < a.bits:
        return "trunci", lambda v: v.astype(to.dtype)
    return "extsi", lambda v: signed(v).astype(f"i{to.bits // 8}").view(to.dtype)
