target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
target triple = "spir64-unknown-unknown"

declare <128 x float> @llvm.genx.dpas.nosrc0.v128f32.v128i32.v64i32(<128 x i32>, <64 x i32>, i32)
declare <128 x float> @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(<128 x float>, <128 x i32>, <64 x i32>, i32, i32, i32, i32, i32, i32)
declare <128 x i32> @llvm.genx.lsc.load2d.stateless.v128i32.i1.i64(i1, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32)
declare <128 x i32> @llvm.genx.raw.send2.v128i32.i1.v16i32(i8, i8, i1, i8, i8, i8, i32, i32, <16 x i32>, <128 x i32>)
declare <16 x float> @llvm.genx.absf.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.bf.cvt.v16f32.v16f16(<16 x half>)
declare <16 x float> @llvm.genx.cos.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.exp.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.fmax.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.genx.fmin.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.genx.frc.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.ieee.div.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.genx.ieee.sqrt.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.inv.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.log.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.pow.v16f32.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.genx.rdregionf.v16f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32)
declare <16 x float> @llvm.genx.rndd.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.rnde.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.rndu.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.rndz.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.rsqrt.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.sat.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.sin.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.sqrt.v16f32(<16 x float>)
declare <16 x float> @llvm.genx.svm.block.ld.unaligned.v16f32.i64(i64)
declare <16 x half> @llvm.genx.bf.cvt.v16f16.v16f32(<16 x float>)
declare <16 x i16> @llvm.genx.sstrunc.sat.v16i16.v16i32(<16 x i32>)
declare <16 x i16> @llvm.genx.sutrunc.sat.v16i16.v16i32(<16 x i32>)
declare <16 x i16> @llvm.genx.ustrunc.sat.v16i16.v16i32(<16 x i32>)
declare <16 x i16> @llvm.genx.uutrunc.sat.v16i16.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.absi.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.bfi.v16i32.v16i32(<16 x i32>, <16 x i32>, <16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.bfn.v16i32.v16i32(<16 x i32>, <16 x i32>, <16 x i32>, i8)
declare <16 x i32> @llvm.genx.bfrev.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.cbit.v16i32.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.fbl.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.lsc.load.slm.v16i32.v16i1.v16i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i32>, i32)
declare <16 x i32> @llvm.genx.lsc.load.stateless.v16i32.v16i1.v16i64(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i64>, i32)
declare <16 x i32> @llvm.genx.lsc.xatomic.slm.v16i32.v16i1.v16i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i32>, <16 x i32>, <16 x i32>, i32, <16 x i32>)
declare <16 x i32> @llvm.genx.lsc.xatomic.stateless.v16i32.v16i1.v16i64(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i64>, <16 x i32>, <16 x i32>, i32, <16 x i32>)
declare <16 x i32> @llvm.genx.lzd.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.raw.send2.v16i32.v16i1.v16i64(i8, i8, <16 x i1>, i8, i8, i8, i32, i32, <16 x i64>, <16 x i32>)
declare <16 x i32> @llvm.genx.rol.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.ror.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.sbfe.v16i32.v16i32(<16 x i32>, <16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.sfbh.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.smax.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.smin.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.smulh.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.ssadd.sat.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.ssdp4a.v16i32.v16i32.v16i32.v16i32(<16 x i32>, <16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.ssshl.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.svm.block.ld.v16i32.i64(i64)
declare <16 x i32> @llvm.genx.ubfe.v16i32.v16i32(<16 x i32>, <16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.ufbh.v16i32(<16 x i32>)
declare <16 x i32> @llvm.genx.umax.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.umin.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.umulh.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.uuadd.sat.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.genx.uudp4a.v16i32.v16i32.v16i32.v16i32(<16 x i32>, <16 x i32>, <16 x i32>)
declare <3 x i32> @llvm.genx.local.id.v3i32()
declare <32 x float> @llvm.genx.svm.block.ld.unaligned.v32f32.i64(i64)
declare <32 x float> @llvm.genx.wrregionf.v32f32.v16f32.i16.v16i1(<32 x float>, <16 x float>, i32, i32, i32, i16, i32, <16 x i1>)
declare <32 x float> @llvm.genx.wrregionf.v32f32.v8f32.i16.i1(<32 x float>, <8 x float>, i32, i32, i32, i16, i32, i1)
declare <32 x i32> @llvm.genx.lsc.load.merge.stateless.v32i32.v16i1.v16i64(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i64>, i32, <32 x i32>)
declare <32 x i32> @llvm.genx.lsc.load.slm.v32i32.i1.i32(i1, i8, i8, i8, i16, i32, i8, i8, i8, i8, i32, i32)
declare <64 x i32> @llvm.genx.lsc.load2d.stateless.v64i32.i1.i64(i1, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32)
declare <64 x i32> @llvm.genx.raw.send2.v64i32.i1.v16i32(i8, i8, i1, i8, i8, i8, i32, i32, <16 x i32>, <64 x i32>)
declare <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32)
declare <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.v8i16(<32 x float>, i32, i32, i32, <8 x i16>, i32)
declare i1 @llvm.genx.any.v16i1(<16 x i1>)
declare i32 @llvm.genx.group.id.x()
declare i32 @llvm.genx.group.id.y()
declare void @llvm.genx.barrier()
declare void @llvm.genx.lsc.fence.i1(i1, i8, i8, i8)
declare void @llvm.genx.lsc.store.slm.v16i1.v16i32.v16i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i32>, <16 x i32>, i32)
declare void @llvm.genx.lsc.store.stateless.v16i1.v16i64.v32i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i64>, <32 x i32>, i32)
declare void @llvm.genx.lsc.store2d.stateless.i1.i64.v128f32(i1, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32, <128 x float>)
declare void @llvm.genx.nbarrier(i8, i8, i8)
declare void @llvm.genx.raw.send2.noresult.i1.v16i32(i8, i8, i1, i8, i8, i32, i32, <16 x i32>)
declare void @llvm.genx.raw.sends2.noresult.i1.v16i32.v128f32(i8, i8, i1, i8, i8, i8, i32, i32, <16 x i32>, <128 x float>)
declare void @llvm.genx.raw.sends2.noresult.v16i1.v16i64.v16i32(i8, i8, <16 x i1>, i8, i8, i8, i32, i32, <16 x i64>, <16 x i32>)
declare void @llvm.genx.svm.block.st.i64.v16f32(i64, <16 x float>)
declare void @llvm.genx.svm.block.st.i64.v16i32(i64, <16 x i32>)
declare void @llvm.genx.svm.block.st.i64.v32f32(i64, <32 x float>)
declare { <16 x i32>, <16 x i32> } @llvm.genx.addc.v16i32.v16i32(<16 x i32>, <16 x i32>)
declare { <16 x i32>, <16 x i32> } @llvm.genx.subb.v16i32.v16i32(<16 x i32>, <16 x i32>)

