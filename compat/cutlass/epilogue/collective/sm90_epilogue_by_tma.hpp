// The epilogue through shared memory: each warpgroup takes pieces of 64 rows of its sums one after another, computes a function of
// them, writes them to one of two buffers (by stmatrix where elements have 16 bits), and one of its threads stores the buffer by TMA
// while the next piece is computed. Pieces of C come by TMA the same way, the first of them during the main loop: a tile of 128 x 128
// for two warpgroups in pieces of 64 x 32 is 4 pieces of each.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_traits_sm90_tma.hpp"
#include "cute/atom/mma_traits_sm90_gmma.hpp"
#include "cutlass/arch/barrier.h"
#include "cutlass/epilogue/collective/builders/sm90_common.inl"
#include "cutlass/epilogue/collective/sm90_epilogue_by_threads.hpp"
#include "cutlass/gemm/collective/builders/sm90_common.inl"
#include "cutlass/gemm/collective/collective_mma_decl.hpp"

namespace cutlass::epilogue::collective::detail {

inline constexpr int warp_groups = 2;  // at most, of those that multiply
inline constexpr int piece_stages = 2;

template <class Stride>
inline constexpr bool is_of_plain_modes = false;
template <class M, class N, class Batch>
inline constexpr bool is_of_plain_modes<cute::tuple<M, N, Batch>> =
    !cute::is_tuple<M>::value && !cute::is_tuple<N>::value && !cute::is_tuple<Batch>::value;
/// Can TMA move a matrix with these strides, (M, N, batch), in accesses of `Alignment` elements?
template <class Element, class Stride, int Alignment>
constexpr bool tma_moves() {
  constexpr int bits = cute::sizeof_bits_v<Element>;
  if constexpr (!is_of_plain_modes<Stride>) return false;
  else
    return (bits == 8 || bits == 16 || bits == 32) && Alignment * bits % 128 == 0 &&
           (is_m_major<Stride>() || is_n_major<Stride>());
}
/// The same of addresses and strides when they are known: multiples of 16 bytes.
template <class Element, class Stride>
bool is_aligned_for_tma(Element const* data, Stride const& stride) {
  constexpr int contiguous = is_m_major<Stride>() ? 0 : 1;
  auto const whole = [](std::int64_t elements) { return elements * cute::sizeof_bits_v<Element> % 128 == 0; };
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
         whole(static_cast<std::int64_t>(cute::get<1 - contiguous>(stride))) &&
         whole(static_cast<std::int64_t>(cute::get<2>(stride)));
}

/// Buffers of (64, Columns) elements of a matrix with these strides: (64, Columns, stage + stages · warpgroup)
template <class Element, class Stride, int Columns, int Stages>
struct buffers_of_pieces {
  using Piece = cute::Shape<cute::_64, cute::Int<Columns>>;
  static constexpr bool along_m = is_m_major<Stride>();
  static constexpr cute::GMMA::Major major = along_m ? cute::GMMA::Major::MN : cute::GMMA::Major::K;
  static constexpr int row_bits = static_cast<int>(cute::sizeof_bits_v<Element>) * (along_m ? 64 : Columns);
  static_assert(row_bits % 128 == 0,
                "CollectiveBuilder: columns of a piece of the epilogue are a multiple of 16 bytes");
  using Layout =
      decltype(cute::tile_to_shape(gemm::collective::detail::widest_swizzle<major, Element, row_bits>(),
                                   cute::Shape<cute::_64, cute::Int<Columns>, cute::Int<Stages * warp_groups>>{},
                                   std::conditional_t<along_m, cute::Step<cute::_2, cute::_1, cute::_3>,
                                                      cute::Step<cute::_1, cute::_2, cute::_3>>{}));
  static constexpr std::uint32_t bytes = 64 * Columns * cute::sizeof_bits_v<Element> / 8;
};

#if TILEWRIGHT_HOSTED
template <class Operation, class Buffers, class Element, class Problem, class Stride>
auto tma_of_pieces(Element* data, Problem const& problem, Stride const& stride) {
  auto const [M, N, K, L] = cute::append<4>(problem, 1);
  auto const extents = cutlass::detail::extents_of_tensor(cute::make_shape(M, N, L));
  return cute::make_tma_copy(Operation{}, cute::make_tensor(cute::make_gmem_ptr(data), extents, stride),
                             typename Buffers::Layout{}(cute::_, cute::_, cute::_0{}), typename Buffers::Piece{});
}

/// Types: epilogue_of_function<…>. Columns: of a piece. LoadsC: by TMA, otherwise each thread reads the elements that it needs.
/// MayFallBack: threads write D where its address or its strides are not multiples of 16 bytes.
template <class Types, int Columns, bool LoadsC, bool MayFallBack>
class epilogue_by_tma : public Types {
  using Buffers = buffers_of_pieces<typename Types::ElementD, typename Types::StrideD, Columns, piece_stages>;
  static constexpr bool loads_c = LoadsC && Types::takes_source;
  /// Without loads of C there are no buffers for it.
  using StrideOfC = std::conditional_t<loads_c, typename Types::StrideC, typename Types::StrideD>;
  using ElementOfC = std::conditional_t<loads_c, typename Types::GmemElementC, typename Types::ElementD>;
  using BuffersC = buffers_of_pieces<ElementOfC, StrideOfC, Columns, piece_stages>;
  using Piece = typename Buffers::Piece;
  using PieceMma = decltype(cute::make_tiled_mma(
      cute::GMMA::ss_op_selector<half_t, half_t, float, cute::Shape<cute::_64, cute::Int<Columns>, cute::_64>>()));
  static constexpr int values = Columns / 2;  // a thread's of a piece

