#include "distributed/axis_set.hpp"

#include "tilewright/base/math.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <tuple>

namespace tilewright::distributed {
namespace {

using math::ceil_div;
using math::floor_div;

/// Adds a mode, joined with the last one where it goes on without a gap.
void append(std::vector<set_mode>& modes, set_mode const& m) {
  if (m.count == 1) return;
  if (!modes.empty() && modes.back().step * modes.back().count == m.step &&
      modes.back().stride * modes.back().count == m.stride)
    modes.back().count *= m.count;
  else modes.push_back(m);
}

struct owned_walk {
  distributed_axis const& axis;
  std::vector<std::int64_t> const& values;
  std::vector<std::int64_t> const& strides;

  /// The boxes of digits 0 … k-1 whose sum is below `limit`; `fixed` rank digits are among them.
  axis_set below(std::size_t k, std::size_t fixed, std::int64_t limit) const {
    if (limit <= 0) return {};
    if (k == 0) return {set_box{}};
    axis_digit const& d = axis.digits[k - 1];
    std::int64_t const full = std::min(d.extent, limit / d.step), rest = full < d.extent ? limit - full * d.step : 0;
    if (d.of_rank) {
      std::int64_t const v = values[fixed - 1];
      axis_set out = v < full    ? below(k - 1, fixed - 1, d.step)
                     : v == full ? below(k - 1, fixed - 1, rest)
                                 : axis_set{};
      for (set_box& b : out) b.first += v * d.step;
      return out;
    }
    std::int64_t const stride = strides[k - 1];
    axis_set out;
    if (full > 0) out = below(k - 1, fixed, d.step);
    for (set_box& b : out) append(b.modes, {full, d.step, stride});
    for (set_box& b : below(k - 1, fixed, rest)) {
      b.first += full * d.step;
      b.offset += full * stride;
      out.push_back(std::move(b));
    }
    return out;
  }
};

// --- intersection -----------------------------------------------------------------------------------------------------

using modes_view = std::span<set_mode const>;

std::int64_t span_of(modes_view modes) {
  std::int64_t n = 1;
  for (set_mode const& m : modes) n += (m.count - 1) * m.step;
  return n;
}
bool is_interval(modes_view modes) { return modes.empty() || (modes.size() == 1 && modes[0].step == 1); }

struct part {
  std::int64_t first = 0, offset = 0;
  std::vector<set_mode> modes;
  std::int64_t span() const { return span_of(modes); }
  set_mode const& top() const { return modes.back(); }
  /// Without the outermost mode, at its coordinate x.
  part at(std::int64_t x) const {
    part out{first + x * top().step, offset + x * top().stride, modes};
    out.modes.pop_back();
    return out;
  }
};

class meeting {
 public:
  explicit meeting(std::vector<shared_box>& out) : out_(out) {}

  /// pre: outer_ has the modes that are matched already
  void meet(part const& a, part const& b) {
    if (a.first >= b.first + b.span() || b.first >= a.first + a.span()) return;
    if (is_interval(a.modes) && is_interval(b.modes)) return overlap(a, b);
    bool const a_is_wider = b.modes.empty() || (!a.modes.empty() && a.top().step >= b.top().step);
    if (a_is_wider) wide(a, b, false);
    else wide(b, a, true);
  }

 private:
  /// Two intervals.
  void overlap(part const& a, part const& b) {
    std::int64_t const low = std::max(a.first, b.first), high = std::min(a.first + a.span(), b.first + b.span());
    std::int64_t const sa = a.modes.empty() ? 0 : a.modes[0].stride, sb = b.modes.empty() ? 0 : b.modes[0].stride;
    emit(low, a.offset + (low - a.first) * sa, b.offset + (low - b.first) * sb, {{high - low, 1, sa, sb}});
  }
  void emit(std::int64_t first, std::int64_t src, std::int64_t dst, std::vector<shared_mode> modes) {
    shared_box box{first, src, dst, {}};
    modes.insert(modes.end(), outer_.rbegin(), outer_.rend());
    for (shared_mode const& m : modes) {
      if (m.count == 1) continue;
      shared_mode* const last = box.modes.empty() ? nullptr : &box.modes.back();
      if (last != nullptr && last->step * last->count == m.step && last->src * last->count == m.src &&
          last->dst * last->count == m.dst)
        last->count *= m.count;
      else box.modes.push_back(m);
    }
    out_.push_back(std::move(box));
  }
  void ordered(part const& a, part const& b, bool swapped) { swapped ? meet(b, a) : meet(a, b); }

