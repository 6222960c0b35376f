// The element type of a .npy header: a type string, or a list of fields with a type each.
#pragma once

#include "tilewright/engine/npy.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tilewright::npy {

/// What a descr says, and its text with NumPy's spacing, in UTF-8.
struct parsed_descr {
  std::string text;
  npy_element element;
};

/// A type string without its quotes, such as "<f4". With `order`, the text has that byte order.
/// error: npy_error; its position is that in `descr`
parsed_descr parse_type_string(std::string_view descr, std::optional<byte_order> order = {});

/// A list of fields that begins at text[position], which is '[':
///   FIELDS: '[' FIELD, ... ']'     FIELD: '(' NAME ',' TYPE [',' SHAPE] ')'     TYPE: STRING | FIELDS
/// pre:  position < text.size()
/// post: `position` is behind the list
/// error: npy_error; its position is that in `text`
parsed_descr parse_fields(std::string_view text, std::size_t& position, bool is_latin,
                          std::optional<byte_order> order = {});

/// A type string, or a list of fields in UTF-8 when it begins with '['.
/// error: npy_error; its position is that in `descr`
parsed_descr parse_descr(std::string_view descr, std::optional<byte_order> order = {});

}  // namespace tilewright::npy
