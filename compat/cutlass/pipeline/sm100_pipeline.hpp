// Pipelines of Blackwell, whose products tcgen05.mma arrives at barriers by itself: PipelineTmaUmmaAsync (TMA fills the stages that
// products read), PipelineUmmaAsync (products fill accumulators that threads read) and PipelineUmmaConsumerAsync (threads fill what
// products read). PipelineTmaTransformAsync fills by TMA what threads transform, PipelineTmaSparseUmmaAsync adds the metadata of a
// sparse A. AtomThrShape_MNK is (2, 1, 1) where two blocks compute one product: its even block, the leader, starts the
// products and waits, and both blocks' stages become full and empty together. PipelineCLCFetchAsync passes on the answers of
// cluster launch control.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/pipeline/sm90_pipeline.hpp"

namespace cutlass {

/// Which blocks of a cluster receive the same tile: those of a row of blocks, of a column, or either.
enum class McastDirection { kRow, kCol, kRowCol };

namespace detail {

/// The blocks that share a product's tiles with this one, bit r for rank r: those that have its place in M (a row), in N (a
/// column), or one of the two. The blocks of one product count as one.
/// (4, 2) with products of one block, block (1, 0): row 0b00100010, column 0b00001111, either 0b00101111
template <McastDirection Direction, class ClusterShape, class AtomThrShape_MNK>
CUTLASS_HOST_DEVICE std::uint16_t calculate_multicast_mask(ClusterShape cluster_shape, AtomThrShape_MNK atom_thr_shape,
                                                           tilewright::dim3 block_id_in_cluster) {
  auto const x = static_cast<unsigned>(cute::size<0>(cluster_shape));
  auto const y = static_cast<unsigned>(cute::size<1>(cluster_shape));
  auto const atom_x = static_cast<unsigned>(cute::size<0>(atom_thr_shape));
  auto const atom_y = static_cast<unsigned>(cute::size<1>(atom_thr_shape));
  unsigned mask = 0;
  for (unsigned rank = 0; rank < x * y; ++rank) {
    bool const in_row = rank % x / atom_x == block_id_in_cluster.x / atom_x;
    bool const in_column = rank / x / atom_y == block_id_in_cluster.y / atom_y;
    bool const shares = Direction == McastDirection::kRow   ? in_row
                        : Direction == McastDirection::kCol ? in_column
                                                            : in_row || in_column;
    mask |= static_cast<unsigned>(shares) << rank;
  }
  return static_cast<std::uint16_t>(mask);
}
/// The blocks of this block's product.
template <class ClusterShape, class AtomThrShape_MNK>
CUTLASS_HOST_DEVICE std::uint16_t calculate_umma_peer_mask(ClusterShape cluster_shape, AtomThrShape_MNK atom_thr_shape,
                                                           tilewright::dim3 block_id_in_cluster) {
  return calculate_multicast_mask<McastDirection::kRow>(cluster_shape, atom_thr_shape, block_id_in_cluster) &
         calculate_multicast_mask<McastDirection::kCol>(cluster_shape, atom_thr_shape, block_id_in_cluster);
}

/// What the pipelines with products have in common.
template <class AtomThrShape_MNK>
struct umma_arrivals {
  static constexpr bool has_two_blocks = decltype(cute::size(AtomThrShape_MNK{}))::value > 1;

