// CUTLASS's pipelines on the host body, next to what they have to bring about: PipelineAsync between warps, with one that releases a
// stage too early; PipelineTmaStore; OrderedSequenceBarrier. PipelineTmaAsync is in gmma_test.cpp.
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>
#include <cute/tensor.hpp>
#include <cutlass/pipeline/pipeline.hpp>

#include <vector>

using namespace cute;

namespace {

/// The first half of the block writes 64 numbers a step, the second reads them in reverse order and adds them up.
template <int Stages, bool ReleasesEarly>
struct summed_by_consumers {
  template <class Block, class Out>
  void operator()(Block& block, Out out, int steps) const {
    using Pipeline = cutlass::PipelineAsync<Stages>;
    auto numbers = block.template shared<int>(Shape<_64, Int<Stages>>{});
    auto const memory = block.template shared_array<typename Pipeline::SharedStorage>(1);
    bool const is_producer = block.thread() < 64;
    typename Pipeline::Params params;
    params.role = is_producer ? Pipeline::ThreadCategory::Producer : Pipeline::ThreadCategory::Consumer;
    params.producer_arv_count = 64;
    params.consumer_arv_count = 64;
    Pipeline pipeline(*memory.unwatched(), params);
    block.sync();
    if (is_producer) {
      auto state = cutlass::make_producer_start_state<Pipeline>();
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.producer_acquire(state, pipeline.producer_try_acquire(state));
        numbers(block.thread(), state.index()) = 100 * i + block.thread();
        pipeline.producer_commit(state);
      }
      pipeline.producer_tail(state);
    } else {
      int const thread = block.thread() - 64;
      int sum = 0;
      typename Pipeline::PipelineState state;
      for (int i = 0; i < steps; ++i, ++state) {
        if (i % 2 == 0) pipeline.consumer_wait(state, pipeline.consumer_try_wait(state));
        else pipeline.consumer_wait(state);
        if (ReleasesEarly) pipeline.consumer_release(state);
        sum += numbers(63 - thread, state.index());
        if (!ReleasesEarly) pipeline.consumer_release(state);
      }
      out(thread) = sum;
    }
  }
};

template <int Stages, bool ReleasesEarly>
std::vector<int> sums_of(int steps) {
  std::vector<int> out(64, -1);
  tilewright::launch_checked(tilewright::checked_config{.grid = 1, .block = 128},
                             summed_by_consumers<Stages, ReleasesEarly>{},
                             make_tensor(make_gmem_ptr(out.data()), Shape<_64>{}), steps);
  return out;
}

TEST(compat_pipeline, stages_pass_from_producers_to_consumers) {
  for (int const steps : {1, 3, 4, 11}) {
    auto const sums = sums_of<3, false>(steps), by_one = sums_of<1, false>(steps);
    for (int t = 0; t < 64; ++t) {
      int const expected = 100 * (steps * (steps - 1) / 2) + steps * (63 - t);
      ASSERT_EQ(sums[static_cast<std::size_t>(t)], expected) << steps << " steps, thread " << t;
      ASSERT_EQ(by_one[static_cast<std::size_t>(t)], expected) << steps << " steps, thread " << t;
    }
  }
}

TEST(compat_pipeline, a_stage_released_before_it_is_read_is_found) {
  EXPECT_THROW((sums_of<2, true>(6)), tilewright::execution_error);
}

/// Each step fills a stage and stores it to its part of the result.
struct stored_by_bulk_copies {
  template <class Block, class Out>
  void operator()(Block& block, Out out) const {
    using Pipeline = cutlass::PipelineTmaStore<2>;
    auto stages = block.template shared<float>(Shape<_32, _2>{});
    Pipeline pipeline;
    typename Pipeline::PipelineState state;
    for (int i = 0; i < size<1>(out); ++i, ++state) {
      pipeline.producer_acquire(state);
      block.sync_warp();
      stages(block.thread(), state.index()) = static_cast<float>(1000 * i + block.thread());
      tilewright::tma_store_fence();
      block.sync_warp();
      if (block.thread() == 0) copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, stages(_, state.index()), out(_, i));
      pipeline.producer_commit(state);
    }
    pipeline.producer_tail(state);
  }
};

TEST(compat_pipeline, stores_leave_their_stages_in_order) {
  std::vector<float> out(32 * 7, -1.0f);
  tilewright::launch_checked(tilewright::checked_config{.grid = 1, .block = 32}, stored_by_bulk_copies{},
                             make_tensor(make_gmem_ptr(out.data()), Shape<_32, _7>{}));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<float>(1000 * (i / 32) + i % 32)) << i;
}

/// Warps append their number to a list, one after another.
template <int Groups>
struct in_order {
  template <class Block, class Out>
  void operator()(Block& block, Out out) const {
    using Sequence = cutlass::OrderedSequenceBarrier<1, Groups>;
    auto const memory = block.template shared_array<typename Sequence::SharedStorage>(1);
    auto length = block.template shared<int>(Shape<_1>{});
    auto const group = static_cast<std::uint32_t>(block.thread() / 32);
    if (block.thread() == 0) length(0) = 0;
    Sequence sequence(*memory.unwatched(), {group, 32});
    block.sync();
    for (int i = 0; i < 5; ++i) {
      sequence.wait();
      if (block.thread() % 32 == 0) {
        int const at = length(0);
        out(at) = static_cast<int>(group);
        length(0) = at + 1;
      }
      block.sync_warp();
      sequence.arrive();
    }
  }
};

template <int Groups>
void expect_turns() {
  std::vector<int> out(5 * Groups, -1);
  tilewright::launch_checked(tilewright::checked_config{.grid = 1, .block = 32 * Groups}, in_order<Groups>{},
                             make_tensor(make_gmem_ptr(out.data()), make_shape(Int<5 * Groups>{})));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i % Groups)) << i;
}

TEST(compat_pipeline, groups_work_one_after_another) {
  expect_turns<2>();
  expect_turns<3>();
}

}  // namespace
