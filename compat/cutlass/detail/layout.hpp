// Layout tags as strides, and what alignment a swizzled tile in shared memory needs.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cute/swizzle_layout.hpp"
#include "cutlass/layout/matrix.h"

namespace cutlass::detail {

// A is (M,K,batch), B (N,K,batch), C (M,N,batch).
template <class Tag>
struct TagToStrideA {
  using type = Tag;
  using tag = Tag;
};
template <>
struct TagToStrideA<layout::RowMajor> {
  using type = cute::Stride<std::int64_t, cute::Int<1>, std::int64_t>;
  using tag = layout::RowMajor;
};
template <>
struct TagToStrideA<layout::ColumnMajor> {
  using type = cute::Stride<cute::Int<1>, std::int64_t, std::int64_t>;
  using tag = layout::ColumnMajor;
};
template <class Tag>
struct TagToStrideB {
  using type = Tag;
  using tag = Tag;
};
template <>
struct TagToStrideB<layout::RowMajor> {
  using type = cute::Stride<cute::Int<1>, std::int64_t, std::int64_t>;
  using tag = layout::RowMajor;
};
template <>
struct TagToStrideB<layout::ColumnMajor> {
  using type = cute::Stride<std::int64_t, cute::Int<1>, std::int64_t>;
  using tag = layout::ColumnMajor;
};
// A pointer to a tag: each group has strides of its own, in memory.
template <>
struct TagToStrideA<layout::RowMajor*> {
  using UnderlyingStride = cute::Stride<std::int64_t, cute::Int<1>, cute::Int<0>>;
  using type = UnderlyingStride*;
  using tag = layout::RowMajor;
};
template <>
struct TagToStrideA<layout::ColumnMajor*> {
  using UnderlyingStride = cute::Stride<cute::Int<1>, std::int64_t, cute::Int<0>>;
  using type = UnderlyingStride*;
  using tag = layout::ColumnMajor;
};
template <>
struct TagToStrideB<layout::RowMajor*> {
  using UnderlyingStride = cute::Stride<cute::Int<1>, std::int64_t, cute::Int<0>>;
  using type = UnderlyingStride*;
  using tag = layout::RowMajor;
};
template <>
struct TagToStrideB<layout::ColumnMajor*> {
  using UnderlyingStride = cute::Stride<std::int64_t, cute::Int<1>, cute::Int<0>>;
  using type = UnderlyingStride*;
  using tag = layout::ColumnMajor;
};
template <class Tag>
struct TagToStrideC : TagToStrideA<Tag> {};
template <class Tag>
using TagToStrideA_t = typename TagToStrideA<Tag>::type;
template <class Tag>
using TagToStrideB_t = typename TagToStrideB<Tag>::type;
template <class Tag>
using TagToStrideC_t = typename TagToStrideC<Tag>::type;

namespace detail_of_strides {
/// Stride 1 in the first mode, or in the second.
template <class Stride>
inline constexpr bool first_is_contiguous =
    cute::is_constant<1, decltype(cute::front(cute::get<0>(std::remove_pointer_t<Stride>{})))>::value;
}  // namespace detail_of_strides
// The tags back from strides.
template <class Stride>
using StrideToLayoutTagA_t =
    std::conditional_t<detail_of_strides::first_is_contiguous<Stride>, layout::ColumnMajor, layout::RowMajor>;
template <class Stride>
using StrideToLayoutTagB_t =
    std::conditional_t<detail_of_strides::first_is_contiguous<Stride>, layout::RowMajor, layout::ColumnMajor>;
template <class Stride>
using StrideToLayoutTagC_t = StrideToLayoutTagA_t<Stride>;

/// Is a mode the one of stride 1?
template <int ModeIndex, class Stride>
constexpr bool is_major(Stride = {}) {
  return cute::is_constant<1, decltype(cute::front(cute::get<ModeIndex>(std::remove_pointer_t<Stride>{})))>::value;
}
template <int ModeIndex, class S, class D>
constexpr bool is_major(cute::Layout<S, D> = {}) {
  return is_major<ModeIndex>(D{});
}

// The mode of stride 1 of an operand, by its tag or its strides.
template <class LayoutA>
constexpr bool is_mn_major_A() {
  return is_major<0>(TagToStrideA_t<LayoutA>{});
}
template <class LayoutA>
constexpr bool is_k_major_A() {
  return is_major<1>(TagToStrideA_t<LayoutA>{});
}
template <class LayoutB>
constexpr bool is_mn_major_B() {
  return is_major<0>(TagToStrideB_t<LayoutB>{});
}
template <class LayoutB>
constexpr bool is_k_major_B() {
  return is_major<1>(TagToStrideB_t<LayoutB>{});
}
template <class LayoutC>
constexpr bool is_m_major_C() {
  return is_major<0>(TagToStrideC_t<LayoutC>{});
}
template <class LayoutC>
constexpr bool is_n_major_C() {
  return is_major<1>(TagToStrideC_t<LayoutC>{});
}

/// The bytes that a swizzle on units of 16 bytes repeats after: 1024 for Swizzle<3,4,3>, at least 128.
template <int B, int M, int S>
CUTLASS_HOST_DEVICE constexpr std::size_t alignment_for_swizzle(cute::Swizzle<B, M, S>) {
  static_assert(B >= 0 && M >= 0, "alignment_for_swizzle: not a swizzle");
  return B == 0 ? 128 : std::size_t(1) << ((M < 4 ? 4 : M) + B + (S < 0 ? -S : S));
}
template <class Layout>
CUTLASS_HOST_DEVICE constexpr std::size_t alignment_for_swizzle(Layout layout) {
  return alignment_for_swizzle(cute::get_swizzle_portion(layout));
}

/// Are the strides of a layout multiples of Alignment elements, but for the contiguous mode?
template <int Alignment, class S, class D>
CUTLASS_HOST_DEVICE constexpr bool check_alignment(cute::Layout<S, D> const& layout) {
  auto const vector = cute::max_common_vector(layout, cute::make_layout(cute::size(layout)));
  return Alignment == 1 || (vector % Alignment == 0) || cute::max_alignment(layout) % Alignment == 0;
}
template <int Alignment, class S, class D>
CUTLASS_HOST_DEVICE constexpr bool check_alignment(S const& shape, D const& stride) {
  return check_alignment<Alignment>(cute::make_layout(shape, stride));
}

}  // namespace cutlass::detail

// CUTLASS has these in three namespaces.
namespace cutlass::gemm {
using cutlass::detail::TagToStrideA;
using cutlass::detail::TagToStrideA_t;
using cutlass::detail::TagToStrideB;
using cutlass::detail::TagToStrideB_t;
using cutlass::detail::TagToStrideC;
using cutlass::detail::TagToStrideC_t;
}  // namespace cutlass::gemm
namespace cutlass::gemm::detail {
using cutlass::detail::is_k_major_A;
using cutlass::detail::is_k_major_B;
using cutlass::detail::is_m_major_C;
using cutlass::detail::is_major;
using cutlass::detail::is_mn_major_A;
using cutlass::detail::is_mn_major_B;
using cutlass::detail::is_n_major_C;
using cutlass::detail::StrideToLayoutTagA_t;
using cutlass::detail::StrideToLayoutTagB_t;
using cutlass::detail::StrideToLayoutTagC_t;
using cutlass::detail::TagToStrideA;
using cutlass::detail::TagToStrideA_t;
using cutlass::detail::TagToStrideB;
using cutlass::detail::TagToStrideB_t;
using cutlass::detail::TagToStrideC;
using cutlass::detail::TagToStrideC_t;
}  // namespace cutlass::gemm::detail
