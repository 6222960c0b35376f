// The strides of the tile in shared memory are padded by trying paddings against a count of bank conflicts.
#include "engine/kernels/cuda/staged/schedule.hpp"

#include "engine/kernels/cuda/parts/spread.hpp"
#include "engine/plan/banks.hpp"
#include "engine/plan/cuda_modes.hpp"
#include "engine/plan/loop_order.hpp"
#include "tilewright/base/math.hpp"

#include <algorithm>
#include <array>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::bank_bytes;
using plan::banks;
using plan::lanes;
using plan::loop_order;
using plan::size_of;
using std::int64_t;

/// The smallest number at once by which the values take as few rounds as by `most`.
int even_share(int64_t values, int most) { return static_cast<int>(ceil_div(values, ceil_div(values, most))); }

double cycles_of(cuda_access const& access, std::vector<shared_mode> const& shared, int threads, int64_t width,
                 int element_bytes) {
  int64_t active = 1;
  for (cuda_mode const& m : access.threads) active *= m.extent;
  active = std::min<int64_t>(active, threads);
  double cycles = 0;
  int warps = 0;
  // The first warps represent the others.
  for (int warp = 0; warp < 3 && warp * lanes < active; ++warp, ++warps) {
    std::array<int64_t, lanes> at{};
    int const count = static_cast<int>(std::min<int64_t>(lanes, active - warp * lanes));
    for (int i = 0; i < count; ++i) {
      int64_t left = warp * lanes + i, offset = 0;
      for (cuda_mode const& m : access.threads) {
        offset += left % m.extent * shared[static_cast<std::size_t>(m.loop)](m.step);
        left /= m.extent;
      }
      at[static_cast<std::size_t>(i)] = offset * element_bytes;
    }
    cycles += static_cast<double>(plan::bank_cycles(std::span(at).first(static_cast<std::size_t>(count)), width)) *
              lanes / count;
  }
  return cycles / warps;
}

struct digit {
  int loop;
  bool inner;
  int64_t extent;
};

/// The strides of the tile, for a padding of each digit.
int64_t lay_out(std::vector<digit> const& digits, std::vector<int64_t> const& padding, int64_t unit,
                std::vector<shared_mode>& shared) {
  int64_t size = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digit const& d = digits[i];
    if (i > 0) size = ceil_div(size, unit) * unit + padding[i] * unit;
    auto& mode = shared[static_cast<std::size_t>(d.loop)];
    (d.inner ? mode.inner : mode.outer) = size;
    size *= d.extent;
  }
  return size;
}

/// The loops of a staged tile besides the two along which it is read and written, in the order of each side.
struct side_loops {
  std::vector<int> by_src, by_dst;  // by_src has along_dst, too
};

side_loops loops_beside(movement const& m, staged_choice const& c) {
  side_loops out;
  for (int const l : loop_order(m, true))
    if (l != c.along_src) out.by_src.push_back(l);
  for (int l = 0; l < static_cast<int>(m.loops.size()); ++l)
    if (l != c.along_src && l != c.along_dst) out.by_dst.push_back(l);
  return out;
}

int64_t extent_of(staged_choice const& c, int loop) { return c.tile[static_cast<std::size_t>(loop)]; }

/// Along the source's run first, then in the source's order.
std::vector<cuda_mode> reading_modes(staged_choice const& c, side_loops const& loops) {
  std::vector<cuda_mode> modes{{c.along_src, c.src_vector, extent_of(c, c.along_src) / c.src_vector}};
  for (int const l : loops.by_src) {
    if (extent_of(c, l) == 1) continue;
    int64_t const split = l == c.along_dst ? c.dst_vector : 1;
    if (split > 1) modes.push_back({l, 1, split});
    if (extent_of(c, l) > split) modes.push_back({l, split, extent_of(c, l) / split});
  }
  return modes;
}

/// The modes of shared memory, from the one with the smallest stride.
std::vector<digit> shared_digits(staged_choice const& c, side_loops const& loops) {
  std::vector<digit> digits{{c.along_src, false, extent_of(c, c.along_src)}};
  for (int const l : loops.by_src)
    if (extent_of(c, l) > 1 && l != c.along_dst) digits.push_back({l, false, extent_of(c, l)});
  if (c.along_dst != c.along_src) {
    if (c.dst_vector > 1) digits.push_back({c.along_dst, true, c.dst_vector});
    digits.push_back({c.along_dst, false, extent_of(c, c.along_dst) / c.dst_vector});
  }
  return digits;
}

