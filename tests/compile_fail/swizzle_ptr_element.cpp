// name: a swizzled pointer to elements that the swizzle tears apart
// error: swizzle_ptr: the swizzle moves bytes inside of an element
// meaning: the swizzle of a pointer counts in bytes: Swizzle<3,1,3> keeps two bytes together, a float has four.
// remedy: use a swizzle whose base covers the element: Swizzle<3,4,3> keeps 16 bytes together.
#include "tilewright/tensor/pointer_swizzle.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
float first(float* shared) { return *make_swizzle_ptr(make_smem_ptr(shared), Swizzle<3, 4, 3>{}); }
#else
float first(float* shared) { return *make_swizzle_ptr(make_smem_ptr(shared), Swizzle<3, 1, 3>{}); }
#endif
