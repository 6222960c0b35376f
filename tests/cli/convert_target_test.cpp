// What `tilewright convert` is asked to make, against offsets computed by hand.
#include "scratch_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <numeric>
#include <set>

#include "apps/cli/command.hpp"
#include "apps/cli/convert/target.hpp"
#include "apps/cli/layout_argument.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"

namespace tilewright::test {
namespace {

using namespace tilewright::cli;
using shape_t = std::vector<std::int64_t>;

// --- targets ----------------------------------------------------------------------------------------------------------

/// The coordinates of an array, the last axis fastest.
std::vector<shape_t> coordinates(shape_t const& shape) {
  std::vector<shape_t> out;
  std::int64_t const count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t k = 0; k < count; ++k) {
    shape_t x(shape.size());
    std::int64_t left = k;
    for (std::size_t i = shape.size(); i-- > 0; left /= shape[i]) x[i] = left % shape[i];
    out.push_back(x);
  }
  return out;
}

std::int64_t c_order_offset(shape_t const& shape, shape_t const& x) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) offset = offset * shape[i] + x[i];
  return offset;
}

/// The offset of a coordinate of the array on the output's side.
std::int64_t offset_in(composed_value const& a, shape_t const& x) {
  int_tree crd{};
  crd.open(static_cast<int>(x.size()));
  for (std::int64_t const index : x) crd.add_leaf(constant_leaf(index));
  if (a.swizzle.bits != 0) return crd2idx(crd, a).value();
  return a.offset.number + crd2idx(crd, a.layout).value();
}

TEST(convert_target, formats_put_each_element_where_their_name_says) {
  shape_t const shape{2, 32, 3, 5};
  npy_header const in{"<f4", false, shape};
  struct row {
    char const* name;
    shape_t out_shape;
    shape_t (*place)(shape_t const&);
  };
  for (row const& r : {row{"nchw", {2, 32, 3, 5}, [](shape_t const& x) { return x; }},
                       row{"nhwc",
                           {2, 3, 5, 32},
                           [](shape_t const& x) {
                             return shape_t{x[0], x[2], x[3], x[1]};
                           }},
                       row{"acdb",
                           {2, 3, 5, 32},
                           [](shape_t const& x) {
                             return shape_t{x[0], x[2], x[3], x[1]};
                           }},
                       row{"chwn",
                           {32, 3, 5, 2},
                           [](shape_t const& x) {
                             return shape_t{x[1], x[2], x[3], x[0]};
                           }},
                       row{"nChw16c",
                           {2, 2, 3, 5, 16},
                           [](shape_t const& x) {
                             return shape_t{x[0], x[1] / 16, x[2], x[3], x[1] % 16};
                           }},
                       row{"nChw8c",
                           {2, 4, 3, 5, 8},
                           [](shape_t const& x) {
                             return shape_t{x[0], x[1] / 8, x[2], x[3], x[1] % 8};
                           }},
                       row{"NChw8c2n2c", {1, 2, 3, 5, 8, 2, 2}, [](shape_t const& x) {
                             return shape_t{x[0] / 2, x[1] / 16, x[2], x[3], x[1] / 2 % 8, x[0] % 2, x[1] % 2};
                           }}}) {
    conversion const c = convert_to_format(in, r.name);
    EXPECT_EQ(c.header.shape, r.out_shape) << r.name;
    EXPECT_FALSE(c.header.fortran_order);
    EXPECT_EQ(c.out_elements, 960);
    for (shape_t const& x : coordinates(shape)) {
      ASSERT_EQ(offset_in(c.dst, x), c_order_offset(r.out_shape, r.place(x))) << r.name;
      ASSERT_EQ(offset_in(c.src, x), c_order_offset(shape, x)) << r.name;
    }
  }
}

