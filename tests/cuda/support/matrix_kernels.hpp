// The kernels with which ldmatrix and stmatrix are tested: single instructions on rows in an order of their own, and
// tiled copies of a matrix operation's operands through shared memory.
#pragma once

#include "../../support/matrix_figures.hpp"
#include "device.hpp"
#include "host_team.hpp"
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/atom/stmatrix.hpp"
#include "tilewright/exec/block.hpp"

namespace tilewright::cuda_test {

using half_bits = std::uint16_t;

/// Each of 4 warps has 1024 elements of its own.
TILEWRIGHT_HOST_DEVICE constexpr int row_start(int row) { return 32 * ((row * 5) % 32); }

template <class Op, int Matrices>
struct load_fragments {
  static constexpr bytes shared_bytes{4 * 1024 * 2};

  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto rows = shared<half_bits>(block, Shape<C<4096>>{});
    for (int i = block.thread(); i < 4096; i += block.threads()) rows(i) = in(i);
    block.sync();
    int const t = block.thread(), base = t / 32 * 1024;
    auto const mine = make_tensor(rows.data() + (base + row_start(t % 32 % (8 * Matrices))), Shape<_8>{});
    auto fragment = make_tensor<half_bits>(Shape<C<2 * Matrices>>{});
    copy(Copy_Atom<Op, half_bits>{}, mine, fragment);
    for (int v = 0; v < 2 * Matrices; ++v) out(v, t) = fragment(v);
  }
};

template <class Op, int Matrices>
struct store_fragments {
  static constexpr bytes shared_bytes{4 * 1024 * 2};

  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto rows = shared<half_bits>(block, Shape<C<4096>>{});
    for (int i = block.thread(); i < 4096; i += block.threads()) rows(i) = half_bits(0);
    block.sync();
    int const t = block.thread(), base = t / 32 * 1024;
    auto mine = make_tensor(rows.data() + (base + row_start(t % 32 % (8 * Matrices))), Shape<_8>{});
    auto fragment = make_tensor<half_bits>(Shape<C<2 * Matrices>>{});
    for (int v = 0; v < 2 * Matrices; ++v) fragment(v) = in(v, t);
    copy(Copy_Atom<Op, half_bits>{}, fragment, mine);
    block.sync();
    for (int i = t; i < 4096; i += block.threads()) out(i) = rows(i);
  }
};

/// 32 × 48 of operand A through shared memory into fragments (8, 2, 3), which are written out by thread.
struct load_operand {
  static constexpr bytes shared_bytes{32 * 64 * 2};

  template <class Block, class Tiled, class In, class Smem, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tiled tiled, In in, Smem smem_layout, Out out) const {
    auto tile = shared<half_bits>(block, smem_layout);  // (32, 48)
    for (int i = block.thread(); i < 32 * 48; i += block.threads()) tile(i) = in(i);
    block.sync();
    auto fragment = make_tensor<half_bits>(Shape<_8, _2, _3>{});
    auto const thr = tiled.get_slice(block.thread());
    copy(tiled, thr.partition_S(tile), thr.retile_D(fragment));
    for (int i = 0; i < 48; ++i) out(block.thread(), i) = fragment(i);
  }
};

/// C from fragments (8, 2, 1) through shared memory.
struct store_result {
  static constexpr bytes shared_bytes{32 * 16 * 2};

  template <class Block, class Tiled, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tiled tiled, In in, Out out) const {
    auto tile = shared<half_bits>(block, Layout<Shape<_32, _16>, Stride<_16, _1>>{});
    auto fragment = make_tensor<half_bits>(Shape<_8, _2, _1>{});
    for (int i = 0; i < 16; ++i) fragment(i) = in(block.thread(), i);
    auto const thr = tiled.get_slice(block.thread());
    copy(tiled, thr.retile_S(fragment), thr.partition_D(tile));
    block.sync();
    for (int i = block.thread(); i < 512; i += block.threads()) out(i) = tile(i);
  }
};

/// The kernel on the device, and the same with the atoms' host bodies, must give the same bits.
/// post: what both gave
template <class Kernel, class MakeArguments>
std::vector<half_bits> on_both(char const* what, Kernel const& kernel, int threads, std::size_t in_size,
                               std::size_t out_size, std::vector<half_bits>& in, MakeArguments const& call) {
  in = random_bits<half_bits>(in_size, 17 * in_size + out_size);
  std::vector<half_bits> on_host(out_size, half_bits(0xeeee));
  call([&](auto const&... args) { run_on_host(1, threads, kernel, args...); }, in.data(), on_host.data());
  device_array<half_bits> const in_there(in);
  device_array<half_bits> out_there(out_size);
  out_there.poison();
  call([&](auto const&... args) { launch_cuda_and_wait({.grid = 1, .block = unsigned(threads)}, kernel, args...); },
       static_cast<half_bits const*>(in_there.data()), out_there.data());
  auto const on_device = out_there.host();
  for (std::size_t i = 0; i < out_size; ++i) {
    expect(on_device[i] == on_host[i], what, static_cast<long long>(i));
  }
  return on_device;
}

}  // namespace tilewright::cuda_test