/// A mode as about `want` steps and what is left of it, where it can be divided so.
std::array<cuda_mode, 2> split_mode(cuda_mode const& whole, int64_t want) {
  std::array<cuda_mode, 2> out{whole, {whole.loop, whole.step, 1}};
  if (whole.extent <= want) return out;
  for (int64_t n = std::min<int64_t>(2 * want, whole.extent); n >= std::max<int64_t>(want / 2, 2); --n) {
    if (whole.extent % n != 0 || (n > want && whole.extent % want == 0)) continue;
    return {cuda_mode{whole.loop, whole.step, n}, cuda_mode{whole.loop, whole.step * n, whole.extent / n}};
  }
  return out;
}

/// A few lanes along the destination's run, a few along the source's, so that both stay off the same banks.
std::vector<cuda_mode> writing_modes(staged_choice const& c, std::vector<int> const& by_dst) {
  std::vector<cuda_mode> modes;
  cuda_mode const along{c.along_dst, c.dst_vector, extent_of(c, c.along_dst) / c.dst_vector};
  if (c.along_dst == c.along_src) {
    modes.push_back(along);
    for (int const l : by_dst) modes.push_back({l, 1, extent_of(c, l)});
  } else {
    auto const d = split_mode(along, c.write_lanes);
    auto const across =
        split_mode({c.along_src, c.packed, extent_of(c, c.along_src) / c.packed}, std::max(1, lanes / c.write_lanes));
    modes.push_back(d[0]);
    // A run that the tile holds whole may go on in the next loop.
    bool const short_run = d[0].extent < c.write_lanes && d[1].extent == 1 && !by_dst.empty();
    if (short_run) modes.push_back({by_dst.front(), 1, extent_of(c, by_dst.front())});
    modes.push_back(across[0]);
    modes.push_back(d[1]);
    modes.push_back(across[1]);
    for (std::size_t i = short_run ? 1 : 0; i < by_dst.size(); ++i)
      modes.push_back({by_dst[i], 1, extent_of(c, by_dst[i])});
  }
  std::erase_if(modes, [](cuda_mode const& mode) { return mode.extent == 1; });
  if (modes.empty()) modes.push_back({c.along_dst, 1, 1});
  return modes;
}

/// Pads the modes of shared memory for the fewest bank cycles, one after another, twice. Returns the elements that it takes.
int64_t pad(cuda_schedule& s, movement const& m, std::vector<digit> const& digits, int64_t unit) {
  std::vector<int64_t> padding(digits.size(), 0);
  int64_t const most = std::max<int64_t>(1, banks * bank_bytes / (unit * (m.element_bits / 8)));
  lay_out(digits, padding, unit, s.shared);
  double best = bank_cycles(s, m.element_bits);
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::size_t i = digits.size(); i-- > 1;) {
      std::vector<int64_t> attempt = padding;
      for (int64_t more = 0; more < most; ++more) {
        attempt[i] = more;
        auto const shared = s.shared;
        lay_out(digits, attempt, unit, s.shared);
        double const cycles = bank_cycles(s, m.element_bits);
        if (cycles < best - 1e-9) {
          best = cycles;
          padding = attempt;
        } else {
          s.shared = shared;
        }
      }
    }
  }
  return lay_out(digits, padding, unit, s.shared);
}

}  // namespace

double bank_cycles(cuda_schedule const& s, int element_bits) {
  int const bytes = element_bits / 8;
  return cycles_of(s.read, s.shared, s.threads, s.read.vector * bytes, bytes) +
         cycles_of(s.write, s.shared, s.threads, s.packed * bytes, bytes);
}

cuda_schedule staged_schedule(movement const& m, staged_choice const& c) {
  cuda_schedule s;
  s.kernel = cuda_kernel::staged;
  s.threads = c.threads;
  s.packed = c.packed;
  side_loops const loops = loops_beside(m, c);
  spread(reading_modes(c, loops), c.threads, s.read);
  s.read.loop = c.along_src;
  s.read.vector = c.src_vector;
  s.read.at_once = even_share(size_of(s.read.values), c.read_at_once);
  spread(writing_modes(c, loops.by_dst), c.threads, s.write);
  s.write.loop = c.along_dst;
  s.write.vector = c.dst_vector;
  s.write.at_once = even_share(size_of(s.write.values), c.write_at_once);

  s.shared.assign(m.loops.size(), shared_mode{});
  if (c.along_dst != c.along_src) s.shared[static_cast<std::size_t>(c.along_dst)].split = c.dst_vector;
  s.shared_bytes = pad(s, m, shared_digits(c, loops), std::max<int64_t>(c.src_vector, c.packed)) * (m.element_bits / 8);
  set_grid(s, m, c.tile, c.order);
  return s;
}

}  // namespace tilewright::kernels
