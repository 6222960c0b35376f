// name: a container given to fill
// error: copy, copy_if, fill, clear, transform: source and destination are tensors
// meaning: fill is for tensors; the standard library has one for containers.
// remedy: make a tensor of its elements.
#include <vector>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void use(std::vector<float>& data) { tilewright::fill(make_tensor(data.data(), _32{}), 1.0f); }
#else
void use(std::vector<float>& data) { tilewright::fill(data, 1.0f); }
#endif
