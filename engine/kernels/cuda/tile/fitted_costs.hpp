// What tiles cost, in shares of a plain copy's time; from `instruction` on they were fitted with bench/fit_tiles.
#pragma once

#include "engine/kernels/cuda/tile/tile_costs.hpp"

namespace tilewright::kernels {

inline constexpr tile_costs fitted_tile_costs{
    .fit = "NVIDIA H200, 880 copies of seeds 31, 33 and 51",
    .src_pieces = 0.055,
    .dst_pieces = 0.07,
    .fall = 0.95,
    .apart = 30,
    .best_tile_bytes = 12288,
    .smaller = 0.02,
    .larger = 0.012,
    .cut_sectors = 0.3,
    .overhang = 0.4,
    .instruction = 0.57,
    .shared_cycle = 1.8,
    .src_line = 0.95,
    .dst_line = 4.0,
    .large_tile_bytes = 5793,
    .large_tile = 0.0155,
    .few_threads = 1024,
    .idle_threads = 0.03,
    .last_wave = 0.16,
    .shifted_reads = 0.073,
    .shifted_writes = 0.015,
};

}  // namespace tilewright::kernels
