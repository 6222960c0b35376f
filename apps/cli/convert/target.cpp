// From the input's header and the user's wish to two layouts over one shape, and the output's header.
#include "apps/cli/convert/target.hpp"

#include "apps/cli/command.hpp"
#include "engine/npy/python_text.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/engine/tensor_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace tilewright::cli {
namespace {

std::string shape_of(npy_header const& header) { return npy::text_of_shape(header.shape); }

/// Extents whose product need not fit when one of them is 0.
std::int64_t elements_of(npy_header const& header) {
  auto const& shape = header.shape;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// The strides of `axes`, one mode an axis, refined to the leaves of a layout of the same shape.
/// pre: equal sizes mode by mode
layout_value refined(layout_value const& axes, layout_value const& like) {
  layout_value out = like;
  for (int i = 0; i < like.rank(); ++i) {
    subtree const u = like.mode(i);
    long long step = axes.stride[i].number;
    for (int k = u.leaf; k < u.leaf_end; ++k) {
      out.stride[k] = constant_leaf(step);
      // Up to the next axis' stride or the size, which fit unless the array is empty.
      if (!math::multiply(step, std::max(1LL, like.shape[k].number), step)) step = 0;
    }
  }
  return out;
}

/// Leaves from the slowest to the fastest; equal strides keep their order.
std::vector<int> slowest_first(layout_value const& a) {
  std::vector<int> order(static_cast<std::size_t>(a.leaves));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return math::abs(a.stride[i].number) > math::abs(a.stride[j].number); });
  return order;
}

/// Do the offsets fill their span without a gap?
bool is_dense(layout_value const& a, std::vector<int> const& order) {
  long long next = 1;
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    long long const extent = a.shape[*at].number;
    if (extent == 1) continue;
    if (math::abs(a.stride[*at].number) != next) return false;
    next *= extent;  // up to the size, which fits
  }
  return true;
}

/// error: usage_error
void check_shape(npy_header const& in, layout_value const& a) {
  std::string const wanted = shape_of(in);
  auto const rank = in.shape.empty() ? 1 : static_cast<int>(in.shape.size());
  if (a.rank() != rank)
    throw usage_error(
        fmt::format("convert: the layout {} has {} and the array {} has {}; give it a mode for each axis, "
                    "nested where an axis is cut into blocks",
                    format_layout(a), a.rank() == 1 ? "one mode" : fmt::format("{} modes", a.rank()), wanted,
                    in.shape.size() == 1 ? "one axis" : fmt::format("{} axes", in.shape.size())));
  for (int i = 0; i < rank; ++i) {
    long long const extent = in.shape.empty() ? 1 : in.shape[static_cast<std::size_t>(i)];
    result<long long> const size = tilewright::size(copy_of(a, a.mode(i)));
    if (!size) throw usage_error(fmt::format("convert: the layout {}: {}", format_layout(a), to_string(size.error())));
    if (*size != extent)
      throw usage_error(
          fmt::format("convert: mode {} of the layout {} has {} elements and axis {} of the array {} has {}", i,
                      format_layout(a), *size, i, wanted, extent));
  }
}

/// error: usage_error where the layout's numbers are no plain integers or do not fit 63 bits
long long span_of(composed_value const& a) {
  for (int i = 0; i < a.layout.leaves; ++i)
    if (a.layout.shape[i].flags != 0 || a.layout.stride[i].flags != 0)
      throw usage_error("convert: the layout has names or basis elements in it; extents and strides must be integers");
  bool const swizzled = a.swizzle.bits != 0;
  result<long long> const span = swizzled ? cosize(a) : cosize(a.layout);
  if (!span) throw usage_error(fmt::format("convert: the layout cannot be written: {}", to_string(span.error())));
  return *span;
}

}  // namespace

conversion convert_order(npy_header const& in, bool fortran_order) {
  conversion out;
  npy_header wanted = in;
  wanted.fortran_order = fortran_order;
  out.src = composed(layout_of(in));
  out.dst = composed(layout_of(wanted));
  // NumPy calls what is both C and Fortran order C order.
  auto const long_axes = std::count_if(in.shape.begin(), in.shape.end(), [](auto extent) { return extent > 1; });
  bool const is_empty = std::find(in.shape.begin(), in.shape.end(), 0) != in.shape.end();
  wanted.fortran_order = fortran_order && long_axes > 1 && !is_empty;
  out.header = wanted;
  out.out_elements = elements_of(in);
  return out;
}

