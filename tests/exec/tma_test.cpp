// TMA copies on the CPU: loads, stores and sums of every case element by element, what a missing wait shows, and the rules
// of tensor maps.
#include "tma_cases.hpp"

#include "tilewright/exec/launch.hpp"
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;
using namespace tilewright::tma_test;

namespace {

/// Memory of n elements aligned to 16 bytes, of random bits.
template <class T>
struct memory {
  explicit memory(long long n) : words(static_cast<std::size_t>(n) * sizeof(T) / 16 + 1) {
    std::mt19937_64 random(1);
    for (auto& w : words)
      for (auto& half : w.halves) half = random();
  }
  T* data() { return reinterpret_cast<T*>(words.data()); }
  T operator[](long long i) const {
    T out;
    std::memcpy(&out, reinterpret_cast<unsigned char const*>(words.data()) + i * static_cast<long long>(sizeof(T)),
                sizeof out);
    return out;
  }
  struct alignas(16) word16 {
    std::uint64_t halves[2];
  };
  std::vector<word16> words;
};

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(tma, loads_every_tile_and_zeros_beyond_the_tensor) {
  for_each_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
    using T = decltype(element);
    memory<T> tensor(cosize(layout));
    auto const tma = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(tensor.data()), layout), smem, tiler);
    int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
    std::vector<T> out(static_cast<std::size_t>(tiles * each));
    launch(tiles, 32, load_tiles<T>{}, tma, shape(layout), tiler, smem, out.data());
    for (int b = 0; b < tiles; ++b) {
      for (int i = 0; i < each; ++i) {
        T const expected =
            element_of_tile(layout, tiler, b, i, [&](bool in, long long at) { return in ? tensor[at] : T{}; });
        ASSERT_TRUE(same_bits(expected, out[static_cast<std::size_t>(b * each + i)]))
            << name << ", tile " << b << ", element " << i;
      }
    }
  });
}

TEST(tma, stores_every_tile_and_nothing_beyond_the_tensor) {
  for_each_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
    using T = decltype(element);
    memory<T> tensor(cosize(layout));
    memory<T> const before = tensor;
    auto const make = [&] {
      return make_tma_copy(SM90_TMA_STORE{}, make_tensor(make_gmem_ptr(tensor.data()), layout), smem, tiler);
    };
    if (!ends_with_whole_chunks<T>(layout)) {
      EXPECT_THROW((void)make(), layout_error) << name;
      return;
    }
    auto const tma = make();
    int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
    memory<T> in(tiles * each);
    launch(tiles, 32, store_tiles<T>{}, tma, shape(layout), tiler, smem, static_cast<T const*>(in.data()));
    std::vector<bool> written(static_cast<std::size_t>(cosize(layout)));
    for (int b = 0; b < tiles; ++b) {
      for (int i = 0; i < each; ++i) {
        element_of_tile(layout, tiler, b, i, [&](bool inside, long long at) {
          if (!inside) return;
          written[static_cast<std::size_t>(at)] = true;
          ASSERT_TRUE(same_bits(tensor[at], in[b * each + i])) << name << ", tile " << b << ", element " << i;
        });
      }
    }
    for (long long at = 0; at < cosize(layout); ++at)
      if (!written[static_cast<std::size_t>(at)]) {
        ASSERT_TRUE(same_bits(tensor[at], before[at])) << name << ", padding at " << at;
      }
  });
}

template <int Blocks, bool ByTmaPartition, class T, class L, class Tiler, class Smem>
void expect_shared(char const* name, L const& layout, Tiler const& tiler, Smem const& smem) {
  memory<T> tensor(cosize(layout));
  auto const tma = make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, make_tensor(make_gmem_ptr(tensor.data()), layout), smem,
                                 tiler, Int<Blocks>{});
  int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
  std::vector<T> out(static_cast<std::size_t>(Blocks * tiles * each));
  launch(launch_config{.grid = Blocks * tiles, .block = 32, .cluster = Blocks},
         share_tiles<T, Blocks, ByTmaPartition>{}, tma, shape(layout), tiler, smem, out.data());
  for (int b = 0; b < Blocks * tiles; ++b) {
    for (int i = 0; i < each; ++i) {
      T const expected =
          element_of_tile(layout, tiler, b / Blocks, i, [&](bool in, long long at) { return in ? tensor[at] : T{}; });
      ASSERT_TRUE(same_bits(expected, out[static_cast<std::size_t>(b * each + i)]))
          << name << ", " << Blocks << " blocks, block " << b << ", element " << i;
    }
  }
}
TEST(tma, blocks_of_a_cluster_load_for_one_another) {
  for_each_shared_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
    using T = decltype(element);
    expect_shared<2, false, T>(name, layout, tiler, smem);
    expect_shared<4, false, T>(name, layout, tiler, smem);
    expect_shared<4, true, T>(name, layout, tiler, smem);
  });
}

