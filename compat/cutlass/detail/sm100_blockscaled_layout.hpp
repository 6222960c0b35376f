// Where the factors of block-scaled products are in memory (CUTLASS's documentation, "Blackwell functionality", "Scale factor
// layouts"): blocks of 128 rows by 4 factors, 512 bytes each, whose 16 bytes of a lane have four rows 32 apart; the blocks go along K
// first.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/mma_traits_sm100.hpp"
#include "cute/layout.hpp"
#include "cute/tensor.hpp"

namespace cutlass::detail {

template <int SFVecSize, cute::UMMA::Major major = cute::UMMA::Major::K>
struct Sm1xxBlockScaledBasicChunk {
  using Blk_MN = cute::_128;
  using Blk_SF = cute::_4;
  using SfKMajorAtom =
      cute::Layout<cute::Shape<cute::Shape<cute::_32, cute::_4>, cute::Shape<cute::C<SFVecSize>, cute::_4>>,
                   cute::Stride<cute::Stride<cute::_16, cute::_4>, cute::Stride<cute::_0, cute::_1>>>;
  using SfMNMajorAtom =
      cute::Layout<cute::Shape<cute::Shape<cute::C<SFVecSize>, cute::_4>, cute::Shape<cute::_32, cute::_4>>,
                   cute::Stride<cute::Stride<cute::_0, cute::_1>, cute::Stride<cute::_16, cute::_4>>>;
  using SfAtom = std::conditional_t<major == cute::UMMA::Major::K, SfKMajorAtom, SfMNMajorAtom>;
};

/// The atom repeated over (rows, k, batches), along K first.
template <class Atom, class Rows, class K, class Batches>
CUTE_HOST_DEVICE constexpr auto blockscaled_tiles(Rows const& rows, K const& k, Batches const& batches) {
  return cute::tile_to_shape(Atom{}, cute::make_shape(rows, k, batches), cute::Step<cute::_2, cute::_1, cute::_3>{});
}

template <int SFVecSize_>
struct Sm1xxBlockScaledConfig {
  static constexpr int SFVecSize = SFVecSize_;
  using Sm1xxBlkScaledChunk = Sm1xxBlockScaledBasicChunk<SFVecSize>;
  using Blk_MN = typename Sm1xxBlkScaledChunk::Blk_MN;
  using Blk_SF = typename Sm1xxBlkScaledChunk::Blk_SF;
  using SfAtom = typename Sm1xxBlkScaledChunk::SfAtom;
  using LayoutSF = decltype(blockscaled_tiles<SfAtom>(std::int32_t{}, std::int32_t{}, std::int32_t{}));

  CUTE_HOST_DEVICE static constexpr auto deduce_layoutSFA() { return LayoutSF{}; }
  CUTE_HOST_DEVICE static constexpr auto deduce_layoutSFB() { return LayoutSF{}; }

  /// (row, k, batch) of an element -> its factor, in a problem (M, N, K[, L]).
  template <class ProblemShape>
  CUTE_HOST_DEVICE static constexpr auto tile_atom_to_shape_SFA(ProblemShape const& problem, LayoutSF = {}) {
    auto const all = cute::append<4>(problem, cute::C<1>{});
    return blockscaled_tiles<SfAtom>(cute::get<0>(all), cute::get<2>(all), cute::get<3>(all));
  }
  template <class ProblemShape>
  CUTE_HOST_DEVICE static constexpr auto tile_atom_to_shape_SFB(ProblemShape const& problem, LayoutSF = {}) {
    auto const all = cute::append<4>(problem, cute::C<1>{});
    return blockscaled_tiles<SfAtom>(cute::get<1>(all), cute::get<2>(all), cute::get<3>(all));
  }

  /// The factors of a block's tile in shared memory: ((rows, (SFVecSize, factors of a product)), 1, (products in four factors, groups
  /// of four factors)). Of A the block's rows, of B all columns, in blocks of 128.
  template <class TiledMma, class TileShape>
  CUTE_HOST_DEVICE static constexpr auto deduce_smem_layoutSFA(TiledMma const&, TileShape const&) {
    constexpr int rows = cute::tuple_element_t<0, typename TiledMma::AtomShape_MNK>::value;
    return in_shared_memory<TiledMma, TileShape, rows / static_cast<int>(cute::size_v<typename TiledMma::AtomThrID>)>();
  }
  template <class TiledMma, class TileShape>
  CUTE_HOST_DEVICE static constexpr auto deduce_smem_layoutSFB(TiledMma const&, TileShape const&) {
    return in_shared_memory<TiledMma, TileShape, cute::tuple_element_t<1, typename TiledMma::AtomShape_MNK>::value>();
  }

 private:
  template <class TiledMma, class TileShape, int Rows>
  CUTE_HOST_DEVICE static constexpr auto in_shared_memory() {
    constexpr int blocks = (Rows + 127) / 128, k = static_cast<int>(cute::size_v<cute::tuple_element_t<2, TileShape>>);
    constexpr int factors = cute::tuple_element_t<2, typename TiledMma::AtomShape_MNK>::value / SFVecSize;
    static_assert(k % (4 * SFVecSize) == 0,
                  "Sm1xxBlockScaledConfig: K of the tile has four factors, or a multiple, of SFVecSize elements each");
    using cute::C;
    using cute::Shape;
    using cute::Stride;
    return cute::make_layout(Shape<Shape<Shape<Shape<cute::_32, cute::_4>, C<blocks>>, Shape<C<SFVecSize>, C<factors>>>,
                                   cute::_1, Shape<C<4 / factors>, C<k / SFVecSize / 4>>>{},
                             Stride<Stride<Stride<Stride<cute::_16, cute::_4>, cute::_512>, Stride<cute::_0, cute::_1>>,
                                    cute::_0, Stride<C<factors>, C<512 * blocks>>>{});
  }
};

/// The factors that a kernel writes for its result D, one for SFVecSize elements along the major mode.
template <int SFVecSize_, cute::UMMA::Major major = cute::UMMA::Major::K>
struct Sm1xxBlockScaledOutputConfig {
  static constexpr int SFVecSize = SFVecSize_;
  using Sm1xxBlkScaledChunk = Sm1xxBlockScaledBasicChunk<SFVecSize, major>;
  using Blk_MN = typename Sm1xxBlkScaledChunk::Blk_MN;
  using Blk_SF = typename Sm1xxBlkScaledChunk::Blk_SF;
  using SfAtom = typename Sm1xxBlkScaledChunk::SfAtom;
  using LayoutSF = decltype(blockscaled_tiles<SfAtom>(std::int32_t{}, std::int32_t{}, std::int32_t{}));
};

}  // namespace cutlass::detail
