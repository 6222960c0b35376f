// tilewright tiled-copy: what a tiled copy derives from its three declarations, and one thread's share of a tensor.
#include "apps/cli/command.hpp"
#include "tilewright/tiled/tiled_copy_value.hpp"

#include <array>
#include <fmt/format.h>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints what a tiled copy derives from its declarations: what one thread carries at a time (the atom), where the\n"
    "threads stand, and how many values each carries; and one thread's share of a tensor.\n\n"
    "  tilewright tiled-copy --atom-bits 128 --element-bits 32 --thr '(4,8):(1,4)' --val '(1,1)' \\\n"
    "                        --tensor '(128,128):(1,128)' --thread 5\n\n"
    "The value layout counts values when its size is a multiple of the atom's values; otherwise it counts atoms.";

struct question {
  tiled_copy_value copy{};
  layout_value tensor{};
  long long thread = 0;
};

/// Six texts in the order of the options.
/// error: text_error, layout_error
question read_question(std::array<std::string, 6> const& texts) {
  bits const atom{parse_integer(texts[0])}, element{parse_integer(texts[1])};
  layout_value const thr = parse_layout(texts[2]), val = parse_layout(texts[3]);
  return {make_tiled_copy(atom, element, thr, val).value(), parse_layout(texts[4]), parse_integer(texts[5])};
}

std::array<std::string, 6> split(std::string_view arguments) {
  std::array<std::string, 6> out;
  for (std::size_t i = 0, from = 0; i < out.size(); ++i) {
    std::size_t const end = arguments.find(" ; ", from);
    bool const last = i + 1 == out.size();
    if ((end == std::string_view::npos) != last) {
      throw text_error("expected 'atom bits ; element bits ; thr ; val ; tensor ; thread'", arguments,
                       last ? end : arguments.size());
    }
    out[i] = arguments.substr(from, end - from);
    from = end + 3;
  }
  return out;
}

std::string row_of(question const& q, text_style const& style) {
  sliced_value const share = partition(q.copy, q.thread, q.tensor).value();
  return fmt::format("{} ; {} ; {} ; {}", format_tuple(q.copy.tiler, style), format_layout(q.copy.tv, style),
                     format_layout(share.layout, style), share.offset);
}

void print(question const& q, text_style const& style) {
  layout_value const view = partition_view(q.copy, q.tensor).value();
  sliced_value const share = partition(q.copy, q.thread, q.tensor).value();
  auto const line = [](std::string_view name, auto const& value) { fmt::print("{:<17}{}\n", name, value); };
  line("atom", fmt::format("{} values at a time", q.copy.atom.count));
  line("threads", q.copy.threads());
  line("values", fmt::format("{} of each thread in a tile", q.copy.values().count));
  line("Tiler_MN", format_tuple(q.copy.tiler, style));
  line("TiledLayout_TV", format_layout(q.copy.tv, style));
  line("whole view", format_layout(view, style));
  line("", "(thread, value, rest)");
  fmt::print("thread {}:\n", q.thread);
  line("  partition_S", format_layout(share.layout, style));
  line("  first offset", fmt::format("{} elements", share.offset));
}

}  // namespace

int run_tiled_copy(words const& given) {
  CLI::App app(introduction, "tilewright tiled-copy");
  std::array<std::string, 6> texts;
  texts.back() = "0";
  std::string table;
  bool mark_static = false;
  std::array<CLI::Option const*, 6> const options{
      app.add_option("--atom-bits", texts[0], "bits that one thread moves at a time"),
      app.add_option("--element-bits", texts[1], "bits of an element"),
      app.add_option("--thr", texts[2], "thread layout, (m,n) -> thread"),
      app.add_option("--val", texts[3], "value layout, (m,n) -> value"),
      app.add_option("--tensor", texts[4], "layout of the tensor"),
      app.add_option("--thread", texts[5], "whose share to print; 0 if left out")};
  auto const* tsv = app.add_option("--tsv", table,
                                   "read rows tiled_copy<TAB>atom bits ; element bits ; thr ; val ; tensor ; thread "
                                   "('-': standard input) and write them with Tiler_MN ; TiledLayout_TV ; "
                                   "partition_S ; first offset");
  app.add_flag("--mark-static", mark_static, "write constants with an underscore, _8");
  if (!parse(app, given)) return success;
  text_style const style{mark_static};

  if (!tsv->empty()) {
    for (CLI::Option const* option : options) {
      if (!option->empty())
        throw usage_error(fmt::format("tilewright tiled-copy takes either --tsv or {}, not both", option->get_name()));
    }
    return for_each_row(table, [&](std::string_view operation, std::string_view arguments) {
      if (operation != "tiled_copy") throw text_error("expected the operation tiled_copy", operation, 0);
      return row_of(read_question(split(arguments)), style);
    });
  }
  for (std::size_t i = 0; i < options.size() - 1; ++i) {
    if (options[i]->empty())
      throw usage_error(fmt::format("tilewright tiled-copy needs {}, the {}", options[i]->get_name(),
                                    options[i]->get_description()));
  }
  print(read_question(texts), style);
  return success;
}

}  // namespace tilewright::cli
