// name: a container given to make_tensor
// error: make_tensor: takes a pointer or an iterator over elements, and not a container
// meaning: a tensor is over memory, which its pointer names; it does not keep a container alive.
// remedy: pass container.data().
#include <vector>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto view(std::vector<float>& data) { return make_tensor(data.data(), make_shape(4, 8)); }
void use(std::vector<float>& data) { view(data)(0, 1) = 1; }
#else
auto view(std::vector<float>& data) { return make_tensor(data, make_shape(4, 8)); }
void use(std::vector<float>& data) { view(data)(0, 1) = 1; }
#endif
