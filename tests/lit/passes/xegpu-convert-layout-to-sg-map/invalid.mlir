// RUN: xegpu-opt %s -p xegpu-convert-layout-to-sg-map --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op #xegpu.layout<inst_data = [8, 16]> has no sg_map counterpart: it has field 'inst_data', and an sg_map knows lanes only: it divides the tile of a subgroup into instructions}}
func.func private @f() attributes {a = #xegpu.layout<inst_data = [8, 16]>}

// -----

// expected-error@+1 {{has no sg_map counterpart: it is for tiles of rank 3, expected 1 or 2}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, 1, 16], lane_data = [1, 1, 1]>}

// -----

// expected-error@+1 {{has no sg_map counterpart: it has no field 'lane_data'}}
func.func private @f() attributes {a = [{b = #xegpu.layout<lane_layout = [1, 16]>}]}
