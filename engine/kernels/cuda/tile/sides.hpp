// How the sides of a tile can be accessed: which elements follow each other in memory, how wide accesses to them can be, and
// which rows a thread reads together.
#pragma once

#include "engine/plan/cuda_modes.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tilewright::kernels {

using plan::size_of;

/// Bytes of shared memory from a tile's first element to the end of its last one. place: for each loop, the bytes of a step
std::int64_t end_of_places(std::vector<std::int64_t> const& tile, std::vector<std::int64_t> const& place,
                           std::int64_t element_bytes);

/// Rows, or groups of rows that are read together.
std::int64_t row_count(tile_side const& side);

/// Accesses of a row; those at its ends that are parts are left out in the destination.
std::int64_t access_count(tile_side const& side, bool source, std::int64_t element_bytes);

/// Rows of the destination that do not begin and end with whole sectors before a gap: bytes of one, and from one to the next; 0 where
/// there are none.
struct cut_rows {
  std::int64_t length = 0, pitch = 0;
};
cut_rows cut_rows_of(movement const& m, copy_request const& request);

/// Does the destination have gaps after rows whose ends are parts of sectors, which the whole copy writes in part? Then how they
/// are best fetched before. What the second-level cache holds whole is merged there.
cuda_fetch fetch_of(movement const& m, copy_request const& request, machine_model const& machine);

class tile_sides {
 public:
  tile_sides(movement const& m, copy_request const& request, std::vector<std::int64_t> const& tile)
      : m_(m),
        request_(request),
        tile_(tile),
        element_(m.element_bits / 8) {}

  /// Rows as long as they can be, by the widest accesses; `may_shift`: also where rows begin at any element.
  tile_side side(bool source, bool may_shift) const;

  /// Of small elements: ways to read several rows at once, those that follow each other in the destination, by wide accesses
  /// or by words, so that threads along a row and along those groups of rows meet all banks.
  std::vector<tile_side> packed_sources(tile_side const& target, bool may_shift) const;

  /// How the destination can be written: by the widest accesses, as given; by narrower ones of small elements, which may meet
  /// fewer banks twice; element by element where rows begin at any element.
  std::vector<tile_side> targets(tile_side const& widest) const;

  /// Threads along a row of the destination, then along its neighbours: all along one row, or whole sectors of several.
  std::vector<std::array<int, 2>> lane_choices(tile_side const& target) const;

 private:
  loop const& loop_at(int l) const { return m_.loops[static_cast<std::size_t>(l)]; }
  std::int64_t tile(int l) const { return tile_[static_cast<std::size_t>(l)]; }
  std::int64_t stride(bool source, int l) const;
  std::int64_t vector(bool source, tile_side const& side, std::int64_t most) const;
  tile_side split_into_rows(bool source, int along) const;
  void add_lanes(std::vector<tile_side>& out, tile_side side) const;

  movement const& m_;
  copy_request const& request_;
  std::vector<std::int64_t> const& tile_;
  std::int64_t element_;
};

}  // namespace tilewright::kernels