 public:
  using typename Types::Arguments;
  using typename Types::Element;
  using typename Types::ElementD;
  using typename Types::Function;
  using typename Types::GmemElementC;
  using DispatchPolicy = Sm90TmaWarpSpecialized<loads_c ? piece_stages : 0, piece_stages, values, false, false>;
  using GmemTiledCopyC = std::conditional_t<loads_c, cute::SM90_TMA_LOAD, void>;
  using GmemTiledCopyD = cute::SM90_TMA_STORE;
  /// For kernels whose shared memory has no room for this one.
  using WithoutMemory = std::conditional_t<MayFallBack, epilogue_by_threads<Types>, epilogue_by_tma>;

  struct TensorStorage {
    alignas(1024) cute::array_aligned<ElementD, cute::cosize_v<typename Buffers::Layout>> smem_D;
    alignas(1024) cute::array_aligned<ElementOfC, loads_c ? cute::cosize_v<typename BuffersC::Layout> : 1> smem_C;
    arch::ClusterTransactionBarrier full[warp_groups][piece_stages];  // of the pieces of C
    arch::ClusterBarrier meeting[warp_groups];                        // where threads meet on the host
  };
  using SharedStorage = TensorStorage;

  struct no_tma {};
  using TmaD = decltype(tma_of_pieces<cute::SM90_TMA_STORE, Buffers>(
      static_cast<ElementD*>(nullptr), cute::Shape<int, int, int, int>{}, typename Types::StrideD{}));
  static auto tma_of_c(GmemElementC const* data, auto const& problem, typename Types::StrideC const& stride) {
    if constexpr (loads_c) return tma_of_pieces<cute::SM90_TMA_LOAD, BuffersC>(data, problem, stride);
    else return no_tma{};
  }
  using TmaC = decltype(tma_of_c(nullptr, cute::Shape<int, int, int, int>{}, typename Types::StrideC{}));
  struct Params : Types::Params {
    TmaD tma_d{};
    TmaC tma_c{};
    bool by_tma = false;
  };

