// name: a layout of 65 modes
// error: the layout is too large: a layout holds 64 leaves and 128 nodes
// meaning: the algebra works on values of a fixed capacity.
// remedy: coalesce or group modes before the operation.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto layout_of_64_modes = make_layout(repeat<64>(_1{}));
#else
auto layout_of_65_modes = make_layout(repeat<65>(_1{}));
#endif
