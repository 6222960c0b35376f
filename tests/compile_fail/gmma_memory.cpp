// name: a matrix descriptor of memory that is not shared
// error: make_gmma_desc: an operand of a warpgroup's product is read from shared memory
// meaning: the tensor's pointer is not tagged as shared memory.
// remedy: tag it with make_smem_ptr.
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/tensor/small_float.hpp"

using namespace tilewright;

using Shared = GMMA::Layout_K_SW32_Atom<half_t>;

#ifdef TILEWRIGHT_FIXED
void kernel(half_t* p) { (void)GMMA::make_gmma_desc<GMMA::Major::K>(make_tensor(make_smem_ptr(p), Shared{})); }
#else
void kernel(half_t* p) { (void)GMMA::make_gmma_desc<GMMA::Major::K>(make_tensor(make_gmem_ptr(p), Shared{})); }
#endif
