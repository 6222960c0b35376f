// What a copy must give, worked out in the plainest way, and the plain loop.
#pragma once

#include "bench/support/loops.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilewright::bench {

/// Fills with numbers that tell the elements apart: pseudo-random bits, of which every 16, 32 or 64 are a normal
/// floating-point number of the types bf16, f16, f32 and f64, so that no peer may change them on the way.
void fill_source(std::span<std::byte> bytes, int element_bytes);

/// What the destination holds before a copy; what is between its elements must still hold it afterwards.
inline constexpr std::byte poison{0xA5};

/// The element at each coordinate of the source to the same coordinate of the destination, one after another in the
/// order of the source.
void copy_by_coordinate(modes const& all, int element_bytes, std::byte const* src, std::byte* dst);

/// The naive loop: nested loops in the order of the destination. Compiled with -O2.
/// pre: element_bytes is 1, 2, 4, 8 or 16
void copy_naively(modes const& all, int element_bytes, std::byte const* src, std::byte* dst);

}  // namespace tilewright::bench
