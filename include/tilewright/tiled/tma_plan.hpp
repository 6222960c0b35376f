// What one TMA instruction moves of a tile: the longest run of shared memory, in order, that is a box of the tensor. The
// tile's elements in the order of shared memory are a layout whose strides are basis elements, one for each leaf of the
// tensor: its first modes are the box. From it follow the modes of the tensor map, the thread-value layout of the copy
// (the instruction's elements first), and the strides that map coordinates of the tensor to those of the map.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/inverse.hpp"
#include "tilewright/algebra/product.hpp"
#include "tilewright/machine/tma_tensor.hpp"

namespace tilewright::algebra {

struct tma_plan {
  int rank = 0;  // modes of the map; those of the box come first
  int box_rank = 0;
  long long box[tma_tensor::max_rank]{};                // elements in each mode of the box
  long long elements = 1;                               // in the box
  long long tile = 1;                                   // elements of the tile in shared memory
  signed char mode_of_leaf[int_tree::leaf_capacity]{};  // of the tensor in the map; -1: it has but one coordinate
  long long step_of_leaf[int_tree::leaf_capacity]{};  // in that mode: above 1 for leaves that go on where another ends
  int packed_mode = -1;  // of the map: has the coordinates of several leaves of the tensor; -1 for none
  bool repeats = false;  // has shared memory elements for several of the tile?
  int_tree order{};      // index in shared memory -> index in the tile
};

/// The largest divisor of n up to `most`.
TILEWRIGHT_CONSTEXPR long long divisor_up_to(long long n, long long most) {
  long long d = n < most ? n : most;
  while (d > 1 && n % d != 0) --d;
  return d;
}

/// Coordinates of the tile -> coordinates of the tensor: leaf i of the tensor steps along E<i>.
TILEWRIGHT_CONSTEXPR int_tree tile_coordinates(arithmetic& c, int_tree tensor, int_tree const& tiler) {
  for (int i = 0; i < tensor.leaves; ++i) tensor.stride[i] = with_basis(constant_leaf(1), basis_path{}.then(i));
  int_tree out{};
  compose_by_tiler(c, out, tensor, tensor.root(), tiler, tiler.root(), reach::beyond);
  return checked(c, out);
}

/// Are all coordinates of a leaf in the box?
TILEWRIGHT_CONSTEXPR bool is_whole(int_tree const& tensor, int at, tma_plan const& plan) {
  return tensor.shape[at].is(plan.box[plan.mode_of_leaf[at]] / plan.step_of_leaf[at]);
}

/// Takes the modes of shared memory's order into the box for as long as they fit. Leaves that are contiguous one after another are
/// one mode while its row is no multiple of 16 bytes: ((32,4),4):((16,4),1) of bytes is the box (16,32).
/// most: elements that one instruction may move; row: elements that the contiguous mode may have
TILEWRIGHT_CONSTEXPR void fill_box(arithmetic& c, tma_plan& plan, int_tree const& tensor, int_tree const& order,
                                   long long most, long long row, int element_bits) {
  int leaf_of_mode[tma_tensor::max_rank]{};
  for (int i = 0; i < tensor.leaves; ++i) plan.mode_of_leaf[i] = -1;
  for (int k = 0; k < order.leaves; ++k) {
    leaf const extent = order.shape[k], step = order.stride[k];
    if (!extent.is_static() || !step.is_static()) return c.fail(errc::not_static, k, order.leaves);
    if (extent.is(1)) continue;
    if (step.basis().empty()) return;
    int const at = step.basis().index(0);
    if (plan.box_rank == 0 && (step.number != 1 || !tensor.stride[at].is(1)))
      return c.fail(errc::tma_not_contiguous, at, step.number);
    bool const goes_on = plan.box_rank > 0 && leaf_of_mode[plan.box_rank - 1] == at &&
                         step.number * plan.step_of_leaf[at] == plan.box[plan.box_rank - 1];
    if (!goes_on) {
      if (plan.mode_of_leaf[at] >= 0 || step.number != 1) return;
      bool const extends_row = plan.box_rank == 1 && plan.box[0] * element_bits % (8 * tma_tensor::alignment) != 0 &&
                               tensor.stride[at].is(plan.box[0]) && is_whole(tensor, leaf_of_mode[0], plan);
      if (!extends_row && plan.box_rank == tma_tensor::max_rank) return;
      if (!extends_row) plan.box[plan.box_rank++] = 1;
      plan.step_of_leaf[at] = plan.box[plan.box_rank - 1];
      leaf_of_mode[plan.box_rank - 1] = at;
      plan.mode_of_leaf[at] = static_cast<signed char>(plan.box_rank - 1);
    }
    long long& mode = plan.box[plan.box_rank - 1];
    long long const room = (plan.box_rank == 1 ? row : tma_tensor::max_box) / mode, left = most / plan.elements;
    long long const taken = divisor_up_to(extent.number, room < left ? room : left);
    mode *= taken;
    plan.elements *= taken;
    if (taken != extent.number) return;
  }
}

/// For how many elements of a tile shared memory has one: the extents of its leaves with stride 0.
TILEWRIGHT_CONSTEXPR long long repetitions(int_tree const& smem) {
  long long n = 1;
  for (int i = 0; i < smem.leaves; ++i)
    if (smem.stride[i].is(0) && smem.shape[i].number > 0) n *= smem.shape[i].number;
  return n;
}

/// How a tensor, tiled by `tiler`, moves to a shared layout (without its swizzle), shared out to `blocks` blocks.
/// unit_bits: what the map counts in: bytes for narrower elements, words for wider ones, otherwise the elements
/// span: the bytes that the swizzle lets a row have, 0 without one
/// error: tma_tile, tma_multicast, tma_not_contiguous, tma_row, tma_swizzle_span, tma_rank, not_static
TILEWRIGHT_CONSTEXPR tma_plan plan_tma(arithmetic& c, int_tree const& tensor, int_tree const& smem,
                                       int_tree const& tiler, int element_bits, int unit_bits, int blocks, int span) {
  tma_plan plan{};
  int_tree const coordinates = tile_coordinates(c, tensor, tiler);
  leaf const in_tile = size(c, coordinates), in_smem = size(c, smem);
  if (c.failed()) return plan;
  if (!in_tile.is_static() || !in_smem.is_static()) return c.fail(errc::not_static, 0, smem.leaves), plan;
  if (in_tile.number != in_smem.number) return c.fail(errc::tma_tile, in_smem.number, in_tile.number), plan;
  if (in_tile.number % blocks != 0) return c.fail(errc::tma_multicast, in_tile.number, blocks), plan;
  plan.order = right_inverse(c, smem);
  long long const distinct = in_tile.number / repetitions(smem);
  plan.repeats = distinct != in_tile.number && size(c, plan.order).is(distinct);
  plan.tile = plan.repeats ? distinct : in_tile.number;
  int_tree const order = composition(c, coordinates, plan.order, reach::beyond);
  if (c.failed()) return plan;
  fill_box(c, plan, tensor, order, plan.tile / blocks,
           static_cast<long long>(tma_tensor::max_box) * unit_bits / element_bits, element_bits);
  if (c.failed()) return plan;
  if (plan.box_rank == 0) return c.fail(errc::tma_row, element_bits / 8, tma_tensor::alignment), plan;
  long long const row = plan.box[0] * element_bits / 8;
  if (plan.box[0] * element_bits % (8 * tma_tensor::alignment) != 0)
    return c.fail(errc::tma_row, row, tma_tensor::alignment), plan;
  if (span != 0 && row > span) return c.fail(errc::tma_swizzle_span, row, span), plan;

  // The order of the map's modes is that of the box; what the box has no part in follows. What exceeds the modes of a map shares
  // the last one.
  int modes = plan.box_rank;
  for (int i = 0; i < tensor.leaves; ++i) {
    if (plan.mode_of_leaf[i] >= 0 || tensor.shape[i].is(1) || tensor.stride[i].is(0)) continue;
    int const mode = modes < tma_tensor::max_rank ? modes : tma_tensor::max_rank - 1;
    plan.mode_of_leaf[i] = static_cast<signed char>(mode);
    plan.step_of_leaf[i] = 1;
    ++modes;
  }
  if (modes > tma_tensor::max_rank) {
    if (plan.box_rank == tma_tensor::max_rank) c.fail(errc::tma_rank, modes, tma_tensor::max_rank);
    plan.packed_mode = tma_tensor::max_rank - 1;
    modes = tma_tensor::max_rank;
  }
  plan.rank = modes;
  return plan;
}

/// (block, (elements of one instruction, instructions)) -> index in the tile.
TILEWRIGHT_CONSTEXPR int_tree tma_thread_value(arithmetic& c, tma_plan const& plan, int blocks) {
  int_tree const box = coalesce(c, composition(c, plan.order, vector_of(constant_leaf(plan.elements))));
  int_tree const others =
      plan.repeats ? composition(c, plan.order,
                                 leaf_tree(constant_leaf(plan.tile / plan.elements), constant_leaf(plan.elements)))
                   : complement(c, box, leaf_tree(constant_leaf(plan.tile)));
  int_tree const shares =
      logical_divide(c, others, leaf_tree(constant_leaf(plan.tile / plan.elements / blocks), constant_leaf(1)));
  if (c.failed()) return box;
  int_tree out{};
  out.open(2);
  out.add(shares, shares.mode(1));
  out.open(2);
  out.add(box);
  out.add(shares, shares.mode(0));
  return checked(c, out);
}

/// The elements of the box in each mode of the map; 1 where it has no part.
TILEWRIGHT_CONSTEXPR int_tree tma_box(tma_plan const& plan) {
  int_tree out{};
  out.open(plan.rank);
  for (int i = 0; i < plan.rank; ++i) out.add_leaf(constant_leaf(i < plan.box_rank ? plan.box[i] : 1));
  return out;
}

/// Coordinates of the tensor -> coordinates of the map. Leaves that share a mode step by their strides over the smallest of them:
/// the strides 96, 192 and 49152 by 1, 2 and 512.
TILEWRIGHT_CONSTEXPR int_tree tma_coordinates(arithmetic& c, tma_plan const& plan, int_tree tensor) {
  auto const is_packed = [&](int i) { return plan.packed_mode >= 0 && plan.mode_of_leaf[i] == plan.packed_mode; };
  leaf smallest = constant_leaf(1);
  for (int i = 0, found = 0; i < tensor.leaves; ++i)
    if (is_packed(i)) smallest = found++ == 0 ? tensor.stride[i] : c.min(smallest, tensor.stride[i]);
  smallest = c.max(smallest, constant_leaf(1));  // strides of 0 are refused when the map is made
  for (int i = 0; i < tensor.leaves; ++i) {
    int const mode = plan.mode_of_leaf[i];
    if (mode < 0) {
      tensor.stride[i] = constant_leaf(0);
    } else {
      leaf const step = is_packed(i) ? c.div(tensor.stride[i], smallest) : constant_leaf(plan.step_of_leaf[i]);
      tensor.stride[i] = with_basis(step, basis_path{}.then(mode));
    }
  }
  return checked(c, tensor);
}

}  // namespace tilewright::algebra
