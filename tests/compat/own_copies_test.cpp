// Copy operations of a program's own, whose traits it specialises in namespace cute as it would with CuTe: by the registers of the
// operation, with a copy_unpack, with a state, derived from the library's traits, and as TMA copies.
#include <gtest/gtest.h>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/tensor.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace cute {

/// Four words, last one first.
struct own_reversed_copy {
  using SRegisters = std::uint32_t[4];
  using DRegisters = std::uint32_t[4];
  CUTE_HOST_DEVICE static void copy(std::uint32_t const& s0, std::uint32_t const& s1, std::uint32_t const& s2,
                                    std::uint32_t const& s3, std::uint32_t& d0, std::uint32_t& d1, std::uint32_t& d2,
                                    std::uint32_t& d3) {
    d0 = s3, d1 = s2, d2 = s1, d3 = s0;
  }
};
template <>
struct Copy_Traits<own_reversed_copy> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, Int<128>>>;
  using DstLayout = Layout<Shape<_1, Int<128>>>;
  using RefLayout = SrcLayout;
};

/// As the copies of words, times a factor that with() sets.
template <class T>
struct own_scaled_copy {};
template <class T>
struct own_scaled_copy_op {};
template <class T>
struct Copy_Traits<own_scaled_copy_op<T>> : Copy_Traits<UniversalCopy<T>> {
  T factor = 1;
  CUTE_HOST_DEVICE constexpr Copy_Traits(T f) : factor(f) {}
  template <class TS, class SLayout, class TD, class DLayout>
  CUTE_HOST_DEVICE friend constexpr void copy_unpack(Copy_Traits const& traits, Tensor<TS, SLayout> const& src,
                                                     Tensor<TD, DLayout>& dst) {
    dst(0) = traits.factor * src(0);
  }
};
template <class T>
struct Copy_Traits<own_scaled_copy<T>> : Copy_Traits<UniversalCopy<T>> {
  CUTE_HOST_DEVICE constexpr Copy_Traits<own_scaled_copy_op<T>> with(T factor) const { return {factor}; }
  template <class TS, class SLayout, class TD, class DLayout>
  CUTE_HOST_DEVICE friend constexpr void copy_unpack(Copy_Traits const&, Tensor<TS, SLayout> const&,
                                                     Tensor<TD, DLayout>&) = delete;
};

/// A TMA load with a barrier, and what it is called with.
struct own_tma_load {
  using PREFETCH = typename SM90_TMA_LOAD::PREFETCH;
  template <class... X>
  CUTE_HOST_DEVICE static void copy(void const* desc, std::uint64_t* mbar, std::uint64_t hint, void* smem,
                                    X const&... crd) {
    SM90_TMA_LOAD::copy(desc, mbar, hint, smem, crd...);
  }
};
struct own_tma_load_op : own_tma_load {};
template <class NumBitsPerTMA, class AuxParams_>
struct Copy_Traits<own_tma_load, NumBitsPerTMA, AuxParams_> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, NumBitsPerTMA>>;
  using DstLayout = Layout<Shape<_1, NumBitsPerTMA>>;
  using RefLayout = SrcLayout;
  TmaDescriptor tma_desc_;
  using AuxParams = AuxParams_;
  AuxParams aux_params_;

  CUTE_HOST_DEVICE constexpr TmaDescriptor const* get_tma_descriptor() const { return &tma_desc_; }
  CUTE_HOST_DEVICE constexpr Copy_Traits<own_tma_load_op, NumBitsPerTMA> with(std::uint64_t& mbar,
                                                                              std::uint16_t const& = 0) const {
    return {&tma_desc_, &mbar, 0};
  }
  template <class GShape>
  CUTE_HOST_DEVICE constexpr auto get_tma_tensor(GShape const& g_shape) const {
    static_assert(is_congruent<decltype(g_shape), decltype(aux_params_.g_stride_)>::value);
    return make_coord_tensor(make_layout(g_shape, aux_params_.g_stride_));
  }
  template <class TS, class SLayout, class TD, class DLayout>
  CUTE_HOST_DEVICE friend constexpr void copy_unpack(Copy_Traits const&, Tensor<TS, SLayout> const&,
                                                     Tensor<TD, DLayout>&) = delete;
};
template <class NumBitsPerTMA>
struct Copy_Traits<own_tma_load_op, NumBitsPerTMA> : TMA_LOAD_Unpack<own_tma_load_op, NumBitsPerTMA> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, NumBitsPerTMA>>;
  using DstLayout = Layout<Shape<_1, NumBitsPerTMA>>;
  using RefLayout = SrcLayout;
  tuple<TmaDescriptor const*, std::uint64_t*, std::uint64_t> const opargs_;
  CUTE_HOST_DEVICE Copy_Traits(TmaDescriptor const* desc, std::uint64_t* mbar, std::uint64_t hint)
      : opargs_(desc, mbar, hint) {}
};

