// Pipelines of stages in shared memory between the threads that fill them and those that use them: for each stage a barrier
// that says it is full, and one that says it is empty. PipelineState is the place of a thread in such a ring: the stage, and the
// parity of its phase. A producer starts with make_producer_start_state, whose first waits do not wait.
//
//   producer:  pipe.producer_acquire(write);  copy(tma.with(*pipe.producer_get_barrier(write)), …);  ++write;
//   consumer:  pipe.consumer_wait(read);  …  pipe.consumer_release(read);  ++read;
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/cluster_sm90.hpp"
#include "cute/container/array.hpp"
#include "cute/layout.hpp"
#include "cute/numeric/integral_constant.hpp"
#include "cute/swizzle_layout.hpp"
#include "cutlass/arch/barrier.h"
#include "cutlass/cutlass.h"

#include <cassert>

namespace cutlass {

using namespace cute;  // as CUTLASS has it: programs in namespace cutlass name CuTe's types and functions

enum class BarrierStatus : std::uint32_t { WaitAgain = 0, WaitDone = 1, WaitOnly = 2 };

/// All threads of a cluster say that they have initialised their barriers, and wait until the others have.
CUTLASS_HOST_DEVICE void pipeline_init_arrive_relaxed([[maybe_unused]] int cluster_size) {
#if TILEWRIGHT_ON_DEVICE
  if (cluster_size > 1) cute::cluster_arrive_relaxed();
#else
  cute::cluster_arrive_relaxed();
#endif
}
CUTLASS_HOST_DEVICE void pipeline_init_wait([[maybe_unused]] int cluster_size) {
#if TILEWRIGHT_ON_DEVICE
  if (cluster_size > 1) cute::cluster_wait();
  else __syncthreads();
#else
  cute::cluster_wait();
#endif
}

/// What a try_wait found; given to the wait that follows.
class ArrivalToken {
 public:
  CUTLASS_HOST_DEVICE ArrivalToken(BarrierStatus status) : status_(status) {}
  ArrivalToken() = delete;

  CUTLASS_HOST_DEVICE BarrierStatus get() const { return status_; }
  CUTLASS_HOST_DEVICE bool operator==(ArrivalToken const& other) const { return status_ == other.status_; }
  CUTLASS_HOST_DEVICE bool operator==(BarrierStatus status) const { return status_ == status; }

 private:
  BarrierStatus status_;
};
class ProducerToken : public ArrivalToken {
  using ArrivalToken::ArrivalToken;
};
class ConsumerToken : public ArrivalToken {
  using ArrivalToken::ArrivalToken;
};

/// A place in a ring of stages; the phase changes its parity each time around.
template <std::uint32_t Stages_>
struct PipelineState {
  static constexpr std::uint32_t Stages = Stages_;

  int index_ = 0;
  std::uint32_t phase_ = 0;
  std::uint32_t count_ = 0;

  constexpr PipelineState() = default;
  CUTLASS_HOST_DEVICE constexpr PipelineState(int index, std::uint32_t phase, std::uint32_t count)
      : index_(index),
        phase_(phase),
        count_(count) {}

  CUTLASS_HOST_DEVICE constexpr int index() const { return index_; }
  CUTLASS_HOST_DEVICE constexpr std::uint32_t phase() const { return phase_; }
  CUTLASS_HOST_DEVICE constexpr std::uint32_t count() const { return count_; }

