// Bulk copies on the CPU: runs of all sizes between global and shared memory against memcpy, what a kernel sees that
// forgets to wait, and what a checked launch says of it.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

template <class T>
using bulk = Copy_Atom<SM90_BULK_COPY_AUTO, T>;

enum class forget { nothing, load_wait, wrong_phase, store_commit, store_wait };

/// A tile to shared memory and back, each thread adding 1 to its elements on the way.
template <forget What = forget::nothing>
struct there_and_back {
  template <class Block, class In, class Smem, class Out>
  void operator()(Block& block, In in, Smem smem_layout, Out out) const {
    using T = typename In::value_type;
    auto tile = shared<T>(block, smem_layout);
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    int const t = block.thread();
    if (t == 0) {
      initialize_barrier(bar(0));
      fence_barrier_init();
    }
    block.sync();
    if (t == 0) {
      set_barrier_transaction_bytes(bar(0), static_cast<std::uint32_t>(size(in) * sizeof_bits_v<T> / 8));
      copy(bulk<T>{}.with(bar(0)), in, tile);
    }
    if constexpr (What != forget::load_wait) wait_barrier(bar(0), What == forget::wrong_phase ? 1 : 0);
    for (int i = t; i < static_cast<int>(size(tile)); i += block.threads()) tile(i) = static_cast<T>(tile(i) + T(1));
    tma_store_fence();
    block.sync();
    if (t == 0) {
      copy(bulk<T>{}, tile, out);
      if constexpr (What != forget::store_commit) tma_store_arrive();
      if constexpr (What != forget::store_commit && What != forget::store_wait) tma_store_wait<0>();
    }
  }
};

template <class T, class L>
struct problem {
  alignas(128) T in[cosize_v<L>];
  alignas(128) T out[cosize_v<L>];
  problem() {
    for (int i = 0; i < cosize_v<L>; ++i) {
      in[i] = static_cast<T>(i * 7 + 3);
      out[i] = T(99);
    }
  }
  auto src() const { return make_tensor(make_gmem_ptr(static_cast<T const*>(in)), L{}); }
  auto dst() { return make_tensor(make_gmem_ptr(static_cast<T*>(out)), L{}); }
};

template <class T, class L, class Smem>
void moves(L const&, Smem const& smem) {
  for (int const mode : {0, 1, 2}) {
    problem<T, L> p;
    if (mode == 0) launch(1, 32, there_and_back<>{}, p.src(), smem, p.dst());
    else
      launch_checked({.grid = 1, .block = 32, .seed = mode == 1 ? 0u : 5u}, there_and_back<>{}, p.src(), smem, p.dst());
    auto const src = p.src();
    auto const dst = p.dst();
    for (int i = 0; i < size(src); ++i) ASSERT_EQ(dst(i), static_cast<T>(src(i) + T(1))) << i << " mode " << mode;
  }
}
template <class T, class L>
void moves(L const& layout) {
  moves<T>(layout, layout);
}

template <int... N>
void moves_sizes(seq<N...>) {
  (moves<std::uint8_t>(Layout<Shape<C<16 * (N * N + 1)>>>{}), ...);
}

using tile_layout = Layout<Shape<_32, _16>>;

template <forget What>
execution_report fault_of() {
  problem<float, tile_layout> p;
  try {
    launch_checked(1, 32, there_and_back<What>{}, p.src(), tile_layout{}, p.dst());
  } catch (execution_error const& e) {
    return e.report();
  }
  ADD_FAILURE() << "no fault was reported";
  return {};
}

}  // namespace

TEST(bulk, moves_runs_of_any_size) { moves_sizes(make_seq<12>{}); }

