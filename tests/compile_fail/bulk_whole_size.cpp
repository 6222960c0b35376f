// name: a bulk copy between tensors of different sizes
// error: copy: source and destination differ in size
// meaning: a bulk copy is handed whole tensors, and 64 floats do not fill 128.
// remedy: slice both alike.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, std::uint64_t* barrier) {
  auto const src = make_tensor(make_gmem_ptr(from), Layout<_64>{});
  copy(Copy_Traits<SM90_BULK_COPY_AUTO>{}.with(*barrier), src, make_tensor(make_smem_ptr(to), Layout<_64>{}));
}
#else
void kernel(float const* from, float* to, std::uint64_t* barrier) {
  auto const src = make_tensor(make_gmem_ptr(from), Layout<_64>{});
  copy(Copy_Traits<SM90_BULK_COPY_AUTO>{}.with(*barrier), src, make_tensor(make_smem_ptr(to), Layout<_128>{}));
}
#endif
