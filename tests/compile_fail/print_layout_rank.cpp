// name: a picture of a layout of rank 3
// error: print_layout: draws layouts of rank 1 and 2
// meaning: a grid has rows and columns.
// remedy: group or slice the modes first.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void show() { print_layout(group<1, 3>(Layout<Shape<_4, _8, _2>>{})); }
#else
void show() { print_layout(Layout<Shape<_4, _8, _2>>{}); }
#endif
