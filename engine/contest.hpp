// Which of a few entrants is the fastest, learnt from runs that are made anyway, whose times may come late.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace tilewright::engine {

struct contest_rules {
  int runs = 3;            // of an entrant, after a first one that does not count: the least of their times does
  double margin = 1.02;    // by which another has to be faster than the first entrant
  double hopeless = 1.15;  // times the least time of all: who takes longer runs no more
};

class contest {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();  // the time of a run that failed

  /// pre: entrants >= 1
  explicit contest(std::size_t entrants, contest_rules rules = {});

  /// Who runs next; nothing where all runs are done or in flight. A run that is announced is in flight until it is told.
  std::optional<std::size_t> next();

  /// What the earliest untold run of the entrant took; infinite where it failed.
  void tell(std::size_t entrant, double seconds);

  /// The run that was announced last is not made; it comes again.
  void withdraw(std::size_t entrant) { --entrants_[entrant].begun; }

  bool is_over() const;

  /// The first entrant, unless another one was faster by the margin.
  std::size_t winner() const;

  /// The least time of an entrant; infinite before there is one.
  double least(std::size_t entrant) const { return entrants_[entrant].least; }

 private:
  struct record {
    int begun = 0, told = 0;
    double least;
  };
  bool is_out(record const& r) const;
  double least_of_all() const;

  contest_rules rules_;
  std::vector<record> entrants_;
};

}  // namespace tilewright::engine