  // --- on the host ---------------------------------------------------------------------------------------------------
  static bool is_aligned(Arguments const& args) {
    if constexpr (loads_c) {
      if (Types::needs_source(args) && !is_aligned_for_tma(args.ptr_C, args.dC)) return false;
    }
    return is_aligned_for_tma(args.ptr_D, args.dD);
  }
  /// problem_shape: (M, N, K) or (M, N, K, batch)
  template <class ProblemShape>
  static Params to_underlying_arguments(ProblemShape const& problem_shape, Arguments const& args, void* = nullptr) {
    Params params{Types::params_of(args), {}, {}, !MayFallBack || is_aligned(args)};
    if (!params.by_tma) return params;
    params.tma_d = tma_of_pieces<cute::SM90_TMA_STORE, Buffers>(args.ptr_D, problem_shape, args.dD);
    if constexpr (loads_c) {
      if (Types::needs_source(args)) params.tma_c = tma_of_c(args.ptr_C, problem_shape, args.dC);
    }
    return params;
  }
  /// TMA needs addresses and strides of whole 16 bytes.
  template <class ProblemShape>
  static bool can_implement(ProblemShape const&, Arguments const& args) {
    return MayFallBack || is_aligned(args);
  }

  // --- in the kernel -------------------------------------------------------------------------------------------------
  /// One thread of the block makes the barriers; a barrier of the block has to follow.
  CUTLASS_HOST_DEVICE static void init_barriers(TensorStorage& storage) {
    for (int group = 0; group < warp_groups; ++group) {
      for (int stage = 0; stage < piece_stages; ++stage) storage.full[group][stage].init(1);
      storage.meeting[group].init(NumThreadsPerWarpGroup);
    }
  }
  /// params stays where it is: TMA reads its maps.
  CUTLASS_HOST_DEVICE epilogue_by_tma(Params const& params, TensorStorage& storage)
      : params_(params),
        storage_(storage),
        group_(canonical_warp_group_idx() % warp_groups) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const { return Types::needs_source(params_); }

  /// Starts to load the first pieces of C of a tile. Called before the tile's main loop, it makes operator() wait less.
  template <class Problem, class Tile, class Coord, class TiledMma>
  CUTLASS_HOST_DEVICE void load_ahead(Problem const& problem, Tile const& tile, Coord const& coord,
                                      TiledMma const& tiled_mma, int thread_idx) {
    if constexpr (loads_c) {
      if (!params_.by_tma || !is_source_needed()) return;
      auto const places = places_of_warp_group(tile, tiled_mma, thread_idx);
      constexpr int pieces = static_cast<int>(cute::size(places)) / values;
      CUTLASS_PRAGMA_UNROLL
      for (int p = 0; p < (pieces < piece_stages ? pieces : piece_stages); ++p)
        load(problem, place_of_piece(tile, coord, places(p * values)), thread_idx);
    }
  }

  /// blk_coord_mnkl: of the tile, (m, n, _, l).  pre: all threads of a warpgroup call it
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem, BlockShapeMNK tile, BlockCoordMNKL coord,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    using namespace cute;
    if constexpr (MayFallBack) {
      if (!params_.by_tma)
        return epilogue_by_threads<Types>::store_by_threads(params_, problem, tile, coord, accumulators, tiled_mma,
                                                            thread_idx);
    }
    static_assert(size<0>(FrgLayout{}) % values == 0,
                  "CollectiveEpilogue: the columns of a piece must divide those of the matrix operation; give an "
                  "EpilogueTile whose N divides them");
    constexpr int pieces = static_cast<int>(size(FrgLayout{})) / values;
    auto const places = places_of_warp_group(tile, tiled_mma, thread_idx);  // (V, RestM, RestN)
    Function const function(params_.thread, static_cast<int>(get<3>(coord)));
    if (loaded_ == taken_) load_ahead(problem, tile, coord, tiled_mma, thread_idx);
    CUTLASS_PRAGMA_UNROLL
    for (int p = 0; p < pieces; ++p) {
      auto const place = place_of_piece(tile, coord, places(p * values));  // (m, n, l)
      auto const result = compute(problem, function, accumulators, p * values, place, thread_idx);
      store(problem, result, place, thread_idx);
      if constexpr (loads_c) {
        if (p + piece_stages < pieces && is_source_needed())
          load(problem, place_of_piece(tile, coord, places((p + piece_stages) * values)), thread_idx);
      }
    }
    finish(function);
  }
  /// No thread exits while a store reads its memory.
  CUTLASS_HOST_DEVICE void store_tail() { tilewright::tma_store_wait<0>(); }

