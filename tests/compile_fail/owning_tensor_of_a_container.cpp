// name: a container given to make_tensor<T>
// error: make_tensor<T>: a tensor that owns its elements takes a static layout or shape
// meaning: with the element type named, make_tensor makes the elements too, and it takes their layout.
// remedy: leave the element type out, and pass the container's pointer; or give a static layout.
#include <vector>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void use(std::vector<float>& data) { clear(make_tensor(data.data(), _32{})); }
#else
void use(std::vector<float>& data) { clear(make_tensor<float>(data)); }
#endif
