// name: a span given to make_tensor
// error: make_tensor: takes a pointer or an iterator over elements, and not a container
// meaning: a span has a pointer and a size; a tensor takes the pointer, and its layout has the size.
// remedy: pass span.data().
#include <span>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void use(std::span<float> data) { clear(make_tensor(data.data(), make_layout(_32{}))); }
#else
void use(std::span<float> data) { clear(make_tensor(data, make_layout(_32{}))); }
#endif