/// A TMA store whose traits have a copy_unpack.
struct own_tma_store {
  template <class... X>
  CUTE_HOST_DEVICE static void copy(void const* desc, void const* smem, X const&... crd) {
    SM90_TMA_STORE::copy(desc, smem, crd...);
  }
};
template <class NumBitsPerTMA, class AuxParams_>
struct Copy_Traits<own_tma_store, NumBitsPerTMA, AuxParams_> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, NumBitsPerTMA>>;
  using DstLayout = Layout<Shape<_1, NumBitsPerTMA>>;
  using RefLayout = SrcLayout;
  TmaDescriptor tma_desc_;
  using AuxParams = AuxParams_;
  AuxParams aux_params_;

  template <class GShape>
  CUTE_HOST_DEVICE constexpr auto get_tma_tensor(GShape const& g_shape) const {
    return make_coord_tensor(make_layout(g_shape, aux_params_.g_stride_));
  }
  template <class TS, class SLayout, class TD, class DLayout>
  CUTE_HOST_DEVICE friend constexpr void copy_unpack(Copy_Traits const& traits, Tensor<TS, SLayout> const& src,
                                                     Tensor<TD, DLayout>& dst) {
    static_assert(is_smem<TS>::value);
    auto const at = dst.data().coord_;
    own_tma_store::copy(&traits.tma_desc_, cute::raw_pointer_cast(src.data()), get<0>(at), get<1>(at));
  }
};

}  // namespace cute

using namespace cute;

namespace {

TEST(OwnCopies, ByTheRegistersOfTheOperation) {
  auto src = make_tensor<float>(Shape<_8, _2>{}), dst = make_tensor<float>(Shape<_8, _2>{});
  for (int i = 0; i < 16; ++i) src(i) = static_cast<float>(i);
  auto const tiled = make_tiled_copy(Copy_Atom<own_reversed_copy, float>{}, Layout<_2>{}, Layout<_4>{});
  for (int t = 0; t < size(tiled); ++t) {
    auto const thr = tiled.get_slice(t);
    auto part = thr.partition_D(dst);
    copy(tiled, thr.partition_S(src), part);
  }
  for (int i = 0; i < 16; ++i) EXPECT_EQ(dst(i), static_cast<float>(i / 4 * 4 + 3 - i % 4));
}

TEST(OwnCopies, AStateMakesAnotherOperation) {
  Copy_Atom<own_scaled_copy<float>, float> const atom{};
  Copy_Atom<Copy_Traits<own_scaled_copy<float>>, float> const by_traits{};
  float from[] = {1, 2, 3}, to[] = {0, 0, 0}, too[] = {0, 0, 0};
  auto const src = make_tensor(&from[0], Layout<Shape<_1, _3>>{});
  auto dst = make_tensor(&to[0], Layout<Shape<_1, _3>>{}), dst2 = make_tensor(&too[0], Layout<Shape<_1, _3>>{});
  copy(atom.with(3.0f), src, dst);
  copy(by_traits.with(5.0f), src, dst2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(to[i], 3 * from[i]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(too[i], 5 * from[i]);
}

TEST(OwnCopies, TheLibrarysAtomsByCuTesNameOfTheTraits) {
  using Named = Copy_Atom<Copy_Traits<UniversalCopy<uint128_t>>, float>;
  static_assert(std::is_same_v<Named::ValLayoutSrc, Copy_Atom<UniversalCopy<uint128_t>, float>::ValLayoutSrc>);
  static_assert(is_copy_atom<Named>::value);
  static_assert(size<1>(Copy_Traits<SM75_U32x4_LDSM_N>::DstLayout{}) == 128);
  float from[] = {1, 2, 3, 4}, to[] = {0, 0, 0, 0};
  auto dst = make_tensor(&to[0], Layout<_4>{});
  copy(Named{}, make_tensor(&from[0], Layout<_4>{}), dst);
  EXPECT_EQ(to[3], 4);
}

TEST(OwnCopies, TmaLoadsAndStores) {
  constexpr int rows = 20, columns = 16;
  std::vector<float> from(rows * columns), to(rows * columns, -1.0f);
  for (int i = 0; i < rows * columns; ++i) from[static_cast<std::size_t>(i)] = static_cast<float>(i);
  auto const layout = make_layout(make_shape(rows, Int<columns>{}), make_stride(Int<columns>{}, _1{}));
  using Tile = Layout<Shape<_8, _16>, Stride<_16, _1>>;
  auto const load = make_tma_copy(own_tma_load{}, make_tensor(make_gmem_ptr(from.data()), layout), Tile{});
  auto const store = make_tma_copy(own_tma_store{}, make_tensor(make_gmem_ptr(to.data()), layout), Tile{});
  alignas(128) float shared[8 * 16];
  alignas(8) std::uint64_t barrier = 0;
  auto tile = make_tensor(make_smem_ptr(&shared[0]), Tile{});
  auto const source =
      local_tile(load.get_tma_tensor(make_shape(rows, Int<columns>{})), Shape<_8, _16>{}, make_coord(_, 0));
  auto const target =
      local_tile(store.get_tma_tensor(make_shape(rows, Int<columns>{})), Shape<_8, _16>{}, make_coord(_, 0));
  initialize_barrier(barrier, 1);
  for (int k = 0; k < 3; ++k) {
    auto [gA, sA] = tma_partition(load, _0{}, Layout<_1>{}, group_modes<0, 2>(tile), group_modes<0, 2>(source));
    auto [gD, sD] = tma_partition(store, _0{}, Layout<_1>{}, group_modes<0, 2>(tile), group_modes<0, 2>(target));
    set_barrier_transaction_bytes(barrier, sizeof(shared));
    copy(load.with(barrier), gA(_, k), sA);
    wait_barrier(barrier, k % 2);
    copy(store, sD, gD(_, k));
    tma_store_arrive();
    tma_store_wait<0>();
  }
  EXPECT_EQ(from, to);
}

}  // namespace
