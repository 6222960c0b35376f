/* Any layout to any layout from C: a row-major matrix becomes column-major; what cannot be done is an error code and a
   sentence. */
#include <tilewright/tilewright.h>

#include <stdio.h>

static int fail(void) {
  puts(tw_last_error());
  return 1;
}

int main(void) {
  float rows[3 * 4], columns[3 * 4];
  tw_layout *row_major = NULL, *column_major = NULL;
  for (int i = 0; i < 12; ++i) rows[i] = (float)i;
  if (tw_layout_parse("(3,4):(4,1)", &row_major) != TW_OK) return fail();
  if (tw_layout_parse("(3,4):(1,3)", &column_major) != TW_OK) return fail();
  tw_tensor src = {.size = sizeof src, .data = rows, .layout = row_major, .element = TW_F32};
  tw_tensor dst = {.size = sizeof dst, .data = columns, .layout = column_major, .element = TW_F32};
  if (tw_copy(&src, &dst, NULL) != TW_OK) return fail();
  for (int i = 0; i < 12; ++i) printf("%3.0f", (double)columns[i]);
  puts("");

  dst.element = TW_F64;
  puts(tw_error_name(tw_copy(&src, &dst, NULL)));
  tw_layout_destroy(row_major);
  tw_layout_destroy(column_major);
  return 0;
}
