define spir_func i32 @times(i32 %a, i32 %n) {
  %b = mul i32 %a, %n
  ret i32 %b
}
