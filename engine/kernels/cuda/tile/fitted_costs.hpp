// What tiles cost, in shares of a plain copy's time; the last nine were fitted with bench/fit_tiles,
// those of fetched rows to 36 copies on an H100 (docs/adr/0022).
#pragma once

#include "engine/kernels/cuda/tile/tile_costs.hpp"

namespace tilewright::kernels {

inline constexpr tile_costs fitted_tile_costs{
    .fit = "NVIDIA H200, 192 copies of seeds 1 and 2",
    .src_pieces = 0.055,
    .dst_pieces = 0.07,
    .fall = 0.95,
    .apart = 30,
    .best_tile_bytes = 12288,
    .smaller = 0.02,
    .larger = 0.012,
    .cut_sectors = 0.3,
    .overhang = 0.4,
    .instruction = 0.4,
    .shared_cycle = 2.5,
    .line = 0.9,
    .large_tile_bytes = 5793,
    .large_tile = 0.01,
    .fetched_row_bytes = 1024,
    .fetched_tile_bytes = 600,
    .fetched_larger = 0.2,
    .fetched_cut = 0.3,
};

}  // namespace tilewright::kernels
