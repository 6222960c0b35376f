// Bank conflicts: shared memory has 32 banks of 4 bytes, and word i of it is in bank i mod 32. An access is made in
// phases of at most 128 bytes: all 32 threads at once for up to 4 bytes each, half a warp for 8, a quarter for 16; an 8x8
// matrix of ldmatrix or stmatrix, 8 rows of 16 bytes, is one phase. In a phase each bank delivers one word in a clock,
// to every thread that wants it; a phase therefore takes as many wavefronts as the busiest bank has distinct words.
//
// Loads of 8 and 16 bytes by pairs: where in each pair of threads (t, t^1), or in each pair (t, t^2), both name the same
// address, twice as many threads make a phase (NVIDIA, developer forum, topic 77228: capability 7.0 and later). Counters
// of an H200 agree with all of this (tests/cuda/agreement), and with the pairs being a matter of the whole warp.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tiling/sectors.hpp"

namespace tilewright::tiling {

/// The distinct words that one phase asks of each bank.
/// pre: at most 64 banks; no more bytes than lanes with vectors of 256 bits have
class bank_words {
 public:
  static constexpr int max_banks = 64,
                       max_words = 2 * warp_access::max_lanes;  // of one bank: lanes of 4 bytes that cross words

  constexpr bank_words(int banks, bytes width) : banks_(banks), width_(width.count) {}
  /// Of lanes [first, first + lanes).
  constexpr bank_words(warp_access const& access, architecture const& machine, int first, int lanes)
      : bank_words(machine.banks, machine.bank_width) {
    for (int lane = first; lane < first + lanes && lane < warp_access::max_lanes; ++lane)
      if (access.is_active(lane)) add(bytes_of(access, lane));
  }

  /// pre: fewer than max_words words of each bank before
  constexpr void add(byte_range const& bytes) {
    if (bytes.end <= bytes.begin) return;
    long long const last = math::floor_div(bytes.end - 1, width_);
    for (long long word = math::floor_div(bytes.begin, width_); word <= last; ++word) add_word(word);
  }

  constexpr int count() const { return count_; }
  constexpr int of_bank(long long bank) const { return used_[static_cast<std::size_t>(bank)]; }
  /// The wavefronts: a bank delivers one word in a clock.
  constexpr int fullest() const { return fullest_; }

 private:
  constexpr void add_word(long long word) {
    auto const bank = static_cast<std::size_t>(math::floor_mod(word, banks_));
    auto const used = static_cast<std::size_t>(used_[bank]);
    for (std::size_t i = 0; i < used; ++i)
      if (word_[bank][i] == word) return;
    if (used == max_words) return;
    word_[bank][used] = word;
    ++count_;
    fullest_ = std::max(fullest_, ++used_[bank]);
  }

  int banks_;
  long long width_;
  int count_ = 0, fullest_ = 0;
  std::array<int, max_banks> used_{};
  std::array<std::array<long long, max_words>, max_banks> word_;  // as many of each as used_ says
};

struct bank_phase {
  int first_lane = 0;
  int lanes = 0;       // active ones
  int words = 0;       // distinct words of 4 bytes
  int banks = 0;       // distinct banks
  int wavefronts = 0;  // distinct words of the busiest bank
  int busiest = 0;     // that bank, the first of them

  friend constexpr bool operator==(bank_phase const&, bank_phase const&) = default;
};

/// One instruction of a warp.
struct bank_report {
  static constexpr int max_phases = 32;

  int phases = 0;  // those with an active lane
  std::array<bank_phase, max_phases> phase{};
  int wavefronts = 0;

  /// Clocks beyond one for each phase: what the profiler counts as bank conflicts.
  constexpr int conflicts() const { return wavefronts - phases; }
  friend constexpr bool operator==(bank_report const&, bank_report const&) = default;
};

namespace detail {

constexpr bool pairs_agree(warp_access const& access, int mask) {
  for (int lane = 0; lane < warp_access::max_lanes; ++lane)
    if (access.is_active(lane) && access.is_active(lane ^ mask) && access.at[lane] != access.at[lane ^ mask])
      return false;
  return true;
}

constexpr bank_phase phase_of(warp_access const& access, architecture const& machine, int first, int lanes) {
  bank_words const words(access, machine, first, lanes);
  bank_phase out{first, 0, words.count(), 0, words.fullest(), 0};
  for (int lane = first; lane < first + lanes; ++lane) out.lanes += access.is_active(lane);
  for (int b = machine.banks - 1; b >= 0; --b) {
    out.banks += words.of_bank(b) > 0;
    if (words.of_bank(b) == out.wavefronts) out.busiest = b;
  }
  return out;
}

}  // namespace detail

/// The threads of one phase.
constexpr int lanes_of_a_phase(warp_access const& access) {
  int const lanes = lanes_at_a_time(access.width);
  bool const pairs = access.kind == access_kind::load && lanes < warp_access::max_lanes &&
                     (detail::pairs_agree(access, 1) || detail::pairs_agree(access, 2));
  return pairs ? 2 * lanes : lanes;
}

/// The phases of one instruction and what they cost.
/// pre:  machine.banks in [1, 64], the access at most 256 bits wide
/// post: wavefronts is the sum over the phases; 0 for a machine without banks
/// cost: O(lanes log lanes)
constexpr bank_report bank_conflicts(warp_access const& access, architecture const& machine) {
  bank_report out{};
  if (machine.banks <= 0 || machine.banks > 64 || access.width.count <= 0 || access.width.count > 256) return out;
  int const lanes = lanes_of_a_phase(access);
  for (int first = 0; first < warp_access::max_lanes; first += lanes) {
    bank_phase const phase = detail::phase_of(access, machine, first, lanes);
    if (phase.lanes == 0) continue;
    out.phase[static_cast<std::size_t>(out.phases++)] = phase;
    out.wavefronts += phase.wavefronts;
  }
  return out;
}

/// The access of ldmatrix or stmatrix: `rows` bit addresses of 8, 16 or 32 rows, 8 for each matrix.
/// pre: matrices is 1, 2 or 4
constexpr warp_access matrix_access(access_kind kind, int matrices, std::array<long long, 32> const& rows) {
  warp_access out{};
  out.kind = kind;
  out.width = {128};
  for (int lane = 0; lane < 8 * matrices && lane < warp_access::max_lanes; ++lane)
    out.set(lane, {rows[static_cast<std::size_t>(lane)]});
  return out;
}

/// Sums over instructions.
struct shared_traffic {
  long long instructions = 0;
  long long phases = 0;
  long long wavefronts = 0;
  long long wavefronts_least = 0;  // that so many bytes need at the least, phase by phase

  constexpr shared_traffic& add(shared_traffic const& b, long long times) {
    instructions += b.instructions * times;
    phases += b.phases * times;
    wavefronts += b.wavefronts * times;
    wavefronts_least += b.wavefronts_least * times;
    return *this;
  }
  constexpr long long conflicts() const { return wavefronts - phases; }
  friend constexpr bool operator==(shared_traffic const&, shared_traffic const&) = default;
};

/// post: of one instruction; wavefronts_least counts ceil(words / banks) for each phase
constexpr shared_traffic traffic_of(bank_report const& report, architecture const& machine) {
  shared_traffic out{report.phases > 0, report.phases, report.wavefronts, 0};
  for (int i = 0; i < report.phases && machine.banks > 0; ++i)
    out.wavefronts_least += math::ceil_div(report.phase[static_cast<std::size_t>(i)].words, machine.banks);
  return out;
}

}  // namespace tilewright::tiling
