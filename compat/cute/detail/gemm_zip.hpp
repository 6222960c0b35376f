// gemm of operands that are tensors side by side: elements and factors of their blocks, zip(A, F_A), a sparse A and its metadata,
// zip(A, E), or all of them, zip(A, F_A, E). The modes are those of the first tensors; the operation's mma_unpack takes them as they
// are.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/gemm.hpp"
#include "cute/detail/mma_atom.hpp"
#include "cute/tensor_zip.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/mma/sm120_sparse.hpp"
#include "tilewright/mma/sm90_sparse_gmma.hpp"

namespace cute {

/// D = (A · F_A) (B · F_B) + C by an operation that has factors.
TILEWRIGHT_NO_EXEC_CHECK
template <tilewright::BlockScaledWarpOperation Op, class TD, detail::zip_tensor_type A, detail::zip_tensor_type B,
          class TC>
CUTE_HOST_DEVICE constexpr void mma_unpack(tilewright::MMA_Traits<Op> const& traits, TD&& D, A const& a, B const& b,
                                           TC const& C) {
  tilewright::mma_block_scaled(traits, D, a.template tensor<0>(), a.template tensor<1>(), b.template tensor<0>(),
                               b.template tensor<1>(), C);
}

/// D = A·B + C by an operation with a sparse A.
TILEWRIGHT_NO_EXEC_CHECK
template <class Op, class TD, detail::zip_tensor_type A, tilewright::TensorType B, class TC>
requires(tilewright::SparseWarpgroupOperation<Op> || tilewright::SparseWarpOperation<Op>) CUTE_HOST_DEVICE
    constexpr void mma_unpack(tilewright::MMA_Traits<Op> const& traits, TD&& D, A const& a, B const& b, TC const& C) {
  tilewright::mma_sparse(traits, D, a.template tensor<0>(), a.template tensor<1>(), b, C);
}
/// D = (A · F_A) (B · F_B) + C by one that has factors too.
TILEWRIGHT_NO_EXEC_CHECK
template <tilewright::BlockScaledSparseWarpOperation Op, class TD, detail::zip_tensor_type A, detail::zip_tensor_type B,
          class TC>
CUTE_HOST_DEVICE constexpr void mma_unpack(tilewright::MMA_Traits<Op> const& traits, TD&& D, A const& a, B const& b,
                                           TC const& C) {
  tilewright::mma_sparse_block_scaled(traits, D, a.template tensor<0>(), a.template tensor<1>(), a.template tensor<2>(),
                                      b.template tensor<0>(), b.template tensor<1>(), C);
}

namespace detail {
template <class T>
concept operand_beside_a_zip = zip_tensor_type<T> || tilewright::TensorType<T>;
template <class T>
inline constexpr int operand_rank = tilewright::rank_v<T>;
template <zip_tensor_type T>
inline constexpr int operand_rank<T> = T::rank;
}  // namespace detail

/// (V)(V) => (V), (V,M)(V,N) => (V,M,N), (V,M,K)(V,N,K) => (V,M,N)
/// pre: every thread of the atom calls it; K is not 0, or D is C
TILEWRIGHT_NO_EXEC_CHECK
template <tilewright::MmaAtomType Mma, class TD, detail::zip_tensor_type A, detail::operand_beside_a_zip B, class TC>
CUTE_HOST_DEVICE constexpr void gemm(Mma const& mma, TD&& D, A const& a, B const& b, TC const& C) {
  static_assert(A::rank == detail::operand_rank<B> && A::rank >= 1 && A::rank <= 3,
                "gemm: the ranks of the zipped A and B fit no product; give (V)(V), (V,M)(V,N) or (V,M,K)(V,N,K)");
  if constexpr (A::rank == 1) mma.call(D, a, b, C);
  else if constexpr (A::rank == 2) tilewright::detail::outer_product(mma, D, a, b, C);
  else tilewright::detail::product(mma, D, a, b, C);
}
/// C = A·B + C, of zipped operands.
TILEWRIGHT_NO_EXEC_CHECK
template <tilewright::MmaAtomType Mma, detail::zip_tensor_type A, detail::operand_beside_a_zip B, class TC>
CUTE_HOST_DEVICE constexpr void gemm(Mma const& mma, A const& a, B const& b, TC&& C) {
  gemm(mma, C, a, b, C);
}

}  // namespace cute