define spir_kernel void @vector_add(ptr addrspace(1) "VCArgumentIOKind"="0" %a, ptr addrspace(1) %b, ptr addrspace(1) %o.p) #0 {
  %o = ptrtoint ptr addrspace(1) %o.p to i64
  %g = call i32 @llvm.genx.group.id.x()
  %l = call <3 x i32> @llvm.genx.local.id.v3i32()
  %lx = extractelement <3 x i32> %l, i32 0
  %g4 = mul i32 %g, 4
  %i = add i32 %g4, %lx
  %w = zext i32 %i to i64
  %d = shl i64 %w, 6
  %an = ptrtoint ptr addrspace(1) %a to i64
  %bn = ptrtoint ptr addrspace(1) %b to i64
  %pa = add i64 %an, %d
  %pb = add i64 %bn, %d
  %po = add i64 %o, %d
  %x = call <16 x float> @llvm.genx.svm.block.ld.unaligned.v16f32.i64(i64 %pa)
  %y = call <16 x float> @llvm.genx.svm.block.ld.unaligned.v16f32.i64(i64 %pb)
  %z = fadd <16 x float> %x, %y
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %po, <16 x float> %z)
  ret void
}

define spir_kernel void @regions(ptr addrspace(1) %a, ptr addrspace(1) %o.p) #0 {
  %g = call i32 @llvm.genx.group.id.x()
  %o = ptrtoint ptr addrspace(1) %o.p to i64
  %an = ptrtoint ptr addrspace(1) %a to i64
  %v = call <32 x float> @llvm.genx.svm.block.ld.unaligned.v32f32.i64(i64 %an)
  ; even elements
  %even = call <16 x float> @llvm.genx.rdregionf.v16f32.v32f32.i16(<32 x float> %v, i32 0, i32 16, i32 2, i16 0, i32 undef)
  ; 4 rows of 4, vstride 8, from element 2
  %box = call <16 x float> @llvm.genx.rdregionf.v16f32.v32f32.i16(<32 x float> %v, i32 8, i32 4, i32 1, i16 8, i32 undef)
  %m = fcmp olt <16 x float> %even, %box
  %any = call i1 @llvm.genx.any.v16i1(<16 x i1> %m)
  %w = call <32 x float> @llvm.genx.wrregionf.v32f32.v16f32.i16.v16i1(<32 x float> %v, <16 x float> %box, i32 0, i32 16, i32 2, i16 4, i32 undef, <16 x i1> %m)
  ; at a dynamic offset
  %g4 = shl i32 %g, 2
  %d = trunc i32 %g4 to i16
  %dyn = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %v, i32 0, i32 8, i32 2, i16 %d, i32 undef)
  %s0 = insertelement <8 x i16> <i16 undef, i16 4, i16 60, i16 8, i16 12, i16 124, i16 0, i16 16>, i16 %d, i32 0
  %ind = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.v8i16(<32 x float> %v, i32 0, i32 1, i32 0, <8 x i16> %s0, i32 undef)
  %both = fadd <8 x float> %dyn, %ind
  %w2 = call <32 x float> @llvm.genx.wrregionf.v32f32.v8f32.i16.i1(<32 x float> %w, <8 x float> %both, i32 8, i32 4, i32 1, i16 %d, i32 undef, i1 true)
  %f = uitofp i1 %any to float
  %w3 = insertelement <32 x float> %w2, float %f, i32 31
  %g7 = shl i32 %g, 7
  %gw = zext i32 %g7 to i64
  %at = add i64 %o, %gw
  call void @llvm.genx.svm.block.st.i64.v32f32(i64 %at, <32 x float> %w3)
  ret void
}

