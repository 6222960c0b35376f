// name: a container as a shape
// error: make_shape, make_stride, make_coord: an entry is an integer
// meaning: the number of modes is part of a shape's type, and that of a container's elements is not.
// remedy: pass the elements one by one; layouts whose rank is known at run time are those of the value face.
#include <vector>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto shape_of(std::vector<int> const& n) { return make_shape(n[0], n[1]); }
auto shape = shape_of({4, 8});
#else
auto shape_of(std::vector<int> const& n) { return make_shape(n); }
auto shape = shape_of({4, 8});
#endif
