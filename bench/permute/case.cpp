#include "case.hpp"

#include "tilewright/layout/text.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tilewright::bench {
namespace {

layout_value layout_from(std::string const& text) {
  layout_reader reader(text);
  layout_value const layout = reader.read_layout();
  reader.expect_end();
  return layout;
}

bool have_one_profile(layout_value const& a, layout_value const& b) {
  if (a.nodes != b.nodes || a.leaves != b.leaves) return false;
  for (int i = 0; i < a.nodes; ++i)
    if (a.profile[i] != b.profile[i]) return false;
  for (int i = 0; i < a.leaves; ++i)
    if (!(a.shape[i] == b.shape[i])) return false;
  return true;
}

struct bounds {
  std::int64_t lowest = 0, highest = 0;
};

bounds bounds_of(modes const& all, std::int64_t mode::*stride) {
  bounds out;
  for (mode const& m : all) {
    std::int64_t const last = (m.extent - 1) * m.*stride;
    (last < 0 ? out.lowest : out.highest) += last;
  }
  return out;
}

/// Reads where a side starts and how many elements its buffer has; by default it is as long as it must be.
void read_buffer(nlohmann::json const& row, std::string const& side, bounds const& b, std::int64_t& offset,
                 std::int64_t& elements) {
  offset = row.value(side + "_offset", -b.lowest);
  elements = row.value(side + "_elements", offset + b.highest + 1);
  if (offset + b.lowest < 0 || offset + b.highest >= elements)
    throw std::runtime_error(fmt::format("{} touches elements {} to {} of a buffer of {}",
                                         side == "src" ? "the source" : "the destination", offset + b.lowest,
                                         offset + b.highest, elements));
}

permute_case read_case(nlohmann::json const& row) {
  permute_case one;
  row.at("suite").get_to(one.suite);
  row.at("case").get_to(one.name);
  row.at("src").get_to(one.src_text);
  row.at("dst").get_to(one.dst_text);
  std::string const element = row.at("element");
  auto const type = element_type_named(element);
  if (!type || bits_of(*type) % 8 != 0)
    throw std::runtime_error(fmt::format("{} is no element type of whole bytes", element));
  one.element = *type;
  one.src = layout_from(one.src_text);
  one.dst = layout_from(one.dst_text);
  if (!have_one_profile(one.src, one.dst))
    throw std::runtime_error(fmt::format("the layouts {} and {} differ in shape", one.src_text, one.dst_text));
  modes const all = modes_of(one);
  for (mode const& m : all)
    if (m.extent < 1 || m.dst == 0)
      throw std::runtime_error(
          fmt::format("the layouts {} and {} have an extent below 1 or the stride 0 in the destination", one.src_text,
                      one.dst_text));
  read_buffer(row, "src", bounds_of(all, &mode::src), one.src_offset, one.src_elements);
  read_buffer(row, "dst", bounds_of(all, &mode::dst), one.dst_offset, one.dst_elements);
  one.roof_bytes = row.value("roof_bytes", std::int64_t{0});
  if (auto const format = row.find("format"); format != row.end())
    one.format = {.dims = format->at("dims"), .src = format->at("src"), .dst = format->at("dst")};
  return one;
}

}  // namespace

std::vector<permute_case> read_cases(std::string const& json) {
  std::vector<permute_case> found;
  try {
    for (nlohmann::json const& row : nlohmann::json::parse(json)) try {
        found.push_back(read_case(row));
      } catch (std::exception const& e) {
        throw std::runtime_error(fmt::format("case {}: {}.", found.size() + 1, e.what()));
      }
  } catch (nlohmann::json::exception const& e) {
    throw std::runtime_error(fmt::format("the cases are no JSON array of objects: {}.", e.what()));
  }
  return found;
}

modes modes_of(permute_case const& one) {
  modes all;
  for (int i = 0; i < one.src.leaves; ++i)
    all.push_back({one.src.shape[i].number, one.src.stride[i].number, one.dst.stride[i].number});
  // A layout gives extents of 1 the stride 0; any other stride means the same.
  for (mode& m : all)
    if (m.extent == 1) m.src = m.dst = 1;
  return all;
}

std::int64_t src_span(modes const& all) { return bounds_of(all, &mode::src).highest + 1; }
std::int64_t dst_span(modes const& all) { return bounds_of(all, &mode::dst).highest + 1; }

bool has_positive_strides(modes const& all) {
  return std::all_of(all.begin(), all.end(), [](mode const& m) { return m.src > 0 && m.dst > 0; });
}

modes joined(modes all) {
  std::erase_if(all, [](mode const& m) { return m.extent == 1; });
  std::sort(all.begin(), all.end(), [](mode const& a, mode const& b) { return a.src < b.src; });
  modes out;
  for (mode const& m : all) {
    bool const follows =
        !out.empty() && m.src == out.back().src * out.back().extent && m.dst == out.back().dst * out.back().extent;
    if (follows) out.back().extent *= m.extent;
    else out.push_back(m);
  }
  return out;
}

bool is_dense(modes const& all) {
  return has_positive_strides(all) && src_span(all) == elements_of(all) && dst_span(all) == elements_of(all);
}

}  // namespace tilewright::bench