; out: per group 16 x 2 dwords pairs; count: 16 dwords
define spir_kernel void @local_memory(ptr addrspace(1) %a, ptr addrspace(1) %o, ptr addrspace(1) %count) #1 {
  %g = call i32 @llvm.genx.group.id.x()
  %l3 = call <3 x i32> @llvm.genx.local.id.v3i32()
  %l = extractelement <3 x i32> %l3, i32 0
  %an = ptrtoint ptr addrspace(1) %a to i64
  %on = ptrtoint ptr addrspace(1) %o to i64
  %cn = ptrtoint ptr addrspace(1) %count to i64
  %g2 = shl i32 %g, 1
  %t = add i32 %g2, %l
  ; bytes of a: 16 of each thread
  %t16 = shl i32 %t, 4
  %tz = zext i32 %t16 to i64
  %start = add i64 %an, %tz
  %s1 = insertelement <16 x i64> undef, i64 %start, i32 0
  %sv = shufflevector <16 x i64> %s1, <16 x i64> undef, <16 x i32> zeroinitializer
  %addr = add <16 x i64> %sv, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
  %v = call <16 x i32> @llvm.genx.lsc.load.stateless.v16i32.v16i1.v16i64(<16 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 5, i8 1, i8 1, i8 0, <16 x i64> %addr, i32 0)
  ; to slm, at 64 * l, in reverse
  %l64 = shl i32 %l, 6
  %r1 = insertelement <16 x i32> undef, i32 %l64, i32 0
  %rv = shufflevector <16 x i32> %r1, <16 x i32> undef, <16 x i32> zeroinitializer
  %sa = add <16 x i32> %rv, <i32 60, i32 56, i32 52, i32 48, i32 44, i32 40, i32 36, i32 32, i32 28, i32 24, i32 20, i32 16, i32 12, i32 8, i32 4, i32 0>
  call void @llvm.genx.lsc.store.slm.v16i1.v16i32.v16i32(<16 x i1> splat (i1 true), i8 4, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 1, i8 0, <16 x i32> %sa, <16 x i32> %v, i32 0)
  call void @llvm.genx.lsc.fence.i1(i1 true, i8 3, i8 0, i8 0)
  call void @llvm.genx.barrier()
  ; a block of 32 dwords of slm
  %all = call <32 x i32> @llvm.genx.lsc.load.slm.v32i32.i1.i32(i1 true, i8 0, i8 0, i8 0, i16 1, i32 0, i8 3, i8 7, i8 2, i8 0, i32 0, i32 0)
  ; odd lanes only: pairs at o + t*128 + lane*8; even ones keep
  %t128 = shl i32 %t, 7
  %t128z = zext i32 %t128 to i64
  %ostart = add i64 %on, %t128z
  %o1 = insertelement <16 x i64> undef, i64 %ostart, i32 0
  %ov = shufflevector <16 x i64> %o1, <16 x i64> undef, <16 x i32> zeroinitializer
  %oaddr = add <16 x i64> %ov, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120>
  %old = call <32 x i32> @llvm.genx.lsc.load.merge.stateless.v32i32.v16i1.v16i64(<16 x i1> <i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true>, i8 0, i8 0, i8 0, i16 1, i32 0, i8 3, i8 2, i8 1, i8 0, <16 x i64> %oaddr, i32 0, <32 x i32> %all)
  %sum = add <32 x i32> %old, %all
  call void @llvm.genx.lsc.store.stateless.v16i1.v16i64.v32i32(<16 x i1> splat (i1 true), i8 4, i8 0, i8 0, i16 1, i32 0, i8 3, i8 2, i8 1, i8 0, <16 x i64> %oaddr, <32 x i32> %sum, i32 0)
  ; count: atomic add of v at count + 4 * (v & 15), where v is odd
  %one = and <16 x i32> %v, splat (i32 1)
  %odd = icmp ne <16 x i32> %one, zeroinitializer
  %lowv = and <16 x i32> %v, splat (i32 15)
  %bytes = shl <16 x i32> %lowv, splat (i32 2)
  %bytesz = zext <16 x i32> %bytes to <16 x i64>
  %c1 = insertelement <16 x i64> undef, i64 %cn, i32 0
  %cv = shufflevector <16 x i64> %c1, <16 x i64> undef, <16 x i32> zeroinitializer
  %ca = add <16 x i64> %cv, %bytesz
  %x = call <16 x i32> @llvm.genx.lsc.xatomic.stateless.v16i32.v16i1.v16i64(<16 x i1> %odd, i8 12, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 1, i8 0, <16 x i64> %ca, <16 x i32> %v, <16 x i32> undef, i32 0, <16 x i32> undef)
  ret void
}

