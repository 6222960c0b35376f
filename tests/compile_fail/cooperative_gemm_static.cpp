// name: a cooperative product of run-time extents
// error: cooperative_gemm: the shapes of A and B must be static
// meaning: fragments are registers, whose number the compiler has to know.
// remedy: write the extents of the tiles as constants.
#include "tilewright/algorithm/cooperative_gemm.hpp"

using namespace tilewright;

using Threads = decltype(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_8, _4>>{}));

#ifdef TILEWRIGHT_FIXED
void kernel(unsigned thread, float* a, float* b, float* c) {
  cooperative_gemm(thread, Threads{}, 1.0f, make_tensor(make_smem_ptr(a), Layout<Shape<_16, _8>>{}),
                   make_tensor(make_smem_ptr(b), Layout<Shape<_16, _8>>{}), 0.0f,
                   make_tensor(make_smem_ptr(c), Layout<Shape<_16, _16>>{}));
}
#else
void kernel(unsigned thread, float* a, float* b, float* c, int k) {
  cooperative_gemm(thread, Threads{}, 1.0f, make_tensor(make_smem_ptr(a), make_layout(make_shape(_16{}, k))),
                   make_tensor(make_smem_ptr(b), Layout<Shape<_16, _8>>{}), 0.0f,
                   make_tensor(make_smem_ptr(c), Layout<Shape<_16, _16>>{}));
}
#endif