  /// An arrival at a barrier of the blocks of the mask when this warp's products are done.
  CUTLASS_HOST_DEVICE static void arrive(cutlass::arch::ClusterBarrier& barrier, std::uint16_t mask) {
    auto* const word = reinterpret_cast<std::uint64_t*>(&barrier);
    if constexpr (has_two_blocks) cutlass::arch::umma_arrive_multicast_2x1SM(word, mask);
    else cutlass::arch::umma_arrive_multicast(word, mask);
  }
  CUTLASS_HOST_DEVICE static void arrive_here(cutlass::arch::ClusterBarrier& barrier) {
    cutlass::arch::umma_arrive(reinterpret_cast<std::uint64_t*>(&barrier));
  }
  /// The block that starts this block's products.
  CUTLASS_HOST_DEVICE static std::uint32_t leader() {
    return cute::block_rank_in_cluster() & ~(has_two_blocks ? 1u : 0u);
  }
};

}  // namespace detail

/// Stages that TMA fills and products read. A stage is empty when the products of all blocks that share its tiles are done.
template <int Stages_, class ClusterShape = cute::Shape<int, int, cute::_1>,
          class AtomThrShape_MNK_ = cute::Shape<cute::_1, cute::_1, cute::_1>>
class PipelineTmaUmmaAsync : public PipelineTmaAsync<Stages_> {
  using Base = PipelineTmaAsync<Stages_>;
  using Arrivals = detail::umma_arrivals<AtomThrShape_MNK_>;

 public:
  using AtomThrShape_MNK = AtomThrShape_MNK_;
  using McastDirection = cutlass::McastDirection;
  using Base::Stages;
  using typename Base::Params;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;
  using typename Base::ThreadCategory;

  /// post: the barriers are made, unless InitBarriers is false_type; a barrier of the block, or of its cluster, has to follow
  template <class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTmaUmmaAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                           InitBarriers init_barriers = {}, InitMasks init_masks = {})
      : PipelineTmaUmmaAsync(storage, params, cluster_shape, McastDirection::kRowCol, init_barriers, init_masks) {}
  template <class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTmaUmmaAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                           McastDirection direction, InitBarriers = {}, InitMasks = {})
      : Base(storage, params, cluster_shape, cute::false_type{}, cute::false_type{}) {
    if constexpr (InitBarriers::value) init_barriers(storage, params, cluster_shape, direction);
    if constexpr (InitMasks::value) init_masks(cluster_shape, direction);
  }

  CUTLASS_HOST_DEVICE static void init_barriers(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                                McastDirection direction = McastDirection::kRowCol) {
    auto const rows = static_cast<std::uint32_t>(cute::size<0>(cluster_shape) / cute::size<0>(AtomThrShape_MNK{}));
    auto const columns = static_cast<std::uint32_t>(cute::size<1>(cluster_shape) / cute::size<1>(AtomThrShape_MNK{}));
    std::uint32_t const consumers = direction == McastDirection::kRow   ? columns
                                    : direction == McastDirection::kCol ? rows
                                                                        : rows + columns - 1;
    detail::make_barriers(storage.full_barrier_, storage.empty_barrier_, Stages, 1, consumers,
                          params.initializing_warp);
  }
  CUTLASS_HOST_DEVICE void init_masks(ClusterShape cluster_shape,
                                      tilewright::dim3 block_id_in_cluster = cute::block_id_in_cluster()) {
    mask_ = detail::calculate_multicast_mask<McastDirection::kRowCol>(cluster_shape, AtomThrShape_MNK{},
                                                                      block_id_in_cluster);
  }
  CUTLASS_HOST_DEVICE void init_masks(ClusterShape cluster_shape, McastDirection direction) {
    auto const block = cute::block_id_in_cluster();
    if (direction == McastDirection::kRow)
      mask_ = detail::calculate_multicast_mask<McastDirection::kRow>(cluster_shape, AtomThrShape_MNK{}, block);
    else if (direction == McastDirection::kCol)
      mask_ = detail::calculate_multicast_mask<McastDirection::kCol>(cluster_shape, AtomThrShape_MNK{}, block);
    else init_masks(cluster_shape, block);
  }

  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state) {
    auto& barrier = this->empty_[state.index()];
    if constexpr (cute::is_static_v<ClusterShape>) {
      if constexpr (decltype(cute::size(ClusterShape{}))::value == 1) return Arrivals::arrive_here(barrier);
      else Arrivals::arrive(barrier, mask_);
    } else {
      Arrivals::arrive(barrier, mask_);
    }
  }

 private:
  std::uint16_t mask_ = 0;
};