define spir_kernel void @gemm(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %k) #0 {
entry:
  %gx = call i32 @llvm.genx.group.id.x()
  %gy = call i32 @llvm.genx.group.id.y()
  %an = ptrtoint ptr addrspace(1) %a to i64
  %bn = ptrtoint ptr addrspace(1) %b to i64
  %cn = ptrtoint ptr addrspace(1) %c to i64
  %x = shl i32 %gx, 4
  %y = shl i32 %gy, 3
  %k2 = shl i32 %k, 1
  %pitch = sub i32 %k2, 1
  %k1 = sub i32 %k, 1
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  %acc = phi <128 x float> [zeroinitializer, %entry], [%sum, %loop]
  %am = call <64 x i32> @llvm.genx.lsc.load2d.stateless.v64i32.i1.i64(i1 true, i8 2, i8 2, i8 2, i8 1, i8 1, i16 16, i16 8, i8 0, i64 %an, i32 %pitch, i32 31, i32 %pitch, i32 %i, i32 %y)
  %bm = call <128 x i32> @llvm.genx.lsc.load2d.stateless.v128i32.i1.i64(i1 true, i8 2, i8 2, i8 2, i8 1, i8 1, i16 16, i16 16, i8 1, i64 %bn, i32 127, i32 %k1, i32 127, i32 %x, i32 %i)
  %sum = call <128 x float> @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(<128 x float> %acc, <128 x i32> %bm, <64 x i32> %am, i32 10, i32 10, i32 8, i32 8, i32 1, i32 1)
  %next = add i32 %i, 16
  %more = icmp ult i32 %next, %k
  br i1 %more, label %loop, label %done
done:
  call void @llvm.genx.lsc.store2d.stateless.i1.i64.v128f32(i1 true, i8 0, i8 0, i8 3, i8 1, i8 1, i16 16, i16 8, i8 0, i64 %cn, i32 255, i32 31, i32 255, i32 %x, i32 %y, <128 x float> %sum)
  ret void
}

