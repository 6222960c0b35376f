// Bank conflicts by proof. Where addresses are affine over F2, so that a(i xor j) = a(i) xor a(j) xor a(0) for the bits of
// thread and position, as for layouts of powers of two and swizzles of them, the threads of a phase reach 2^r distinct
// words, r the rank of their address bits, in 2^b distinct banks, b the rank of the five bank bits; so every bank in use
// has 2^(r-b) words, at every position alike. What is not affine is enumerated, position by position.
#pragma once

#include "tilewright/base/config.hpp"

#include <optional>
#include <span>
#include <vector>

#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/banks.hpp"

namespace tilewright::analysis {

/// i -> origin xor (column[k] for each bit k of i)
struct affine_map {
  int bits = 0;
  long long origin = 0;
  std::array<long long, 24> column{};

  constexpr long long operator()(long long i) const {
    long long out = origin;
    for (int k = 0; k < bits; ++k)
      if ((i >> k & 1) != 0) out ^= column[static_cast<std::size_t>(k)];
    return out;
  }
};

/// The affine map with this table; nullopt where no affine map has it.
/// post: R(i) == table[i] for every i
/// cost: O(size log size)
constexpr std::optional<affine_map> affine_over_f2(std::span<long long const> table) {
  if (!math::has_single_bit(table.size()) || table.size() > std::size_t{1} << 24) return std::nullopt;
  affine_map out{math::countr_zero(table.size()), table[0], {}};
  for (int k = 0; k < out.bits; ++k) out.column[static_cast<std::size_t>(k)] = table[std::size_t{1} << k] ^ out.origin;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] < 0 || out(static_cast<long long>(i)) != table[i]) return std::nullopt;
  return out;
}

/// The dimension of what the vectors span.
constexpr int rank_over_f2(std::span<long long const> vectors) {
  std::array<long long, 64> pivot{};
  int rank = 0;
  for (long long v : vectors) {
    for (int bit = 62; bit >= 0 && v != 0; --bit) {
      if ((v >> bit & 1) == 0) continue;
      long long& p = pivot[static_cast<std::size_t>(bit)];
      if (p == 0) {
        p = v;
        ++rank;
        break;
      }
      v ^= p;
    }
  }
  return rank;
}

enum class proof_method : int { linear, enumeration };

/// What an access costs at every position of a tile.
struct conflict_proof {
  proof_method method = proof_method::enumeration;
  long long positions = 0;
  long long phases = 0;      // over all positions
  long long wavefronts = 0;  // over all positions
  int word_rank = 0;         // linear: of a phase's word addresses
  int bank_rank = 0;         // linear: of their bank bits

  constexpr bool conflict_free() const { return wavefronts == phases; }
};

/// address[lane + 32 * position]: the first bit of what a lane of a whole warp moves there, `width` bits.
/// pre:  size is a multiple of 32
/// post: phases and wavefronts summed over all positions
/// cost: O(size log size) either way; the linear proof looks at each address once and at no word
inline conflict_proof prove_conflicts(std::span<long long const> address, bits width, access_kind kind,
                                      architecture const& machine) {
  conflict_proof out{};
  out.positions = static_cast<long long>(address.size()) / warp_access::max_lanes;
  auto const access_at = [&](long long position) {
    warp_access access{kind, width, 0, {}};
    for (int lane = 0; lane < warp_access::max_lanes; ++lane)
      access.set(lane, {address[static_cast<std::size_t>(lane + warp_access::max_lanes * position)]});
    return access;
  };
  std::optional<affine_map> const map = out.positions == 0 ? std::nullopt : affine_over_f2(address);
  int const bank_bits = math::bit_width(static_cast<unsigned long long>(to_bits(machine.bank_width).count)) - 1;
  bool const aligned = map && math::has_single_bit(static_cast<unsigned long long>(width.count)) &&
                       [&] {  // then words within an access are further columns
                         long long all = map->origin;
                         for (int k = 0; k < map->bits; ++k) all |= map->column[static_cast<std::size_t>(k)];
                         return all % width.count == 0;
                       }();
  if (aligned && machine.banks == 32) {
    // Whether pairs of threads agree is a matter of the columns alone, so it is the same at every position.
    int const lanes = lanes_of_a_phase(access_at(0));
    std::vector<long long> words;
    for (int k = 0; 1 << k < lanes; ++k) words.push_back(map->column[static_cast<std::size_t>(k)] >> bank_bits);
    for (long long word = 1; word << bank_bits < width.count; word *= 2) words.push_back(word);
    std::vector<long long> banks = words;
    for (long long& b : banks) b &= machine.banks - 1;
    out.method = proof_method::linear;
    out.word_rank = rank_over_f2(words);
    out.bank_rank = rank_over_f2(banks);
    out.phases = out.positions * (warp_access::max_lanes / lanes);
    out.wavefronts = out.phases << (out.word_rank - out.bank_rank);
    return out;
  }
  for (long long position = 0; position < out.positions; ++position) {
    bank_report const report = bank_conflicts(access_at(position), machine);
    out.phases += report.phases;
    out.wavefronts += report.wavefronts;
  }
  return out;
}

}  // namespace tilewright::analysis
