// TMA copies of elements narrower than a byte, on the CPU: loads and stores of every case element by element, in watched
// launches as well, and what is said where a byte would be split.
#include "tma_cases.hpp"

#include "tilewright/exec/launch.hpp"
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace tilewright;
using namespace tilewright::tma_test;

namespace {

/// n packed elements of T aligned to 16 bytes, of random bits.
template <class T>
struct packed {
  explicit packed(long long n) : words(static_cast<std::size_t>(n * sizeof_bits_v<T> / 128 + 2)) {
    std::mt19937_64 random(3);
    for (auto& w : words)
      for (auto& half : w.units) half = random();
  }
  unsigned char* data() { return reinterpret_cast<unsigned char*>(words.data()); }
  auto pointer() { return make_gmem_ptr(subbyte_iterator<T>(data())); }
  T operator[](long long i) { return subbyte_iterator<T>(data())[i]; }
  std::vector<uint128_t> words;
};

TEST(tma_subbyte, loads_every_tile_and_zeros_beyond_the_tensor) {
  for_each_subbyte_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
    using T = decltype(element);
    packed<T> tensor(cosize(layout));
    auto const tma = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(tensor.pointer(), layout), smem, tiler);
    int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
    for (bool const checked : {false, true}) {
      std::vector<T> out(static_cast<std::size_t>(tiles * each), T(1));
      if (checked)
        launch_checked(static_cast<unsigned>(tiles), 32, load_tiles<T>{}, tma, shape(layout), tiler, smem, out.data());
      else launch(static_cast<unsigned>(tiles), 32, load_tiles<T>{}, tma, shape(layout), tiler, smem, out.data());
      for (int b = 0; b < tiles; ++b) {
        for (int i = 0; i < each; ++i) {
          T const expected =
              element_of_tile(layout, tiler, b, i, [&](bool in, long long at) { return in ? tensor[at] : T{}; });
          ASSERT_EQ(static_cast<int>(expected), static_cast<int>(out[static_cast<std::size_t>(b * each + i)]))
              << name << ", tile " << b << ", element " << i;
        }
      }
    }
  });
}

TEST(tma_subbyte, stores_every_tile_and_nothing_beyond_the_tensor) {
  int stored = 0;
  for_each_subbyte_case([&](char const* name, auto element, auto layout, auto tiler, auto smem) {
    using T = decltype(element);
    packed<T> tensor(cosize(layout));
    packed<T> expected = tensor;
    auto const make = [&] {
      return make_tma_copy(SM90_TMA_STORE{}, make_tensor(tensor.pointer(), layout), smem, tiler);
    };
    if (!ends_with_whole_chunks<T>(layout)) {
      EXPECT_THROW((void)make(), layout_error) << name;
      return;
    }
    auto const tma = make();
    int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
    std::vector<T> in;
    std::mt19937 random(4);
    for (int i = 0; i < tiles * each; ++i) in.emplace_back(static_cast<int>(random() % 64));
    launch(static_cast<unsigned>(tiles), 32, store_tiles<T>{}, tma, shape(layout), tiler, smem,
           static_cast<T const*>(in.data()));
    for (int b = 0; b < tiles; ++b)
      for (int i = 0; i < each; ++i)
        element_of_tile(layout, tiler, b, i, [&](bool inside, long long at) {
          if (inside) subbyte_iterator<T>(expected.data())[at] = in[static_cast<std::size_t>(b * each + i)];
        });
    EXPECT_EQ(tensor.words, expected.words) << name;
    ++stored;
  });
  EXPECT_GE(stored, 8);
}

TEST(tma_subbyte, of_any_width_may_be_multicast) {
  auto const layout = make_layout(make_shape(20, 224), make_stride(224, _1{}));
  auto const smem = make_layout(Shape<_16, _64>{}, LayoutRight{});
  packed<int4b_t> tensor(cosize(layout));
  auto const tma =
      make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, make_tensor(tensor.pointer(), layout), smem, Shape<_16, _64>{}, _2{});
  EXPECT_EQ(tma.get_tma_descriptor()->tensor.box[0], 32);
  EXPECT_EQ(tma.get_tma_descriptor()->tensor.box[1], 8);
  EXPECT_EQ(tma.get_tma_descriptor()->tensor.extent[0], 112);
}

