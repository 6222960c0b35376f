// Reading layouts as the field writes them: ((4,2),8):((1,16),4), static integers perhaps marked `_4`, basis strides 1@0,
// kept modes `_`, tilers <4:1,8:1>, swizzles Sw<3,4,3>. What is no layout is reported with what was expected, where, and
// a caret. Host only.
#pragma once

#include "tilewright/base/config.hpp"

#include <cctype>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/error_text.hpp"
#include "tilewright/layout/swizzle_value.hpp"

namespace tilewright {

/// Text that is no layout: one sentence, and the place.
class text_error : public std::runtime_error {
 public:
  text_error(std::string const& sentence, std::string_view text, std::size_t position)
      : std::runtime_error(sentence),
        text_(text),
        position_(position) {}

  std::size_t position() const { return position_; }
  /// The text with a caret below the place, two lines.
  std::string caret() const { return text_ + "\n" + std::string(position_, ' ') + "^"; }

 private:
  std::string text_;
  std::size_t position_;
};

/// Makes a leaf of an identifier; without one, identifiers are errors.
using symbol_reader = std::function<leaf(std::string_view)>;

/// A recursive-descent reader over one text; also the base of the command line's expression language.
class layout_reader {
 public:
  /// Deeper nesting than this is refused, so that hostile text cannot exhaust the stack.
  static constexpr int max_nesting = 32;

  explicit layout_reader(std::string_view text, symbol_reader symbols = {})
      : text_(text),
        symbols_(std::move(symbols)) {}

  std::size_t position() const { return position_; }
  bool at_end() {
    skip_space();
    return position_ == text_.size();
  }
  char peek() {
    skip_space();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool accept(char expected) {
    if (peek() != expected) return false;
    ++position_;
    return true;
  }
  void expect(char expected, char const* where) {
    if (!accept(expected)) fail(std::string("expected '") + expected + "' " + where);
  }
  [[noreturn]] void fail(std::string const& what) const { fail_at(what, position_); }
  [[noreturn]] void fail_at(std::string const& what, std::size_t position) const {
    std::string found = ", found the end";
    if (position < text_.size()) {
      char const at = text_[position];
      bool const printable = std::isprint(static_cast<unsigned char>(at)) != 0;
      found = printable ? std::string(", found '") + at + "'"
                        : ", found byte " + std::to_string(static_cast<unsigned char>(at));
    }
    raise_exception(text_error(what + found + " at position " + std::to_string(position + 1), text_, position));
  }
  void expect_end() {
    if (!at_end()) fail("expected the end of the text");
  }

  /// (a,(b,c)), an integer, or `_`; negative integers too.
  int_tree read_tuple() {
    int_tree out{};
    read_shape(out, 0, int64_min);
    return guard(out);
  }

  /// SHAPE:STRIDE; a shape alone gets compact column-major strides.
  layout_value read_layout() {
    int_tree out{};
    read_shape(out, 0);
    guard(out);
    if (has_kept(out)) fail("expected a layout without '_'");
    if (!accept(':')) {
      arithmetic c{};
      out = algebra::compact_left(c, out);
      if (c.failed()) fail(to_string(c.error));
      return layout_value(out);
    }
    int node = 0, next_leaf = 0;
    read_stride(out, node, next_leaf);
    return layout_value(out);
  }

  /// <entry,…> or (entry,…) with layouts, integers, `_` or further tuples as entries; or one layout.
  int_tree read_tiler() {
    int_tree out{};
    read_tiler_entry(out, 0);
    return guard(out);
  }

  /// Sw<B,M,S>
  swizzle_value read_swizzle() {
    std::size_t const start = (skip_space(), position_);
    if (text_.substr(position_, 2) == "Sw") position_ += 2;
    else expect('S', "to begin a swizzle Sw<B,M,S>");
    expect('<', "after Sw");
    long long const b = read_integer();
    expect(',', "between the numbers of a swizzle");
    long long const m = read_integer();
    expect(',', "between the numbers of a swizzle");
    long long const s = read_integer();
    expect('>', "to end a swizzle");
    bool const small = b >= 0 && b < 63 && m >= 0 && m < 63 && s > -63 && s < 63;
    swizzle_value const out{static_cast<int>(b), static_cast<int>(m), static_cast<int>(s)};
    if (!small || !out.valid())
      fail_at("expected a swizzle Sw<B,M,S> with B, M >= 0, |S| >= B and few enough bits", start);
    return out;
  }

  bool at_swizzle() {
    skip_space();
    return text_.substr(position_, 3) == "Sw<" || text_.substr(position_, 2) == "S<";
  }
  bool at_identifier() { return std::isalpha(static_cast<unsigned char>(peek())) != 0; }
  std::string_view read_identifier() {
    skip_space();
    std::size_t const start = position_;
    while (position_ < text_.size() && is_word(text_[position_])) ++position_;
    if (position_ == start) fail("expected a name");
    return text_.substr(start, position_ - start);
  }

  long long read_integer() {
    skip_space();
    std::size_t const start = position_;
    bool const negative = position_ < text_.size() && text_[position_] == '-';
    if (negative) ++position_;
    if (position_ == text_.size() || !is_digit(text_[position_])) fail("expected an integer");
    long long value = 0;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      int const digit = text_[position_] - '0';
      if (!math::multiply(value, 10, value) || !math::add(value, digit, value))
        fail_at("expected an integer of at most 64 bits", start);
    }
    return negative ? -value : value;
  }

  void move_to(std::size_t position) { position_ = position; }
  std::string_view text() const { return text_; }