  CUTLASS_HOST_DEVICE constexpr void operator++() {
    if constexpr (Stages > 0) {
      ++index_;
      ++count_;
      if (index_ == static_cast<int>(Stages)) {
        index_ = 0;
        phase_ ^= 1;
      }
    }
  }
  CUTLASS_HOST_DEVICE constexpr PipelineState& operator+=(std::uint32_t steps) { return advance(steps); }
  CUTLASS_HOST_DEVICE constexpr PipelineState& advance(std::uint32_t steps) {
    if constexpr (Stages > 0) {
      std::uint32_t const sum = static_cast<std::uint32_t>(index_) + steps;
      phase_ ^= sum / Stages & 1;
      index_ = static_cast<int>(sum % Stages);
      count_ += steps;
    }
    return *this;
  }
  CUTLASS_HOST_DEVICE static constexpr PipelineState make_pipeline_state(PipelineState start, std::uint32_t steps) {
    return start.advance(steps);
  }
};

/// Where a producer starts: its stages are empty, so the first waits are for the phase before the first.
template <class Pipeline>
CUTLASS_HOST_DEVICE constexpr PipelineState<Pipeline::Stages> make_producer_start_state() {
  return {0, 1, 0};
}

namespace detail {

/// Does a thread of that role fill stages, or use them? The checks hold where asserts do.
template <class ThreadCategory>
CUTLASS_HOST_DEVICE bool pipeline_is_producer(ThreadCategory role) {
  return role == ThreadCategory::Producer || role == ThreadCategory::ProducerConsumer;
}
template <class ThreadCategory>
CUTLASS_HOST_DEVICE bool pipeline_is_consumer(ThreadCategory role) {
  return role == ThreadCategory::Consumer || role == ThreadCategory::ProducerConsumer;
}
template <class ThreadCategory>
CUTLASS_HOST_DEVICE void pipeline_check_is_producer([[maybe_unused]] ThreadCategory role) {
  assert(pipeline_is_producer(role));
}
template <class ThreadCategory>
CUTLASS_HOST_DEVICE void pipeline_check_is_consumer([[maybe_unused]] ThreadCategory role) {
  assert(pipeline_is_consumer(role));
}

/// The number of this thread in its warpgroup, and whether its warp is the one of that number.
CUTLASS_HOST_DEVICE int thread_of_warp_group() {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<int>(threadIdx.x) % NumThreadsPerWarpGroup;
#else
  return number_of_this_thread() % NumThreadsPerWarpGroup;
#endif
}
/// One thread of the warp `initializing_warp` makes the barriers; all threads of the block get past the constructor at once.
template <class Full, class Empty>
CUTLASS_HOST_DEVICE void make_barriers(Full* full, Empty* empty, std::uint32_t stages, std::uint32_t producers,
                                       std::uint32_t consumers, int initializing_warp) {
  if (canonical_warp_idx() == initializing_warp && canonical_lane_idx() == 0) {
    for (std::uint32_t i = 0; i < stages; ++i) {
      full[i].init(producers);
      empty[i].init(consumers);
    }
  }
  cutlass::arch::fence_barrier_init();
}
template <class Barrier>
CUTLASS_HOST_DEVICE BarrierStatus ask(Barrier const& barrier, std::uint32_t phase, std::uint32_t skip) {
  if (skip != 0) return BarrierStatus::WaitDone;
  return barrier.try_wait(phase) ? BarrierStatus::WaitDone : BarrierStatus::WaitAgain;
}
template <class Barrier>
CUTLASS_HOST_DEVICE void wait_unless_done(Barrier const& barrier, std::uint32_t phase, BarrierStatus status) {
  if (status != BarrierStatus::WaitDone) barrier.wait(phase);
}

/// What pipelines between threads have in common: for each stage a barrier of those that fill it, and one of those that empty it.
template <class FullBarrier_, int Stages_>
class stages_with_barriers {
 public:
  using FullBarrier = FullBarrier_;
  using EmptyBarrier = cutlass::arch::ClusterBarrier;
  using ProducerBarrierType = typename FullBarrier::ValueType;
  using ConsumerBarrierType = EmptyBarrier::ValueType;
  static constexpr std::uint32_t Stages = Stages_;
  using PipelineState = cutlass::PipelineState<Stages>;

  struct SharedStorage {
    FullBarrier full_barrier_[Stages];
    EmptyBarrier empty_barrier_[Stages];
  };
  enum class ThreadCategory { NonParticipant, Producer, Consumer, ProducerConsumer };

