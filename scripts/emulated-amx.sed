# Changes of Bochs 3.0: for each file, commands of sed by line numbers of that release.

## cpu/avx/amx.cc
# XFD: tiles that are disabled fault when they are used.
80a\
  if (BX_CPU_THIS_PTR amx->xfd & BX_XCR0_XTILEDATA_MASK) {\
    BX_CPU_THIS_PTR amx->xfd_err |= BX_XCR0_XTILEDATA_MASK;\
    exception(BX_NM_EXCEPTION, 0);\
  }\

189a\
  if (BX_CPU_THIS_PTR amx->xfd & BX_XCR0_XTILEDATA_MASK) {\
    BX_CPU_THIS_PTR amx->xfd_err |= BX_XCR0_XTILEDATA_MASK;\
    exception(BX_NM_EXCEPTION, 0);\
  }\

211a\
  if (BX_CPU_THIS_PTR amx->xfd & BX_XCR0_XTILEDATA_MASK) {\
    BX_CPU_THIS_PTR amx->xfd_err |= BX_XCR0_XTILEDATA_MASK;\
    exception(BX_NM_EXCEPTION, 0);\
  }\

# Signed bytes: both operands of TDPBSSD, the first of TDPBSUD, the second of TDPBUSD.
282,283s/Bit8u/Bit8s/g
295s/Bit8u/Bit8s/g
309s/Bit8u/Bit8s/g

## cpu/avx/amx.h
34s/start_row(0)/start_row(0), xfd(0), xfd_err(0)/
34a\
\
  Bit64u xfd, xfd_err; // MSRs 0x1c4 and 0x1c5: states that fault when used, and those that have

## cpu/cpuid.cc
238a\
#if BX_SUPPORT_AMX\
    if (is_cpu_extension_supported(BX_ISA_AMX))\
      leaf->eax |= (1<<4);\
#endif
262a\
      if (subfunction == xcr0_t::BX_XCR0_XTILEDATA_BIT)\
        leaf->ecx |= (1<<2);

## cpu/msr.cc
40a\
#if BX_SUPPORT_AMX\
#include "avx/amx.h"\
#endif\

205a\
#if BX_SUPPORT_AMX\
  if (BX_CPU_THIS_PTR amx && (index == 0x1c4 || index == 0x1c5)) {\
    *msr = (index == 0x1c4) ? BX_CPU_THIS_PTR amx->xfd : BX_CPU_THIS_PTR amx->xfd_err;\
    return true;\
  }\
#endif\

771a\
#if BX_SUPPORT_AMX\
  if (BX_CPU_THIS_PTR amx && (index == 0x1c4 || index == 0x1c5)) {\
    if (index == 0x1c4) BX_CPU_THIS_PTR amx->xfd = val_64; else BX_CPU_THIS_PTR amx->xfd_err = val_64;\
    return true;\
  }\
#endif\

## cpu/xsave.cc
# Rows and bytes per row of a tile's configuration are the other way round, and a tile has more rows than there are tiles.
1142s/[.]rows/.bytes_per_row/
1143s/[.]bytes_per_row/.rows/
1175s/BX_TILE_REGISTERS/BX_TILE_MAX_ROWS/
1186s/BX_TILE_REGISTERS/BX_TILE_MAX_ROWS/
# Tiles are in use if one is not zero.
1203s/== 0/!= 0/