TEST(bulk, moves_every_run_that_both_layouts_share) {
  moves<float>(Layout<Shape<_32, _16>>{});
  moves<float>(Layout<Shape<_32, _16>, Stride<_16, _1>>{});
  moves<float>(Layout<Shape<_32, _16>, Stride<_1, _64>>{});                             // 16 runs
  moves<float>(Layout<Shape<_32, _16>, Stride<_1, _64>>{}, Layout<Shape<_32, _16>>{});  // to one tile
  moves<std::uint16_t>(Layout<Shape<_8, _16>, Stride<_16, _1>>{}, Layout<Shape<_8, _16>, Stride<C<24>, _1>>{});
  moves<std::uint64_t>(Layout<Shape<Shape<_2, _4>, _8>, Stride<Stride<_1, C<16>>, _2>>{});
  moves<std::uint16_t>(Layout<Shape<_64, _8>>{}, composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
}

TEST(bulk, takes_dynamic_extents_around_a_static_run) {
  std::vector<uint128_t> in(24), out(24);
  for (std::size_t i = 0; i < 96; ++i) reinterpret_cast<std::uint32_t*>(in.data())[i] = static_cast<std::uint32_t>(i);
  auto const layout = make_layout(make_shape(_16{}, 6));
  auto const src = make_tensor(make_gmem_ptr(reinterpret_cast<std::uint32_t const*>(in.data())), layout);
  auto const dst = make_tensor(make_gmem_ptr(reinterpret_cast<std::uint32_t*>(out.data())), layout);
  launch(1, 32, there_and_back<>{}, src, layout, dst);
  for (int i = 0; i < 96; ++i) EXPECT_EQ(dst(i), src(i) + 1);
}

TEST(bulk, of_a_stated_number_of_bits_moves_mode_0) {
  using atom = Copy_Atom<Copy_Traits<SM90_BULK_COPY_G2S, C<512>>, float>;
  static_assert(atom::NumValSrc == 16);
  problem<float, tile_layout> p;
  auto const kernel = [](auto& block, auto in, auto out) {
    auto tile = shared<float>(block, tile_layout{});
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    if (block.thread() == 0) {
      initialize_barrier(bar(0));
      set_barrier_transaction_bytes(bar(0), 2048);
      auto const halves = [](auto const& t) { return logical_divide(t, Shape<_16>{}); };  // ((16,2),16)
      copy(atom{}.with(bar(0)), halves(in), halves(tile));
    }
    block.sync();
    wait_barrier(bar(0), 0);
    copy(tile, out);
  };
  launch(1, 1, kernel, p.src(), p.dst());
  EXPECT_TRUE(std::equal(p.in, p.in + 512, p.out));
}

TEST(bulk, moves_the_same_with_cache_hints) {
  problem<float, tile_layout> p;
  auto const kernel = [](auto& block, auto in, auto out) {
    auto tile = shared<float>(block, tile_layout{});
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    bulk_prefetch(in, TMA::CacheHintSm90::EVICT_FIRST);
    initialize_barrier(bar(0));
    set_barrier_transaction_bytes(bar(0), 2048);
    copy(bulk<float>{}.with(bar(0), TMA::CacheHintSm90::EVICT_FIRST), in, tile);
    wait_barrier(bar(0), 0);
    auto const last = TMA::CacheHintSm90::EVICT_LAST;
    copy(bulk<float>{}.with(last), tile, out);
    EXPECT_EQ(out(5), 99.0f);  // as late as ever
    tma_store_arrive();
    tma_store_wait<0>();
  };
  launch(1, 1, kernel, p.src(), p.dst());
  EXPECT_TRUE(std::equal(p.in, p.in + 512, p.out));
}

TEST(bulk, without_its_wait_the_tile_is_not_there) {
  problem<float, tile_layout> p;
  auto const kernel = []<class Waits>(auto& block, auto in, auto out, Waits) {
    auto tile = shared<float>(block, tile_layout{});
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    fill(tile, -1.0f);
    if (block.thread() == 0) {
      initialize_barrier(bar(0));
      set_barrier_transaction_bytes(bar(0), 2048);
      copy(bulk<float>{}.with(bar(0)), in, tile);
    }
    if constexpr (Waits::value) wait_barrier(bar(0), 0);
    copy(tile, out);
  };
  launch(1, 1, kernel, p.src(), p.dst(), std::false_type{});
  EXPECT_EQ(std::count(p.out, p.out + 512, -1.0f), 512);
  launch(1, 1, kernel, p.src(), p.dst(), std::true_type{});
  EXPECT_TRUE(std::equal(p.in, p.in + 512, p.out));
}

TEST(bulk, checked_launches_report_what_was_forgotten) {
  EXPECT_EQ(fault_of<forget::load_wait>().kind, fault::uninitialised_read);
  EXPECT_EQ(fault_of<forget::wrong_phase>().kind, fault::uninitialised_read);
  auto const uncommitted = fault_of<forget::store_commit>();
  EXPECT_EQ(uncommitted.kind, fault::unfinished_copy);
  EXPECT_EQ(uncommitted.thread, 0);
  EXPECT_EQ(to_string(uncommitted),
            "unfinished_copy: thread 0 of block (0,0,0): exits while 1 of its bulk copies, 1 of them in no committed "
            "group, may still read shared memory; call tma_store_arrive() and tma_store_wait<0>() before the kernel "
            "ends");
  EXPECT_EQ(fault_of<forget::store_wait>().kind, fault::unfinished_copy);
}

TEST(bulk, a_load_that_nobody_waits_for_is_reported) {
  problem<float, tile_layout> p;
  auto const kernel = [](auto& block, auto in) {
    auto tile = shared<float>(block, tile_layout{});
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    if (block.thread() != 3) return;
    initialize_barrier(bar(0));
    set_barrier_transaction_bytes(bar(0), 2048);
    copy(bulk<float>{}.with(bar(0)), in, tile);
  };
  launch(1, 32, kernel, p.src());
  try {
    launch_checked(1, 32, kernel, p.src());
    FAIL();
  } catch (execution_error const& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "unfinished_copy: thread 3 of block (0,0,0): started the first of 1 copies whose barrier no thread waits for "
        "until the block ends; call wait_barrier(barrier, phase) with the parity of the phase that counts their "
        "bytes");
  }
}

TEST(bulk, stores_complete_group_by_group) {
  alignas(16) float out[12];
  alignas(16) float staged[12];
  std::fill(out, out + 12, 0.0f);
  std::iota(staged, staged + 12, 1.0f);
  auto const part = [](auto* p, int i) { return p + 4 * i; };
  for (int i = 0; i < 3; ++i) {
    copy(bulk<float>{}, make_tensor(make_smem_ptr(part(staged, i)), Shape<_4>{}),
         make_tensor(make_gmem_ptr(part(out, i)), Shape<_4>{}));
    tma_store_arrive();
  }
  EXPECT_EQ(out[0], 0.0f);
  tma_store_wait<2>();
  EXPECT_EQ(out[3], 4.0f);
  EXPECT_EQ(out[4], 0.0f);
  tma_store_wait<0>();
  EXPECT_EQ(out[11], 12.0f);
}

TEST(bulk, addresses_off_16_bytes_are_refused) {
  alignas(16) float in[8]{}, tile[8]{};
  std::uint64_t bar = 0;
  initialize_barrier(bar);
  auto const src = make_tensor(make_gmem_ptr(in + 1), Shape<_4>{});
  auto const dst = make_tensor(make_smem_ptr(tile), Shape<_4>{});
  EXPECT_THROW(copy(bulk<float>{}.with(bar), src, dst), layout_error);
}
