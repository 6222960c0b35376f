// Layouts of the C interface: read from text, made from extents and strides, asked for their measures.
#include "engine/c_api/handles.hpp"

#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"

#include <memory>

namespace tilewright::c_api {
namespace {

/// LAYOUT, Sw<B,M,S> o LAYOUT, or Sw<B,M,S> o OFFSET o LAYOUT.
/// error: text_error
composed_value parse(std::string_view text) {
  layout_reader reader(text);
  composed_value out = composed({});
  if (reader.at_swizzle()) {
    out.swizzle = reader.read_swizzle();
    auto const expect_o = [&] { reader.expect('o', "to compose the swizzle with a layout"); };
    expect_o();
    std::size_t const begin = (reader.peek(), reader.position());
    bool has_offset = false;
    if (reader.peek() != '(' && reader.peek() != '_') {  // an integer is an offset when another 'o' follows
      out.offset = constant_leaf(reader.read_integer());
      has_offset = reader.accept('o');
      if (!has_offset) reader.move_to(begin);
    }
    if (!has_offset) out.offset = constant_leaf(0);
  }
  out.layout = reader.read_layout();
  reader.expect_end();
  return out;
}

layout_value strided(std::int32_t rank, std::int64_t const* shape, std::int64_t const* strides) {
  if (rank < 0 || rank > int_tree::leaf_capacity)
    throw copy_error(copy_errc::bad_layout,
                     fmt::format("tw_layout_strided: a rank of {}; it is 0 to {}", rank, int_tree::leaf_capacity));
  if (rank == 0) return layout_value(leaf_tree(constant_leaf(1)));
  (void)required(shape, "tw_layout_strided", "shape");
  layout_value out{};
  out.open(rank);
  for (std::int32_t i = 0; i < rank; ++i) {
    if (shape[i] < 0)
      throw copy_error(copy_errc::bad_layout,
                       fmt::format("tw_layout_strided: the extent {} of axis {} is negative", shape[i], i));
    out.add_leaf(constant_leaf(shape[i]), constant_leaf(strides != nullptr ? strides[i] : 0));
  }
  if (strides != nullptr) return out;
  result<layout_value> const compact = compact_right(shape_of(out));
  if (!compact) throw copy_error(copy_errc::bad_layout, "tw_layout_strided: " + to_string(compact.error()));
  return *compact;
}

template <class F>
tw_error create(tw_layout** out, char const* function, F const& make) noexcept {
  return guarded([&] {
    tw_layout*& to = required(out, function, "out");
    to = nullptr;
    to = std::make_unique<tw_layout>(checked_layout(make())).release();
  });
}

}  // namespace

tw_layout checked_layout(composed_value const& value) {
  bool const swizzled = value.swizzle.bits != 0;
  tw_layout out{value, swizzled ? format_composed(value) : format_layout(value.layout)};
  for (int i = 0; i < value.layout.leaves; ++i)
    if (!value.layout.stride[i].basis().empty())
      throw copy_error(copy_errc::bad_layout,
                       fmt::format("the layout {} has coordinates for offsets; strides are plain integers", out.text));
  result<long long> const size = tilewright::size(value.layout);
  result<long long> const cosize = swizzled ? tilewright::cosize(value) : tilewright::cosize(value.layout);
  for (auto const* r : {&size, &cosize})
    if (!*r) throw copy_error(copy_errc::bad_layout, fmt::format("the layout {}: {}", out.text, to_string(r->error())));
  out.size = *size;
  out.cosize = *cosize;
  return out;
}

}  // namespace tilewright::c_api

using namespace tilewright::c_api;

extern "C" {

tw_error tw_layout_parse(char const* text, tw_layout** out) {
  return create(out, "tw_layout_parse", [&] { return parse(&required(text, "tw_layout_parse", "text")); });
}

tw_error tw_layout_strided(int32_t rank, int64_t const* shape, int64_t const* strides, tw_layout** out) {
  return create(out, "tw_layout_strided", [&] { return tilewright::composed(strided(rank, shape, strides)); });
}

char const* tw_layout_text(tw_layout const* layout) {
  char const* text = nullptr;
  (void)guarded([&] { text = required(layout, "tw_layout_text", "layout").text.c_str(); });
  return text;
}

tw_error tw_layout_size(tw_layout const* layout, int64_t* out) {
  return guarded([&] { required(out, "tw_layout_size", "out") = required(layout, "tw_layout_size", "layout").size; });
}

tw_error tw_layout_cosize(tw_layout const* layout, int64_t* out) {
  return guarded(
      [&] { required(out, "tw_layout_cosize", "out") = required(layout, "tw_layout_cosize", "layout").cosize; });
}

tw_error tw_layout_offset(tw_layout const* layout, int64_t index, int64_t* out) {
  return guarded([&] {
    tw_layout const& a = required(layout, "tw_layout_offset", "layout");
    std::int64_t& to = required(out, "tw_layout_offset", "out");
    if (index < 0 || index >= a.size)
      throw tilewright::copy_error(
          tilewright::copy_errc::bad_option,
          fmt::format("tw_layout_offset: the index {} is outside of [0, {}), the indices of {}", index, a.size,
                      a.text));
    // An index below the size, so that no product exceeds the cosize, which fits.
    to = a.value.swizzle(a.value.offset.number + a.value.layout(index));
  });
}

void tw_layout_destroy(tw_layout* layout) { delete layout; }

}  // extern "C"
