// RUN: XEGPU_CANONICAL
module {
  func.func @f(%w: i32, %vi: vector<16xi32>, %vx: vector<16xindex>, %i: index, %b: i1, %vm: vector<16xi1>, %ti: tensor<?xi32>, %s: f32, %tf: tensor<?xf32>, %sv: vector<[4]xf32>, %v: vector<16xf32>, %m: memref<8x16xf32>, %t1: tensor<8x16xi1>, %t: tensor<8x16xf32>) {
    %r0 = arith.addi %w, %w overflow<nsw> : i32
    %r1 = arith.addi %w, %w overflow<nsw,nuw> : i32
    %r2 = arith.addi %w, %w : i32
    %r3 = arith.addi %vi, %vi overflow<nsw,nuw> : vector<16xi32>
    %r4 = arith.addi %vx, %vx : vector<16xindex>
    %r5 = arith.subi %i, %i overflow<nuw> : index
    %r6 = arith.muli %w, %w overflow<nsw> : i32
    %r7 = arith.shli %w, %w overflow<nsw> : i32
    %r8 = arith.shrsi %w, %w exact : i32
    %r9 = arith.shrui %w, %w exact : i32
    %r10 = arith.shrui %w, %w : i32
    %r11 = arith.divsi %w, %w exact : i32
    %r12 = arith.divui %w, %w exact : i32
    %r13 = arith.divui %vi, %vi : vector<16xi32>
    %r14 = arith.ceildivsi %w, %w : i32
    %r15 = arith.ceildivui %w, %w : i32
    %r16 = arith.floordivsi %w, %w : i32
    %r17 = arith.remsi %w, %w : i32
    %r18 = arith.remui %w, %w : i32
    %r19 = arith.andi %b, %b : i1
    %r20 = arith.ori %vm, %vm : vector<16xi1>
    %r21 = arith.xori %ti, %ti : tensor<?xi32>
    %r22 = arith.maxsi %w, %w : i32
    %r23 = arith.maxui %i, %i : index
    %r24 = arith.minsi %w, %w : i32
    %r25 = arith.minui %w, %w : i32
    %r26, %r27 = arith.addui_extended %w, %w : i32, i1
    %r28, %r29 = arith.addui_extended %vi, %vi : vector<16xi32>, vector<16xi1>
    %r30, %r31 = arith.mulsi_extended %w, %w : i32
    %r32, %r33 = arith.mului_extended %vi, %vi : vector<16xi32>
    %r34 = arith.addf %s, %s fastmath<fast> : f32
    %r35 = arith.addf %s, %s fastmath<nnan,ninf> : f32
    %r36 = arith.addf %s, %s : f32
    %r37 = arith.addf %tf, %tf : tensor<?xf32>
    %r38 = arith.subf %s, %s fastmath<contract> : f32
    %r39 = arith.mulf %sv, %sv : vector<[4]xf32>
    %r40 = arith.divf %v, %v fastmath<arcp> : vector<16xf32>
    %r41 = arith.remf %v, %v fastmath<afn> : vector<16xf32>
    %r42 = arith.negf %v fastmath<nsz> : vector<16xf32>
    %r43 = arith.maximumf %s, %s : f32
    %r44 = arith.minimumf %s, %s : f32
    %r45 = arith.maxnumf %s, %s : f32
    %r46 = arith.minnumf %s, %s fastmath<nnan> : f32
    %r47 = arith.cmpi slt, %w, %w : i32
    %r48 = arith.cmpi ult, %vx, %vx : vector<16xindex>
    %r49 = arith.cmpf olt, %v, %v fastmath<nnan> : vector<16xf32>
    %r50 = arith.cmpf oeq, %sv, %sv : vector<[4]xf32>
    %r51 = arith.cmpf false, %s, %s : f32
    %r52 = arith.select %b, %v, %v : vector<16xf32>
    %r53 = arith.select %vm, %v, %v : vector<16xi1>, vector<16xf32>
    %r54 = arith.select %b, %m, %m : memref<8x16xf32>
    %r55 = arith.select %t1, %t, %t : tensor<8x16xi1>, tensor<8x16xf32>
    return
  }
}

