// name: a cooperative product of three modes
// error: cooperative_gemm: A is (M,K), B is (N,K), and C is (M,N) in shared memory
// meaning: A still has the mode of its pipeline's stages.
// remedy: slice one stage.
#include "tilewright/algorithm/cooperative_gemm.hpp"

using namespace tilewright;

using Threads = decltype(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_8, _4>>{}));

#ifdef TILEWRIGHT_FIXED
void kernel(unsigned thread, float* a, float* b, float* c) {
  auto stages = make_tensor(make_smem_ptr(a), Layout<Shape<_16, _8, _3>>{});
  cooperative_gemm(thread, Threads{}, 1.0f, stages(_, _, 0), make_tensor(make_smem_ptr(b), Layout<Shape<_16, _8>>{}),
                   0.0f, make_tensor(make_smem_ptr(c), Layout<Shape<_16, _16>>{}));
}
#else
void kernel(unsigned thread, float* a, float* b, float* c) {
  auto stages = make_tensor(make_smem_ptr(a), Layout<Shape<_16, _8, _3>>{});
  cooperative_gemm(thread, Threads{}, 1.0f, stages, make_tensor(make_smem_ptr(b), Layout<Shape<_16, _8>>{}), 0.0f,
                   make_tensor(make_smem_ptr(c), Layout<Shape<_16, _16>>{}));
}
#endif
