// What a TMA descriptor of im2col mode says (CUDA driver API: cuTensorMapEncodeIm2col; PTX ISA, "Tensors: im2col mode"): a
// batch of images C, W, H, D, N (H and D may be missing), the window that a filter's first element moves in, and the
// pixels and channels of one instruction. An instruction follows the window from a position on, W fastest, from image to
// image, and reads at each position a pixel displaced by the instruction's offsets: the matrix whose product with a
// filter is a convolution, without unfolding the images in memory. Each rule of the driver has its sentence here, and the
// host bodies read this description.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/tma_tensor.hpp"

namespace tilewright {

/// Positions of a filter's first element along one of W, H and D: lower, lower + step, … below extent + upper.
struct im2col_window {
  int lower = 0;
  int upper = 0;
  int step = 1;
};

/// Those of a filter of so many elements `dilation` apart, over images with `padding` zeros before and after.
constexpr im2col_window filter_positions(int filter, int padding = 0, int stride = 1, int dilation = 1) {
  return {-padding, padding - (filter - 1) * dilation, stride};
}

struct tma_im2col {
  static constexpr int least_rank = 3;
  static constexpr int max_windows = 3;
  static constexpr int max_pixels = 1024;
  static constexpr int max_step = 8;

  tma_tensor tensor;                    // modes C, W, H, D, N; its box: an instruction's channels, and 1s
  im2col_window window[max_windows]{};  // along W, H, D
  int pixels = 0;                       // of an instruction

  TILEWRIGHT_HOST_DEVICE constexpr int windows() const { return tensor.rank - 2; }
  /// The first element beyond the window i.
  TILEWRIGHT_HOST_DEVICE constexpr long long end(int i) const { return tensor.extent[i + 1] + window[i].upper; }
  /// How many positions the window i has.
  TILEWRIGHT_HOST_DEVICE constexpr int positions(int i) const {
    return static_cast<int>((end(i) - window[i].lower + window[i].step - 1) / window[i].step);
  }
  /// Bits of a corner, which is signed, and of an offset, which is not.
  TILEWRIGHT_HOST_DEVICE static constexpr int place_bits(int rank) { return rank == 3 ? 16 : rank == 4 ? 8 : 5; }
  constexpr long long bytes() const { return static_cast<long long>(pixels) * tensor.box[0] * tensor.element_bytes; }
};

/// The first rule of the driver that the description breaks, with its values.
inline error broken_rule(tma_im2col const& t) {
  int const rank = t.tensor.rank;
  if (rank < tma_im2col::least_rank || rank > tma_tensor::max_rank)
    return {errc::im2col_rank, rank, tma_tensor::max_rank};
  if (error const e = broken_rule(t.tensor)) return e;
  int const most = 1 << (tma_im2col::place_bits(rank) - 1);
  for (int i = 0; i < t.windows(); ++i) {
    im2col_window const& w = t.window[i];
    if (w.lower < -most || w.lower >= most) return {errc::im2col_corner, i + 1, w.lower};
    if (w.upper < -most || w.upper >= most) return {errc::im2col_corner, i + 1, w.upper};
    if (t.end(i) <= w.lower) return {errc::im2col_window, i + 1, t.end(i) - w.lower};
    if (w.step < 1 || w.step > tma_im2col::max_step) return {errc::im2col_step, i + 1, w.step};
  }
  if (t.pixels < 1 || t.pixels > tma_im2col::max_pixels) return {errc::im2col_pixels, t.pixels, tma_im2col::max_pixels};
  return {};
}

/// The same for a tensor that is written.
inline error broken_rule_of_store(tma_im2col const& t) {
  if (error const e = broken_rule(t)) return e;
  for (int i = 0; i < t.windows(); ++i) {
    if (t.window[i].lower < 0) return {errc::im2col_store, i + 1, t.window[i].lower};
    if (t.window[i].upper > 0) return {errc::im2col_store, i + 1, t.window[i].upper};
  }
  return broken_rule_of_store(t.tensor);
}

/// Where an instruction starts: a channel, the filter's position, the image; and how far from the position it reads.
struct im2col_place {
  int at[tma_tensor::max_rank]{};         // C, W, H, D, N
  int offset[tma_im2col::max_windows]{};  // W, H, D
};

#if TILEWRIGHT_HOSTED

/// What the engine does with one instruction, on the host: f(address in the tensor, or null outside of it; address in
/// shared memory) for every element, the channels of a pixel first.
template <class F>
void for_each_of_im2col(tma_im2col const& t, im2col_place const& place, void* smem, F const& f) {
  tma_tensor const& tensor = t.tensor;
  int const rank = tensor.rank, channels = tensor.box[0];
  auto linear = reinterpret_cast<std::uintptr_t>(smem);
  long long at[tma_tensor::max_rank]{};
  for (int d = 0; d < rank; ++d) at[d] = place.at[d];
  for (int pixel = 0; pixel < t.pixels; ++pixel) {
    auto* from = static_cast<unsigned char*>(tensor.address);
    bool inside = true;
    for (int d = 1; d < rank; ++d) {
      long long const x = at[d] + (d < rank - 1 ? place.offset[d - 1] : 0);
      inside = inside && x >= 0 && x < tensor.extent[d];
      if (inside) from += x * tensor.stride[d];
    }
    for (int k = 0; k < channels; ++k, linear += static_cast<std::uintptr_t>(tensor.element_bytes)) {
      long long const channel = at[0] + k;
      bool const there = inside && channel >= 0 && channel < tensor.extent[0];
      f(there ? from + channel * tensor.element_bytes : nullptr, swizzled_byte(tensor.swizzle, linear));
    }
    int d = 1;
    for (; d < rank - 1; ++d) {
      at[d] += t.window[d - 1].step;
      if (at[d] < t.end(d - 1)) break;
      at[d] = t.window[d - 1].lower;
    }
    if (d == rank - 1) ++at[d];
  }
}

#endif

}  // namespace tilewright