  CUTLASS_HOST_DEVICE ProducerToken producer_try_acquire(PipelineState state, std::uint32_t skip_wait = false) {
    return {ask(empty_[state.index()], state.phase(), skip_wait)};
  }
  /// Waits until the stage is empty.
  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState state, ProducerToken token = {BarrierStatus::WaitAgain}) {
    wait_unless_done(empty_[state.index()], state.phase(), token.get());
  }
  /// Waits until all stages are released, so that no other block of the cluster arrives at one that has exited.
  CUTLASS_HOST_DEVICE void producer_tail(PipelineState state) {
    for (std::uint32_t i = 0; i < Stages; ++i) {
      empty_[state.index()].wait(state.phase());
      ++state;
    }
  }
  CUTLASS_HOST_DEVICE ProducerBarrierType* producer_get_barrier(PipelineState state) {
    return reinterpret_cast<ProducerBarrierType*>(&full_[state.index()]);
  }

  CUTLASS_HOST_DEVICE ConsumerToken consumer_try_wait(PipelineState state, std::uint32_t skip_wait = false) {
    return {ask(full_[state.index()], state.phase(), skip_wait)};
  }
  CUTLASS_HOST_DEVICE ConsumerToken consumer_test_wait(PipelineState state, std::uint32_t skip_wait = false) {
    return consumer_try_wait(state, skip_wait);
  }
  CUTLASS_HOST_DEVICE void consumer_wait(PipelineState state, ConsumerToken token = {BarrierStatus::WaitAgain}) {
    wait_unless_done(full_[state.index()], state.phase(), token.get());
  }

 protected:
  CUTLASS_HOST_DEVICE explicit stages_with_barriers(SharedStorage& storage)
      : full_(storage.full_barrier_),
        empty_(storage.empty_barrier_) {}

  FullBarrier* full_;
  EmptyBarrier* empty_;
};

}  // namespace detail

/// Stages that TMA fills. A block's stage is empty when the consumers of all blocks that share its tiles, those of its row and
/// column in the cluster, have released it.
template <int Stages_>
class PipelineTmaAsync : public detail::stages_with_barriers<cutlass::arch::ClusterTransactionBarrier, Stages_> {
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
    std::uint32_t num_consumers = 0;  // threads
    std::uint32_t num_producers = 1;
    int initializing_warp = 0;
  };

  /// post: the barriers are made, unless InitBarriers is false_type; a barrier of the block, or of its cluster, has to follow
  template <class ClusterShape, class InitBarriers = cute::true_type, class InitMasks = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTmaAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape,
                                       InitBarriers = {}, InitMasks = {})
      : Base(storage),
        params_(params) {
    auto const x = static_cast<std::uint32_t>(cute::size<0>(cluster_shape));
    auto const y = static_cast<std::uint32_t>(cute::size<1>(cluster_shape));
    if constexpr (InitBarriers::value) init_barriers(storage, params, cluster_shape);
    if constexpr (InitMasks::value) {
      // The first threads of each warpgroup release one block of the cluster each: those of this block's row and column.
      auto const block = static_cast<std::uint32_t>(detail::thread_of_warp_group());
      auto const here = cute::block_id_in_cluster();
      destination_ = block;
      releases_ = block < x * y && (block % x == here.x || block / x == here.y);
    }
  }
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE static void init_barriers(SharedStorage& storage, Params params, ClusterShape cluster_shape) {
    auto const x = static_cast<std::uint32_t>(cute::size<0>(cluster_shape));
    auto const y = static_cast<std::uint32_t>(cute::size<1>(cluster_shape));
    std::uint32_t const groups = (params.num_consumers + NumThreadsPerWarpGroup - 1) / NumThreadsPerWarpGroup;
    detail::make_barriers(storage.full_barrier_, storage.empty_barrier_, Stages, params.num_producers,
                          (x + y - 1) * groups, params.initializing_warp);
  }

  /// Waits until the stage is empty. The leader tells the stage's barrier how many bytes come.
  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState state, ProducerToken token = {BarrierStatus::WaitAgain}) {
    Base::producer_acquire(state, token);
    if (params_.is_leader != 0) this->full_[state.index()].arrive_and_expect_tx(params_.transaction_bytes);
  }
  CUTLASS_HOST_DEVICE void producer_expect_transaction(PipelineState state, std::uint32_t bytes) {
    this->full_[state.index()].expect_transaction(bytes);
  }
  /// TMA itself completes the stage.
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState, std::uint32_t = 0) {}
  /// arrive: called with the stage's barrier, such as cpasync_barrier_arrive_noinc.
  template <class Arrive>
  requires(!std::is_convertible_v<Arrive, std::uint32_t>) CUTLASS_HOST_DEVICE
      void producer_commit(PipelineState state, Arrive&& arrive) {
    static_cast<Arrive&&>(arrive)(this->producer_get_barrier(state));
  }

  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state, std::uint32_t skip = false) {
    this->empty_[state.index()].arrive(destination_, static_cast<std::uint32_t>(releases_ && skip == 0));
  }

 protected:
  Params params_;
  std::uint32_t destination_ = 0;
  bool releases_ = false;
};