 private:
  static bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }
  static bool is_word(char ch) { return std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '_'; }
  void skip_space() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_]))) ++position_;
  }

  int_tree const& guard(int_tree const& t) const {
    if (t.overflowed()) fail("expected at most 64 leaves and 128 nodes");
    return t;
  }
  static bool has_kept(int_tree const& t) {
    for (int i = 0; i < t.nodes; ++i)
      if (t.profile[i] == kept_node) return true;
    return false;
  }

  leaf read_leaf(bool may_be_basis) {
    leaf out{};
    if (at_identifier()) {
      std::size_t const start = position_;
      if (!symbols_) fail_at("expected an integer; names are not known here", start);
      out = symbols_(read_identifier());
    } else {
      out = constant_leaf(read_integer());
    }
    if (!may_be_basis || peek() != '@') return out;
    // 1@1@0 is E<0,1>: the last index is the outermost mode.
    int indices[basis_path::max_depth]{};
    int depth = 0;
    while (accept('@')) {
      long long const index = read_integer();
      if (depth == basis_path::max_depth || index < 0 || index > basis_path::max_index)
        fail("expected at most 4 levels of basis indices from 0 to 62");
      indices[depth++] = static_cast<int>(index);
    }
    basis_path path{};
    for (int i = depth - 1; i >= 0; --i) path = path.then(indices[i]);
    return out.is(0) ? out : with_basis(out, path);
  }

  // An underscore before a digit marks a static integer and is ignored; alone it keeps a mode.
  bool accept_kept() {
    if (peek() != '_') return false;
    ++position_;
    return !(position_ < text_.size() && (is_digit(text_[position_]) || text_[position_] == '-'));
  }

  void read_shape(int_tree& out, int depth, long long least = 0) {
    if (depth > max_nesting) fail("expected less nesting");
    if (accept('(')) {
      int const node = out.open();
      int children = 0;
      if (!accept(')')) {
        do {
          if (out.overflowed()) guard(out);
          read_shape(out, depth + 1, least);
          ++children;
        } while (accept(','));
        expect(')', "to close a tuple");
      }
      if (children > 64) fail("expected at most 64 modes");
      if (node < int_tree::node_capacity) out.set_children(node, children);
      return;
    }
    if (accept_kept()) {
      out.add_kept();
      return;
    }
    std::size_t const start = position_;
    leaf const extent = read_leaf(false);
    if (extent.is_static() && extent.number < least) fail_at("expected an extent of 0 or more", start);
    out.add_leaf(extent);
  }

  void read_stride(int_tree& out, int& node, int& next_leaf) {
    node_kind const kind = out.profile[node++];
    if (kind >= 0) {
      expect('(', "since the shape is a tuple here");
      for (int i = 0; i < kind; ++i) {
        if (i > 0) expect(',', "since the shape has more modes here");
        read_stride(out, node, next_leaf);
      }
      expect(')', "since the shape's tuple ends here");
      return;
    }
    if (peek() == '(') fail("expected an integer since the shape has a leaf here");
    if (accept_kept()) fail("expected a stride");
    out.stride[next_leaf++] = read_leaf(true);
  }

  /// At '(': is this the shape of a layout, so that a ':' follows its ')', or a tuple of tilers?
  bool layout_is_next() const {
    std::size_t at = position_;
    int open = 0;
    for (; at < text_.size(); ++at) {
      if (text_[at] == '(') ++open;
      if (text_[at] == ')' && --open == 0) break;
    }
    for (++at; at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0;) ++at;
    return at < text_.size() && text_[at] == ':';
  }

  void read_tiler_entry(int_tree& out, int depth) {
    if (depth > max_nesting) fail("expected less nesting");
    if (peek() == '<') return read_tiler_list(out, depth, '<', '>');
    std::size_t const start = position_;
    if (peek() == '(') {
      if (!layout_is_next()) return read_tiler_list(out, depth, '(', ')');
    } else if (accept_kept()) {
      out.add_kept();
      return;
    } else {
      position_ = start;
      int_tree probe{};
      read_shape(probe, depth);
      if (peek() != ':') {
        out.add_leaf(probe.shape[0], constant_leaf(1));
        return;
      }
      position_ = start;
    }
    out.add_layout_marker();
    out.add(read_layout());
  }

  void read_tiler_list(int_tree& out, int depth, char open, char close) {
    expect(open, "to begin a tiler");
    int const node = out.open();
    int children = 0;
    do {
      if (out.overflowed()) guard(out);
      read_tiler_entry(out, depth + 1);
      ++children;
    } while (accept(','));
    expect(close, "to close a tiler");
    if (children > 64) fail("expected at most 64 modes");
    if (node < int_tree::node_capacity) out.set_children(node, children);
  }

  std::string_view text_;
  symbol_reader symbols_;
  std::size_t position_ = 0;
};

/// error: text_error with the place
inline layout_value parse_layout(std::string_view text) {
  layout_reader reader(text);
  layout_value const out = reader.read_layout();
  reader.expect_end();
  return out;
}
/// Integers in a nesting: a shape, strides, or a coordinate (with `_`), by where they are passed.
inline tuple_value parse_tuple(std::string_view text) {
  layout_reader reader(text);
  tuple_value const out = reader.read_tuple();
  reader.expect_end();
  return out;
}
inline tiler_value parse_tiler(std::string_view text) {
  layout_reader reader(text);
  tiler_value const out{reader.read_tiler()};
  reader.expect_end();
  return out;
}

}  // namespace tilewright