template <class F>
std::string sentence_of(F const& f) {
  try {
    f();
  } catch (layout_error const& e) {
    return e.what();
  }
  return "no error";
}
std::string error_for(long long bit, int m, int n, int pitch) {
  static packed<int4b_t> memory(1 << 14);
  return sentence_of([&] {
    auto const from = make_gmem_ptr(subbyte_iterator<int4b_t>(memory.data(), bit));
    auto const layout = make_layout(make_shape(m, n), make_stride(pitch, _1{}));
    (void)make_tma_copy(SM90_TMA_LOAD{}, make_tensor(from, layout), make_layout(Shape<_8, _32>{}, LayoutRight{}));
  });
}
TEST(tma_subbyte, split_bytes_are_named) {
  std::string const split =
      "TMA: elements narrower than a byte move as the bytes that they fill, and here one byte would "
      "be split (mode ";
  EXPECT_EQ(error_for(0, 64, 96, 96), "no error");
  EXPECT_EQ(error_for(128, 64, 96, 96), "no error");
  EXPECT_EQ(error_for(4, 64, 96, 96).substr(0, split.size() + 9), split + "0, bits 4");
  EXPECT_EQ(error_for(0, 64, 95, 96).substr(0, split.size() + 11), split + "0, bits 380");
  EXPECT_EQ(error_for(0, 64, 96, 97).substr(0, split.size() + 11), split + "1, bits 388");
  EXPECT_NE(error_for(0, 64, 96, 98).find("not a multiple of 16 bytes (mode 1, stride in bytes 49)"),
            std::string::npos);
  EXPECT_NE(error_for(8, 64, 96, 96).find("address is not aligned to 16 bytes"), std::string::npos);
}

TEST(tma_subbyte, tiles_that_start_within_a_byte_are_refused) {
  packed<int4b_t> tensor(64 * 96);
  alignas(128) unsigned char tile[8 * 16];
  auto const layout = make_layout(make_shape(64, 96), make_stride(96, _1{}));
  auto const smem = make_layout(Shape<_8, _32>{}, LayoutRight{});
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(tensor.pointer(), layout), smem);
  auto const load = [&](int column) {
    std::uint64_t barrier = 0;
    initialize_barrier(barrier, 1);
    set_barrier_transaction_bytes(barrier, sizeof tile);
    auto const all = tma.get_tma_tensor(make_shape(64, 96));
    auto const box = make_tensor(all.data() + all.layout()(make_coord(3, column)),
                                 make_layout(Shape<_8, _32>{}, stride(all.layout())));
    auto const mine = tma.get_slice(0);
    copy(tma.with(barrier), mine.partition_S(box),
         mine.partition_D(make_tensor(make_smem_ptr(subbyte_iterator<int4b_t>(tile)), smem)));
    wait_barrier(barrier, 0);
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 32; ++k) {
        int const there = column + k;
        int const expected = there < 0 || there >= 96 ? 0 : static_cast<int>(tensor[(3 + i) * 96 + there]);
        ASSERT_EQ(static_cast<int>(subbyte_iterator<int4b_t>(tile)[i * 32 + k]), expected)
            << column << " " << i << " " << k;
      }
  };
  if constexpr (TILEWRIGHT_CHECKED) {
    auto const odd = make_tensor(make_smem_ptr(subbyte_iterator<int4b_t>(tile, 4)), smem);
    std::uint64_t full = 0;
    initialize_barrier(full, 1);
    set_barrier_transaction_bytes(full, sizeof tile);
    auto const mine = tma.get_slice(0);
    auto const from = local_tile(tma.get_tma_tensor(make_shape(64, 96)), Shape<_8, _32>{}, make_coord(0, 0));
    copy(tma.with(full), mine.partition_S(from), mine.partition_D(odd));
    EXPECT_NE(sentence_of([&] { wait_barrier(full, 0); }).find("not aligned for the wider element"), std::string::npos);
  }
  load(32);
  load(2);
  load(-6);
  load(90);
  EXPECT_NE(sentence_of([&] { load(5); }).find("one byte would be split (mode 0, bits 20)"), std::string::npos);
}

}  // namespace
