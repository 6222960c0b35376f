// Reads and evaluates expressions by recursive descent; every value is computed where its text is read, so that an error
// of the algebra can point at the operation.
#include "apps/cli/expression.hpp"

#include "apps/cli/operations.hpp"

#include <cctype>
#include <string>

namespace tilewright::cli {

/// Counts how deep expressions are nested, so that hostile text cannot exhaust the stack.
class expression_reader::nesting {
 public:
  explicit nesting(expression_reader& reader) : depth_(reader.depth_) {
    if (depth_ == max_nesting) reader.fail("expected less nesting");
    ++depth_;
  }
  nesting(nesting const&) = delete;
  nesting& operator=(nesting const&) = delete;
  ~nesting() { --depth_; }

 private:
  int& depth_;
};

operand expression_reader::read() {
  operand out = expression();
  expect_end();
  return out;
}

operand expression_reader::read_call(std::string_view name) {
  operation const* op = find_operation(name);
  std::vector<argument> given = arguments('\0');
  if (static_cast<int>(given.size()) < op->least() || static_cast<int>(given.size()) > op->most())
    throw text_error("expected the arguments of " + signature(*op) + ", found " + std::to_string(given.size()), text(),
                     0);
  operand out = call(*op, std::move(given), *this, names_.pool()).result();
  check_pool(0);
  return out;
}

// --- expressions ----------------------------------------------------------------------------------------------------

operand expression_reader::expression() {
  nesting const guard(*this);
  std::size_t const start = here();
  std::vector<argument> parts;
  do {
    std::size_t const at = here();
    parts.push_back({operand_or_layout(), at});
    if (parts.size() > 64) fail_at("expected at most 64 layouts in a composition", at);
  } while (accept_composition());
  operand out = parts.size() == 1 ? parts[0].value : chain(std::move(parts), start);
  while (peek() == '(') out = apply(out, start);
  return out;
}

operand expression_reader::operand_or_layout() {
  std::size_t const start = here();
  operand first = scaled_sum();
  if (peek() != ':') return first;
  auto const* shape = std::get_if<tuple_operand>(&first);
  if (shape == nullptr) fail("expected a shape in front of ':'");
  if (shape->layout_at != nowhere) fail_at("expected an extent", shape->layout_at);
  if (shape->kept_at != nowhere) fail_at("expected a layout without '_'", shape->kept_at);
  layout_operand out{layout_value(shape->tree)};
  for (int i = 0; i < out.layout.leaves; ++i) {
    leaf const extent = out.layout.shape[i];
    std::size_t const at = shape->negative_at != nowhere ? shape->negative_at : start;
    if (extent.is_static() && extent.number < 0) fail_at("expected an extent of 0 or more", at);
    if (!extent.basis().empty()) fail_at("expected an extent without a basis element", start);
  }
  accept(':');
  int node = 0, next_leaf = 0;
  strides(out.layout, node, next_leaf);
  return out;
}

/// A shape's strides, guided by its profile; basis strides keep their element.
void expression_reader::strides(layout_value& out, int& node, int& next_leaf) {
  std::size_t const start = here();
  if (out.profile[node] >= 0) {
    if (at_identifier()) return strides_of_call(out, node, next_leaf);
    node_kind const modes = out.profile[node++];
    expect('(', "since the shape is a tuple here");
    for (int i = 0; i < modes; ++i) {
      if (i > 0) expect(',', "since the shape has more modes here");
      strides(out, node, next_leaf);
    }
    return expect(')', "since the shape's tuple ends here");
  }
  ++node;
  operand const step = scaled_sum();
  auto const* t = std::get_if<tuple_operand>(&step);
  if (t == nullptr || !t->tree.is_leaf(t->tree.root()))
    fail_at("expected an integer since the shape has a leaf here", start);
  out.stride[next_leaf++] = t->tree.shape[0];
}

/// Strides that an operation computes, such as stride(A).
void expression_reader::strides_of_call(layout_value& out, int& node, int& next_leaf) {
  std::size_t const start = here();
  operand const steps = primary();
  auto const* t = std::get_if<tuple_operand>(&steps);
  subtree const u = out.at(node, next_leaf);
  if (t == nullptr || t->kept_at != nowhere || t->layout_at != nowhere ||
      !same_profile(t->tree, t->tree.root(), out, u))
    fail_at("expected strides that are nested like the shape", start);
  for (int i = 0; i < t->tree.leaves; ++i) out.stride[next_leaf++] = t->tree.shape[i];
  node = u.node_end;
}

/// 1@1@0 is E<0,1>: the last index is the outermost mode.
basis_path expression_reader::basis() {
  long long indices[basis_path::max_depth]{};
  int depth = 0;
  while (accept('@')) {
    here();
    std::size_t const at = position();
    long long const index = read_integer();
    if (depth == basis_path::max_depth || index < 0 || index > basis_path::max_index)
      fail_at("expected at most 4 levels of basis indices from 0 to 62", at);
    indices[depth++] = index;
  }
  basis_path path{};
  for (int i = depth - 1; i >= 0; --i) path = path.then(static_cast<int>(indices[i]));
  return path;
}

operand expression_reader::scaled_sum() {
  std::size_t const start = here();
  operand out = sum();
  if (peek() != '@') return out;
  leaf const number = integer_of(out, start);
  basis_path const path = basis();
  return integer_operand(number.is(0) ? number : with_basis(number, path));
}

// --- integers -------------------------------------------------------------------------------------------------------

operand expression_reader::sum() {
  std::size_t const start = here();
  operand left = product();
  for (char op = peek(); op == '+' || op == '-'; op = peek()) {
    std::size_t const sign_at = here();
    leaf const a = integer_of(left, start);
    accept(op);
    std::size_t const at = here();
    leaf const b = integer_of(product(), at);
    left = integer_operand(op == '+' ? names_.pool().add(a, b) : names_.pool().sub(a, b));
    check_pool(sign_at);
  }
  return left;
}

operand expression_reader::product() {
  std::size_t const start = here();
  operand left = negation();
  for (char op = peek(); op == '*' || op == '/' || op == '%'; op = peek()) {
    std::size_t const sign_at = here();
    leaf const a = integer_of(left, start);
    accept(op);
    std::size_t const at = here();
    leaf const b = integer_of(negation(), at);
    arithmetic& c = names_.pool();
    left = integer_operand(op == '*' ? c.mul(a, b) : op == '/' ? c.div(a, b) : c.mod(a, b));
    check_pool(sign_at);
  }
  return left;
}

operand expression_reader::negation() {
  if (peek() != '-') return primary();
  std::size_t const at = here();
  bool const literal = at + 1 < text().size() && std::isdigit(static_cast<unsigned char>(text()[at + 1])) != 0;
  if (literal) return integer();
  nesting const guard(*this);
  accept('-');
  std::size_t const number_at = here();
  tuple_operand out{leaf_tree(names_.pool().sub(constant_leaf(0), integer_of(negation(), number_at)))};
  check_pool(at);
  return out;
}

operand expression_reader::integer() {
  std::size_t const at = here();
  long long const number = read_integer();
  tuple_operand out{leaf_tree(constant_leaf(number))};
  if (number < 0) out.negative_at = at;
  return out;
}

/// An underscore in front of an integer marks it as static and says nothing more; alone it keeps a mode.
operand expression_reader::kept() {
  std::size_t const at = here();
  accept('_');
  bool const marks = position() < text().size() &&
                     (std::isdigit(static_cast<unsigned char>(text()[position()])) != 0 || text()[position()] == '-');
  if (marks) return integer();
  tuple_operand out{};
  out.tree.add_kept();
  out.kept_at = at;
  return out;
}

operand expression_reader::primary() {
  if (at_swizzle()) return read_swizzle();
  if (at_identifier()) return symbol_or_call();
  switch (peek()) {
    case '(': {
      accept('(');
      return list(')', "to close a tuple");
    }
    case '<': {
      accept('<');
      return list('>', "to close a tiler");
    }
    case '_': return kept();
    default: break;
  }
  if (std::isdigit(static_cast<unsigned char>(peek())) == 0) fail("expected an integer, a name, '_' or '('");
  return integer();
}

/// The entries up to `close` as a tuple. A layout alone in parentheses stays what it is.
operand expression_reader::list(char close, char const* where) {
  tuple_operand out{};
  int const root = out.tree.open();
  int entries = 0;
  if (!accept(close)) {
    do {
      std::size_t const at = here();
      operand entry = expression();
      if (++entries > 64) fail_at("expected at most 64 modes", at);
      auto const note = [](std::size_t& place, std::size_t found) { place = place == nowhere ? found : place; };
      if (auto const* t = std::get_if<tuple_operand>(&entry)) {
        out.tree.add(t->tree);
        note(out.negative_at, t->negative_at);
        note(out.kept_at, t->kept_at);
        note(out.layout_at, t->layout_at);
      } else if (auto const* a = std::get_if<layout_operand>(&entry); a != nullptr) {
        if (close == ')' && entries == 1 && accept(')')) return entry;
        out.tree.add_layout_marker();
        out.tree.add(a->layout);
        note(out.layout_at, at);
      } else {
        if (close == ')' && entries == 1 && accept(')')) return entry;
        fail_at("expected integers, '_' and layouts in a tuple", at);
      }
      if (out.tree.overflowed()) fail_at("expected at most 64 leaves and 128 nodes", at);
    } while (accept(','));
    expect(close, where);
  }
  out.tree.set_children(root, entries);
  return out;
}

// --- operations -----------------------------------------------------------------------------------------------------

operand expression_reader::symbol_or_call() {
  std::size_t const start = here();
  std::string_view const name = read_identifier();
  if (peek() != '(') {
    leaf const symbol = names_.leaf_of(name);
    check_pool(start);
    return integer_operand(symbol);
  }
  operation const* op = find_operation(name);
  if (op == nullptr) {
    std::string_view const near = nearest_operation(name);
    throw text_error(
        "there is no operation '" + std::string(name) + "'" +
            (near.empty() ? "; there are " + operation_names() : "; did you mean '" + std::string(near) + "'?"),
        text(), start);
  }
  accept('(');
  std::vector<argument> given = arguments(')');
  if (static_cast<int>(given.size()) < op->least() || static_cast<int>(given.size()) > op->most()) {
    throw text_error("expected the arguments of " + signature(*op) + ", found " + std::to_string(given.size()), text(),
                     start);
  }
  operand out = call(*op, std::move(given), *this, names_.pool()).result();
  check_pool(start);
  if (auto* t = std::get_if<tuple_operand>(&out)) {  // the caret for what the tuple holds points at the operation
    if (t->kept_at != nowhere) t->kept_at = start;
    if (t->layout_at != nowhere) t->layout_at = start;
  }
  return out;
}

/// Up to and with `close`; up to the end of the text, and separated by ';' too, when that is '\0'.
std::vector<argument> expression_reader::arguments(char close) {
  std::vector<argument> out;
  if (close != '\0' && accept(close)) return out;
  do {
    std::size_t const at = here();
    if (out.size() == 64) fail("expected at most 64 arguments");
    out.push_back({expression(), at});
  } while (accept(',') || (close == '\0' && accept(';')));
  if (close == '\0') expect_end();
  else expect(close, "to close the arguments");
  return out;
}

/// A o B o C, from the right; swizzle o offset o layout is one swizzled layout.
operand expression_reader::chain(std::vector<argument> parts, std::size_t start) {
  operation const& composition = *find_operation("composition");
  while (parts.size() > 1) {
    argument inner = parts.back();
    parts.pop_back();
    leaf const* offset = integer_in(parts.back().value);
    bool const is_swizzled =
        offset != nullptr && parts.size() > 1 && std::holds_alternative<swizzle_value>(parts[parts.size() - 2].value);
    if (is_swizzled) {
      if (std::holds_alternative<tuple_operand>(inner.value))  // a shape, for its compact layout
        inner.value = call(*find_operation("compact_left"), {inner}, *this, names_.pool()).result();
      if (!std::holds_alternative<layout_operand>(inner.value)) fail_at("expected a layout", inner.at);
      leaf const shift = *offset;
      parts.pop_back();
      parts.back().value = cli::swizzled(names_.pool(), std::get<swizzle_value>(parts.back().value), shift,
                                         std::get<layout_operand>(inner.value).layout);
    } else {
      std::size_t const at = parts.back().at;
      std::vector<argument> both;
      both.push_back(parts.back());
      both.push_back(inner);
      parts.back() = {call(composition, std::move(both), *this, names_.pool()).result(), at};
    }
    check_pool(start);
  }
  return parts[0].value;
}

/// A(coordinate): the offset, or the layout of the modes at `_`.
operand expression_reader::apply(operand const& to, std::size_t at) {
  bool const is_function = std::holds_alternative<layout_operand>(to) || std::holds_alternative<composed_value>(to);
  if (!is_function) fail("expected a layout in front of its coordinate");
  std::size_t const open = here();
  accept('(');
  operand coordinate = list(')', "to close a coordinate");
  auto const* t = std::get_if<tuple_operand>(&coordinate);
  if (t == nullptr || t->layout_at != nowhere || t->tree.rank() == 0) fail_at("expected a coordinate", open);
  tuple_operand x = *t;
  if (x.tree.rank() == 1) x.tree = copy_of(x.tree, x.tree.mode(0));
  std::vector<argument> both;
  both.push_back({x, open});
  both.push_back({to, at});
  operation const& op = *find_operation(x.kept_at != nowhere ? "slice" : "crd2idx");
  operand out = call(op, std::move(both), *this, names_.pool()).result();
  if (names_.pool().error.code == errc::coordinate_out_of_range) {
    std::string const layout(text().substr(at, open - at)), written(text().substr(open, position() - open));
    throw text_error(sentence_of(errc::coordinate_out_of_range, "", short_text("coordinate ", written.c_str()),
                                 short_text("layout ", layout.c_str()))
                         .c_str(),
                     text(), open);
  }
  check_pool(open);
  return out;
}

// --- small things ---------------------------------------------------------------------------------------------------

std::size_t expression_reader::here() {
  peek();
  return position();
}

/// The o between layouts is a word of its own.
bool expression_reader::accept_composition() {
  if (peek() != 'o') return false;
  std::size_t const after = position() + 1;
  bool const word =
      after < text().size() && (std::isalnum(static_cast<unsigned char>(text()[after])) != 0 || text()[after] == '_');
  return !word && accept('o');
}

leaf expression_reader::integer_of(operand const& x, std::size_t at) {
  leaf const* number = integer_in(x);
  if (number == nullptr) fail_at("expected an integer", at);
  return *number;
}

void expression_reader::check_pool(std::size_t at) {
  if (names_.pool().failed()) throw text_error(to_string(names_.pool().error), text(), at);
}

}  // namespace tilewright::cli