  /// a's outermost step is at least b's.
  void wide(part const& a, part const& b, bool swapped) {
    std::int64_t const ga = a.top().step;
    std::int64_t const inner = a.span() - (a.top().count - 1) * ga;
    // The coordinates of a's outermost mode that reach into b's range.
    std::int64_t const low = std::max<std::int64_t>(0, floor_div(b.first - a.first - inner, ga) + 1);
    std::int64_t const high =
        std::min<std::int64_t>(a.top().count - 1, floor_div(b.first + b.span() - 1 - a.first, ga));
    if (high - low < 2 || b.modes.empty()) return each(a, b, low, high, swapped);
    std::int64_t const gb = b.top().step;
    std::int64_t const common = std::lcm(ga, gb), qa = common / ga, qb = common / gb;
    if (a.top().count < 2 * qa || b.top().count < 2 * qb) {
      if (ga % gb != 0 && arcs(a, b, swapped, qa, qb, common)) return;
      return each(a, b, low, high, swapped);
    }
    if (ga % gb != 0 && arcs(a, b, swapped, qa, qb, common)) return;
    periods(a, b, qa, qb, common, swapped);
  }

  void each(part const& a, part const& b, std::int64_t low, std::int64_t high, bool swapped) {
    for (std::int64_t x = low; x <= high; ++x) ordered(a.at(x), b, swapped);
  }

  /// Splits both outermost modes at the common period and pairs whole periods.
  void periods(part const& a, part const& b, std::int64_t qa, std::int64_t qb, std::int64_t common, bool swapped) {
    auto const split = [&](part const& p, std::int64_t q) {
      part whole = p, rest = p;
      std::int64_t const periods = p.top().count / q;
      set_mode const top = p.top();
      whole.modes.back().count = q;
      rest.modes.back().count = top.count - periods * q;
      rest.first += periods * q * top.step;
      rest.offset += periods * q * top.stride;
      for (part* one : {&whole, &rest})
        if (one->modes.back().count == 1) one->modes.pop_back();
      return std::tuple{whole, set_mode{periods, common, top.stride * q}, rest, top.count % q != 0};
    };
    auto const [wa, pa, ra, has_ra] = split(a, qa);
    auto const [wb, pb, rb, has_rb] = split(b, qb);
    // x periods of a and y of b overlap for few differences t = x - y.
    std::int64_t const t_low = floor_div(wb.first - wa.first - wa.span(), common) + 1;
    std::int64_t const t_high = floor_div(wb.first + wb.span() - 1 - wa.first, common);
    for (std::int64_t t = t_low; t <= t_high; ++t) {
      std::int64_t const y_low = std::max<std::int64_t>(0, -t), y_high = std::min(pb.count, pa.count - t);
      if (y_low >= y_high) continue;
      part pa_at = wa, pb_at = wb;
      pa_at.first += (y_low + t) * common;
      pa_at.offset += (y_low + t) * pa.stride;
      pb_at.first += y_low * common;
      pb_at.offset += y_low * pb.stride;
      shared_mode outer{y_high - y_low, common, pa.stride, pb.stride};
      if (swapped) std::swap(outer.src, outer.dst);
      outer_.push_back(outer);
      ordered(pa_at, pb_at, swapped);
      outer_.pop_back();
    }
    if (has_ra) ordered(ra, b, swapped);
    if (!has_rb) return;
    part whole_a = a;  // a without its rest, which has met all of b
    whole_a.modes.back().count = pa.count * qa;
    if (whole_a.modes.back().count == 1) whole_a.modes.pop_back();
    ordered(whole_a, rb, swapped);
  }

