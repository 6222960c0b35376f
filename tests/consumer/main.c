/* A stranger's first program in C: a copy between two layouts, from the installed library. */
#include <tilewright/tilewright.h>

#include <stdio.h>

int main(void) {
  int from[6] = {0, 1, 2, 3, 4, 5}, to[6];
  tw_layout *rows = NULL, *columns = NULL;
  if (tw_layout_parse("(2,3):(3,1)", &rows) != TW_OK || tw_layout_parse("(2,3)", &columns) != TW_OK) return 1;
  tw_tensor src = {.size = sizeof src, .data = from, .layout = rows, .element = TW_I32};
  tw_tensor dst = {.size = sizeof dst, .data = to, .layout = columns, .element = TW_I32};
  if (tw_copy(&src, &dst, NULL) != TW_OK) {
    puts(tw_last_error());
    return 1;
  }
  tw_layout_destroy(rows);
  tw_layout_destroy(columns);
  puts("the C interface is usable");
  return to[1] == 3 && to[2] == 1 ? 0 : 1;
}
