// name: an array as a shape of a layout
// error: make_layout: takes a shape, a shape and a stride, or layouts
// meaning: the number of modes is part of a layout's type; an array is not read as a tuple.
// remedy: make a shape of its elements.
#include <array>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto layout_of(std::array<int, 2> n) { return make_layout(make_shape(n[0], n[1])); }
auto matrix = layout_of({4, 8});
#else
auto layout_of(std::array<int, 2> n) { return make_layout(n); }
auto matrix = layout_of({4, 8});
#endif