  /// Blocks of la indices every ga, and of lb every gb: for each difference w of their starts, one arithmetic sequence of
  /// pairs (Chinese remainders). False where walking the blocks is cheaper.
  bool arcs(part const& a, part const& b, bool swapped, std::int64_t qa, std::int64_t qb, std::int64_t common) {
    part ia = a.at(0), ib = b.at(0);
    if (!is_interval(ia.modes) || !is_interval(ib.modes)) return false;
    std::int64_t const ga = a.top().step, gb = b.top().step, g = std::gcd(ga, gb), la = ia.span(), lb = ib.span();
    if ((la + lb) / g > std::min(qa, a.top().count)) return false;
    std::int64_t const inverse = inverse_of(ga / g % qa, qa);  // qa == gb / g
    std::int64_t const apart = b.first - a.first;
    for (std::int64_t w = 1 - la; w < lb; ++w) {  // start of a's block minus start of b's
      std::int64_t const d = w + apart;           // x·ga - y·gb == d
      if (d % g != 0) continue;
      std::int64_t const residue = ((d / g % qa) + qa) % qa;
      std::int64_t const x0 = product_modulo(residue, inverse, qa);
      std::int64_t const y0 = (x0 * ga - d) / gb;
      // x = x0 + k·qa in [0, count a), y = y0 + k·qb in [0, count b)
      std::int64_t const k_low = std::max<std::int64_t>(0, ceil_div(-y0, qb));
      std::int64_t const k_high =
          std::min<std::int64_t>(floor_div(a.top().count - 1 - x0, qa), floor_div(b.top().count - 1 - y0, qb));
      if (k_low > k_high) continue;
      shared_mode outer{k_high - k_low + 1, common, a.top().stride * qa, b.top().stride * qb};
      if (swapped) std::swap(outer.src, outer.dst);
      outer_.push_back(outer);
      ordered(a.at(x0 + k_low * qa), b.at(y0 + k_low * qb), swapped);
      outer_.pop_back();
    }
    return true;
  }

  /// a * b % modulus, also where the product exceeds 63 bits.  pre: 0 <= a, b < modulus < 2^62
  static std::int64_t product_modulo(std::int64_t a, std::int64_t b, std::int64_t modulus) {
    if (modulus < std::int64_t{1} << 31) return a * b % modulus;
    std::int64_t out = 0;
    for (; b > 0; b /= 2) {
      if (b % 2 != 0) out = (out + a) % modulus;
      a = 2 * a % modulus;
    }
    return out;
  }

  static std::int64_t inverse_of(std::int64_t a, std::int64_t modulus) {
    std::int64_t r0 = modulus, r1 = a, t0 = 0, t1 = 1;
    while (r1 != 0) {
      std::int64_t const q = r0 / r1;
      std::tie(r0, r1) = std::pair{r1, r0 - q * r1};
      std::tie(t0, t1) = std::pair{t1, t0 - q * t1};
    }
    return modulus == 1 ? 0 : (t0 % modulus + modulus) % modulus;
  }

  std::vector<shared_box>& out_;
  std::vector<shared_mode> outer_;  // the outermost first
};

}  // namespace

axis_set owned(distributed_axis const& axis, std::vector<std::int64_t> const& values,
               std::vector<std::int64_t> const& strides) {
  return owned_walk{axis, values, strides}.below(axis.digits.size(), values.size(), axis.extent);
}

std::int64_t count_of(axis_set const& set) {
  std::int64_t all = 0;
  for (set_box const& b : set) {
    std::int64_t n = 1;
    for (set_mode const& m : b.modes) n *= m.count;
    all += n;
  }
  return all;
}
std::int64_t count_of(shared_box const& box) {
  std::int64_t n = 1;
  for (shared_mode const& m : box.modes) n *= m.count;
  return n;
}
std::int64_t count_of(std::vector<shared_box> const& boxes) {
  std::int64_t all = 0;
  for (shared_box const& b : boxes) all += count_of(b);
  return all;
}

std::vector<shared_box> intersection(axis_set const& a, axis_set const& b) {
  std::vector<shared_box> out;
  for (set_box const& x : a)
    for (set_box const& y : b) meeting(out).meet({x.first, x.offset, x.modes}, {y.first, y.offset, y.modes});
  return out;
}

}  // namespace tilewright::distributed
