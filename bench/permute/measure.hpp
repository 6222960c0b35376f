// How the parties are measured and checked. The library and each other party take turns, A B A B, on the same memory, so
// that whatever else the machine does falls on both; figures are medians over the rounds.
#pragma once

#include "bench/support/memory.hpp"
#include "bench/support/rounds.hpp"
#include "party.hpp"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tilewright::bench {

struct limits {
  int rounds = 5;        // each party takes at least so many …
  double seconds = 0.3;  // … and the library at least so long next to memcpy
  bool only_check = false;
};

/// pre: both are prepared, and have run once
two_timings alternate(party& own, party& other, limits const& limit);

/// One sentence on the first wrong element, for a reader; empty when all are right.
/// post: the party has run once
std::string complaint_about(party& one, work const& job, std::span<std::byte const> want);

/// The parties and the memory of a run.
class bench {
 public:
  /// Without a `python`, NumPy does not take part.
  bench(int threads, limits const& limit, std::string const& python, std::string const& numpy_script);

  /// Sends all other peers home.
  void keep_peers(std::vector<std::string> const& names);

  /// Names of the peers that take part.
  std::vector<std::string> peers() const;

  /// A row:
  ///   {suite, case, element, src, dst, bytes (read and written), path, plan_seconds, trial_seconds, seconds, min_seconds,
  ///    memcpy_seconds, memcpy_min_seconds, share, streaming_seconds (memcpy with stores past the caches; of a large
  ///    tensor), roof_bytes, roof_share, run_seconds (of a small tensor: the plan alone),
  ///    peers: {name: {seconds, min_seconds, ratio (to the library's time next to it)} or {absent: reason}},
  ///    checked: [party], wrong: [sentence]}
  /// With only_check, there are no times. `wrong` is empty when every element of every party was right.
  nlohmann::json row_of(permute_case const& one);

 private:
  /// The source's bits, what the destination must hold afterwards, and what memcpy copies.
  void fill_memory(work& job);
  void measure_into(nlohmann::json& row, std::vector<party*> const& ready);

  limits limit_;
  team threads_;
  large_buffer src_, dst_, want_, copied_;
  std::unique_ptr<party> own_, plan_, memcpy_, streaming_;
  std::vector<std::unique_ptr<party>> peers_;
};

}  // namespace tilewright::bench
