// Reads type strings and lists of fields. They come from untrusted files: sizes are checked, nesting is bounded.
#include "engine/npy/descr.hpp"

#include "engine/npy/python_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tilewright::npy {
namespace {

constexpr int max_nesting = 32;  // of lists of fields in one another

struct kind_row {
  char kind;
  int bytes;
  element_type type;
};
using enum element_type;
constexpr std::array kind_rows{
    kind_row{'b', 1, boolean}, kind_row{'i', 1, i8},    kind_row{'i', 2, i16},   kind_row{'i', 4, i32},
    kind_row{'i', 8, i64},     kind_row{'u', 1, u8},    kind_row{'u', 2, u16},   kind_row{'u', 4, u32},
    kind_row{'u', 8, u64},     kind_row{'f', 2, f16},   kind_row{'f', 4, f32},   kind_row{'f', 8, f64},
    kind_row{'f', 16, b128},                                                      // an extended double in 16 bytes
    kind_row{'c', 8, c64},     kind_row{'c', 16, c128}, kind_row{'c', 32, b128},  // two of these
    kind_row{'M', 8, b64},     kind_row{'m', 8, b64},                             // dates and spans of time
};

[[noreturn]] void refuse_descr(std::string_view descr, std::size_t at, std::string const& why) {
  throw npy_error("the element type '" + std::string(descr) + "' " + why, at);
}

/// "[ns]" or "[25s]", as dates have it.
bool is_unit(std::string_view text) {
  return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
         std::all_of(text.begin() + 1, text.end() - 1,
                     [](unsigned char ch) { return std::isalnum(ch) != 0 || ch == '/'; });
}

/// The widest bits that divide an element.
element_type unit_of(std::int64_t bytes) {
  if (bytes == 0) return b8;
  if (bytes % 16 == 0) return b128;
  if (bytes % 8 == 0) return b64;
  if (bytes % 4 == 0) return b32;
  return bytes % 2 == 0 ? b16 : b8;
}

/// A type string taken apart.
struct type_text {
  char order = '\0';  // '\0': none
  char kind = '\0';
  long long size = 0;
  std::string rest;  // kind, size and unit
};

type_text take_apart(std::string_view descr) {
  type_text out;
  std::size_t at = 0;
  if (at < descr.size() && std::string_view("<>|=").find(descr[at]) != std::string_view::npos) out.order = descr[at++];
  out.rest = descr.substr(at);
  if (out.rest == "?") {
    out.kind = 'b', out.size = 1;
    return out;
  }
  if (at == descr.size()) refuse_descr(descr, at, "lacks its kind; '<f4' is a float of 4 bytes");
  out.kind = descr[at++];
  if (out.kind == 'O')
    refuse_descr(descr, at - 1, "means Python objects, which are not stored as bytes; save numbers or strings instead");
  std::size_t const digits_at = at;
  while (at < descr.size() && std::isdigit(static_cast<unsigned char>(descr[at])) != 0)
    if (!math::multiply(out.size, 10, out.size) || !math::add(out.size, descr[at++] - '0', out.size))
      refuse_descr(descr, digits_at, "has a size beyond 63 bits");
  if (at == digits_at) refuse_descr(descr, at, "lacks its size; '<f4' is a float of 4 bytes");
  std::string_view const rest = descr.substr(at);
  bool const is_date = out.kind == 'M' || out.kind == 'm';
  if (!rest.empty() && !(is_date && is_unit(rest))) refuse_descr(descr, at, "has characters after its size");
  return out;
}

npy_element element_of(std::string_view descr, type_text const& type) {
  npy_element out;
  byte_order const order = type.order == '>' ? byte_order::big : byte_order::little;
  out.bytes = type.size;
  if (type.kind == 'S' || type.kind == 'a' || type.kind == 'V') {
    out.unit = unit_of(out.bytes);
    return out;
  }
  if (type.kind == 'U') {
    long long bytes = 0;
    if (!math::multiply(type.size, 4, bytes)) refuse_descr(descr, descr.size(), "has a size beyond 63 bits");
    out.bytes = bytes;
    out.unit = unit_of(bytes);
    if (type.size > 0) out.numbers.push_back({0, 4, type.size, order, {}});
    return out;
  }
  for (kind_row const& row : kind_rows) {
    if (row.kind != type.kind || row.bytes != type.size) continue;
    out.unit = row.type;
    std::int64_t const count = type.kind == 'c' ? 2 : 1;
    if (out.bytes / count > 1) out.numbers.push_back({0, out.bytes / count, count, order, {}});
    return out;
  }
  refuse_descr(descr, descr.find(type.kind),
               "is unknown; read are bool (b1), integers (i1 to i8, u1 to u8), floats (f2 to f16), complex numbers "
               "(c8 to c32), dates (M8, m8), strings (S, U) and bytes (V)");
}

class fields_reader {
 public:
  fields_reader(std::string_view text, std::size_t position, bool is_latin, std::optional<byte_order> order)
      : in_(text, position, is_latin),
        order_(order) {}

  parsed_descr read() { return read_fields(0); }
  std::size_t position() const { return in_.position(); }

