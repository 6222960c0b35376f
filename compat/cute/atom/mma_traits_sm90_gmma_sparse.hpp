// The traits of the matrix operations of a warpgroup with a sparse A, the tiles of such an A in shared memory
// (Layout_K_SW128_SpAtom<T, 2>), and gemm of A zipped with its metadata.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma_sparse.hpp"
#include "cute/atom/mma_traits_sm90_gmma.hpp"
#include "cute/detail/gemm_zip.hpp"
#include "cute/pointer_sparse.hpp"

namespace cute::SM90::GMMA {
/// The descriptors of a sparse tile are made as those of a dense one.
template <Major MajorMode>
using sparse_smem_desc = smem_desc<MajorMode>;
}  // namespace cute::SM90::GMMA