define spir_kernel void @arithmetic(ptr addrspace(1) %i, ptr addrspace(1) %o) #0 {
  %in = ptrtoint ptr addrspace(1) %i to i64
  %on = ptrtoint ptr addrspace(1) %o to i64
  %ap = add i64 %in, 0
  %a = call <16 x i32> @llvm.genx.svm.block.ld.v16i32.i64(i64 %ap)
  %bp = add i64 %in, 64
  %b = call <16 x i32> @llvm.genx.svm.block.ld.v16i32.i64(i64 %bp)
  %cp = add i64 %in, 128
  %c = call <16 x i32> @llvm.genx.svm.block.ld.v16i32.i64(i64 %cp)
  %xp = add i64 %in, 192
  %xi = call <16 x i32> @llvm.genx.svm.block.ld.v16i32.i64(i64 %xp)
  %x = bitcast <16 x i32> %xi to <16 x float>
  %yp = add i64 %in, 256
  %yi = call <16 x i32> @llvm.genx.svm.block.ld.v16i32.i64(i64 %yp)
  %y = bitcast <16 x i32> %yi to <16 x float>
  %t0 = call <16 x i32> @llvm.genx.absi.v16i32(<16 x i32> %a)
  %t1 = add i64 %on, 0
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t1, <16 x i32> %t0)
  %t3 = call <16 x i32> @llvm.genx.smax.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t4 = add i64 %on, 64
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t4, <16 x i32> %t3)
  %t6 = call <16 x i32> @llvm.genx.smin.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t7 = add i64 %on, 128
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t7, <16 x i32> %t6)
  %t9 = call <16 x i32> @llvm.genx.umax.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t10 = add i64 %on, 192
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t10, <16 x i32> %t9)
  %t12 = call <16 x i32> @llvm.genx.umin.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t13 = add i64 %on, 256
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t13, <16 x i32> %t12)
  %t15 = call <16 x i32> @llvm.genx.cbit.v16i32.v16i32(<16 x i32> %a)
  %t16 = add i64 %on, 320
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t16, <16 x i32> %t15)
  %t18 = call <16 x i32> @llvm.genx.lzd.v16i32(<16 x i32> %a)
  %t19 = add i64 %on, 384
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t19, <16 x i32> %t18)
  %t21 = call <16 x i32> @llvm.genx.fbl.v16i32(<16 x i32> %a)
  %t22 = add i64 %on, 448
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t22, <16 x i32> %t21)
  %t24 = call <16 x i32> @llvm.genx.ufbh.v16i32(<16 x i32> %a)
  %t25 = add i64 %on, 512
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t25, <16 x i32> %t24)
  %t27 = call <16 x i32> @llvm.genx.sfbh.v16i32(<16 x i32> %a)
  %t28 = add i64 %on, 576
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t28, <16 x i32> %t27)
  %t30 = call <16 x i32> @llvm.genx.bfrev.v16i32(<16 x i32> %a)
  %t31 = add i64 %on, 640
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t31, <16 x i32> %t30)
  %t33 = call <16 x i32> @llvm.genx.rol.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t34 = add i64 %on, 704
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t34, <16 x i32> %t33)
  %t36 = call <16 x i32> @llvm.genx.ror.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t37 = add i64 %on, 768
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t37, <16 x i32> %t36)
  %t39 = call <16 x i32> @llvm.genx.umulh.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t40 = add i64 %on, 832
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t40, <16 x i32> %t39)
  %t42 = call <16 x i32> @llvm.genx.smulh.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t43 = add i64 %on, 896
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t43, <16 x i32> %t42)
  %t45 = call <16 x i32> @llvm.genx.bfi.v16i32.v16i32(<16 x i32> splat (i32 5), <16 x i32> splat (i32 7), <16 x i32> %a, <16 x i32> %b)
  %t46 = add i64 %on, 960
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t46, <16 x i32> %t45)
  %t48 = call <16 x i32> @llvm.genx.sbfe.v16i32.v16i32(<16 x i32> splat (i32 5), <16 x i32> splat (i32 7), <16 x i32> %a)
  %t49 = add i64 %on, 1024
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t49, <16 x i32> %t48)
  %t51 = call <16 x i32> @llvm.genx.ubfe.v16i32.v16i32(<16 x i32> splat (i32 5), <16 x i32> splat (i32 7), <16 x i32> %a)
  %t52 = add i64 %on, 1088
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t52, <16 x i32> %t51)
  %t54 = call <16 x i32> @llvm.genx.ssdp4a.v16i32.v16i32.v16i32.v16i32(<16 x i32> %c, <16 x i32> %a, <16 x i32> %b)
  %t55 = add i64 %on, 1152
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t55, <16 x i32> %t54)
  %t57 = call <16 x i32> @llvm.genx.uudp4a.v16i32.v16i32.v16i32.v16i32(<16 x i32> %c, <16 x i32> %a, <16 x i32> %b)
  %t58 = add i64 %on, 1216
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t58, <16 x i32> %t57)
  %t60 = call <16 x i32> @llvm.genx.bfn.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, i8 -27)
  %t61 = add i64 %on, 1280
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t61, <16 x i32> %t60)
  %t63 = call { <16 x i32>, <16 x i32> } @llvm.genx.addc.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t64 = extractvalue { <16 x i32>, <16 x i32> } %t63, 0
  %t65 = add i64 %on, 1344
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t65, <16 x i32> %t64)
  %t67 = extractvalue { <16 x i32>, <16 x i32> } %t63, 1
  %t68 = add i64 %on, 1408
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t68, <16 x i32> %t67)
  %t70 = call { <16 x i32>, <16 x i32> } @llvm.genx.subb.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t71 = extractvalue { <16 x i32>, <16 x i32> } %t70, 0
  %t72 = add i64 %on, 1472
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t72, <16 x i32> %t71)
  %t74 = extractvalue { <16 x i32>, <16 x i32> } %t70, 1
  %t75 = add i64 %on, 1536
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t75, <16 x i32> %t74)
  %t77 = call <16 x i32> @llvm.genx.ssadd.sat.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t78 = add i64 %on, 1600
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t78, <16 x i32> %t77)
  %t80 = call <16 x i32> @llvm.genx.uuadd.sat.v16i32.v16i32(<16 x i32> %a, <16 x i32> %b)
  %t81 = add i64 %on, 1664
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t81, <16 x i32> %t80)
  %t83 = call <16 x i16> @llvm.genx.sstrunc.sat.v16i16.v16i32(<16 x i32> %a)
  %t84 = sext <16 x i16> %t83 to <16 x i32>
  %t85 = add i64 %on, 1728
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t85, <16 x i32> %t84)
  %t87 = call <16 x i16> @llvm.genx.ustrunc.sat.v16i16.v16i32(<16 x i32> %a)
  %t88 = sext <16 x i16> %t87 to <16 x i32>
  %t89 = add i64 %on, 1792
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t89, <16 x i32> %t88)
  %t91 = call <16 x i16> @llvm.genx.uutrunc.sat.v16i16.v16i32(<16 x i32> %a)
  %t92 = sext <16 x i16> %t91 to <16 x i32>
  %t93 = add i64 %on, 1856
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t93, <16 x i32> %t92)
  %t95 = call <16 x i16> @llvm.genx.sutrunc.sat.v16i16.v16i32(<16 x i32> %a)
  %t96 = sext <16 x i16> %t95 to <16 x i32>
  %t97 = add i64 %on, 1920
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t97, <16 x i32> %t96)
  %t99 = call <16 x i32> @llvm.genx.ssshl.v16i32.v16i32(<16 x i32> %a, <16 x i32> splat (i32 5))
  %t100 = add i64 %on, 1984
  call void @llvm.genx.svm.block.st.i64.v16i32(i64 %t100, <16 x i32> %t99)
  %t102 = call <16 x float> @llvm.genx.absf.v16f32(<16 x float> %x)
  %t103 = add i64 %on, 2048
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t103, <16 x float> %t102)
  %t105 = call <16 x float> @llvm.genx.fmax.v16f32(<16 x float> %x, <16 x float> %y)
  %t106 = add i64 %on, 2112
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t106, <16 x float> %t105)
  %t108 = call <16 x float> @llvm.genx.fmin.v16f32(<16 x float> %x, <16 x float> %y)
  %t109 = add i64 %on, 2176
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t109, <16 x float> %t108)
  %t111 = call <16 x float> @llvm.genx.ieee.div.v16f32(<16 x float> %x, <16 x float> %y)
  %t112 = add i64 %on, 2240
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t112, <16 x float> %t111)
  %t114 = call <16 x float> @llvm.genx.pow.v16f32.v16f32(<16 x float> %y, <16 x float> %y)
  %t115 = add i64 %on, 2304
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t115, <16 x float> %t114)
  %t117 = call <16 x float> @llvm.genx.rndd.v16f32(<16 x float> %x)
  %t118 = add i64 %on, 2368
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t118, <16 x float> %t117)
  %t120 = call <16 x float> @llvm.genx.rndu.v16f32(<16 x float> %x)
  %t121 = add i64 %on, 2432
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t121, <16 x float> %t120)
  %t123 = call <16 x float> @llvm.genx.rnde.v16f32(<16 x float> %x)
  %t124 = add i64 %on, 2496
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t124, <16 x float> %t123)
  %t126 = call <16 x float> @llvm.genx.rndz.v16f32(<16 x float> %x)
  %t127 = add i64 %on, 2560
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t127, <16 x float> %t126)
  %t129 = call <16 x float> @llvm.genx.frc.v16f32(<16 x float> %x)
  %t130 = add i64 %on, 2624
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t130, <16 x float> %t129)
  %t132 = call <16 x float> @llvm.genx.sat.v16f32(<16 x float> %x)
  %t133 = add i64 %on, 2688
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t133, <16 x float> %t132)
  %t135 = call <16 x float> @llvm.genx.sqrt.v16f32(<16 x float> %y)
  %t136 = add i64 %on, 2752
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t136, <16 x float> %t135)
  %t138 = call <16 x float> @llvm.genx.ieee.sqrt.v16f32(<16 x float> %y)
  %t139 = add i64 %on, 2816
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t139, <16 x float> %t138)
  %t141 = call <16 x float> @llvm.genx.inv.v16f32(<16 x float> %y)
  %t142 = add i64 %on, 2880
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t142, <16 x float> %t141)
  %t144 = call <16 x float> @llvm.genx.rsqrt.v16f32(<16 x float> %y)
  %t145 = add i64 %on, 2944
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t145, <16 x float> %t144)
  %t147 = call <16 x float> @llvm.genx.log.v16f32(<16 x float> %y)
  %t148 = add i64 %on, 3008
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t148, <16 x float> %t147)
  %t150 = call <16 x float> @llvm.genx.exp.v16f32(<16 x float> %y)
  %t151 = add i64 %on, 3072
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t151, <16 x float> %t150)
  %t153 = call <16 x float> @llvm.genx.sin.v16f32(<16 x float> %y)
  %t154 = add i64 %on, 3136
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t154, <16 x float> %t153)
  %t156 = call <16 x float> @llvm.genx.cos.v16f32(<16 x float> %y)
  %t157 = add i64 %on, 3200
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t157, <16 x float> %t156)
  %t159 = call <16 x half> @llvm.genx.bf.cvt.v16f16.v16f32(<16 x float> %x)
  %t160 = call <16 x float> @llvm.genx.bf.cvt.v16f32.v16f16(<16 x half> %t159)
  %t161 = add i64 %on, 3264
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %t161, <16 x float> %t160)
  ret void
}