conversion convert_permuted(npy_header const& in, std::vector<long long> const& axes) {
  auto const rank = static_cast<long long>(in.shape.size());
  std::string const given = fmt::format("{}", fmt::join(axes, ","));
  if (static_cast<long long>(axes.size()) != rank)
    throw usage_error(fmt::format("convert: --permute {} names {} axes and the array {} has {}", given, axes.size(),
                                  shape_of(in), rank));
  npy_header out_header = in;
  out_header.fortran_order = false;
  std::vector<long long> place(axes.size(), -1);  // of each axis of the input in the output
  for (std::size_t j = 0; j < axes.size(); ++j) {
    long long const axis = axes[j] < 0 ? axes[j] + rank : axes[j];
    if (axis < 0 || axis >= rank)
      throw usage_error(fmt::format("convert: --permute {}: there is no axis {}; the array {} has the axes 0 to {}",
                                    given, axes[j], shape_of(in), rank - 1));
    auto const i = static_cast<std::size_t>(axis);
    if (place[i] >= 0) throw usage_error(fmt::format("convert: --permute {} names axis {} twice", given, axis));
    place[i] = static_cast<long long>(j);
    out_header.shape[j] = in.shape[i];
  }
  conversion out;
  out.src = composed(layout_of(in));
  layout_value const permuted = layout_of(out_header);
  layout_value dst = layout_of(in);
  for (int i = 0; i < rank; ++i) dst.stride[i] = permuted.stride[place[static_cast<std::size_t>(i)]];
  out.dst = composed(dst);
  out.header = out_header;
  out.out_elements = elements_of(in);
  return out;
}

conversion convert_to_layout(npy_header const& in, composed_value const& layout) {
  long long const span = span_of(layout);
  check_shape(in, layout.layout);
  conversion out;
  out.src = composed(refined(layout_of(in), layout.layout));
  out.dst = layout;
  out.header = {in.descr, false, {span}};
  out.out_elements = span;
  if (layout.swizzle.bits != 0) return out;

  long long lowest = 0;
  for (int i = 0; span != 0 && i < layout.layout.leaves; ++i)
    lowest += std::min(0LL, (layout.layout.shape[i].number - 1) * layout.layout.stride[i].number);  // above -span
  out.dst.offset = constant_leaf(-lowest);
  std::vector<int> const order = slowest_first(layout.layout);
  if (span != 0 && !is_dense(layout.layout, order)) return out;
  out.header.shape.clear();
  if (!in.shape.empty())
    for (int const leaf : order) out.header.shape.push_back(layout.layout.shape[leaf].number);
  return out;
}

// --- formats by name ------------------------------------------------------------------------------------------------

namespace {

constexpr std::array named_axes{"n", "nc", "ncw", "nchw", "ncdhw", "oi", "oiw", "oihw", "oidhw", "goihw", "goidhw"};

struct format_part {
  int axis = 0;
  long long block = 0;  // 0: what the blocks leave of the axis
};

class format_reader {
 public:
  explicit format_reader(std::string_view name) : reader_(name), name_(name) {}

  /// Parts from the slowest to the fastest.
  std::vector<format_part> read() {
    std::size_t at = 0;
    while (at < name_.size() && std::isalpha(static_cast<unsigned char>(name_[at])) != 0) ++at;
    std::string letters(name_.substr(0, at));
    std::string small = letters;
    for (char& ch : small) ch = static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
    axes_ = axes_called(small);
    std::vector<format_part> parts;
    for (char const letter : small) parts.push_back({axis_of(letter, 0), 0});
    rank = static_cast<int>(parts.size());
    while (at < name_.size()) {
      reader_.move_to(at);
      long long const block = reader_.read_integer();
      if (block < 1) reader_.fail_at("expected a block of 1 or more elements", at);
      at = reader_.position();
      if (at == name_.size()) reader_.fail_at("expected the letter of the axis behind the size of its block", at);
      parts.push_back({axis_of(name_[at], at), block});
      ++at;
    }
    for (std::size_t i = 0; i < letters.size(); ++i) {
      bool const is_capital = letters[i] != small[i];
      bool const has_block =
          std::any_of(parts.begin() + rank, parts.end(), [&](format_part const& p) { return p.axis == parts[i].axis; });
      if (is_capital != has_block)
        reader_.fail_at(is_capital ? "expected a block behind for the axis with a capital letter"
                                   : "expected a capital letter for the axis that has a block",
                        i);
    }
    return parts;
  }

