// RUN: XEGPU_INVALID

func.func @dynamic(%t: !xetile.tile<?x16xf16>) {
  // expected-error@+1 {{expected a tile of static shape, got !xetile.tile<?x16xf16>}}
  xetile.prefetch_tile %t : !xetile.tile<?x16xf16>
  return
}

// -----

func.func @hint(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{invalid l1_hint: #xetile.cache_hint<write_through>, expected one of cached, uncached, streaming, read_invalidate}}
  xetile.prefetch_tile %t {l1_hint = #xetile.cache_hint<write_through>} : !xetile.tile<8x16xf16>
  return
}

// -----

func.func @second_operand(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected ':'}}
  xetile.prefetch_tile %t, %t : !xetile.tile<8x16xf16>
  return
}