/// Accumulators that products fill and threads, of both blocks of a product, read.
template <int Stages_, class AtomThrShape_MNK_ = cute::Shape<cute::_1, cute::_1, cute::_1>>
class PipelineUmmaAsync : public PipelineAsync<Stages_> {
  using Base = PipelineAsync<Stages_>;
  using Arrivals = detail::umma_arrivals<AtomThrShape_MNK_>;

 public:
  using AtomThrShape_MNK = AtomThrShape_MNK_;
  using typename Base::Params;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;

  template <class ClusterShape, class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineUmmaAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                        InitBarriers init_barriers = {}, InitMasks = {})
      : Base(storage, params, init_barriers) {
    if constexpr (InitMasks::value) init_masks(cluster_shape);
  }
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE void init_masks(ClusterShape cluster_shape,
                                      tilewright::dim3 block_id_in_cluster = cute::block_id_in_cluster()) {
    mask_ = detail::calculate_umma_peer_mask(cluster_shape, AtomThrShape_MNK{}, block_id_in_cluster);
  }

  CUTLASS_HOST_DEVICE void producer_commit(PipelineState state) {
    auto& barrier = this->full_[state.index()];
    if constexpr (Arrivals::has_two_blocks) Arrivals::arrive(barrier, mask_);
    else Arrivals::arrive_here(barrier);
  }
  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state) {
    if constexpr (Arrivals::has_two_blocks) this->empty_[state.index()].arrive(Arrivals::leader());
    else Base::consumer_release(state);
  }

 private:
  std::uint16_t mask_ = 0;
};

/// Stages that threads, of both blocks of a product, fill and products read.
template <int Stages_, class AtomThrShape_MNK_ = cute::Shape<cute::_1, cute::_1, cute::_1>>
class PipelineUmmaConsumerAsync : public PipelineAsync<Stages_> {
  using Base = PipelineAsync<Stages_>;
  using Arrivals = detail::umma_arrivals<AtomThrShape_MNK_>;

 public:
  using AtomThrShape_MNK = AtomThrShape_MNK_;
  using typename Base::Params;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;

  template <class ClusterShape, class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineUmmaConsumerAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                                InitBarriers init_barriers = {}, InitMasks = {})
      : Base(storage, params, init_barriers) {
    if constexpr (InitMasks::value) init_masks(cluster_shape);
  }
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE void init_masks(ClusterShape cluster_shape,
                                      tilewright::dim3 block_id_in_cluster = cute::block_id_in_cluster()) {
    mask_ = detail::calculate_umma_peer_mask(cluster_shape, AtomThrShape_MNK{}, block_id_in_cluster);
  }

  /// This thread's part is there: an arrival at the leader's barrier, or (local) at that of its own block.
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState state) {
    if constexpr (Arrivals::has_two_blocks) this->full_[state.index()].arrive(Arrivals::leader());
    else Base::producer_commit(state);
  }
  CUTLASS_HOST_DEVICE void producer_commit_local(PipelineState state) { Base::producer_commit(state); }
  /// arrive: called with the stage's barrier in place of an arrival, then, of two blocks, the leader hears of it.
  template <class Arrive>
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState state, Arrive&& arrive) {
    Base::producer_commit(state, static_cast<Arrive&&>(arrive));
    if constexpr (Arrivals::has_two_blocks) producer_commit(state);
  }
  template <class Arrive>
  CUTLASS_HOST_DEVICE void producer_commit_local(PipelineState state, Arrive&& arrive) {
    Base::producer_commit(state, static_cast<Arrive&&>(arrive));
  }
  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state) {
    auto& barrier = this->empty_[state.index()];
    if constexpr (Arrivals::has_two_blocks) Arrivals::arrive(barrier, mask_);
    else Arrivals::arrive_here(barrier);
  }

 private:
  std::uint16_t mask_ = 0;
};

/// Stages that TMA fills and threads read, to transform what products read. A stage is empty when the threads of all blocks that
/// share its tiles have released it: those of the block's row in the cluster, of its column, or of both.
template <int Stages_, class AtomThrShape_MNK_ = cute::Shape<cute::_1, cute::_1, cute::_1>>
class PipelineTmaTransformAsync : public PipelineTmaAsync<Stages_> {
  using Base = PipelineTmaAsync<Stages_>;

