// TMA copies in im2col mode on the CPU: loads of every case against a convolution unfolded by its definition, stores, what
// hardware was seen to load, and the rules of tensor maps.
#include "im2col_cases.hpp"

#include "tilewright/exec/launch.hpp"
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;
using namespace tilewright::im2col_test;

namespace {

/// n elements of random bits, aligned to 16 bytes.
template <class T>
struct memory {
  explicit memory(long long n) : words(static_cast<std::size_t>(n) * sizeof(T) / 16 + 1) {
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    for (auto& w : words)
      for (auto& half : w.units) half = random();
  }
  T* data() { return reinterpret_cast<T*>(words.data()); }
  std::vector<T> elements() {
    std::vector<T> out(words.size() * 16 / sizeof(T));
    std::memcpy(out.data(), words.data(), words.size() * 16);
    return out;
  }
  std::vector<uint128_t> words;
};

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(tma_im2col, loads_the_unfolded_matrix_of_a_convolution) {
  for_each_case([](char const* name, auto element, auto layout, auto smem, filters const& f) {
    using T = decltype(element);
    images const x{layout};
    memory<T> tensor(static_cast<long long>(cosize(layout)));
    auto const there = tensor.elements();
    constexpr int windows = decltype(x)::rank - 2;
    auto const tma = with_windows(
        [&](auto const&... w) {
          return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, make_tensor(make_gmem_ptr(tensor.data()), layout), smem,
                                      w...);
        },
        [&](int i) { return f.along[i].window(); }, make_seq<windows>{});
    tiles const n = tiles_of(x, f, smem);
    int const each = static_cast<int>(size(smem)), rows = static_cast<int>(size<0>(smem));
    for (bool const checked : {false, true}) {
      std::vector<T> out(static_cast<std::size_t>(n.all() * each));
      if (checked)
        launch_checked(static_cast<unsigned>(n.all()), 32, load_pixels<T, windows>{}, tma, smem, f, n, out.data());
      else launch(static_cast<unsigned>(n.all()), 32, load_pixels<T, windows>{}, tma, smem, f, n, out.data());
      for (int b = 0; b < n.all(); ++b) {
        for (int i = 0; i < each; ++i) {
          T const expected =
              element_of_matrix(x, f, b / (n.pixels * n.channels), b % n.pixels * rows + i % rows,
                                b / n.pixels % n.channels * static_cast<int>(size<1>(smem)) + i / rows,
                                [&](bool in, long long at) { return in ? there[static_cast<std::size_t>(at)] : T{}; });
          ASSERT_TRUE(same_bits(expected, out[static_cast<std::size_t>(b * each + i)]))
              << name << ", tile " << b << ", element " << i;
        }
      }
      if (each * n.all() > 100000) break;  // once is enough
    }
  });
}

TEST(tma_im2col, stores_pixels_and_nothing_else) {
  for_each_store([](char const* name, auto element, auto layout, auto smem, auto const& w) {
    using T = decltype(element);
    images const x{layout};
    memory<T> tensor(static_cast<long long>(cosize(layout)));
    auto expected = tensor.elements();
    constexpr int windows = decltype(x)::rank - 2;
    auto const tma = with_windows(
        [&](auto const&... along) {
          return make_im2col_tma_copy(SM90_TMA_STORE_IM2COL{}, make_tensor(make_gmem_ptr(tensor.data()), layout), smem,
                                      along...);
        },
        [&](int i) { return w.along[i]; }, make_seq<windows>{});
    // A filter of one element over the window's positions.
    filters f{};
    tiles const n = tiles_of(x, f, smem);
    memory<T> in(n.all() * static_cast<int>(size(smem)));
    launch(static_cast<unsigned>(n.all()), 32, store_pixels<T>{}, tma, smem, n, static_cast<T const*>(in.data()));
    auto const list = in.elements();
    for_each_stored(x, w, n, smem, [&](std::size_t to, std::size_t from) { expected[to] = list[from]; });
    auto const found = tensor.elements();
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(T)), 0) << name;
  });
}