  int rank = 0;

 private:
  /// The letters of the axes in their order in the array.
  std::string axes_called(std::string const& small) const {
    std::string sorted = small;
    std::sort(sorted.begin(), sorted.end());
    std::string by_number;
    for (std::size_t i = 0; i < small.size(); ++i) by_number += static_cast<char>('a' + i);
    if (small.size() <= 26 && sorted == by_number) return by_number;
    for (std::string axes : named_axes) {
      std::string const order = axes;
      std::sort(axes.begin(), axes.end());
      if (axes == sorted) return order;
    }
    reader_.fail_at("expected each axis once: a layout such as (4,8):(8,1), or the name of a format over the axes " +
                        fmt::format("{}, or a, b, c", fmt::join(named_axes, ", ")),
                    0);
  }
  int axis_of(char letter, std::size_t at) const {
    std::size_t const axis = axes_.find(letter);
    if (axis == std::string::npos) reader_.fail_at("expected one of the letters " + axes_, at);
    return static_cast<int>(axis);
  }

  layout_reader reader_;
  std::string_view name_;
  std::string axes_;
};

}  // namespace

bool is_format(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0 &&
         std::all_of(word.begin(), word.end(), [](unsigned char ch) { return std::isalnum(ch) != 0; });
}

conversion convert_to_format(npy_header const& in, std::string_view name) {
  format_reader reader(name);
  std::vector<format_part> parts = reader.read();
  auto const rank = static_cast<int>(in.shape.size());
  if (reader.rank != rank)
    throw usage_error(fmt::format("convert: the format {} is for arrays of {} axes and {} has {}", name, reader.rank,
                                  shape_of(in), rank));
  if (parts.size() > static_cast<std::size_t>(int_tree::leaf_capacity))
    throw usage_error(fmt::format("convert: the format {} has more than {} parts", name, int_tree::leaf_capacity));
  for (int axis = 0; axis < rank; ++axis) {
    long long const extent = in.shape[static_cast<std::size_t>(axis)];
    long long blocks = 1;
    bool fits = true;
    for (format_part const& p : parts)
      if (p.axis == axis && p.block != 0) fits = fits && math::multiply(blocks, p.block, blocks);
    if (!fits || extent % blocks != 0)
      throw usage_error(
          fmt::format("convert: axis {} of the array {} has {} elements, which the format's blocks{} do not "
                      "divide; pad the array first",
                      axis, shape_of(in), extent, fits ? fmt::format(" of {}", blocks) : ""));
    for (format_part& p : parts)
      if (p.axis == axis && p.block == 0) p.block = extent / blocks;
  }

  // Strides from the fastest part outwards; an axis' mode has its fastest part first.
  std::vector<long long> strides(parts.size());
  long long stride = 1;
  for (std::size_t i = parts.size(); i-- > 0;) {
    strides[i] = stride;
    if (!math::multiply(stride, std::max(1LL, parts[i].block), stride)) stride = 0;  // of an array without elements
  }
  layout_value dst{};
  dst.open(rank);
  for (int axis = 0; axis < rank; ++axis) {
    auto const leaves = std::count_if(parts.begin(), parts.end(), [&](format_part const& p) { return p.axis == axis; });
    if (leaves > 1) dst.open(static_cast<int>(leaves));
    for (std::size_t i = parts.size(); i-- > 0;)
      if (parts[i].axis == axis) dst.add_leaf(constant_leaf(parts[i].block), constant_leaf(strides[i]));
  }
  conversion out;
  out.src = composed(refined(layout_of(in), dst));
  out.dst = composed(dst);
  out.header = {in.descr, false, {}};
  for (format_part const& p : parts) out.header.shape.push_back(p.block);
  out.out_elements = elements_of(in);
  return out;
}

}  // namespace tilewright::cli