 private:
  /// Coordinates in the tile of the values of the first thread of this warpgroup: (V, RestM, RestN).
  template <class Tile, class TiledMma>
  CUTLASS_HOST_DEVICE static auto places_of_warp_group(Tile const& tile, TiledMma const& tiled_mma, int thread_idx) {
    return tiled_mma.get_slice(thread_idx / NumThreadsPerWarpGroup * NumThreadsPerWarpGroup)
        .partition_C(cute::make_identity_tensor(cute::take<0, 2>(tile)));
  }
  template <class Tile, class Coord, class Place>
  CUTLASS_HOST_DEVICE static auto place_of_piece(Tile const& tile, Coord const& coord, Place const& in_tile) {
    using namespace cute;
    int const m = static_cast<int>(get<0>(coord)) * static_cast<int>(size<0>(tile)) + static_cast<int>(get<0>(in_tile));
    int const n = static_cast<int>(get<1>(coord)) * static_cast<int>(size<1>(tile)) + static_cast<int>(get<1>(in_tile));
    return make_coord(m, n, static_cast<int>(get<3>(coord)));
  }
  /// The piece at (m, n, l) of a matrix of TMA coordinates.
  template <class Tma, class Problem, class Place>
  CUTLASS_HOST_DEVICE static auto piece_of_matrix(Tma const& tma, Problem const& problem, Place const& place) {
    using namespace cute;
    auto const whole = tma.get_tma_tensor(make_shape(get<0>(problem), get<1>(problem), get<3>(problem)));
    return local_tile(whole, Piece{}, make_coord(get<0>(place) / 64, get<1>(place) / Columns, get<2>(place)));
  }
  CUTLASS_HOST_DEVICE int buffer_of(int count) const { return group_ * piece_stages + count % piece_stages; }

