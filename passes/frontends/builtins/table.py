"""The table of builtins: names, meanings, what they do to memory, and who lowers them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from passes.frontends.builtins.mangling import Scalar, Type, demangle

TRIPLE = "spir64-unknown-unknown"
DATA_LAYOUT = (
    "e-p:64:64:64:32-p1:64:64-p2:64:64-p3:64:64:64:32-p4:64:64-i64:64"
    "-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
)
"""The data layout of spir64, but distances in private and local memory have 32 bits, as addresses there do."""


class Lowering(Enum):
    """The party that gives a builtin its meaning."""

    BODY = "a body in LLVM IR"
    SCALAR = "the consumer, for scalars; vector forms have a body that calls the scalar form"
    DEVICE = "the consumer"


class Effect(Enum):
    """Tells the optimiser the effects of a builtin, by the attributes of its declaration."""

    PURE = "nounwind willreturn memory(none)"
    READ = "nounwind willreturn memory(read)"
    MEMORY = "nounwind willreturn"
    CONVERGENT = "convergent nounwind willreturn memory(inaccessiblemem: readwrite)"
    CONVERGENT_MEMORY = "convergent nounwind"


@dataclass(frozen=True)
class Builtin:
    """A row: a function as kernels know it. `arity` is the smallest and largest number of arguments."""

    name: str
    arity: tuple[int, int]
    lowering: Lowering
    effect: Effect
    meaning: str


@dataclass(frozen=True)
class Callee:
    """The callee of a symbol: a builtin, its arguments as the symbol spells them, and the result type after `_R`."""

    builtin: Builtin
    arguments: tuple[Type, ...]
    result: str | None = None

    @property
    def signed(self) -> bool:
        """Says whether the first argument is, or consists of, signed integers."""
        first = self.arguments[0] if self.arguments else None
        scalar = first if isinstance(first, Scalar) else getattr(first, "element", None)
        return isinstance(scalar, Scalar) and scalar.signed


DIMENSIONAL = {
    "GlobalInvocationId": 0,
    "LocalInvocationId": 0,
    "WorkgroupId": 0,
    "NumWorkgroups": 1,
    "WorkgroupSize": 1,
    "EnqueuedWorkgroupSize": 1,
    "GlobalSize": 1,
    "GlobalOffset": 0,
}
"""The builtin variables of three components, with what OpenCL C's functions give beyond the third dimension."""

