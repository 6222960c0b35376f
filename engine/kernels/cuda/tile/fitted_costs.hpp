// What tiles cost, in shares of a plain copy's time, fitted with bench/fit_tiles (docs/adr/0026); those of fetched rows to 36
// copies on an H100 (docs/adr/0022), their tiles' bytes to 72 on an H200 and an H100; what is pressed and pipelined to 250 on an H200 (docs/adr/0031).
#pragma once

#include "engine/kernels/cuda/tile/tile_costs.hpp"

namespace tilewright::kernels {

inline constexpr tile_costs fitted_tile_costs{
    .fit = "NVIDIA H100, 297 copies of seeds 61, 62, 71 to 73 and of others' slowest",
    .src_pieces = 0.1,
    .dst_pieces = 0.2,
    .fall = 0.95,
    .apart = 12,
    .best_tile_bytes = 12288,
    .smaller = 0.01,
    .larger = 0.015,
    .src_cut = 0.05,
    .dst_cut = 1.2,
    .overhang = 3,
    .instruction = 0.5,
    .shared_cycle = 1.2,
    .line = 5,
    .enough_warps = 40,
    .few_warps = 0.12,
    .large_tile_bytes = 5793,
    .large_tile = 0.01,
    .pressed = 1,
    .pipelined_bytes = 0.32,
    .pipelined = 0.06,
    .pipelined_words = 0.2,
    .one_pipeline = 0.15,
    .fetched_row_bytes = 1024,
    .fetched_tile_bytes = 1300,
    .fetched_larger = 0.2,
    .fetched_cut = 0.3,
};

}  // namespace tilewright::kernels
