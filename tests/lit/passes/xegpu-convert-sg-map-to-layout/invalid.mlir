// RUN: xegpu-opt %s -p xegpu-convert-sg-map-to-layout --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op #xegpu.sg_map<wi_layout = [1, 4294967295], wi_data = [1, 1]> has no layout counterpart: the entries of a layout are at most 2147483647}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [1, 4294967295], wi_data = [1, 1]>}