_ROWS = """
SCALAR PURE
acos 1 arc cosine
acosh 1 inverse hyperbolic cosine
acospi 1 arc cosine divided by pi
asin 1 arc sine
asinh 1 inverse hyperbolic sine
asinpi 1 arc sine divided by pi
atan 1 arc tangent
atan2 2 arc tangent of y / x, in the quadrant of (x, y)
atanh 1 inverse hyperbolic tangent
atanpi 1 arc tangent divided by pi
atan2pi 2 atan2 divided by pi
cbrt 1 cube root
cos 1 cosine
cosh 1 hyperbolic cosine
cospi 1 cosine of pi times x
erf 1 error function
erfc 1 complementary error function
exp 1 e to the power of x
exp2 1 2 to the power of x
exp10 1 10 to the power of x
expm1 1 exp(x) - 1
fmod 2 remainder of x / y truncated
hypot 2 square root of x * x + y * y without undue overflow
ilogb 1 exponent of x as an integer
ldexp 2 x * 2^n, with an integer n
lgamma 1 logarithm of the absolute value of the gamma function
log 1 natural logarithm
log2 1 logarithm to base 2
log10 1 logarithm to base 10
log1p 1 log(1 + x)
logb 1 exponent of x as a float
nextafter 2 next representable number after x towards y
pow 2 x to the power of y
pown 2 x to the power of an integer
powr 2 x to the power of y, for x >= 0
remainder 2 x - n * y, with n the integer nearest to x / y
rootn 2 x to the power of 1 / n, with an integer n
rsqrt 1 reciprocal square root
sin 1 sine
sinh 1 hyperbolic sine
sinpi 1 sine of pi times x
tan 1 tangent
tanh 1 hyperbolic tangent
tanpi 1 tangent of pi times x
tgamma 1 gamma function

SCALAR MEMORY
lgamma_r 2 lgamma; the sign of the gamma function goes to an int behind the pointer
remquo 3 remainder; seven low bits of the quotient and its sign go to an int behind the pointer

BODY PURE
abs 1 absolute value of an integer, as an unsigned number
abs_diff 2 absolute difference without overflow
add_sat 2 saturating sum
bit_reverse 1 bits in reverse order
bitfield_extract_signed 3 bits from an offset on, the highest of which is the sign
bitfield_extract_unsigned 3 bits from an offset on
bitfield_insert 4 x, but for bits from an offset on, which are the lowest of y
bitselect 3 bits of a where c has 0, of b where c has 1
ceil 1 round to integer, up
clamp 3 min(max(x, low), high)
clz 1 leading zeros
copysign 2 x with the sign of y
cross 2 cross product of vectors of 3 or 4
ctz 1 trailing zeros
degrees 1 radians to degrees
distance 2 length(x - y)
dot 2 scalar product
dot_acc_sat 3 saturating dot(a, b) + c
dot_4x8packed_uu_uint 2 dot of packed bytes (unsigned, unsigned)
dot_4x8packed_ss_int 2 dot of packed bytes (signed, signed)
dot_4x8packed_us_int 2 dot of packed bytes (unsigned, signed)
dot_4x8packed_su_int 2 dot of packed bytes (signed, unsigned)
dot_acc_sat_4x8packed_uu_uint 3 dot_acc_sat of these
dot_acc_sat_4x8packed_ss_int 3 dot_acc_sat of these
dot_acc_sat_4x8packed_us_int 3 dot_acc_sat of these
dot_acc_sat_4x8packed_su_int 3 dot_acc_sat of these
fabs 1 absolute value
fast_distance 2 distance
fast_length 1 length
fast_normalize 1 normalize
fdim 2 x - y if positive, else 0
floor 1 round to integer, down
fma 3 a * b + c, rounded once
fmax 2 larger number; a NaN counts as missing
fmin 2 smaller number; a NaN counts as missing
hadd 2 (x + y) >> 1 without overflow
half_cos 1 cos
half_divide 2 x / y
half_exp 1 exp
half_exp2 1 exp2
half_exp10 1 exp10
half_log 1 log
half_log2 1 log2
half_log10 1 log10
half_powr 2 powr
half_recip 1 1 / x
half_rsqrt 1 rsqrt
half_sin 1 sin
half_sqrt 1 sqrt
half_tan 1 tan
intel_convert_bfloat16_as_ushort 1 __spirv_ConvertFToBF16INTEL
intel_convert_bfloat162_as_ushort2 1 __spirv_ConvertFToBF16INTEL
intel_convert_bfloat163_as_ushort3 1 __spirv_ConvertFToBF16INTEL
intel_convert_bfloat164_as_ushort4 1 __spirv_ConvertFToBF16INTEL
intel_convert_bfloat168_as_ushort8 1 __spirv_ConvertFToBF16INTEL
intel_convert_bfloat1616_as_ushort16 1 __spirv_ConvertFToBF16INTEL
intel_convert_as_bfloat16_float 1 __spirv_ConvertBF16ToFINTEL
intel_convert_as_bfloat162_float2 1 __spirv_ConvertBF16ToFINTEL
intel_convert_as_bfloat163_float3 1 __spirv_ConvertBF16ToFINTEL
intel_convert_as_bfloat164_float4 1 __spirv_ConvertBF16ToFINTEL
intel_convert_as_bfloat168_float8 1 __spirv_ConvertBF16ToFINTEL
intel_convert_as_bfloat1616_float16 1 __spirv_ConvertBF16ToFINTEL
length 1 Euclidean length
mad 3 a * b + c
mad24 3 a * b + c of 24-bit numbers
mad_hi 3 mul_hi(a, b) + c
mad_sat 3 saturating a * b + c
max 2 larger number
maxmag 2 the argument of larger magnitude
min 2 smaller number
minmag 2 the argument of smaller magnitude
mix 3 x + (y - x) * a
mul24 2 product of 24-bit numbers
mul_hi 2 upper half of the product
nan 1 quiet NaN with a code
native_cos 1 cos
native_divide 2 x / y
native_exp 1 exp
native_exp2 1 exp2
native_exp10 1 exp10
native_log 1 log
native_log2 1 log2
native_log10 1 log10
native_powr 2 powr
native_recip 1 1 / x
native_rsqrt 1 rsqrt
native_sin 1 sin
native_sqrt 1 sqrt
native_tan 1 tan
normalize 1 x / length(x)
popcount 1 bits that are set
radians 1 degrees to radians
rhadd 2 (x + y + 1) >> 1 without overflow
rint 1 round to integer, to nearest even
rotate 2 x rotated left
round 1 round to integer, halves away from zero
select 3 b where c is set, else a; vectors: where its highest bit is set
shuffle 2 components of a vector at positions of a mask
shuffle2 3 components of two vectors at positions of a mask
sign 1 -1, -0, 0, 1, and 0 of NaN
smoothstep 3 Hermite interpolation between two edges
sqrt 1 square root, correctly rounded
step 2 0 where x < edge, else 1
sub_sat 2 saturating difference
trunc 1 round to integer, towards zero
upsample 2 high part << width | low part

BODY MEMORY
fract 2 x - floor(x), below 1; floor(x) goes behind the pointer
frexp 2 mantissa in [1/2, 1); the exponent goes behind the pointer
modf 2 fraction with the sign of x; the integral part goes behind the pointer
prefetch 2 nothing
sincos 2 sine; the cosine goes behind the pointer
vload 2 vector from consecutive components
vload_half 2 half as float
vloada_half 2 vector of halfs as floats
vstore 3 vector to consecutive components
vstore_half 3 float as half
vstorea_half 3 vector of floats as halfs

BODY PURE
get_enqueued_local_size 1 EnqueuedWorkgroupSize
get_global_id 1 GlobalInvocationId
get_global_linear_id 0 GlobalLinearId
get_global_offset 1 GlobalOffset
get_global_size 1 GlobalSize
get_group_id 1 WorkgroupId
get_local_id 1 LocalInvocationId
get_local_linear_id 0 LocalInvocationIndex
get_local_size 1 WorkgroupSize
get_num_groups 1 NumWorkgroups
get_work_dim 0 WorkDim
get_enqueued_num_sub_groups 0 NumEnqueuedSubgroups
get_max_sub_group_size 0 SubgroupMaxSize
get_num_sub_groups 0 NumSubgroups
get_sub_group_id 0 SubgroupId
get_sub_group_local_id 0 SubgroupLocalInvocationId
get_sub_group_size 0 SubgroupSize

BODY CONVERGENT_MEMORY
barrier 1 __spirv_ControlBarrier of the work-group; bits 0, 1, 2 of the flags: local, global, image memory
work_group_barrier 1-2 the same
sub_group_barrier 1-2 the same for the subgroup
intel_work_group_barrier_arrive 1-2 __spirv_ControlBarrierArriveINTEL
intel_work_group_barrier_wait 1-2 __spirv_ControlBarrierWaitINTEL

BODY MEMORY
mem_fence 1 fence of the work-group
read_mem_fence 1 the same
write_mem_fence 1 the same
atomic_work_item_fence 3 fence with flags, order and scope
atomic_add 2 atomicrmw add, as all of these with relaxed order and device scope
atomic_sub 2 atomicrmw sub
atomic_inc 1 atomicrmw add 1
atomic_dec 1 atomicrmw sub 1
atomic_xchg 2 atomicrmw xchg
atomic_cmpxchg 3 cmpxchg
atomic_min 2 atomicrmw min or umin
atomic_max 2 atomicrmw max or umax
atomic_and 2 atomicrmw and
atomic_or 2 atomicrmw or
atomic_xor 2 atomicrmw xor

DEVICE PURE
__spirv_BuiltInWorkDim 0 number of dimensions of the launch
__spirv_BuiltInGlobalLinearId 0 linear id in the launch, without offset
__spirv_BuiltInLocalInvocationIndex 0 linear id in the work-group
__spirv_BuiltInSubgroupSize 0 work-items of this subgroup
__spirv_BuiltInSubgroupMaxSize 0 work-items of a full subgroup
__spirv_BuiltInNumSubgroups 0 subgroups of the work-group
__spirv_BuiltInNumEnqueuedSubgroups 0 subgroups of a full work-group
__spirv_BuiltInSubgroupId 0 number of the subgroup in its work-group
__spirv_BuiltInSubgroupLocalInvocationId 0 number of the work-item in its subgroup
__spirv_ConvertFToBF16INTEL 1 bits of the nearest bf16, as i16 or a vector
__spirv_ConvertBF16ToFINTEL 1 float of the bits of a bf16
__spirv_RoundFToTF32INTEL 1 float rounded to tf32
__spirv_GenericCastToPtrExplicit_ToGlobal 1-2 global pointer, or null if the generic pointer lies elsewhere
__spirv_GenericCastToPtrExplicit_ToLocal 1-2 the same for work-group memory
__spirv_GenericCastToPtrExplicit_ToPrivate 1-2 the same for private memory
__spirv_GenericPtrMemSemantics 1 storage bits of memory semantics of a generic pointer
__spirv_IsHelperInvocationEXT 0 false

DEVICE MEMORY
__spirv_ReadClockKHR 1 clock of a scope
clock_read_device 0 clock of the device
clock_read_work_group 0 clock of the work-group
clock_read_sub_group 0 clock of the subgroup
clock_read_hilo_device 0 the same in two halves, the low one first
clock_read_hilo_work_group 0 the same
clock_read_hilo_sub_group 0 the same

DEVICE CONVERGENT_MEMORY
__spirv_ControlBarrier 3 execution scope, memory scope, memory semantics
__spirv_ControlBarrierArriveINTEL 3 first half of a split barrier
__spirv_ControlBarrierWaitINTEL 3 second half of a split barrier
__spirv_GroupAsyncCopy 6 scope, destination, source, elements, stride, event: copies as a work-group, gives an event
__spirv_GroupWaitEvents 3 scope, count, pointer to events
__spirv_SubgroupBlockReadINTEL 1 component c of lane l is element c * lanes + l behind a uniform pointer
__spirv_SubgroupBlockWriteINTEL 2 the reverse: pointer, data
__spirv_SubgroupBlockPrefetchINTEL 2-4 pointer, bytes, memory operands
__spirv_SubgroupImageBlockReadINTEL 2 image, byte coordinate
__spirv_SubgroupImageBlockWriteINTEL 3 image, byte coordinate, data
__spirv_SubgroupImageMediaBlockReadINTEL 4 image, coordinate, width, height
__spirv_SubgroupImageMediaBlockWriteINTEL 5 image, coordinate, width, height, data
__spirv_Subgroup2DBlockLoadINTEL 10 bytes, width, height, count, base, width, height, pitch, place, private memory
__spirv_Subgroup2DBlockLoadTransformINTEL 10 the same, VNNI-packed
__spirv_Subgroup2DBlockLoadTransposeINTEL 10 the same, transposed
__spirv_Subgroup2DBlockPrefetchINTEL 9 the same without destination
__spirv_Subgroup2DBlockStoreINTEL 10 bytes, width, height, count, private memory, base, width, height, pitch, place

DEVICE CONVERGENT
__spirv_SubgroupMatrixMultiplyAccumulateINTEL 4-5 K, A, B, C, operand bits: A * B + C of fragments
__spirv_SubgroupShuffleINTEL 2 data of the lane with a number
__spirv_SubgroupShuffleDownINTEL 3 current, next, delta: data of the lane further up, in the concatenation of both
__spirv_SubgroupShuffleUpINTEL 3 previous, current, delta: data of the lane further down
__spirv_SubgroupShuffleXorINTEL 2 data of the lane whose number differs by a mask
__spirv_GroupAll 2 scope, predicate
__spirv_GroupAny 2 scope, predicate
__spirv_GroupBroadcast 3 scope, value, id: scalar, or vector of 2 or 3 components for work-groups
__spirv_GroupNonUniformElect 1 scope: true in one active lane
__spirv_GroupNonUniformAll 2 scope, predicate, as all of these among active lanes
__spirv_GroupNonUniformAny 2 scope, predicate
__spirv_GroupNonUniformAllEqual 2 scope, value
__spirv_GroupNonUniformBroadcast 3 scope, value, lane
__spirv_GroupNonUniformBroadcastFirst 2 scope, value
__spirv_GroupNonUniformBallot 2 scope, predicate: vector of 4 x i32
__spirv_GroupNonUniformInverseBallot 2 scope, ballot
__spirv_GroupNonUniformBallotBitExtract 3 scope, ballot, lane
__spirv_GroupNonUniformBallotBitCount 3 scope, group operation, ballot
__spirv_GroupNonUniformBallotFindLSB 2 scope, ballot
__spirv_GroupNonUniformBallotFindMSB 2 scope, ballot
__spirv_GroupNonUniformShuffle 3 scope, value, lane
__spirv_GroupNonUniformShuffleXor 3 scope, value, mask
__spirv_GroupNonUniformShuffleUp 3 scope, value, delta
__spirv_GroupNonUniformShuffleDown 3 scope, value, delta
__spirv_GroupNonUniformRotateKHR 3-4 scope, value, delta, cluster size
__spirv_GroupNonUniformQuadBroadcast 3 scope, value, lane
__spirv_GroupNonUniformQuadSwap 3 scope, value, direction

DEVICE READ
read_imagef 2-6 texel of floats: image, coordinate, or image, sampler, coordinate, level
read_imageh 2-6 texel of halfs
read_imagei 2-6 texel of signed integers
read_imageui 2-6 texel of unsigned integers
__spirv_ImageSampleExplicitLod 2-7 sampled image, coordinate, mask of image operands, their values
__spirv_ImageFetch 2-7 image, coordinate, mask, values
__spirv_ImageRead 2-7 image, coordinate, mask, values
__spirv_ImageQueryFormat 1 channel data type
__spirv_ImageQueryOrder 1 channel order
__spirv_ImageQuerySizeLod 2 size of a level
__spirv_ImageQuerySize 1 size
__spirv_ImageQueryLevels 1 levels
__spirv_ImageQuerySamples 1 samples
__spirv_SampledImage 2 image and sampler as one value
__spirv_Image 1 image of a sampled image
__spirv_ConstantSampler 3 addressing mode, normalized coordinates, filter mode

DEVICE PURE
get_image_array_size 1 layers
get_image_channel_data_type 1 channel data type
get_image_channel_order 1 channel order
get_image_depth 1 depth
get_image_dim 1 width and height as a vector of 2, with depth as a vector of 4
get_image_height 1 height
get_image_num_mip_levels 1 levels
get_image_width 1 width

DEVICE MEMORY
write_imagef 3-4 image, coordinate, texel of floats
write_imageh 3-4 texel of halfs
write_imagei 3-4 texel of signed integers
write_imageui 3-4 texel of unsigned integers
__spirv_ImageWrite 3-8 image, coordinate, texel, mask, values
__spirv_ImageTexelPointer 3 pointer to a texel
printf 1-99 format in constant memory, and arguments by value
"""