; Packed descriptors: tiles of a product, whose payloads go around a loop, and rows that are gathered behind a barrier.
define spir_kernel void @packed_messages(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d) #2 {
entry:
  %gx = call i32 @llvm.genx.group.id.x()
  %l3 = call <3 x i32> @llvm.genx.local.id.v3i32()
  %l = extractelement <3 x i32> %l3, i32 0
  %an = ptrtoint ptr addrspace(1) %a to i64
  %bn = ptrtoint ptr addrspace(1) %b to i64
  %cn = ptrtoint ptr addrspace(1) %c to i64
  %dn = ptrtoint ptr addrspace(1) %d to i64
  %tile = shl i32 %gx, 1
  %t = add i32 %tile, %l
  %y = shl i32 %t, 3
  %a64 = insertelement <8 x i64> zeroinitializer, i64 %an, i32 0
  %a32 = bitcast <8 x i64> %a64 to <16 x i32>
  %a1 = insertelement <16 x i32> %a32, i32 63, i32 2
  %a2 = insertelement <16 x i32> %a1, i32 31, i32 3
  %a3 = insertelement <16 x i32> %a2, i32 63, i32 4
  %a4 = insertelement <16 x i32> %a3, i32 %y, i32 6
  %a5 = insertelement <16 x i32> %a4, i32 1807, i32 7
  %b64 = insertelement <8 x i64> zeroinitializer, i64 %bn, i32 0
  %b32 = bitcast <8 x i64> %b64 to <16 x i32>
  %b1 = insertelement <16 x i32> %b32, i32 63, i32 2
  %b2 = insertelement <16 x i32> %b1, i32 15, i32 3
  %b3 = insertelement <16 x i32> %b2, i32 63, i32 4
  %b5 = insertelement <16 x i32> %b3, i32 3855, i32 7
  %c64 = insertelement <8 x i64> zeroinitializer, i64 %cn, i32 0
  %c32 = bitcast <8 x i64> %c64 to <16 x i32>
  %c1 = insertelement <16 x i32> %c32, i32 127, i32 2
  %c2 = insertelement <16 x i32> %c1, i32 31, i32 3
  %c3 = insertelement <16 x i32> %c2, i32 127, i32 4
  %c4 = insertelement <16 x i32> %c3, i32 %y, i32 6
  %c5 = insertelement <16 x i32> %c4, i32 1807, i32 7
  %am = call <64 x i32> @llvm.genx.raw.send2.v64i32.i1.v16i32(i8 0, i8 0, i1 true, i8 1, i8 4, i8 15, i32 0, i32 37880323, <16 x i32> %a5, <64 x i32> zeroinitializer)
  br label %loop
