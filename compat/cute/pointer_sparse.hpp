// Sparse storage: of every S elements in a row one is stored. A layout counts elements, the pointer stores.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer.hpp"
#include "cute/pointer_flagged.hpp"
#include "tilewright/tensor/sparse.hpp"

namespace cute {

using tilewright::is_sparse;
using tilewright::is_sparse_ptr;
using tilewright::is_sparse_v;
using tilewright::make_sparse_ptr;
using tilewright::smem_sparse_ptr_flag_bits;
using tilewright::sparse_elem;
using tilewright::sparse_ptr;

template <int S>
using smem_sparse_ptr_flag = smem_sparse_ptr_flag_bits<S, 1>;

namespace detail {
template <int S, class It>
inline constexpr bool is_own_iterator<sparse_ptr<S, It>> = true;
}

}  // namespace cute
