// name: an element of tensor memory
// error: tensor memory: no thread reads or writes an element of it
// meaning: a pointer into tensor memory is an address for instructions; threads cannot dereference it.
// remedy: copy the elements to registers with make_tmem_copy.
#include "tilewright/tensor/tmem_pointer.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
unsigned kernel() { return make_tensor(make_tmem_ptr<float>(0), Layout<_8>{}).data().column(); }
#else
float kernel() { return make_tensor(make_tmem_ptr<float>(0), Layout<_8>{})(3); }
#endif