 private:
  parsed_descr read_fields(int depth) {
    if (depth == max_nesting) in_.refuse("structured elements are nested deeper than 32 levels");
    parsed_descr out;
    out.element = {b8, 0, {}};
    in_.expect('[', "to begin the list of fields");
    out.text = "[";
    std::set<std::string> names;
    while (!in_.accept(']')) {
      if (out.text.size() > 1) out.text += ", ";
      add_field(out, names, depth);
      if (in_.peek() != ']') in_.expect(',', "or ']' after a field");
    }
    out.text += "]";
    out.element.unit = unit_of(out.element.bytes);
    return out;
  }

  void add_field(parsed_descr& out, std::set<std::string>& names, int depth) {
    in_.expect('(', "to begin a field");
    std::size_t const name_at = in_.position();
    std::string const name = read_name();
    if (name != "''" && !names.insert(name).second) in_.refuse_at("two fields have the name " + name, name_at);
    in_.expect(',', "after the name of a field");
    in_.skip_blanks();
    std::size_t const type_at = in_.position();
    parsed_descr type = in_.peek() == '[' ? read_fields(depth + 1) : read_type();
    std::string shape;
    long long count = 1;
    if (in_.accept(',') && in_.peek() != ')') {
      shape = read_shape(count);
      in_.accept(',');
    }
    in_.expect(')', "after a field");
    long long bytes = 0, end = 0;
    if (!math::multiply(type.element.bytes, count, bytes) || !math::add(out.element.bytes, bytes, end))
      in_.refuse_at("the size of a structured element is beyond 63 bits", type_at);
    add_numbers(out.element, type.element, count);
    out.element.bytes = end;
    out.text += "(" + name + ", " + type.text + (shape.empty() ? "" : ", " + shape) + ")";
  }

  /// 'name', or ('title', 'name').
  std::string read_name() {
    if (!in_.accept('(')) return in_.read_string_token("the name of a field").token;
    std::string out = "(" + in_.read_string_token("the title of a field").token;
    in_.expect(',', "after the title of a field");
    out += ", " + in_.read_string_token("the name of a field").token + ")";
    in_.accept(',');
    in_.expect(')', "after the name of a field");
    return out;
  }

  parsed_descr read_type() {
    python_text::string_token const found = in_.read_string_token("the type of a field");
    if (!found.is_plain)
      in_.refuse_at("expected a type string of printable ASCII characters, found " + found.token, found.begin);
    try {
      parsed_descr out = parse_type_string(found.content, order_);
      out.text = "'" + out.text + "'";
      return out;
    } catch (npy_error const& e) {
      in_.refuse_at(e.what(), found.begin + e.position());
    }
  }

  /// The text of the tuple, and how many elements it has.
  std::string read_shape(long long& count) {
    std::size_t const at = in_.position();
    std::vector<std::int64_t> shape;
    if (in_.peek() == '(') shape = in_.read_tuple();
    else shape.push_back(in_.read_integer("a shape"));
    for (std::int64_t const extent : shape)
      if (!math::multiply(count, extent, count)) in_.refuse_at("the shape of a field is beyond 63 bits", at);
    return text_of_shape(shape);
  }

  static void add_numbers(npy_element& to, npy_element const& of_field, long long count) {
    if (of_field.numbers.empty() || count == 0) return;
    if (count == 1) {
      for (npy_numbers n : of_field.numbers) n.begin += to.bytes, to.numbers.push_back(std::move(n));
      return;
    }
    npy_numbers const& first = of_field.numbers.front();
    bool const is_plain =
        of_field.numbers.size() == 1 && first.inner.empty() && first.bytes * first.count == of_field.bytes;
    if (is_plain) to.numbers.push_back({to.bytes, first.bytes, first.count * count, first.order, {}});
    else to.numbers.push_back({to.bytes, of_field.bytes, count, first.order, of_field.numbers});
  }

  python_text in_;
  std::optional<byte_order> order_;
};

}  // namespace

parsed_descr parse_type_string(std::string_view descr, std::optional<byte_order> order) {
  type_text const type = take_apart(descr);
  parsed_descr out{std::string(descr), element_of(descr, type)};
  if (!order || out.element.numbers.empty()) return out;
  out.text = (*order == byte_order::big ? ">" : "<") + type.rest;
  out.element.numbers.front().order = *order;
  return out;
}

parsed_descr parse_fields(std::string_view text, std::size_t& position, bool is_latin,
                          std::optional<byte_order> order) {
  fields_reader reader(text, position, is_latin, order);
  parsed_descr out = reader.read();
  position = reader.position();
  return out;
}

parsed_descr parse_descr(std::string_view descr, std::optional<byte_order> order) {
  if (descr.empty() || descr.front() != '[') return parse_type_string(descr, order);
  std::size_t position = 0;
  parsed_descr out = parse_fields(descr, position, false, order);
  if (position != descr.size()) throw npy_error("the list of fields is followed by other text", position);
  return out;
}

}  // namespace tilewright::npy

namespace tilewright {

npy_element element_of_descr(std::string_view descr) { return npy::parse_descr(descr).element; }

std::string descr_in_byte_order(std::string_view descr, byte_order order) {
  return npy::parse_descr(descr, order).text;
}

}  // namespace tilewright
