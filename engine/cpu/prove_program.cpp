// A kind of tile is run a few times: in pass k every byte of the source holds digit k of its place, to the base 128, so that
// the passes together say where each byte of the destination came from. The eighth bit is set, and the destination's bytes
// are 0 before, so what is written shows.
#include "engine/cpu/prove_program.hpp"

#include "engine/cpu/image.hpp"
#include "engine/cpu/tile_walk.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <mutex>
#include <set>
#include <unordered_set>

namespace tilewright::cpu_engine {
namespace {

using failure = std::optional<std::string>;

/// Coordinates [begin, begin + count) of a loop.
struct stretch {
  std::int64_t begin = 0, count = 1;
};

/// How the plan cuts one loop into tiles; the first is `shift` smaller than the others.
struct cut {
  std::size_t loop = 0;
  std::int64_t extent = 1, tile = 1, shift = 0;
  bool backwards = false;
  std::int64_t tiles() const { return (extent + shift + tile - 1) / tile; }
  stretch piece(std::int64_t k) const {
    if (backwards) k = tiles() - 1 - k;
    std::int64_t const begin = std::max<std::int64_t>(0, k * tile - shift);
    return {begin, std::min(extent, (k + 1) * tile - shift) - begin};
  }
};

/// The plan's own account of its tiles, from loops and tile extents alone.
class tile_list {
 public:
  tile_list(copy_plan const& plan, program const& p) : m_(plan.moves), has_phases_(p.tile.phases > 1) {
    if (p.kernel == cpu_kernel::walk) {
      cuts_.push_back({0, m_.elements, (m_.elements + p.tiles - 1) / p.tiles, 0});
      return;
    }
    for (int const i : plan.order) {
      auto const at = static_cast<std::size_t>(i);
      cut const c{at, m_.loops[at].extent, plan.tile[at], 0};
      if (c.tiles() == 1) continue;
      cuts_.push_back(c);
      std::size_t const n = cuts_.size() - 1;
      auto const is_backwards = [n](auto const& grid) { return n < grid.size() && grid[n].backwards; };
      cuts_[n].backwards = is_backwards(p.grid) || is_backwards(p.tile.grid);  // a program has one of the two
      if (p.first_rows != 0 && static_cast<int>(n) == p.row_loop) cuts_.back().shift = c.tile - p.first_rows;
    }
  }
  std::vector<cut> const& cuts() const { return cuts_; }
  std::int64_t tiles() const {
    std::int64_t n = 1;
    for (cut const& c : cuts_) n *= c.tiles();
    return n;
  }
  /// One tile of each kind: the first, second and last along each loop; the third and fourth where tiles start at several
  /// places within a cache line, four at most.
  std::vector<std::int64_t> kinds() const {
    std::vector<std::int64_t> out{0};
    std::int64_t step = 1;
    for (cut const& c : cuts_) {
      constexpr std::size_t max_kinds = 1 << 10;
      std::set<std::int64_t> digits{1, c.tiles() - 1};
      if (has_phases_)
        digits.insert({std::min<std::int64_t>(2, c.tiles() - 1), std::min<std::int64_t>(3, c.tiles() - 1)});
      std::size_t const below = out.size() * (digits.size() + 1) <= max_kinds ? out.size() : 1;
      for (std::int64_t const d : digits)
        for (std::size_t i = 0; i < below; ++i) out.push_back(out[i] + d * step);
      step *= c.tiles();
    }
    return out;
  }
  /// Calls use(source, destination, count, source step, destination step) for the elements of tiles [begin, end).
  template <class Use>
  void each(std::int64_t begin, std::int64_t end, bool is_walk, Use const& use) const {
    if (is_walk) return each_by_index(begin, end, use);
    for (std::int64_t t = begin; t < end; ++t) {
      std::vector<stretch> box;
      for (loop const& l : m_.loops) box.push_back({0, l.extent});
      std::int64_t rest = t;
      for (cut const& c : cuts_) {
        box[c.loop] = c.piece(rest % c.tiles());
        rest /= c.tiles();
      }
      each_in(box, use);
    }
  }