loop:
  %x = phi i32 [0, %entry], [16, %loop]
  %bp = phi <16 x i32> [%b5, %entry], [%bnext, %loop]
  %cp = phi <16 x i32> [%c5, %entry], [%cnext, %loop]
  %bm = call <128 x i32> @llvm.genx.raw.send2.v128i32.i1.v16i32(i8 0, i8 0, i1 true, i8 1, i8 8, i8 15, i32 0, i32 42074755, <16 x i32> %bp, <128 x i32> zeroinitializer)
  %p = call <128 x float> @llvm.genx.dpas.nosrc0.v128f32.v128i32.v64i32(<128 x i32> %bm, <64 x i32> %am, i32 134744586)
  call void @llvm.genx.raw.sends2.noresult.i1.v16i32.v128f32(i8 0, i8 0, i1 true, i8 1, i8 8, i8 15, i32 0, i32 33555463, <16 x i32> %cp, <128 x float> %p)
  %bnext = insertelement <16 x i32> %bp, i32 16, i32 5
  %cnext = insertelement <16 x i32> %cp, i32 16, i32 5
  %more = icmp eq i32 %x, 0
  br i1 %more, label %loop, label %done
done:
  ; both threads of a group meet at barrier 1
  %n = insertelement <16 x i32> zeroinitializer, i32 33685505, i32 2
  call void @llvm.genx.raw.send2.noresult.i1.v16i32(i8 0, i8 0, i1 true, i8 1, i8 3, i32 0, i32 33554436, <16 x i32> %n)
  call void @llvm.genx.nbarrier(i8 0, i8 1, i8 0)
  ; the first column of c, of the rows of the other thread
  %other = xor i32 %t, 1
  %row = shl i32 %other, 10
  %rowz = zext i32 %row to i64
  %from = add i64 %cn, %rowz
  %f1 = insertelement <16 x i64> undef, i64 %from, i32 0
  %fv = shufflevector <16 x i64> %f1, <16 x i64> undef, <16 x i32> zeroinitializer
  %fa = add <16 x i64> %fv, <i64 0, i64 128, i64 256, i64 384, i64 512, i64 640, i64 768, i64 896, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0>
  %g = call <16 x i32> @llvm.genx.raw.send2.v16i32.v16i1.v16i64(i8 0, i8 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, i8 2, i8 1, i8 15, i32 0, i32 68158848, <16 x i64> %fa, <16 x i32> splat (i32 7))
  %out = shl i32 %t, 6
  %outz = zext i32 %out to i64
  %to = add i64 %dn, %outz
  %t1 = insertelement <16 x i64> undef, i64 %to, i32 0
  %tv = shufflevector <16 x i64> %t1, <16 x i64> undef, <16 x i32> zeroinitializer
  %ta = add <16 x i64> %tv, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60>
  call void @llvm.genx.raw.sends2.noresult.v16i1.v16i64.v16i32(i8 0, i8 4, <16 x i1> splat (i1 true), i8 2, i8 1, i8 15, i32 0, i32 67110276, <16 x i64> %ta, <16 x i32> %g)
  ret void
}

attributes #0 = { "VCFunction" }
attributes #1 = { "VCFunction" "VCSLMSize"="128" }
attributes #2 = { "VCFunction" "VCNamedBarrierCount"="2" }
