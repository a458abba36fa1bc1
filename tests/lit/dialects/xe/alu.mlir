// RUN: XEGPU_CANONICAL
// RUN: xegpu-opt %s -t xe-asm | filecheck %s
//
// Every instruction of the ALU, as the dialect and as the assembler write it.
module {
  xe.kernel @alu attributes {arguments = [], grf_count = 128 : i32, implicit_arguments = [], local_id_dimensions = 0 : i32, simd_size = 16 : i32, spill_size = 0 : i32, target = "pvc"} {
  ^bb0(%0: !xe.grf<64, 64 at 0>):
    // CHECK: mov (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: sel (16|M0) (ge) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %2 = xe.sel(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {condition = "ge", exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: csel (16|M0) (lt) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %3 = xe.csel(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {condition = "lt", exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: cmp (16|M0) (lt)f1.0 r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %4, %5 = xe.cmp(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {condition = "lt", exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64> flag !xe.flag<2>
    // CHECK: cmpn (16|M0) (lt)f1.0 r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %6, %7 = xe.cmpn(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {condition = "lt", exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64> flag !xe.flag<2>
    // CHECK: not (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud{{$}}
    %8 = xe.not(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: and (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %9 = xe.and(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: or (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %10 = xe.or(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: xor (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %11 = xe.xor(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: shr (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %12 = xe.shr(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: shl (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %13 = xe.shl(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: asr (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %14 = xe.asr(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: rol (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %15 = xe.rol(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: ror (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %16 = xe.ror(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: bfn.0xca (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %17 = xe.bfn(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>], table = 202 : i32, write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: lzd (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud{{$}}
    %18 = xe.lzd(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: fbh (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud{{$}}
    %19 = xe.fbh(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: fbl (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud{{$}}
    %20 = xe.fbl(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: cbit (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud{{$}}
    %21 = xe.cbit(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: bfrev (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud{{$}}
    %22 = xe.bfrev(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: bfe (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %23 = xe.bfe(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: bfi1 (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %24 = xe.bfi1(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: bfi2 (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %25 = xe.bfi2(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: add (16|M0) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %26 = xe.add(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: add3 (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %27 = xe.add3(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: addc (16|M0) r1.0<1>:ud r2.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %28, %29 = xe.addc(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64> carry !xe.grf<64, 64 at 128>
    // CHECK: subb (16|M0) r1.0<1>:ud r2.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %30, %31 = xe.subb(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64> carry !xe.grf<64, 64 at 128>
    // CHECK: avg (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %32 = xe.avg(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: mul (16|M0) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %33 = xe.mul(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: mad (16|M0) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %34 = xe.mad(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: dp4a (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %35 = xe.dp4a(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: frc (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %36 = xe.frc(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: rndd (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %37 = xe.rndd(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: rndu (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %38 = xe.rndu(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: rndz (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %39 = xe.rndz(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: rnde (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %40 = xe.rnde(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.inv (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %41 = xe.math.inv(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.log (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %42 = xe.math.log(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.exp (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %43 = xe.math.exp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.sqt (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %44 = xe.math.sqt(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.rsqt (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %45 = xe.math.rsqt(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.sin (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %46 = xe.math.sin(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: math.cos (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %47 = xe.math.cos(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: div (16|M0) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %48 = xe.div(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: mod (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %49 = xe.mod(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: mulh (16|M0) r1.0<1>:ud r0.0<1;1,0>:ud r0.0<1;1,0>:ud{{$}}
    %50 = xe.mulh(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<ud>, #xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<64, 64 at 64>
    // CHECK: sqrtm (16|M0) r1.0<1>:f r0.0<1;1,0>:f{{$}}
    %51 = xe.sqrtm(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: pow (16|M0) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %52 = xe.pow(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    // CHECK: lrp (16|M0) r1.0<1>:f r0.0<1;1,0>:f r0.0<1;1,0>:f r0.0<1;1,0>:f{{$}}
    %53 = xe.lrp(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<64, 64 at 64>
    xe.eot
  }
}