 private:
  template <class Use>
  void each_in(std::vector<stretch> const& box, Use const& use) const {
    std::int64_t from = m_.src_offset, to = m_.dst_offset;
    if (box.empty()) return use_run(from, to, 1, 0, 0, use);
    for (std::size_t i = 0; i < box.size(); ++i)
      from += box[i].begin * m_.loops[i].src, to += box[i].begin * m_.loops[i].dst;
    std::vector<std::int64_t> at(box.size(), 0);
    for (;;) {
      use_run(from, to, box[0].count, m_.loops[0].src, m_.loops[0].dst, use);
      std::size_t i = 1;
      for (; i < box.size(); ++i) {
        from += m_.loops[i].src, to += m_.loops[i].dst;
        if (++at[i] < box[i].count) break;
        from -= box[i].count * m_.loops[i].src, to -= box[i].count * m_.loops[i].dst;
        at[i] = 0;
      }
      if (i >= box.size()) return;
    }
  }
  /// Elements at equal steps, one by one where a swizzle makes the steps unequal.
  template <class Use>
  void use_run(std::int64_t from, std::int64_t to, std::int64_t count, std::int64_t src, std::int64_t dst,
               Use const& use) const {
    if (!m_.is_swizzled()) return use(from, to, count, src, dst);
    for (std::int64_t i = 0; i < count; ++i)
      use(m_.src_swizzle(from + i * src), m_.dst_swizzle(to + i * dst), std::int64_t{1}, std::int64_t{0},
          std::int64_t{0});
  }
  /// For movements without tiles: the index itself is cut.
  template <class Use>
  void each_by_index(std::int64_t begin, std::int64_t end, Use const& use) const {
    std::vector<step> const from = source_steps(m_), to = destination_steps(m_);
    auto const offset = [](std::vector<step> const& steps, std::int64_t base, std::int64_t index) {
      for (step const& s : steps) {
        base += index % s.extent * s.stride;
        index /= s.extent;
      }
      return base;
    };
    std::int64_t const last = std::min(m_.elements, cuts_[0].tile * end);
    for (std::int64_t i = cuts_[0].tile * begin; i < last; ++i)
      use(m_.src_swizzle(offset(from, m_.src_offset, i)), m_.dst_swizzle(offset(to, m_.dst_offset, i)), std::int64_t{1},
          std::int64_t{0}, std::int64_t{0});
  }

  movement const& m_;
  std::vector<cut> cuts_;
  bool has_phases_;
};

struct span {
  std::int64_t first = INT64_MAX, end = INT64_MIN;
  void add(std::int64_t a, std::int64_t b) {
    first = std::min({first, a, b});
    end = std::max({end, a + 1, b + 1});
  }
};

/// Runs tiles of a program on images.
class trial {
 public:
  trial(copy_plan const& plan, program const& p, tile_list const& tiles, std::uintptr_t address)
      : m_(plan.moves),
        p_(p),
        tiles_(tiles),
        address_(address),
        halves_(m_.element_bits == 4),
        width_(halves_ ? 1 : m_.element_bits / 8) {}

  failure run(std::int64_t begin, std::int64_t end) const {
    span from, to;
    std::int64_t places = 0;
    each(begin, end, [&](std::int64_t a, std::int64_t b, std::int64_t n, std::int64_t da, std::int64_t db) {
      from.add(a, a + (n - 1) * da);
      to.add(b, b + (n - 1) * db);
      places += n * width_;
    });
    if (places == 0) return {};                              // tiles behind the last element
    constexpr std::int64_t too_far = std::int64_t{1} << 40;  // bytes; no memory has that
    for (span const& s : {from, to})
      if (s.first < -too_far / width_ || s.end > too_far / width_) return {};
    image src(byte_of(from.first * width_), byte_of(from.end * width_ - 1) + 1, 0);
    image dst(byte_of(to.first * width_), byte_of(to.end * width_ - 1) + 1, address_);
    int const digit = halves_ ? 3 : 7;  // bits
    std::int64_t const written = 1 << digit, last = (from.end - from.first) * width_ - 1;
    for (int shift = 0; shift == 0 || last >> shift != 0; shift += digit) {
      auto const name = [&](std::int64_t place) {
        return static_cast<byte>(written | ((place - from.first * width_) >> shift & (written - 1)));
      };
      src.clear();
      dst.clear();
      each(begin, end, [&](std::int64_t a, std::int64_t, std::int64_t n, std::int64_t da, std::int64_t) {
        for (std::int64_t i = 0; i < n; ++i, a += da)
          for (std::int64_t k = a * width_; k < (a + 1) * width_; ++k) put(src, k, name(k));
      });
      run_tiles(p_, src.pointer(), dst.pointer(), begin, end);
      fence();
      failure wrong;
      each(begin, end, [&](std::int64_t a, std::int64_t b, std::int64_t n, std::int64_t da, std::int64_t db) {
        for (std::int64_t i = 0; i < n; ++i, a += da, b += db)
          for (std::int64_t k = 0; k < width_; ++k)
            if (get(dst, b * width_ + k) != name(a * width_ + k) && !wrong)
              wrong = fmt::format("tile {}: byte {} of the destination does not become byte {} of the source", begin,
                                  byte_of(b * width_ + k), byte_of(a * width_ + k));
      });
      if (wrong) return wrong;
      if (!halves_ && dst.count() != places)
        return fmt::format("tile {} writes {} bytes, of which {} are its own", begin, dst.count(), places);
    }
    return {};
  }