TEST(tma, adds_to_what_is_there) {
  auto const layout = make_layout(make_shape(40, 12), make_stride(_1{}, 40));
  std::vector<float> tensor(480 + 4);
  float* const first = tensor.data() + (16 - reinterpret_cast<std::uintptr_t>(tensor.data()) % 16) % 16 / sizeof(float);
  for (int i = 0; i < 480; ++i) first[i] = static_cast<float>(i);
  Layout<Shape<_32, _8>> const smem{};
  auto const tma = make_tma_copy(SM90_TMA_REDUCE_ADD{}, make_tensor(make_gmem_ptr(first), layout), smem);
  std::vector<float> in(4 * 256);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(1000 * i);
  launch(4, 32, store_tiles<float>{}, tma, shape(layout), Shape<_32, _8>{}, smem, static_cast<float const*>(in.data()));
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < 256; ++i)
      element_of_tile(layout, Shape<_32, _8>{}, b, i, [&](bool inside, long long at) {
        if (!inside) return;
        EXPECT_EQ(first[at], static_cast<float>(at) + in[static_cast<std::size_t>(b * 256 + i)]);
      });
}

/// Loads without waiting: the tile is as it was.
struct impatient {
  template <class Block, class Tma>
  void operator()(Block& block, Tma const& tma, float* seen) const {
    auto const tile = shared<float>(block, Shape<_32>{});
    auto const barrier = shared<std::uint64_t>(block, Shape<_1>{});
    for (int i = 0; i < 32; ++i) tile(i) = -1;
    initialize_barrier(barrier(0), 1);
    set_barrier_transaction_bytes(barrier(0), 128);
    auto const mine = tma.get_slice(0);
    copy(tma.with(barrier(0)), mine.partition_S(tma.get_tma_tensor(Shape<_32>{})), mine.partition_D(tile));
    seen[0] = tile(5);
    wait_barrier(barrier(0), 0);
    seen[1] = tile(5);
  }
};
TEST(tma, a_load_without_a_wait_shows_old_data) {
  alignas(16) float tensor[32];
  for (int i = 0; i < 32; ++i) tensor[i] = static_cast<float>(i);
  auto const tma =
      make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(tensor), Layout<Shape<_32>>{}), Layout<Shape<_32>>{});
  float seen[2]{};
  launch(1, 1, impatient{}, tma, +seen);
  EXPECT_EQ(seen[0], -1);
  EXPECT_EQ(seen[1], 5);
}

template <class Make>
std::string sentence_of(Make const& make) {
  try {
    make();
  } catch (layout_error const& e) {
    return e.what();
  }
  return "no error";
}
auto const rows_of_32 = make_layout(Shape<_8, _32>{}, LayoutRight{});
auto tensor_of(float* p, int m, int n, int pitch) {
  return make_tensor(make_gmem_ptr(p), make_layout(make_shape(m, n), make_stride(pitch, _1{})));
}

TEST(tma, every_rule_of_the_driver_has_its_sentence) {
  alignas(16) static float memory[64 * 64];
  auto const error_for = [&](float* p, int m, int n, int pitch) {
    return sentence_of([&] { (void)make_tma_copy(SM90_TMA_LOAD{}, tensor_of(p, m, n, pitch), rows_of_32); });
  };
  EXPECT_EQ(error_for(memory, 64, 64, 64), "no error");
  EXPECT_NE(error_for(memory + 1, 63, 64, 64).find("address is not aligned to 16 bytes"), std::string::npos);
  EXPECT_NE(error_for(memory, 0, 64, 64).find("an extent of the tensor is not in [1, 2^32] (mode 1, extent 0)"),
            std::string::npos)
      << error_for(memory, 0, 64, 64);
  EXPECT_NE(error_for(memory, 64, 63, 63).find("not a multiple of 16 bytes (mode 1, stride in bytes 252)"),
            std::string::npos)
      << error_for(memory, 64, 63, 63);
  EXPECT_NE(error_for(memory, 64, 64, -64).find("negative"), std::string::npos);
}

/// What a description may say beyond what make_tma_copy can produce.
TEST(tma, descriptions_are_checked_by_themselves) {
  tma_tensor good;
  good.rank = 2;
  good.element_bytes = 4;
  good.extent[0] = good.extent[1] = 64;
  good.stride[0] = 4, good.stride[1] = 256;
  good.box[0] = 32, good.box[1] = 8;
  EXPECT_EQ(broken_rule(good).code, errc::ok);
  auto const broken = [&](auto const& change) {
    tma_tensor t = good;
    change(t);
    return broken_rule(t);
  };
  EXPECT_EQ(broken([](auto& t) { t.rank = 6; }).code, errc::tma_rank);
  EXPECT_EQ(broken([](auto& t) { t.rank = 0; }).code, errc::tma_rank);
  EXPECT_EQ(broken([](auto& t) { t.box[1] = 257; }).code, errc::tma_box);
  EXPECT_EQ(broken([](auto& t) { t.box[0] = 3; }).code, errc::tma_row);
  EXPECT_EQ(broken([](auto& t) { t.stride[1] = 1LL << 40; }).code, errc::tma_stride);
  EXPECT_EQ(broken([](auto& t) { t.extent[1] = (1LL << 32) + 1; }).code, errc::tma_extent);
  EXPECT_EQ(broken([](auto& t) { t.swizzle = tma_swizzle::span_64_bytes; }).code, errc::tma_swizzle_span);
}

}  // namespace