/// Stages that threads fill and use.
template <int Stages_>
class PipelineAsync : public detail::stages_with_barriers<cutlass::arch::ClusterBarrier, Stages_> {
  using Base = detail::stages_with_barriers<cutlass::arch::ClusterBarrier, Stages_>;

 public:
  using Base::Stages;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;
  using typename Base::ThreadCategory;
  struct Params {
    ThreadCategory role = ThreadCategory::NonParticipant;
    std::uint32_t producer_arv_count = 1;
    std::uint32_t consumer_arv_count = 1;
    std::uint32_t dst_blockid = cute::block_rank_in_cluster();
    int initializing_warp = 0;
  };

  template <class InitBarriers = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineAsync(SharedStorage& storage, Params const& params, InitBarriers = {})
      : Base(storage),
        params_(params) {
    if constexpr (InitBarriers::value) init_barriers(storage, params);
  }
  CUTLASS_HOST_DEVICE explicit PipelineAsync(SharedStorage& storage) : PipelineAsync(storage, Params{}) {}
  CUTLASS_HOST_DEVICE static void init_barriers(SharedStorage& storage, Params params) {
    detail::make_barriers(storage.full_barrier_, storage.empty_barrier_, Stages, params.producer_arv_count,
                          params.consumer_arv_count, params.initializing_warp);
  }

  CUTLASS_HOST_DEVICE void producer_commit(PipelineState state) { this->full_[state.index()].arrive(); }
  /// arrive: called with the stage's barrier in place of an arrival, such as cpasync_barrier_arrive.
  template <class Arrive>
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState state, Arrive&& arrive) {
    static_cast<Arrive&&>(arrive)(this->producer_get_barrier(state));
  }
  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state) {
    this->empty_[state.index()].arrive(params_.dst_blockid);
  }

 private:
  Params params_;
};