 private:
  template <class Use>
  void each(std::int64_t begin, std::int64_t end, Use const& use) const {
    tiles_.each(begin, end, p_.kernel == cpu_kernel::walk, use);
  }
  std::int64_t byte_of(std::int64_t place) const { return halves_ ? place >> 1 : place; }
  void put(image& to, std::int64_t place, byte value) const {
    byte& cell = to[byte_of(place)];
    if (!halves_) cell = value;
    else cell = static_cast<byte>((place & 1) != 0 ? (cell & 15) | value << 4 : (cell & 240) | value);
  }
  byte get(image& from, std::int64_t place) const {
    byte const cell = from[byte_of(place)];
    return !halves_ ? cell : static_cast<byte>((place & 1) != 0 ? cell >> 4 : cell & 15);
  }

  movement const& m_;
  program const& p_;
  tile_list const& tiles_;
  std::uintptr_t address_;
  bool halves_;
  std::int64_t width_;  // of an element, in bytes; half bytes are counted as such
};

/// Does a walk agree with each tile's own place?
failure walk_is_sound(program const& p, std::vector<std::int64_t> const& kinds) {
  for (std::int64_t const i : kinds) {
    if (i == 0) continue;
    tile_walk before(p, i - 1);
    before.advance();
    tile_walk const here(p, i);
    if (before.src != here.src || before.dst != here.dst || before.size() != here.size())
      return fmt::format("the walk from tile {} does not lead to tile {}", i - 1, i);
  }
  return {};
}

}  // namespace

failure program_failure(copy_plan const& plan, std::uintptr_t address) {
  program const whole = compile(plan);
  program const p = program_for(whole, reinterpret_cast<void const*>(address));
  tile_list const tiles(plan, p);
  if (p.tiles != tiles.tiles()) return fmt::format("the program has {} tiles and the plan {}", p.tiles, tiles.tiles());
  std::vector<std::int64_t> const kinds = tiles.kinds();
  bool const is_walk = p.kernel == cpu_kernel::walk;
  if (!is_walk)
    if (failure f = walk_is_sound(p, kinds)) return f;
  trial const on(plan, p, tiles, address);
  constexpr std::int64_t few = 1 << 15;
  if (plan.moves.elements * plan.moves.element_bits / 8 <= few) return on.run(0, p.tiles);
  // Where a tile is one long run after another, two of them say what more would; runs beyond `long_tile` are one call of
  // memcpy each.
  constexpr std::int64_t large_tile = 1 << 20, long_tile = 1 << 24;
  if (p.tile_bytes > long_tile) return {};
  if (p.tile_bytes > large_tile) {
    failure const f = on.run(0, 1);
    return f ? f : on.run(p.tiles - 1, p.tiles);
  }
  for (std::int64_t const i : kinds) {
    if (failure f = on.run(i, i + 1)) return f;
    if (!p.carries && !p.tile.carries) continue;
    constexpr std::int64_t neighbours = 3;  // one that begins, one that goes on, one that ends what the others left
    if (failure f = on.run(i, std::min(i + neighbours, p.tiles))) return f;
  }
  return {};
}

void require_proof(copy_plan const& plan, void const* dst) {
  static std::mutex mutex;
  static std::unordered_set<std::size_t> shown;
  auto const address = reinterpret_cast<std::uintptr_t>(dst) % 64;
  std::size_t const key = hash_of(plan) * 64 + address;
  {
    std::lock_guard const lock(mutex);
    if (shown.contains(key)) return;
  }
  if (failure const f = program_failure(plan, address))
    throw copy_error(copy_errc::internal,
                     fmt::format("this plan does not do what it says ({}), which is a mistake of the library; please "
                                 "report it with the plan:\n{}",
                                 *f, to_json(plan)));
  std::lock_guard const lock(mutex);
  shown.insert(key);
}

}  // namespace tilewright::cpu_engine
