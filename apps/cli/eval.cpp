// tilewright eval: prints what expressions over layouts come to, or the results of a whole table of operations.
#include "apps/cli/command.hpp"
#include "apps/cli/conditions.hpp"
#include "apps/cli/operations.hpp"

#include <fmt/format.h>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints what expressions over layouts come to, each on a line.\n\n"
    "Integers are constants and names are symbols, about which facts such as M%8=0 can be stated:\n"
    "  tilewright eval '(M,N):(1,M)(i,j)' 'logical_divide((M,N):(1,M), <8:1,_>)' M%8=0\n"
    "What a symbolic result rests on stands behind it: \"if M%8=0\".\n\n"
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

}  // namespace

int run_eval(words const& given) {
  CLI::App app(introduction, "tilewright eval");
  words texts;
  std::string table;
  bool mark_static = false;
  app.add_option("EXPR", texts, "expressions, and facts NAME%K=0 that hold in all of them");
  auto const* tsv = app.add_option("--tsv", table,
                                   "read rows operation<TAB>arguments[<TAB>...] ('-': standard input) and write "
                                   "operation<TAB>arguments<TAB>result; arguments are separated by ' ; '");
  app.add_flag("--mark-static", mark_static, "write constants with an underscore, _8");
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
    return for_each_row(table, [&](std::string_view operation, std::string_view arguments) {
      if (find_operation(operation) == nullptr) {
        std::string_view const near = nearest_operation(operation);
        throw text_error(fmt::format("there is no operation '{}'{}", operation,
                                     near.empty() ? "; tilewright eval --help lists them"
                                                  : fmt::format("; did you mean '{}'?", near)),
                         operation, 0);
      }
      symbols names(stated);
      operand const result = expression_reader(arguments, names).read_call(operation);
      return result_text(result, names, mark_static);
    });
  }

  if (expressions.empty()) throw usage_error("eval needs an expression, such as '(4,8):(8,1)(3,2)'");
  int status = success;
  for (std::string const& text : expressions) {
    try {
      symbols names(stated);
      operand const result = expression_reader(text, names).read();
      fmt::print("{}\n", result_text(result, names, mark_static));
    } catch (std::exception const& e) {
      report(e);
      status = bad_input;
    }
  }
  return status;
}

}  // namespace tilewright::cli