/// Stages that threads fill, and copies that complete bytes.
template <int Stages_>
class PipelineTransactionAsync
    : public detail::stages_with_barriers<cutlass::arch::ClusterTransactionBarrier, Stages_> {
  using Base = detail::stages_with_barriers<cutlass::arch::ClusterTransactionBarrier, Stages_>;

 public:
  using Base::Stages;
  using typename Base::PipelineState;
  using typename Base::SharedStorage;
  using typename Base::ThreadCategory;
  struct Params {
    ThreadCategory role = ThreadCategory::NonParticipant;
    std::uint32_t transaction_bytes = 0;
    std::uint32_t producer_arv_count = 1;
    std::uint32_t consumer_arv_count = 1;
    std::uint32_t dst_blockid = cute::block_rank_in_cluster();
    int initializing_warp = 0;
  };

  template <class InitBarriers = cute::true_type>
  CUTLASS_HOST_DEVICE PipelineTransactionAsync(SharedStorage& storage, Params const& params, InitBarriers = {})
      : Base(storage),
        params_(params) {
    if constexpr (InitBarriers::value) init_barriers(storage, params);
  }
  CUTLASS_HOST_DEVICE static void init_barriers(SharedStorage& storage, Params const& params) {
    detail::make_barriers(storage.full_barrier_, storage.empty_barrier_, Stages, params.producer_arv_count,
                          params.consumer_arv_count, params.initializing_warp);
  }

  /// pre: called by one thread, before its producer_commit
  CUTLASS_HOST_DEVICE void producer_expect_transaction(PipelineState state) {
    this->full_[state.index()].expect_transaction(params_.transaction_bytes);
  }
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState state) { this->full_[state.index()].arrive(); }
  CUTLASS_HOST_DEVICE void consumer_release(PipelineState state) {
    this->empty_[state.index()].arrive(params_.dst_blockid);
  }

 private:
  Params params_;
};

/// Stages that TMA stores to global memory. UnacquiredStages: stores that may still read theirs when a stage is acquired.
template <int Stages_, int UnacquiredStages = Stages_ - 1>
class PipelineTmaStore {
 public:
  static constexpr std::uint32_t Stages = Stages_;
  using PipelineState = cutlass::PipelineState<Stages>;
  struct Params {
    bool always_wait = false;
  };

  CUTLASS_HOST_DEVICE PipelineTmaStore(Params params = {}) : params_(params) {}

  CUTLASS_HOST_DEVICE void producer_acquire(PipelineState state) {
    if (params_.always_wait || state.count() > static_cast<std::uint32_t>(UnacquiredStages))
      tilewright::tma_store_wait<UnacquiredStages>();
  }
  CUTLASS_HOST_DEVICE void producer_commit(PipelineState) { tilewright::tma_store_arrive(); }
  CUTLASS_HOST_DEVICE void producer_tail(PipelineState) { tilewright::tma_store_wait<0>(); }

 private:
  Params params_;
};

/// Groups of threads that take `Length` steps of work one after another, `Depth` rounds at a time.
template <int Depth, int Length>
class OrderedSequenceBarrier {
 public:
  using Barrier = cutlass::arch::ClusterBarrier;
  struct SharedStorage {
    Barrier barrier_[Depth][Length];
  };
  struct Params {
    std::uint32_t group_id;
    std::uint32_t group_size;
    int initializing_warp = 0;
  };

  CUTLASS_HOST_DEVICE OrderedSequenceBarrier(SharedStorage& storage, Params const& params)
      : params_(params),
        barriers_(&storage.barrier_[0][0]),
        stage_(0, params.group_id == 0 ? 1u : 0u, 0) {
    if (canonical_warp_idx() == params.initializing_warp && canonical_lane_idx() == 0)
      for (int i = 0; i < Depth * Length; ++i) barriers_[i].init(params.group_size);
    cutlass::arch::fence_barrier_init();
  }

  /// Until the group before this one has arrived.
  CUTLASS_HOST_DEVICE void wait() { at(params_.group_id).wait(stage_.phase()); }
  /// Hands on to the next group.
  CUTLASS_HOST_DEVICE void arrive() {
    at((params_.group_id + 1) % Length).arrive();
    ++stage_;
  }
  CUTLASS_HOST_DEVICE void advance() { ++stage_; }

 private:
  CUTLASS_HOST_DEVICE Barrier& at(std::uint32_t group) {
    return barriers_[static_cast<std::uint32_t>(stage_.index()) * Length + group];
  }

  Params params_;
  Barrier* barriers_;
  PipelineState<Depth> stage_;
};

}  // namespace cutlass