TEST(convert_target, weights_and_other_ranks_have_formats_too) {
  EXPECT_EQ(convert_to_format({"<f4", false, {32, 64, 3, 3}}, "OIhw16i16o").header.shape,
            (shape_t{2, 4, 3, 3, 16, 16}));
  EXPECT_EQ(convert_to_format({"<f4", false, {1, 3, 4, 5, 6}}, "ndhwc").header.shape, (shape_t{1, 4, 5, 6, 3}));
  EXPECT_EQ(convert_to_format({"<f4", false, {4, 8}}, "ba").header.shape, (shape_t{8, 4}));
  EXPECT_EQ(convert_to_format({"<f4", false, {64, 256}}, "BA32b8a4b").header.shape, (shape_t{2, 8, 32, 8, 4}));
}

TEST(convert_target, layouts_that_fill_their_span_keep_their_leaves_as_axes) {
  auto const to = [](shape_t const& shape, char const* layout) {
    return convert_to_layout({"<f4", false, shape}, parse_layout_argument(layout));
  };
  EXPECT_EQ(to({4, 8}, "(4,8):(1,4)").header.shape, (shape_t{8, 4}));
  EXPECT_EQ(to({4, 8}, "(4,8):(8,1)").header.shape, (shape_t{4, 8}));
  EXPECT_EQ(to({4, 8}, "((2,2),8):((8,16),1)").header.shape, (shape_t{2, 2, 8}));
  EXPECT_EQ(to({1, 3, 4, 5}, "(1,3,4,5):(60,1,15,3)").header.shape, (shape_t{1, 4, 5, 3}));
  EXPECT_EQ(to({4, 8}, "(4,8):(-8,1)").header.shape, (shape_t{4, 8}));
  EXPECT_EQ(to({4, 0}, "(4,0):(8,1)").out_elements, 0);
  EXPECT_EQ(to({}, "1:0").header.shape, shape_t{});
  EXPECT_EQ(to({}, "1:0").out_elements, 1);
  // Holes, and swizzles, make a flat array.
  EXPECT_EQ(to({4, 8}, "(4,8):(10,1)").header.shape, (shape_t{38}));
  EXPECT_EQ(to({8, 64}, "Sw<3,3,3> o 0 o (8,64):(64,1)").header.shape, (shape_t{512}));
}

TEST(convert_target, refusals_name_the_axis) {
  npy_header const in{"<f4", false, {4, 8}};
  EXPECT_EQ(sentence_of([&] { convert_to_layout(in, parse_layout_argument("(8,4)")); }),
            "convert: mode 0 of the layout (8,4):(1,8) has 8 elements and axis 0 of the array (4, 8) has 4");
  EXPECT_EQ(
      sentence_of([&] { convert_to_layout(in, parse_layout_argument("32:1")); }),
      "convert: the layout 32:1 has one mode and the array (4, 8) has 2 axes; give it a mode for each axis, nested "
      "where an axis is cut into blocks");
  EXPECT_EQ(sentence_of([&] { convert_to_format(in, "nchw"); }),
            "convert: the format nchw is for arrays of 4 axes and (4, 8) has 2");
  EXPECT_EQ(
      sentence_of([&] {
        convert_to_format({"<f4", false, {1, 20, 3, 3}}, "nChw16c");
      }),
      "convert: axis 1 of the array (1, 20, 3, 3) has 20 elements, which the format's blocks of 16 do not divide; pad "
      "the array first");
  EXPECT_EQ(sentence_of([&] { convert_permuted(in, {0}); }),
            "convert: --permute 0 names 1 axes and the array (4, 8) has 2");
  EXPECT_EQ(sentence_of([&] {
              convert_permuted(in, {0, 2});
            }),
            "convert: --permute 0,2: there is no axis 2; the array (4, 8) has the axes 0 to 1");
  EXPECT_EQ(sentence_of([&] { convert_permuted(in, {1, -1}); }), "convert: --permute 1,-1 names axis 1 twice");
  EXPECT_THROW(convert_to_format(in, "nn"), text_error);
  EXPECT_THROW(convert_to_format(in, "aB"), text_error);
  EXPECT_THROW(convert_to_format(in, "ab4b"), text_error);
  EXPECT_THROW(convert_to_format(in, "aB4"), text_error);
  EXPECT_THROW(convert_to_format(in, "aB0b"), text_error);
  EXPECT_THROW(convert_to_format(in, "aB4c"), text_error);
}

}  // namespace
}  // namespace tilewright::test
