// Chooses the runs of both sides, fills their tables, and finds the run of a place.
#include "engine/npy/position_sums.hpp"

#include "tilewright/base/math.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tilewright::npy {
namespace {

constexpr std::int64_t max_run = 4096;  // words; its coefficients stay in the first level of the cache
enum { only_source, only_destination, common, other, classes };

/// Every bit of the answer depends on every bit of x.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// Loops of one element go; loops that continue one another on both sides become one.
void merge_loops(std::vector<loop>& loops) {
  loops.erase(std::remove_if(loops.begin(), loops.end(), [](loop const& l) { return l.extent == 1; }), loops.end());
  std::stable_sort(loops.begin(), loops.end(), [](loop const& a, loop const& b) { return a.dst < b.dst; });
  for (std::size_t i = 1; i < loops.size();) {
    loop& below = loops[i - 1];
    bool const continues = loops[i].src == below.src * below.extent && loops[i].dst == below.dst * below.extent;
    if (continues) {
      below.extent *= loops[i].extent;
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

bool is_zero(std::byte const* data, std::int64_t bytes) {
  return std::all_of(data, data + bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

std::optional<position_sums> position_sums::of(std::vector<loop> loops, std::int64_t element_bytes,
                                               std::int64_t source_offset, std::int64_t destination_offset) {
  position_sums out;
  if (element_bytes < 1) return std::nullopt;
  out.word_bytes_ = element_bytes % 4 == 0 ? 4 : element_bytes % 2 == 0 ? 2 : 1;
  std::int64_t const words = element_bytes / out.word_bytes_;
  for (loop& l : loops) {
    if (l.src <= 0 || l.dst <= 0 || l.extent < 1) {
      if (l.extent == 1) l.src = l.dst = 1;
      else return std::nullopt;
    }
    l.src *= words, l.dst *= words;
  }
  loops.push_back({words, 1, 1});
  merge_loops(loops);
  for (loop const& l : loops) {
    out.loops_.push_back({l.extent, {l.src, l.dst}, 0, {}, {}});
    out.words_ *= l.extent;
  }
  out.offset_[source] = source_offset * words, out.offset_[destination] = destination_offset * words;
  for (side const which : {source, destination}) {
    std::vector<std::size_t>& order = out.tables_[which].order;
    order.resize(out.loops_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return out.loops_[i].stride[which] > out.loops_[j].stride[which]; });
    std::int64_t span = 1;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      split_loop const& l = out.loops_[*at];
      if (l.stride[which] < span) return std::nullopt;
      span += (l.extent - 1) * l.stride[which];
    }
    out.choose_runs(which);
  }
  out.assign_parts();
  out.fill_table(source);
  out.fill_table(destination);
  return out;
}

void position_sums::choose_runs(side which) {
  run_table& t = tables_[which];
  for (auto at = t.order.rbegin(); at != t.order.rend(); ++at) {
    split_loop& l = loops_[*at];
    if (l.stride[which] != t.inner_words) return;
    if (t.inner_words * std::min(l.extent, max_run) <= max_run && l.extent <= max_run) {
      t.inner_words *= l.extent;
      ++t.inner;
      continue;
    }
    auto const room = static_cast<std::uint64_t>(max_run / t.inner_words);
    auto const chunk = static_cast<std::int64_t>(std::bit_floor(room));
    if (chunk < 2) return;
    l.chunk = l.chunk == 0 ? chunk : std::min(l.chunk, chunk);
    t.has_partial = true;
    return;
  }
}

/// Each part of a loop's coordinate belongs to the class of those that the same runs have.
void position_sums::assign_parts() {
  std::uint64_t sizes[classes] = {1, 1, 1, 1};
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    split_loop& l = loops_[i];
    bool has_low[2] = {false, false}, has_high[2] = {false, false};
    for (side const which : {source, destination}) {
      run_table const& t = tables_[which];
      auto const rank = static_cast<std::size_t>(std::find(t.order.begin(), t.order.end(), i) - t.order.begin());
      std::size_t const whole_from = t.order.size() - t.inner;
      has_high[which] = rank >= whole_from;
      has_low[which] = has_high[which] || (t.has_partial && rank + 1 == whole_from);
    }
    auto const class_of = [](bool const(&in)[2]) {
      if (in[source] && in[destination]) return static_cast<int>(common);
      if (in[source]) return static_cast<int>(only_source);
      return static_cast<int>(in[destination] ? only_destination : other);
    };
    std::int64_t const low = l.chunk == 0 ? l.extent : l.chunk;
    l.low = {class_of(has_low), 0};
    l.low.step = sizes[l.low.index];
    sizes[l.low.index] *= static_cast<std::uint64_t>(low);
    l.high = {class_of(has_high), 0};
    l.high.step = sizes[l.high.index];
    sizes[l.high.index] *= static_cast<std::uint64_t>((l.extent + low - 1) / low);
  }
  has_common_ = sizes[common] > 1;
  has_own_ = sizes[only_source] > 1 || sizes[only_destination] > 1;
}

/// A run's coefficient fits 32 bits: two of 16, or one of 32. All are odd, so that no changed word goes unseen.
std::uint64_t position_sums::coefficient_of(int index, std::uint64_t at) const {
  std::uint64_t const random = mixed(at * 4 + static_cast<std::uint64_t>(index) + 0x9e3779b97f4a7c15u);
  if (index == other) return random | 1;
  if (index == common ? !has_common_ : !has_own_) return 1;
  bool const is_alone = index == common ? !has_own_ : !has_common_;
  std::uint64_t const bits = is_alone ? random >> 32 : random >> 48;
  return bits | 1;
}

void position_sums::fill_table(side which) {
  run_table& t = tables_[which];
  int const own = which == source ? only_source : only_destination;
  std::size_t const whole_from = t.order.size() - t.inner;
  std::int64_t length = t.inner_words;
  if (t.has_partial) length *= loops_[t.order[whole_from - 1]].chunk;
  t.coefficients_before.push_back(0);
  for (std::int64_t k = 0; k < length; ++k) {
    std::uint64_t index[classes] = {};
    std::int64_t left = k;
    for (std::size_t rank = t.order.size(); rank-- > (t.has_partial ? whole_from - 1 : whole_from);) {
      split_loop const& l = loops_[t.order[rank]];
      std::int64_t const x = rank >= whole_from ? left % l.extent : left;  // what is left of a run is a low part
      left /= l.extent;
      std::int64_t const low = l.chunk == 0 ? x : x % l.chunk, high = l.chunk == 0 ? 0 : x / l.chunk;
      index[l.low.index] += static_cast<std::uint64_t>(low) * l.low.step;
      index[l.high.index] += static_cast<std::uint64_t>(high) * l.high.step;
    }
    std::uint64_t const c = coefficient_of(own, index[own]) * coefficient_of(common, index[common]);
    t.coefficients.push_back(static_cast<std::uint32_t>(c));
    t.coefficients_before.push_back(t.coefficients_before.back() + c);
  }
}

/// pre: word counts from the first one of the loops
position_sums::place position_sums::find(side which, std::int64_t word) const {
  run_table const& t = tables_[which];
  constexpr std::int64_t no_end = int64_max;
  std::uint64_t index[classes] = {};
  std::size_t const whole_from = t.order.size() - t.inner;
  std::int64_t rest = word, period = no_end;  // of the loop above
  for (std::size_t rank = 0; rank < whole_from; ++rank) {
    split_loop const& l = loops_[t.order[rank]];
    std::int64_t const x = rest / l.stride[which];
    if (x >= l.extent) return {period - rest, -1, 0};
    rest -= x * l.stride[which];
    period = l.stride[which];
    std::int64_t const low = l.chunk == 0 ? x : x % l.chunk, high = l.chunk == 0 ? 0 : x / l.chunk;
    index[l.high.index] += static_cast<std::uint64_t>(high) * l.high.step;
    bool const is_partial = t.has_partial && rank + 1 == whole_from;
    if (!is_partial) {
      index[l.low.index] += static_cast<std::uint64_t>(low) * l.low.step;
      continue;
    }
    std::uint64_t const factor = coefficient_of(which == source ? only_destination : only_source,
                                                index[which == source ? only_destination : only_source]) *
                                 coefficient_of(other, index[other]);
    return {t.inner_words * std::min(l.chunk - low, l.extent - x) - rest, low * t.inner_words + rest, factor};
  }
  if (rest >= t.inner_words) return {period == no_end ? no_end - rest : period - rest, -1, 0};
  int const far = which == source ? only_destination : only_source;
  return {t.inner_words - rest, rest, coefficient_of(far, index[far]) * coefficient_of(other, index[other])};
}

position_total position_sums::sum(side which, std::int64_t begin, std::span<std::byte const> data) const {
  position_total out;
  run_table const& t = tables_[which];
  auto left = static_cast<std::int64_t>(data.size()) / word_bytes_;
  std::int64_t word = begin / word_bytes_ - offset_[which];
  std::byte const* at = data.data();
  while (left > 0) {
    place const p = word < 0 ? place{-word, -1, 0} : find(which, word);
    std::int64_t const words = std::min(p.words, left);
    if (p.first < 0) {
      out.holes_are_zero = out.holes_are_zero && is_zero(at, words * word_bytes_);
    } else {
      auto const first = static_cast<std::size_t>(p.first), count = static_cast<std::size_t>(words);
      out.words += p.factor * weighted_sum(at, word_bytes_, t.coefficients.data() + first, count);
      out.positions += p.factor * (t.coefficients_before[first + count] - t.coefficients_before[first]);
      out.bytes += words * word_bytes_;
    }
    word += words, left -= words, at += words * word_bytes_;
  }
  return out;
}

position_total position_sums::expected() const {
  position_total out;
  // The source has no holes in a .npy file; where it has, they are skipped.
  run_table const& t = tables_[source];
  out.bytes = words_ * word_bytes_;
  for (std::int64_t word = 0, seen = 0; seen < words_;) {
    place const p = find(source, word);
    word += p.words;
    if (p.first < 0) continue;
    auto const first = static_cast<std::size_t>(p.first), count = static_cast<std::size_t>(p.words);
    out.positions += p.factor * (t.coefficients_before[first + count] - t.coefficients_before[first]);
    seen += p.words;
  }
  return out;
}

}  // namespace tilewright::npy
