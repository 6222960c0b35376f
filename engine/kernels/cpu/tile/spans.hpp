// The spans of a tile, between the tensors and images in the nearest cache.
#pragma once

#include "engine/kernels/cpu/tile/fetch_cursor.hpp"

namespace tilewright::cpu_engine {

/// Copies `count` spans of `bytes` bytes at src + offsets[i] to image + i * pitch; nothing beyond a span is read.
void read_spans(byte* image, std::int64_t pitch, byte const* src, std::int64_t const* offsets, std::int64_t count,
                std::int64_t bytes);

/// Copies `count` spans of `bytes` bytes at image + i * pitch to dst + offsets[i]; nothing else is
/// written. With `streaming`, whole lines go past the caches.
void write_spans(byte* dst, std::int64_t const* offsets, std::int64_t count, std::int64_t bytes, byte const* image,
                 std::int64_t pitch, bool streaming, fetch_list const& next);

/// The bytes in front of each span of an image from which write_carried_spans() writes.
inline constexpr std::int64_t carried_bytes = 64;

/// Writes spans of an image, `pitch` bytes apart with carried_bytes in front of each, of which each continues one that was
/// written before, past the caches and as whole lines. `comes`: what was kept of the line in which a span starts is in
/// front of it. `goes_on`: what is left of the line in which it ends is kept there for the next call.
/// pre: bytes >= 64 if goes_on && !comes
void write_carried_spans(byte* dst, std::int64_t const* offsets, std::int64_t count, std::int64_t bytes, byte* image,
                         std::int64_t pitch, bool comes, bool goes_on);

}  // namespace tilewright::cpu_engine