 public:
  using AtomThrShape_MNK = AtomThrShape_MNK_;
  using Base::Stages;
  using typename Base::Params;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;
  using typename Base::ThreadCategory;

  /// post: the barriers are made, unless InitBarriers is false_type; a barrier of the block, or of its cluster, has to follow
  template <class ClusterShape, class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTmaTransformAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                                InitBarriers init_barriers = {}, InitMasks init_masks = {})
      : PipelineTmaTransformAsync(storage, params, cluster_shape, McastDirection::kRowCol, init_barriers, init_masks) {}
  template <class ClusterShape, class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTmaTransformAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                                McastDirection direction, InitBarriers = {}, InitMasks = {})
      : Base(storage, params, cluster_shape, cute::false_type{}, cute::false_type{}) {
    if constexpr (InitBarriers::value) init_barriers(storage, params, cluster_shape, direction);
    if constexpr (InitMasks::value) init_masks(cluster_shape, cute::block_id_in_cluster(), direction);
  }

  template <class ClusterShape>
  CUTLASS_HOST_DEVICE static void init_barriers(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                                McastDirection direction = McastDirection::kRowCol) {
    auto const x = static_cast<std::uint32_t>(cute::size<0>(cluster_shape));
    auto const y = static_cast<std::uint32_t>(cute::size<1>(cluster_shape));
    std::uint32_t const blocks = direction == McastDirection::kRow   ? y
                                 : direction == McastDirection::kCol ? x
                                                                     : x + y - 1;
    std::uint32_t const groups = (params.num_consumers + NumThreadsPerWarpGroup - 1) / NumThreadsPerWarpGroup;
    detail::make_barriers(storage.full_barrier_, storage.empty_barrier_, Stages, params.num_producers, blocks * groups,
                          params.initializing_warp);
  }
  /// The first threads of each warpgroup release one block of the cluster each.
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE void init_masks(ClusterShape cluster_shape,
                                      tilewright::dim3 block_id_in_cluster = cute::block_id_in_cluster(),
                                      McastDirection direction = McastDirection::kRowCol) {
    auto const x = static_cast<std::uint32_t>(cute::size<0>(cluster_shape));
    auto const y = static_cast<std::uint32_t>(cute::size<1>(cluster_shape));
    auto const block = static_cast<std::uint32_t>(detail::thread_of_warp_group());
    bool const in_row = block % x == block_id_in_cluster.x, in_column = block / x == block_id_in_cluster.y;
    bool const shares = direction == McastDirection::kRow   ? in_row
                        : direction == McastDirection::kCol ? in_column
                                                            : in_row || in_column;
    this->destination_ = block;
    this->releases_ = shares && block < x * y;
  }
};

/// As PipelineTmaUmmaAsync, for products with a sparse A: the metadata of several stages come with one of them.
template <int Stages_, class ClusterShape = cute::Shape<int, int, cute::_1>,
          class AtomThrShape_MNK_ = cute::Shape<cute::_1, cute::_1, cute::_1>>
class PipelineTmaSparseUmmaAsync : public PipelineTmaUmmaAsync<Stages_, ClusterShape, AtomThrShape_MNK_> {
  using Base = PipelineTmaUmmaAsync<Stages_, ClusterShape, AtomThrShape_MNK_>;

 public:
  using typename Base::Params;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;
  struct ParamsMetadata {
    std::uint32_t transaction_bytes = 0;  // of A and B
    std::uint32_t metadata_transaction_bytes = 0;
  };

  template <class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTmaSparseUmmaAsync(SharedStorage& storage, Params params, ParamsMetadata params_metadata,
                                                 ClusterShape cluster_shape, InitBarriers init_barriers = {},
                                                 InitMasks init_masks = {})
      : Base(storage, params, cluster_shape, init_barriers, init_masks),
        bytes_(params_metadata) {}

