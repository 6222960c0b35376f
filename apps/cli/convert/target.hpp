// What a conversion of a .npy file is asked to make: where each element of the array is in the output, and the header
// that tells NumPy so.
#pragma once

#include "tilewright/engine/npy.hpp"
#include "tilewright/layout/swizzle_value.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// Both layouts map the coordinates of the input's array, in elements from the first of each file's data.
struct conversion {
  composed_value src{};
  composed_value dst{};
  npy_header header;              // of the output
  std::int64_t out_elements = 0;  // of the output, holes included
};

/// The same array with the last axis fastest, or with the first.
conversion convert_order(npy_header const& in, bool fortran_order);

/// numpy.transpose(array, axes), the last axis of the result fastest.
/// error: usage_error unless axes names each axis once, -1 being the last
conversion convert_permuted(npy_header const& in, std::vector<long long> const& axes);

/// The element at coordinate x goes to layout(x); the lowest offset becomes the first element of the output. A layout
/// that fills its span gives an array with one axis for each of its leaves, the largest stride first; any other layout,
/// also a swizzled one, an array with one axis, in which elements that the layout skips are zero.
/// error: usage_error unless the layout's modes are as large as the array's axes, std::runtime_error for a layout
///        without plain integers
conversion convert_to_layout(npy_header const& in, composed_value const& layout);

/// Is the word one that convert_to_format reads: letters and digits that begin with a letter?
bool is_format(std::string_view word);

/// A format by its name, such as nhwc or nChw16c for an array whose axes are n, c, h, w: letters from the slowest to the
/// fastest axis; an axis whose outer letter is a capital is cut into blocks, each written behind as its size and letter.
/// Axes are called ncw, nchw, ncdhw (activations), oiw, oihw, oidhw (weights), or a, b, c … by their number.
/// error: text_error for a word that is no such name, usage_error where a block does not divide its axis
conversion convert_to_format(npy_header const& in, std::string_view name);

}  // namespace tilewright::cli
