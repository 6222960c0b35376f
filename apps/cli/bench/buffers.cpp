// Walks layouts, fills and compares.
#include "apps/cli/bench/buffers.hpp"

#include "apps/cli/command.hpp"
#include "bench/support/reference.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>

namespace tilewright::cli {
namespace {

std::int64_t size_of(composed_value const& map) {
  std::int64_t n = 1;
  for (int i = 0; i < map.layout.leaves; ++i) n *= map.layout.shape[i].number;
  return n;
}

/// Rounded down.
std::int64_t byte_of(std::int64_t element, int bits) {
  if (bits >= 8) return element * (bits / 8);
  return element >= 0 ? element / 2 : -((1 - element) / 2);
}

void copy_half(std::byte const* from, std::int64_t source, std::byte* to, std::int64_t target) {
  int const half = std::to_integer<int>(from[byte_of(source, 4)]) >> (4 * static_cast<int>(source & 1)) & 15;
  int const shift = 4 * static_cast<int>(target & 1);
  std::byte& at = to[byte_of(target, 4)];
  at = static_cast<std::byte>((std::to_integer<int>(at) & ~(15 << shift)) | half << shift);
}

/// error: usage_error when so many bytes are more than most of the machine's memory
void require_memory(double bytes) {
  constexpr double most = 0.75;
  long const pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  double const memory = static_cast<double>(pages) * static_cast<double>(page);
  if (pages <= 0 || page <= 0 || bytes <= most * memory) return;
  throw usage_error(
      fmt::format("bench needs {:.1f} GB or more for the source, the destination and what must be in it, "
                  "and takes {:.0f} % of the {:.1f} GB of this machine at most; time smaller tensors",
                  bytes * 1e-9, 100 * most, memory * 1e-9));
}

}  // namespace

void index_walk::advance() {
  for (int i = 0; i < map_->layout.leaves; ++i) {
    auto& x = at_[static_cast<std::size_t>(i)];
    std::int64_t const extent = map_->layout.shape[i].number, stride = map_->layout.stride[i].number;
    below_ += stride;
    if (++x < extent) return;
    below_ -= extent * stride;
    x = 0;
  }
}

side_span span_of(composed_value const& map, int element_bits) {
  side_span out;
  out.elements = size_of(map);
  std::int64_t first = 0, last = 0;
  index_walk walk(map);
  for (std::int64_t i = 0; i < out.elements; ++i, walk.advance()) {
    first = std::min(first, walk.offset());
    last = std::max(last, walk.offset());
  }
  out.first_byte = byte_of(first, element_bits);
  out.bytes = byte_of(last, element_bits) + std::max(1, element_bits / 8) - out.first_byte;
  return out;
}

void copy_by_index(composed_value const& src, composed_value const& dst, int element_bits, std::byte const* from,
                   std::byte* to) {
  index_walk a(src), b(dst);
  auto const bytes = static_cast<std::size_t>(element_bits / 8);
  auto const step = static_cast<std::int64_t>(bytes);
  for (std::int64_t left = size_of(src); left > 0; --left, a.advance(), b.advance()) {
    if (bytes == 0) copy_half(from, a.offset(), to, b.offset());
    else std::memcpy(to + b.offset() * step, from + a.offset() * step, bytes);
  }
}

void prepare(trial_buffers& b, composed_value const& src, composed_value const& dst, int element_bits) {
  auto const payload = static_cast<double>(size_of(src)) * element_bits / 8;
  require_memory(2 * payload);  // before anything is walked: two buffers hold at least all elements
  b.from = span_of(src, element_bits);
  b.to = span_of(dst, element_bits);
  // memcpy reads as much as the copy moves.
  std::int64_t const source = std::max(b.from.bytes, (b.from.elements * element_bits + 7) / 8);
  require_memory(static_cast<double>(source) + 2 * static_cast<double>(b.to.bytes));
  b.src.resize(static_cast<std::size_t>(source));
  b.dst.resize(static_cast<std::size_t>(b.to.bytes));
  b.want.resize(static_cast<std::size_t>(b.to.bytes));
  tilewright::bench::fill_source(b.src.bytes(), std::max(1, element_bits / 8));
  b.dst.fill(tilewright::bench::poison);
  b.want.fill(tilewright::bench::poison);
  copy_by_index(src, dst, element_bits, b.source(), b.want.data() - b.to.first_byte);
}

std::string complaint_about(std::byte const* got, trial_buffers const& b, composed_value const& dst, int element_bits) {
  std::size_t const bytes = b.want.size();
  if (std::memcmp(got, b.want.data(), bytes) == 0) return {};
  auto const differs = static_cast<std::int64_t>(std::mismatch(got, got + bytes, b.want.data()).first - got);
  index_walk walk(dst);
  for (std::int64_t i = 0; i < b.to.elements; ++i, walk.advance()) {
    std::int64_t const first = byte_of(walk.offset(), element_bits) - b.to.first_byte;
    if (differs >= first && differs < first + std::max(1, element_bits / 8))
      return fmt::format("the element of index {} is wrong after the copy, at offset {} of the destination", i,
                         walk.offset());
  }
  return fmt::format("byte {} of the destination was written, and no element is there", differs + b.to.first_byte);
}

}  // namespace tilewright::cli