  /// The next piece of C into its buffer, which this warpgroup has read.
  template <class Problem, class Place>
  CUTLASS_HOST_DEVICE void load(Problem const& problem, Place const& place, int thread_idx) {
    using namespace cute;
    if (thread_idx % NumThreadsPerWarpGroup == 0) {
      auto& barrier = storage_.full[group_][loaded_ % piece_stages];
      barrier.arrive_and_expect_tx(BuffersC::bytes);
      auto const part = params_.tma_c.get_slice(0);
      auto const buffers = make_tensor(make_smem_ptr(storage_.smem_C.data()), typename BuffersC::Layout{});
      copy(params_.tma_c.with(*reinterpret_cast<std::uint64_t*>(&barrier)),
           part.partition_S(piece_of_matrix(params_.tma_c, problem, place)),
           part.partition_D(buffers(_, _, buffer_of(loaded_))));
    }
    ++loaded_;
  }
  /// This thread's elements of the next piece of C: (V, 1, 1).
  CUTLASS_HOST_DEVICE auto take_source(int thread) {
    using namespace cute;
    auto source = make_tensor<GmemElementC>(partition_shape_C(PieceMma{}, Piece{}));
    if constexpr (loads_c) {
      if (is_source_needed()) {
        storage_.full[group_][taken_ % piece_stages].wait(static_cast<std::uint32_t>(taken_ / piece_stages % 2));
        auto const buffers = make_tensor(make_smem_ptr(storage_.smem_C.data()), typename BuffersC::Layout{});
        auto const tiled =
            make_tiled_copy_C(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<128>, GmemElementC>{}, PieceMma{});
        auto const mine = tiled.get_slice(thread);
        copy(tiled, mine.partition_S(buffers(_, _, buffer_of(taken_))), mine.retile_D(source));
        ++taken_;
      } else {
        clear(source);
      }
    }
    return source;
  }
  /// The function of this thread's sums of a piece: (V, 1, 1).
  template <class Problem, class Accumulators, class Place>
  CUTLASS_HOST_DEVICE auto compute(Problem const& problem, Function const& function, Accumulators const& accumulators,
                                   int first, Place const& place, int thread_idx) {
    using namespace cute;
    auto const source = take_source(thread_idx % NumThreadsPerWarpGroup);
    auto result = make_tensor<ElementD>(partition_shape_C(PieceMma{}, Piece{}));
    if constexpr (requires { function.has_vector(); }) {
      if (function.has_vector())
        fill(problem, typename Function::with_vector{function}, accumulators, first, place, thread_idx, source, result);
      else fill(problem, function, accumulators, first, place, thread_idx, source, result);
    } else {
      fill(problem, function, accumulators, first, place, thread_idx, source, result);
    }
    return result;
  }
  template <class Problem, class OfElement, class Accumulators, class Place, class Source, class Result>
  CUTLASS_HOST_DEVICE void fill(Problem const& problem, OfElement const& function, Accumulators const& accumulators,
                                int first, Place const& place, int thread_idx, Source const& source, Result& result) {
    using namespace cute;
    constexpr bool reads_c = Types::takes_source && !loads_c;
    auto const in_piece =
        PieceMma{}.get_slice(thread_idx % NumThreadsPerWarpGroup).partition_C(make_identity_tensor(Piece{}));
    int const rows = static_cast<int>(size<0>(problem)), columns = static_cast<int>(size<1>(problem));
    CUTLASS_PRAGMA_UNROLL
    for (int v = 0; v < values; ++v) {
      int m = get<0>(place) + static_cast<int>(get<0>(in_piece(v)));
      int n = get<1>(place) + static_cast<int>(get<1>(in_piece(v)));
      bool is_inside = true;
      if constexpr (reads_c || Function::takes_place) {
        if constexpr (Function::only_reads) {
          // Places outside read what is at the matrix's edge, and are not stored: there are no branches for them.
          m = m < rows ? m : rows - 1;
          n = n < columns ? n : columns - 1;
        } else {
          is_inside = m < rows && n < columns;
        }
      }
      Element element{accumulators(first + v), {}, m, n, get<2>(place)};
      if constexpr (loads_c) element.source = source(v);
      if constexpr (reads_c) {
        if (is_inside && is_source_needed())
          element.source = params_.ptr_C[Types::offset(problem, params_.dC, m, n, get<2>(place))];
      }
      result(v) = is_inside ? function(element) : ElementD{};
    }
  }
  /// The piece to the next buffer and from there to global memory.
  template <class Problem, class Result, class Place>
  CUTLASS_HOST_DEVICE void store(Problem const& problem, Result const& result, Place const& place, int thread_idx) {
    using namespace cute;
    using Op = decltype(sm90_get_smem_store_op_for_accumulator<typename Types::StrideD, ElementD, Piece>());
    int const thread = thread_idx % NumThreadsPerWarpGroup;
    auto const buffers = make_tensor(make_smem_ptr(storage_.smem_D.data()), typename Buffers::Layout{});
    auto const buffer = buffers(_, _, buffer_of(stored_));
    if (thread == 0) tilewright::tma_store_wait<piece_stages - 1>();  // the store from this buffer has read it
    meet();
    auto const tiled = make_tiled_copy_C(Copy_Atom<Op, ElementD>{}, PieceMma{});
    auto const mine = tiled.get_slice(thread);
    copy(tiled, mine.retile_S(result), mine.partition_D(buffer));
    tilewright::tma_store_fence();
    meet();
    if (thread == 0) {
      auto const part = params_.tma_d.get_slice(0);
      if (get<0>(place) < static_cast<int>(size<0>(problem)) && get<1>(place) < static_cast<int>(size<1>(problem)))
        copy(params_.tma_d, part.partition_S(buffer), part.partition_D(piece_of_matrix(params_.tma_d, problem, place)));
      tilewright::tma_store_arrive();
    }
    ++stored_;
  }
  /// The threads of this warpgroup wait for each other.
  CUTLASS_HOST_DEVICE void meet() {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::named_barrier_sync(NumThreadsPerWarpGroup, static_cast<std::uint32_t>(1 + group_));
#else
    storage_.meeting[group_].arrive();
    storage_.meeting[group_].wait(meetings_++ % 2);
#endif
  }

  Params const& params_;
  TensorStorage& storage_;
  int group_;
  int loaded_ = 0, taken_ = 0, stored_ = 0;  // pieces
  [[maybe_unused]] std::uint32_t meetings_ = 0;
};
#endif

}  // namespace cutlass::epilogue::collective::detail
