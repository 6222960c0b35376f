// Whether strided offsets meet is whether Σ ci·vi = t has a solution with 0 <= vi <= ni. The search goes through the
// coefficients from the largest down; what the smaller ones can still reach, and their greatest common divisor, leave
// few values to try for each. For the layouts of tensors that is one, and the answer takes as many steps as there are
// modes.
#include "tilewright/plan/movement.hpp"

#include <algorithm>
#include <numeric>

namespace tilewright {
namespace {

// Offsets fit 63 bits; sums of two sides' spans may not.
__extension__ typedef __int128 wide;

struct term {
  wide coefficient = 1;  // > 0
  wide most = 0;         // of the variable
};

class diophantine {
 public:
  explicit diophantine(std::vector<term> terms) : terms_(std::move(terms)), reach_(terms_.size() + 1), gcd_(reach_) {
    std::sort(terms_.begin(), terms_.end(), [](term const& a, term const& b) { return a.coefficient > b.coefficient; });
    for (std::size_t i = terms_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + terms_[i].coefficient * terms_[i].most;
      gcd_[i] = greatest_divisor(gcd_[i + 1], terms_[i].coefficient);
    }
  }

  answer solve(wide target) { return solve(0, target); }

 private:
  static constexpr long max_steps = 1L << 20;

  static wide greatest_divisor(wide a, wide b) {
    while (b != 0) std::swap(a %= b, b);
    return a;
  }

  answer solve(std::size_t i, wide target) {
    if (target < 0 || target > reach_[i]) return answer::no;
    if (target == 0 || target == reach_[i]) return answer::yes;
    if (target % gcd_[i] != 0) return answer::no;  // reach_ > 0, so a term is left and gcd_ > 0
    if (++steps_ > max_steps) return answer::unknown;
    wide const c = terms_[i].coefficient;
    wide const high = std::min(terms_[i].most, target / c);
    wide const above = target - reach_[i + 1];
    wide const low = above <= 0 ? 0 : (above + c - 1) / c;
    for (wide v = high; v >= low; --v) {
      answer const found = solve(i + 1, target - v * c);
      if (found != answer::no) return found;
    }
    return answer::no;
  }

  std::vector<term> terms_;
  std::vector<wide> reach_, gcd_;
  long steps_ = 0;
};

wide magnitude(wide x) { return x < 0 ? -x : x; }

}  // namespace

answer has_collision(std::vector<step> const& steps) {
  std::vector<step> by_size;
  for (step const& s : steps) {
    if (s.extent == 0) return answer::no;
    if (s.extent > 1 && s.stride == 0) return answer::yes;
    if (s.extent > 1) by_size.push_back(s);
  }
  std::sort(by_size.begin(), by_size.end(),
            [](step const& a, step const& b) { return magnitude(a.stride) > magnitude(b.stride); });
  // Two coordinates differ by d with |di| < extent i. Let k be the first mode where they do, by dk > 0: then the modes
  // behind it make up for dk * stride k.
  bool unknown = false;
  for (std::size_t k = 0; k < by_size.size(); ++k) {
    std::vector<term> behind;
    wide shift = 0;
    for (std::size_t i = k + 1; i < by_size.size(); ++i) {
      wide const c = magnitude(by_size[i].stride), most = by_size[i].extent - 1;
      behind.push_back({c, 2 * most});
      shift += c * most;
    }
    // c·dk + Σ ci·di = 0 with dk = 1 + v, 0 <= v <= extent - 2, and di = vi - mosti: one equation in v and the vi.
    wide const c = magnitude(by_size[k].stride);
    if (c > shift) continue;
    behind.push_back({c, by_size[k].extent - 2});
    answer const found = diophantine(std::move(behind)).solve(shift - c);
    if (found == answer::yes) return answer::yes;
    unknown = unknown || found == answer::unknown;
  }
  return unknown ? answer::unknown : answer::no;
}

answer share_offset(std::vector<step> const& a, std::int64_t offset, std::vector<step> const& b) {
  // offset + Σ xi·ai - Σ yj·bj = 0; a negative coefficient's variable counts from its other end.
  std::vector<term> terms;
  wide target = -static_cast<wide>(offset);
  auto const add = [&](std::vector<step> const& side, int sign) {
    for (step const& s : side) {
      if (s.extent == 0) return false;
      wide const c = static_cast<wide>(s.stride) * sign, most = s.extent - 1;
      if (c < 0) target -= c * most;
      if (c != 0 && most > 0) terms.push_back({magnitude(c), most});
    }
    return true;
  };
  if (!add(a, 1) || !add(b, -1)) return answer::no;
  return diophantine(std::move(terms)).solve(target);
}

}  // namespace tilewright
