add (16|M0) r1.0<1>:f r2.0<1;1,0>:f
mov (16|M3) r1.0<1>:f r2.0<1;1,0>:f
foo
bfn.(s0) (16|M0) (sat)r1.0<1>:ud r2.0<1;0>:ud r3.0<1;0>:ud r4.0<1>:ud
(W) mov (8|M0) r1.99<1>:ud 0x1:ud
goto (16|M0) X X
mov (16|M0) r1.0<1>:ud 0x12345678:ud {Compacted}
mov (16|M0) r1.0<1>:ud r2.0<1;1,0>:ud {$33}
(f0.0) sync.nop null
