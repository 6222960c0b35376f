// Reads options, each with its own sentence when it makes no sense.
#include "apps/cli/convert/settings.hpp"

#include "apps/cli/command.hpp"
#include "apps/cli/convert/blocks.hpp"
#include "apps/cli/layout_argument.hpp"
#include "engine/exec/parallel_ranges.hpp"
#include "engine/npy/python_text.hpp"

#include <fmt/ranges.h>
#include <algorithm>

namespace tilewright::cli {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;
/// Buffers of an array that the system caches: an eighth of the memory that may be used, within these bounds. The rows of a
/// block are short where the buffers are small: (8192,8192) of 2 bytes, transposed, takes 49,000 reads and writes with 64 MiB,
/// and twice the time of the 1,000 that 256 MiB need.
constexpr std::int64_t few_buffers = 64 * mebi, many_buffers = 1024 * mebi;
constexpr std::int64_t min_buffers = 4 * mebi;
/// What the process takes besides its buffers once it runs: code, stacks, and tables of the engine.
constexpr std::int64_t process_growth = 10 * mebi, thread_growth = mebi / 2;

/// "2,0,1"
/// error: text_error
std::vector<long long> parse_axes(std::string_view text, npy_header const& in) {
  std::size_t const rank = in.shape.size();
  if (text.empty() && rank == 0) return {};
  if (text.find_first_not_of(" \t") == std::string_view::npos) {
    std::vector<std::size_t> axes(rank);
    for (std::size_t i = 0; i < rank; ++i) axes[i] = rank - 1 - i;
    throw usage_error(fmt::format(
        "convert: --permute is empty; it takes the {} of the array {} in their new order, such as {}",
        rank == 1 ? "one axis" : fmt::format("{} axes", rank), npy::text_of_shape(in.shape), fmt::join(axes, ",")));
  }
  layout_reader reader(text);
  std::vector<long long> axes;
  do axes.push_back(reader.read_integer());
  while (reader.accept(','));
  reader.expect_end();
  return axes;
}

/// "512M": bytes, with K, M, G or T for powers of 1024.
/// error: text_error, usage_error
std::int64_t parse_bytes(std::string_view text) {
  layout_reader reader(text);
  long long bytes = reader.read_integer();
  constexpr std::string_view units = "KMGT";
  std::size_t const unit = reader.at_end() ? std::string_view::npos : units.find(reader.peek());
  if (unit != std::string_view::npos) {
    reader.move_to(reader.position() + 1);
    long long const factor = 1LL << (10 * (unit + 1));
    if (!math::multiply(bytes, factor, bytes)) reader.fail_at("expected at most 2^63 bytes", 0);
  }
  reader.expect_end();
  if (bytes < 0) throw usage_error(fmt::format("convert: --memory is a number of bytes, such as 512M, not {}", text));
  return bytes;
}

device parse_device(std::string const& text) {
  if (text == "cpu") return cpu;
  if (text == "cuda") return cuda();
  if (text.rfind("cuda:", 0) == 0) {
    long long const ordinal = parse_integer(std::string_view(text).substr(5));
    if (ordinal >= 0 && ordinal <= int32_max) return cuda(static_cast<int>(ordinal));
  }
  throw usage_error(fmt::format("convert: --device is cpu, cuda or cuda:NUMBER, not '{}'", text));
}

int parse_threads(std::string const& text) {
  constexpr long long max_threads = 4096;
  long long const threads = parse_integer(text);
  if (threads < 0 || threads > max_threads)
    throw usage_error(fmt::format("convert: --threads is 1 to {}, or 0 for all, not {}", max_threads, threads));
  return static_cast<int>(threads);
}

byte_order parse_byte_order(std::string const& text) {
  constexpr bool native_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  if (text == "little" || (text == "native" && !native_is_big)) return byte_order::little;
  if (text == "big" || text == "native") return byte_order::big;
  throw usage_error(fmt::format("convert: --byte-order is little, big or native, not '{}'", text));
}

}  // namespace

convert_settings read_settings(convert_request const& r) {
  convert_settings out;
  out.where = parse_device(r.device);
  out.threads = parse_threads(r.threads);
  if (r.byte_order) out.order = parse_byte_order(*r.byte_order);
  if (r.version) {
    long long const version = parse_integer(*r.version);
    if (version < 1 || version > 3)
      throw usage_error(fmt::format("convert: --npy-version is 1, 2 or 3, not {}", version));
    out.version = static_cast<int>(version);
  }
  if (r.memory) out.memory = parse_bytes(*r.memory);
  return out;
}

conversion read_conversion(convert_request const& r, npy_array const& in) {
  conversion out;
  if (r.permute) {
    out = convert_permuted(in.header, parse_axes(*r.permute, in.header));
  } else if (r.to) {
    out = is_format(*r.to) ? convert_to_format(in.header, *r.to)
                           : convert_to_layout(in.header, parse_layout_argument(*r.to));
  } else if (!r.order || *r.order == "C" || *r.order == "F") {
    out = convert_order(in.header, r.order && *r.order == "F");
  } else {
    throw usage_error(
        fmt::format("convert: --order is C, the last axis fastest, or F, the first axis fastest, not '{}'", *r.order));
  }
  if (r.byte_order) out.header.descr = descr_in_byte_order(out.header.descr, parse_byte_order(*r.byte_order));
  return out;
}

std::int64_t buffer_limit(convert_request const& r, convert_settings const& s, std::int64_t data_bytes) {
  if (!s.memory) {
    std::int64_t const usable = usable_memory();
    std::int64_t const wanted =
        data_bytes <= usable ? std::min(usable, std::clamp(usable / 8, few_buffers, many_buffers)) : usable;
    return std::max(wanted, min_buffers);
  }
  std::int64_t const threads = s.threads > 0 ? s.threads : exec::hardware_threads();
  std::int64_t const process = resident_memory() + process_growth + threads * thread_growth;
  if (*s.memory < process + min_buffers)
    throw usage_error(fmt::format("convert: --memory {} is too small; the smallest that works here is {}M", *r.memory,
                                  (process + min_buffers + mebi - 1) / mebi));
  return *s.memory - process;
}

}  // namespace tilewright::cli