/// Images of 4 × 4 pixels numbered from 1, tiles of 16: what published examples show of a GPU.
TEST(tma_im2col, loads_what_hardware_was_seen_to_load) {
  static float tensor[2 * 16 * 32];
  for (int i = 0; i < 2 * 16 * 32; ++i) tensor[i] = static_cast<float>(i / 32 + 1);
  auto const load = [](im2col_window w, int count, int pixel, int offset) {
    auto const layout = make_layout(make_shape(32, 4, 4, count));
    auto const smem = composition(Swizzle<3, 2, 3>{}, make_layout(Shape<_16, _32>{}, LayoutRight{}));
    alignas(1024) float tile[512];
    auto const tma = make_im2col_tma_copy(
        SM90_TMA_LOAD_IM2COL{}, make_tensor(make_gmem_ptr(static_cast<float const*>(tensor)), layout), smem, w, w);
    std::uint64_t barrier = 0;
    initialize_barrier(barrier, 1);
    set_barrier_transaction_bytes(barrier, sizeof tile);
    auto const to = make_tensor(make_smem_ptr(tile), smem);
    copy(tma.with(barrier), tma.tile(pixel, 0, offset, offset), to);
    wait_barrier(barrier, 0);
    std::vector<float> out;
    for (int i = 0; i < 16; ++i) out.push_back(to(i, 17));
    return out;
  };
  EXPECT_EQ(load({-1, -1}, 1, 0, 0), (std::vector<float>{0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11}));
  std::vector<float> numbers(16);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  EXPECT_EQ(load({0, 0}, 1, 0, 0), numbers);
  EXPECT_EQ(load({-1, -1}, 1, 0, 1), numbers);
  std::iota(numbers.begin(), numbers.end(), 8.0f);
  EXPECT_EQ(load({0, 0}, 2, 7, 0), numbers);
}

/// Loads without waiting: the tile is as it was.
TEST(tma_im2col, a_load_without_a_wait_shows_old_data) {
  static float tensor[32 * 8 * 2];
  for (float& x : tensor) x = 3;
  auto const smem = make_layout(Shape<_8, _32>{}, LayoutRight{});
  alignas(128) float tile[256]{};
  auto const tma = make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{},
                                        make_tensor(make_gmem_ptr(+tensor), make_layout(make_shape(32, 8, 2))), smem,
                                        filter_positions(1));
  std::uint64_t barrier = 0;
  initialize_barrier(barrier, 1);
  set_barrier_transaction_bytes(barrier, sizeof tile);
  copy(tma.with(barrier, TMA::CacheHintSm90::EVICT_FIRST), tma.tile(4, 0, 0), make_tensor(make_smem_ptr(+tile), smem));
  EXPECT_EQ(tile[0], 0);
  wait_barrier(barrier, 0);
  EXPECT_EQ(tile[0], 3);
}

/// The positions that the library counts are those of a convolution.
RC_GTEST_PROP(tma_im2col, counts_the_positions_of_a_filter, ()) {
  filter_mode const f{*rc::gen::inRange(1, 6), *rc::gen::inRange(0, 4), *rc::gen::inRange(1, 9),
                      *rc::gen::inRange(1, 4)};
  int const extent = *rc::gen::inRange(1, 40);
  RC_PRE(f.outputs(extent) > 0);
  tma_im2col t;
  t.tensor.rank = 3;
  t.tensor.extent[1] = extent;
  t.window[0] = f.window();
  RC_ASSERT(t.positions(0) == f.outputs(extent));
}

tma_im2col good_description() {
  tma_im2col t;
  t.tensor.rank = 4;
  t.tensor.element_bytes = 4;
  long long stride = 4;
  for (int i = 0; i < 4; ++i) {
    t.tensor.extent[i] = 16;
    t.tensor.stride[i] = stride;
    t.tensor.box[i] = i == 0 ? 16 : 1;
    stride *= 16;
  }
  t.window[0] = t.window[1] = {-1, -1, 1};
  t.pixels = 64;
  return t;
}

