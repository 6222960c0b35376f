// Coverage: does a (thread, value) layout carry every element of a tile exactly once? The answer is a proof, or the first
// element that is copied twice or not at all, with its coordinate and the (thread, value) pairs that copy it.
#pragma once

#include "tilewright/base/config.hpp"

#include <vector>

#include "tilewright/algebra/value_query.hpp"
#include "tilewright/tiling/warp_access.hpp"

namespace tilewright::tiling {

enum class coverage_verdict : int {
  exactly_once,
  carried_twice,  // `element` by `first` and by `second`
  never_carried,  // `element` by no thread
  outside,        // `first` carries index `element`, which the tile does not have
};

/// Who carries an element: a thread, and which of its values it is.
struct owner {
  long long thread = -1;
  long long value = -1;
  friend constexpr bool operator==(owner const&, owner const&) = default;
};

struct coverage {
  coverage_verdict verdict = coverage_verdict::exactly_once;
  shape_value tile{};      // its shape
  long long elements = 0;  // of the tile
  long long threads = 0;
  long long values = 0;      // of each thread
  long long element = -1;    // the first that is not copied once, by its index in the tile (first mode fastest)
  coord_value coordinate{};  // of that element; congruent to the tile
  owner first{}, second{};

  constexpr bool holds() const { return verdict == coverage_verdict::exactly_once; }
};

/// tv: (thread, value) -> index in the tile, first mode fastest, as TiledCopy's TiledLayout_TV.
/// post: exactly_once, or the smallest index that two pairs copy or none does; an index outside of the tile goes first
/// error: rank_mismatch unless tv has two modes; those of size; throws std::length_error beyond enumeration_limit
/// cost: O(elements + threads * values)
inline result<coverage> cover(layout_value const& tv, shape_value const& tile) {
  result<long long> const elements = size(tile), pairs = size(tv), span = cosize(tv);
  for (auto const* r : {&elements, &pairs, &span})
    if (!*r) return r->error();
  if (tv.rank() != 2) return error{errc::rank_mismatch, tv.rank(), 2};
  coverage out{};
  out.tile = tile;
  out.elements = *elements;
  out.threads = extent_of(tv, tv.mode(0));
  out.values = extent_of(tv, tv.mode(1));
  require_enumerable(*elements, "the tile");
  require_enumerable(*pairs, "the thread-value layout");

  std::vector<long long> carrier(static_cast<std::size_t>(*elements), -1);  // thread + threads * value
  std::vector<long long> again(static_cast<std::size_t>(*elements), -1);
  auto const owner_of = [&](long long pair) { return owner{pair % out.threads, pair / out.threads}; };
  for (long long pair = 0; pair < *pairs; ++pair) {
    long long const element = tv(pair);
    if (element < 0 || element >= *elements) {
      out.verdict = coverage_verdict::outside;
      out.element = element;
      out.first = owner_of(pair);
      return out;
    }
    auto const at = static_cast<std::size_t>(element);
    if (carrier[at] < 0) carrier[at] = pair;
    else if (again[at] < 0) again[at] = pair;
  }
  for (long long element = 0; element < *elements; ++element) {
    auto const at = static_cast<std::size_t>(element);
    if (carrier[at] >= 0 && again[at] < 0) continue;
    out.verdict = carrier[at] < 0 ? coverage_verdict::never_carried : coverage_verdict::carried_twice;
    out.element = element;
    out.coordinate = idx2crd(element, tile).value();
    if (carrier[at] >= 0) {
      out.first = owner_of(carrier[at]);
      out.second = owner_of(again[at]);
    }
    return out;
  }
  return out;
}

}  // namespace tilewright::tiling