  /// Waits until the stage is empty. The leader tells the stage's barrier how many bytes come, with metadata or without.
  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState state, bool load_e,
                                            ProducerToken token = {BarrierStatus::WaitAgain}) {
    detail::wait_unless_done(this->empty_[state.index()], state.phase(), token.get());
    std::uint32_t const metadata = load_e ? bytes_.metadata_transaction_bytes : 0;
    if (this->params_.is_leader != 0)
      this->full_[state.index()].arrive_and_expect_tx(bytes_.transaction_bytes + metadata);
  }
  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState state, ProducerToken token = {BarrierStatus::WaitAgain}) {
    producer_acquire(state, true, token);
  }

 private:
  ParamsMetadata bytes_;
};

/// No pipeline, where a program's template asks for one.
class PipelineEmpty {
 public:
  static constexpr std::uint32_t Stages = 0;
  using PipelineState = cutlass::PipelineState<0>;
  struct Params {};
  struct SharedStorage {};

  CUTLASS_HOST_DEVICE PipelineEmpty(SharedStorage&, Params const&) {}
  CUTLASS_HOST_DEVICE PipelineEmpty(SharedStorage&&, Params const&) {}
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE PipelineEmpty(SharedStorage&&, Params const&, ClusterShape) {}

  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState, ProducerToken = {BarrierStatus::WaitAgain}) {}
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState) {}
  CUTLASS_HOST_DEVICE void consumer_wait(PipelineState, ConsumerToken = {BarrierStatus::WaitAgain}) {}
  CUTLASS_HOST_DEVICE void consumer_release(PipelineState) {}
};

/// Answers of cluster launch control, which a warp of one block asks for and every block of the cluster receives.
template <int Stages_, class ClusterShape = cute::Shape<int, int, cute::_1>>
class PipelineCLCFetchAsync : public detail::stages_with_barriers<cutlass::arch::ClusterTransactionBarrier, Stages_> {
  using Base = detail::stages_with_barriers<cutlass::arch::ClusterTransactionBarrier, Stages_>;

 public:
  using Base::Stages;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;
  using typename Base::ThreadCategory;
  struct Params {
    std::uint32_t transaction_bytes = 0;
    ThreadCategory role = ThreadCategory::NonParticipant;
    std::uint32_t is_leader = 0;
    std::uint32_t num_consumers = 0;
    std::uint32_t producer_blockid = 0;
    std::uint32_t producer_arv_count = 0;
    std::uint32_t consumer_arv_count = 0;
    int initializing_warp = 0;
  };

  CUTLASS_HOST_DEVICE PipelineCLCFetchAsync(SharedStorage& storage, Params const& params)
      : PipelineCLCFetchAsync(storage, params, ClusterShape{}) {}
  CUTLASS_HOST_DEVICE PipelineCLCFetchAsync(SharedStorage& storage, Params const& params, ClusterShape cluster_shape)
      : Base(storage),
        params_(params),
        blocks_(static_cast<std::uint32_t>(cute::size(cluster_shape))) {
    detail::make_barriers(storage.full_barrier_, storage.empty_barrier_, Stages, params.producer_arv_count,
                          params.consumer_arv_count, params.initializing_warp);
  }

  /// All threads of the producing warp: waits until the stage is empty; lane r tells the barrier of block r what comes.
  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState state, ProducerToken token = {BarrierStatus::WaitAgain}) {
    Base::producer_acquire(state, token);
    auto const lane = static_cast<std::uint32_t>(canonical_lane_idx());
    this->full_[state.index()].arrive_and_expect_tx(params_.transaction_bytes, lane, lane < blocks_ ? 1u : 0u);
  }
  /// The answer itself completes the stage.
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState) {}
  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state) {
    this->empty_[state.index()].arrive(params_.producer_blockid);
  }
  /// The barrier's shared memory address, which the instruction takes.
  CUTLASS_HOST_DEVICE std::uint32_t producer_get_barrier(PipelineState state) {
    return tilewright::cast_smem_ptr_to_uint(reinterpret_cast<void const*>(&this->full_[state.index()]));
  }

 private:
  Params params_;
  std::uint32_t blocks_;
};

}  // namespace cutlass
