// name: a constant coordinate outside of a static shape
// error: tensor: the coordinate is out of range
// meaning: a tensor of shape (8,4) has rows 0 to 7; row 9 would be another tensor's memory.
// remedy: use a coordinate inside of the shape.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
float at(float const* data) { return make_tensor(data, Layout<Shape<_8, _4>>{})(_7{}, _1{}); }
#else
float at(float const* data) { return make_tensor(data, Layout<Shape<_8, _4>>{})(_9{}, _1{}); }
#endif