TEST(tma_im2col, every_rule_of_the_driver_is_checked) {
  EXPECT_EQ(broken_rule(good_description()).code, errc::ok);
  auto const broken = [&](auto const& change) {
    tma_im2col t = good_description();
    change(t);
    return broken_rule(t);
  };
  EXPECT_EQ(broken([](auto& t) { t.tensor.rank = 2; }), (error{errc::im2col_rank, 2, 5}));
  EXPECT_EQ(broken([](auto& t) { t.tensor.rank = 6; }), (error{errc::im2col_rank, 6, 5}));
  EXPECT_EQ(broken([](auto& t) { t.tensor.address = reinterpret_cast<void*>(8); }).code, errc::tma_address);
  EXPECT_EQ(broken([](auto& t) { t.tensor.extent[3] = 0; }), (error{errc::tma_extent, 3, 0}));
  EXPECT_EQ(broken([](auto& t) { t.tensor.stride[1] = 72; }), (error{errc::tma_stride, 1, 72}));
  EXPECT_EQ(broken([](auto& t) { t.tensor.stride[2] = 1LL << 40; }).code, errc::tma_stride);
  EXPECT_EQ(broken([](auto& t) { t.tensor.box[0] = 260; }), (error{errc::tma_box, 0, 260}));
  EXPECT_EQ(broken([](auto& t) { t.tensor.box[0] = 3; }), (error{errc::tma_row, 12, 16}));
  EXPECT_EQ(broken([](auto& t) { t.tensor.swizzle = tma_swizzle::span_32_bytes; }).code, errc::tma_swizzle_span);
  EXPECT_EQ(broken([](auto& t) { t.window[0].lower = -129; }), (error{errc::im2col_corner, 1, -129}));
  EXPECT_EQ(broken([](auto& t) { t.window[0].lower = -128; }).code, errc::ok);
  EXPECT_EQ(broken([](auto& t) { t.window[1].upper = 128; }), (error{errc::im2col_corner, 2, 128}));
  EXPECT_EQ(broken([](auto& t) { t.window[1].upper = 127; }).code, errc::ok);
  EXPECT_EQ(broken([](auto& t) { t.window[1].upper = -17; }), (error{errc::im2col_window, 2, 0}));
  EXPECT_EQ(broken([](auto& t) { t.window[0].step = 0; }), (error{errc::im2col_step, 1, 0}));
  EXPECT_EQ(broken([](auto& t) { t.window[1].step = 9; }), (error{errc::im2col_step, 2, 9}));
  EXPECT_EQ(broken([](auto& t) { t.pixels = 1025; }), (error{errc::im2col_pixels, 1025, 1024}));
  EXPECT_EQ(broken([](auto& t) { t.pixels = 0; }).code, errc::im2col_pixels);
  tma_im2col five = good_description();
  five.tensor.rank = 5;
  five.tensor.extent[4] = five.tensor.box[4] = 1;
  five.tensor.stride[4] = 1 << 18;
  EXPECT_EQ(broken_rule(five).code, errc::ok);
  five.window[2].lower = -17;
  EXPECT_EQ(broken_rule(five), (error{errc::im2col_corner, 3, -17}));
  tma_im2col three = good_description();
  three.tensor.rank = 3;
  three.window[0].lower = -32768;
  EXPECT_EQ(broken_rule(three).code, errc::ok);
  three.window[0].lower = -32769;
  EXPECT_EQ(broken_rule(three).code, errc::im2col_corner);

  tma_im2col stored = good_description();
  EXPECT_EQ(broken_rule_of_store(stored), (error{errc::im2col_store, 1, -1}));
  stored.window[0] = {0, 0, 1}, stored.window[1] = {0, 1, 1};
  EXPECT_EQ(broken_rule_of_store(stored), (error{errc::im2col_store, 2, 1}));
  stored.window[1].upper = -3;
  EXPECT_EQ(broken_rule_of_store(stored).code, errc::ok);
  stored.tensor.extent[0] = 15;
  EXPECT_EQ(broken_rule_of_store(stored).code, errc::tma_store_row);
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

TEST(tma_im2col, broken_rules_have_sentences) {
  alignas(16) static float tensor[32 * 8 * 8 * 2];
  auto const smem = make_layout(Shape<_8, _16>{}, LayoutRight{});
  auto const make = [&](auto const& layout, im2col_window w, im2col_window h) {
    return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, make_tensor(make_gmem_ptr(+tensor), layout), smem, w, h);
  };
  auto const whole = make_layout(make_shape(32, 8, 8, 2));
  EXPECT_EQ(sentence_of([&] { (void)make(whole, {}, {}); }), "no error");
  EXPECT_EQ(sentence_of([&] { (void)make(whole, filter_positions(9), {}); }),
            "TMA im2col: the window of the filter's positions is empty (mode 1, its extent there 0); let the padded "
            "images be at least as large as the filter (docs/errors.md#im2col_window)");
  EXPECT_NE(sentence_of([&] { (void)make(whole, {}, filter_positions(3, 1, 16)); }).find("1 to 8 elements apart"),
            std::string::npos);
  auto const by_width = make_layout(make_shape(32, 8, 8, 2), make_stride(8, 1, 256, 2048));
  EXPECT_NE(sentence_of([&] { (void)make(by_width, {}, {}); }).find("contiguous in shared memory is not"),
            std::string::npos);
  auto const tma = make(whole, filter_positions(3, 1), filter_positions(3, 1));
  EXPECT_EQ(tma.positions<0>(), 8);
  EXPECT_EQ(
      sentence_of([&] { (void)tma.tile(-1, 0, 0, 0); }),
      "TMA im2col: a tile's first pixel is negative, or an offset does not fit the instruction (mode of the offset "
      "(0 for the pixel) 0, value -1); let pixels be 0 or more, and offsets less than 2^16 for 3 modes, 2^8 for 4 "
      "and 2^5 for 5 (docs/errors.md#im2col_place)");
  EXPECT_NE(sentence_of([&] { (void)tma.tile(0, 0, 0, 256); }).find("2, value 256"), std::string::npos);
  EXPECT_NE(sentence_of([&] { (void)tma.tile(0, 0, -1, 0); }).find("1, value -1"), std::string::npos);
  EXPECT_EQ(sentence_of([&] { (void)tma.tile(0, 0, 255, 2); }), "no error");
}

}  // namespace
