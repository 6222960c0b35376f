// Four ways to give each of 128 threads its 1×8 piece of a row-major 8×128 tensor in registers: indices by hand, modes
// rearranged by the layout algebra, a thread-value layout composed with the tensor's, and a tiled copy. All four leave
// the same values in every thread's registers.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tilewright::examples {

using CtaM = _8;
using CtaK = _128;
using Values = _8;                                     // of one thread
using ThreadsPerRow = C<CtaK::value / Values::value>;  // 16

/// (thr, val) -> (m, k), as an index into 8×128 with m fastest:  m = thr / 16, k = 8 * (thr % 16) + val
using TvLayout =
    Layout<Shape<Shape<ThreadsPerRow, CtaM>, Values>, Stride<Stride<C<CtaM::value * Values::value>, _1>, CtaM>>;

/// 1: indices computed as in CUDA C++; the layout only maps them to addresses.
struct copy_by_index {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto a, auto out) const {
    int const m = block.thread() / ThreadsPerRow{};
    int const k = block.thread() % ThreadsPerRow{} * Values{};
    auto r = make_tensor<float>(Shape<Values>{});  // (Val)
    for (int i = 0; i < Values{}; ++i) r(i) = a(m, k + i);
    copy(r, out(block.thread(), _));
  }
};

/// 2: the tensor's modes rearranged until one index names the thread's piece.
struct copy_by_algebra {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto a, auto out) const {
    auto const tile = local_tile(a, Shape<CtaM, CtaK>{}, make_coord(0, 0));  // (CtaM, CtaK)
    auto const divided = flat_divide(tile, Shape<_1, Values>{});             // (TileM, TileK, RestM, RestK)
    auto const k_first = select<0, 1, 3, 2>(divided);                        // (TileM, TileK, RestK, RestM)
    auto const by_thread = group_modes<2, 4>(k_first);                       // (TileM, TileK, (RestK, RestM))
    auto r = make_tensor<float>(Shape<Values>{});                            // (Val)
    copy(by_thread(0, _, block.thread()), r);
    copy(r, out(block.thread(), _));
  }
};

/// 3: partitioning and data kept apart: (thr, val) -> (m, k) composed with (m, k) -> address.
struct copy_by_composition {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto a, auto out) const {
    auto const tile = local_tile(a, Shape<CtaM, CtaK>{}, make_coord(0, 0));  // (CtaM, CtaK)
    auto const by_thread = composition(tile, TvLayout{});                    // (Thr, Val)
    auto r = make_tensor<float>(Shape<Values>{});                            // (Val)
    copy(by_thread(block.thread(), _), r);
    copy(r, out(block.thread(), _));
  }
};

/// 4: the same thread-value layout handed to a tiled copy, which composes and slices.
struct copy_by_tiled_copy {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto a, auto out) const {
    auto const tile = local_tile(a, Shape<CtaM, CtaK>{}, make_coord(0, 0));  // (CtaM, CtaK)
    auto const tiled_copy =
        make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, TvLayout{}, make_tile(CtaM{}, CtaK{}));
    auto const from = tiled_copy.get_slice(block.thread()).partition_S(tile);  // (Cpy, RestM, RestK)
    auto r = make_fragment_like(from);                                         // (Cpy, RestM, RestK)
    copy(tiled_copy, from, r);
    copy(r, out(block.thread(), _));
  }
};

/// The registers of all threads after one of the kernels: element 8 * thr + val.
template <class Kernel>
std::vector<float> registers_after(Kernel const& kernel, std::vector<float> const& data) {
  kernel_array<float> const in(data);
  kernel_array<float> registers(data.size(), -1.0f);
  auto const a = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(CtaM{}, CtaK{}), LayoutRight{}));
  auto const out = make_tensor(make_gmem_ptr(registers.data()), make_layout(Shape<_128, Values>{}, LayoutRight{}));
  launch(1, 128, kernel, a, out);
  return registers.host();
}

inline int run_four_copies() {
  // The thread-value layout need not be found by hand: it is derived from the thread and value layouts.
  [[maybe_unused]] auto const derived = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                                        make_layout(Shape<CtaM, ThreadsPerRow>{}, LayoutRight{}),
                                                        make_layout(Shape<_1, Values>{}, LayoutRight{}));
  auto const derived_tv = typename decltype(derived)::TiledLayout_TV{};
  printf("TV layout, given:   ");
  print(TvLayout{});
  printf("\nTV layout, derived: ");
  print(derived_tv);
  printf("\n\n");
  bool all_agree = derived_tv == TvLayout{};

  std::vector<float> data(static_cast<std::size_t>(CtaM{} * CtaK{}));
  std::iota(data.begin(), data.end(), 0.0f);
  auto const by_index = registers_after(copy_by_index{}, data);
  std::array const others{registers_after(copy_by_algebra{}, data), registers_after(copy_by_composition{}, data),
                          registers_after(copy_by_tiled_copy{}, data)};
  std::array const names{"layout algebra", "TV layout and composition", "tiled copy"};

  printf("thread 1, by hand:");
  for (std::size_t i = 8; i < 16; ++i) printf(" %g", static_cast<double>(by_index[i]));
  printf("\n");
  for (std::size_t i = 0; i < others.size(); ++i) {
    bool const agrees = others[i] == by_index;
    printf("%s: %s in all registers of all 128 threads\n", names[i], agrees ? "the same" : "NOT the same");
    all_agree = all_agree && agrees;
  }
  // Rows are contiguous and thread t reads elements 8t … 8t+7, so the registers in order are the data in order.
  return all_agree && by_index == data ? 0 : 1;
}

}  // namespace tilewright::examples