_OPERATIONS = ("IAdd", "FAdd", "FMin", "UMin", "SMin", "FMax", "UMax", "SMax")
_BITWISE = ("BitwiseAnd", "BitwiseOr", "BitwiseXor", "LogicalAnd", "LogicalOr", "LogicalXor")
_REDUCTIONS = (
    *(f"Group{name}" for name in _OPERATIONS),
    *(f"Group{name}KHR" for name in ("IMul", "FMul", *_BITWISE)),
    *(f"GroupNonUniform{name}" for name in (*_OPERATIONS, "IMul", "FMul", *_BITWISE)),
)


def _rows() -> Iterator[Builtin]:
    lowering, effect = Lowering.BODY, Effect.PURE
    for line in filter(None, _ROWS.split("\n")):
        name, arity, *words = line.split(" ", 2)
        if not words:
            lowering, effect = Lowering[name], Effect[arity]
            continue
        least, _, most = arity.partition("-")
        yield Builtin(name, (int(least), int(most or least)), lowering, effect, words[0])
    for name in DIMENSIONAL:
        yield Builtin(f"__spirv_BuiltIn{name}", (1, 1), Lowering.DEVICE, Effect.PURE, f"{name} of a dimension, as i64")
    for name in _REDUCTIONS:
        meaning = (
            "scope, group operation (0 reduce, 1 inclusive scan, 2 exclusive scan, 3 clustered), value, cluster size"
        )
        yield Builtin(f"__spirv_{name}", (3, 4), Lowering.DEVICE, Effect.CONVERGENT, meaning)


BUILTINS = {row.name: row for row in _rows()}

_WIDE = "atom_"
"""The prefix of the atomics that extensions add for 64 bits; they do what those of the core do."""

_COUNTED = re.compile(r"(vloada?|vstorea?)(_half)?(\d*)(_rt[enzp])?")


_TYPED = re.compile(r"(.+)_R((?:bool|char|short|int|long|half|float|double)\d*)")


def resolve(symbol: str) -> Callee | None:
    """Returns the callee of a symbol, or `None` if it is not a builtin, such as a function of another module."""
    if symbol == "printf":
        return Callee(BUILTINS["printf"], ())
    found = demangle(symbol)
    if found is None:
        return None
    name, arguments = found
    result: str | None = None
    if name.startswith("__spirv_"):
        if typed := _TYPED.fullmatch(name):
            name, result = typed[1], typed[2]
    elif counted := _COUNTED.fullmatch(name):
        name = counted[1] + (counted[2] or "")
    elif name.startswith(_WIDE):
        name = f"atomic_{name.removeprefix(_WIDE)}"
    row = BUILTINS.get(name)
    if row is None or not row.arity[0] <= len(arguments) <= row.arity[1]:
        return None
    return Callee(row, arguments, result)
