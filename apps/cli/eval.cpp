// tilewright eval: prints the values of expressions over layouts, or the results of a whole table of operations.
#include "apps/cli/command.hpp"
#include "apps/cli/conditions.hpp"
#include "apps/cli/operations.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr char const* introduction =
    "Prints the value of each expression over layouts, one a line.\n\n"
    "Integers are constants and names are symbols, about which facts such as M%8=0 can be stated:\n"
    "  tilewright eval '(M,N):(1,M)(i,j)' 'logical_divide((M,N):(1,M), <8:1,_>)' M%8=0\n"
    "A symbolic result that holds under a condition is printed with it: \"if M%8=0\".\n\n"
    "  (4,(2,2)):(2,(1,8))        a layout; a shape alone gets compact column-major strides\n"
    "  (4,8):(1@0,1@1)            one whose offsets are coordinates\n"
    "  <8:1,_>                    a tiler, a layout for each mode; '_' keeps the mode whole\n"
    "  A(3,2), A(_,2)             an offset; a slice\n"
    "  A o B                      a composition\n"
    "  Sw<3,4,3> o 0 o (8,64)     a swizzled layout";

std::string list_of_operations() {
  std::string out;
  for (operation_group const& group : operation_groups()) {
    out += fmt::format("\n{}:\n", group.title);
    for (operation const& op : group.operations) out += fmt::format("  {:<34} {}\n", signature(op), op.purpose);
  }
  return out;
}

std::string result_text(operand const& result, symbols& names, bool mark_static) {
  text_style const style = names.style(mark_static);
  std::string const condition = conditions(style);
  return format(result, style) + (condition.empty() ? "" : "  if " + condition);
}

/// A tuple as nested arrays; a leaf that is no plain integer as its text.
json array_of(int_tree const& t, subtree w, bool strides, text_style const& style) {
  if (t.is_kept(w)) return "_";
  if (t.is_leaf(w)) {
    leaf const x = strides ? t.stride[w.leaf] : t.shape[w.leaf];
    if (x.is_static() && x.basis().empty()) return x.number;
    return format(x, style);
  }
  json out = json::array();
  subtree p = t.first_mode(w);
  for (int i = 0; i < t.rank(w); ++i, p = t.next(p)) out.push_back(array_of(t, p, strides, style));
  return out;
}

json json_of(std::string const& text, operand const& result, symbols& names) {
  text_style const style = names.style(false);
  json out{{"expression", text}, {"result", format(result, style)}, {"kind", describe(result)}};
  if (auto const* a = std::get_if<layout_operand>(&result)) {
    out["shape"] = array_of(a->layout, a->layout.root(), false, style);
    out["stride"] = array_of(a->layout, a->layout.root(), true, style);
  }
  if (leaf const* n = integer_in(result); n != nullptr && n->is_static() && n->basis().empty())
    out["value"] = n->number;
  if (bool const* b = std::get_if<bool>(&result)) out["value"] = *b;
  if (std::string const condition = conditions(style); !condition.empty()) out["if"] = condition;
  return out;
}

}  // namespace

int run_eval(words const& given) {
  CLI::App app(introduction, "tilewright eval");
  words texts;
  std::string table;
  bool mark_static = false, as_json = false;
  app.add_option("EXPR", texts, "expressions, and facts NAME%K=0 that hold in all of them")->type_name("EXPRESSION");
  auto const* tsv = app.add_option("--tsv", table,
                                   "read rows operation<TAB>arguments[<TAB>...] ('-': standard input) and write "
                                   "operation<TAB>arguments<TAB>result; arguments are separated by ' ; '")
                        ->type_name("FILE");
  app.add_flag("--mark-static", mark_static, "write constants with an underscore, _8");
  add_result_options(app, as_json);
  app.footer(list_of_operations());
  if (!parse(app, given)) return success;

  facts stated;
  words expressions;
  for (std::string const& text : texts) {
    if (facts::is_fact(text)) stated.read(text);
    else expressions.push_back(text);
  }

  if (!tsv->empty()) {
    if (!expressions.empty())
      throw usage_error(fmt::format("eval takes either --tsv or expressions, not '{}' too", expressions[0]));
    if (as_json) throw usage_error("eval takes either --tsv or --json, not both");
    return for_each_row(table, [&](std::string_view operation, std::string_view arguments) {
      if (find_operation(operation) == nullptr) {
        std::string_view const near = nearest_operation(operation);
        throw text_error(
            fmt::format("there is no operation '{}'{}", operation,
                        near.empty() ? "; there are " + operation_names() : fmt::format("; did you mean '{}'?", near)),
            operation, 0);
      }
      symbols names(stated);
      operand const result = expression_reader(arguments, names).read_call(operation);
      return result_text(result, names, mark_static);
    });
  }

  if (expressions.empty()) throw usage_error("eval needs an expression, such as '(4,8):(8,1)(3,2)'");
  int status = success;
  json results = json::array();
  for (std::string const& text : expressions) {
    try {
      symbols names(stated);
      operand const result = expression_reader(text, names).read();
      if (as_json) results.push_back(json_of(text, result, names));
      else say("{}\n", result_text(result, names, mark_static));
    } catch (output_error const&) {
      throw;
    } catch (std::exception const& e) {
      report(e);
      status = bad_input;
    }
  }
  if (as_json) say("{}\n", results.dump(2));
  return status;
}

}  // namespace tilewright::cli
