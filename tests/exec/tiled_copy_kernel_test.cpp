// A tiled copy through shared memory, as users write it, launched both ways: vector accesses are watched like others.
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace tilewright;

namespace {

/// Tile by tile through shared memory, 128 bits an access; the way back reads what other threads brought.
template <bool Sync>
constexpr auto copy_through_shared = [](auto& block, auto in, auto out) {
  auto const there = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, make_layout(Shape<_8, _4>{}),
                                     make_layout(Shape<_4, _1>{}));
  auto const back = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    make_layout(Shape<_8, _4>{}, Stride<_4, _1>{}), make_layout(Shape<_4, _1>{}));
  auto const where = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
  auto from = local_tile(in, Shape<_32, _32>{}, where);              // (32, 32)
  auto to = local_tile(out, Shape<_32, _32>{}, where);               // (32, 32)
  auto tile = shared<float>(block, make_layout(Shape<_32, _32>{}));  // (32, 32)
  auto const bring = there.get_slice(block.thread());
  auto const take = back.get_slice(block.thread());
  copy(there, bring.partition_S(from), bring.partition_D(tile));  // (Cpy, RestM, RestN)
  if constexpr (Sync) block.sync();
  copy(back, take.partition_S(tile), take.partition_D(to));
};

}  // namespace

TEST(tiled_copy_kernel, runs_plain_and_checked) {
  auto const layout = make_layout(Shape<_128, _64>{});
  std::vector<float> in(128 * 64);
  std::iota(in.begin(), in.end(), 1.0f);
  auto const src = make_tensor(make_gmem_ptr(static_cast<float const*>(in.data())), layout);

  std::vector<float> plain(in.size());
  launch({4, 2}, 32, copy_through_shared<true>, src, make_tensor(make_gmem_ptr(plain.data()), layout));
  EXPECT_EQ(plain, in);

  std::vector<float> checked(in.size());
  launch_checked({.grid = {4, 2}, .block = 32, .seed = 5}, copy_through_shared<true>, src,
                 make_tensor(make_gmem_ptr(checked.data()), layout));
  EXPECT_EQ(checked, in);
}

TEST(tiled_copy_kernel, without_its_barrier_is_reported) {
  auto const layout = make_layout(Shape<_32, _32>{});
  std::vector<float> in(32 * 32);
  std::vector<float> out(32 * 32);
  auto const src = make_tensor(make_gmem_ptr(in.data()), layout);
  auto const dst = make_tensor(make_gmem_ptr(out.data()), layout);
  try {
    launch_checked(1, 32, copy_through_shared<false>, src, dst);
    FAIL() << "no fault was reported";
  } catch (execution_error const& e) {
    // Thread 1 brings the second vector of column 0, and takes the first of column 1, which thread 8 has yet to bring.
    EXPECT_EQ(e.report().kind, fault::uninitialised_read);
    EXPECT_EQ(e.report().thread, 1);
    EXPECT_EQ(e.report().coordinate, "(0,1)");
  }
}

TEST(tiled_copy_kernel, threads_beyond_the_copy_move_nothing) {
  auto const layout = make_layout(Shape<_32, _32>{});
  std::vector<float> in(32 * 32);
  std::iota(in.begin(), in.end(), 1.0f);
  std::vector<float> out(in.size());
  auto const src = make_tensor(make_gmem_ptr(static_cast<float const*>(in.data())), layout);
  // 32 threads copy, 48 are launched; a checked launch would report the others' writes and out-of-bounds reads.
  launch_checked({.grid = 1, .block = 48}, copy_through_shared<true>, src,
                 make_tensor(make_gmem_ptr(out.data()), layout));
  EXPECT_EQ(out, in);
}
