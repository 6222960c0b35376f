// tilewright tiled-copy: what a tiled copy derives from its three declarations, and one thread's share of a tensor.
#include "apps/cli/command.hpp"
#include "tilewright/tiled/tiled_copy_value.hpp"

#include <fmt/format.h>
#include <array>

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

constexpr std::array names{"--atom-bits", "--element-bits", "--thr", "--val", "--tensor", "--thread"};
using six_texts = std::array<std::string, names.size()>;

/// Six texts in the order of the options.
/// error: text_error, which names the option; layout_error
question read_question(six_texts const& texts) {
  auto const read = [&](std::size_t i, auto const& parse) {
    try {
      return parse(texts[i]);
    } catch (text_error const& e) {
      throw text_error(fmt::format("{}: {}", names[i], e.what()), texts[i], e.position());
    }
  };
  bits const atom{read(0, parse_integer)}, element{read(1, parse_integer)};
  layout_value const thr = read(2, parse_layout), val = read(3, parse_layout), tensor = read(4, parse_layout);
  return {make_tiled_copy(atom, element, thr, val).value(), tensor, read(5, parse_integer)};
}

six_texts split(std::string_view arguments) {
  six_texts out;
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
  six_texts texts;
  texts.back() = "0";
  std::string table;
  bool mark_static = false;
  constexpr std::array purposes{
      "bits that one thread moves at a time", "bits of an element",   "thread layout, (m,n) -> thread",
      "value layout, (m,n) -> value",         "layout of the tensor", "thread whose share to print; 0 if left out"};
  std::array<CLI::Option const*, names.size()> options{};
  for (std::size_t i = 0; i < options.size(); ++i) options[i] = app.add_option(names[i], texts[i], purposes[i]);
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
        throw usage_error(fmt::format("tiled-copy takes either --tsv or {}, not both", option->get_name()));
    }
    return for_each_row(table, [&](std::string_view operation, std::string_view arguments) {
      if (operation != "tiled_copy") throw text_error("expected the operation tiled_copy", operation, 0);
      return row_of(read_question(split(arguments)), style);
    });
  }
  for (std::size_t i = 0; i < options.size() - 1; ++i) {
    if (options[i]->empty())
      throw usage_error(
          fmt::format("tiled-copy needs {}, the {}", options[i]->get_name(), options[i]->get_description()));
  }
  print(read_question(texts), style);
  return success;
}

}  // namespace tilewright::cli
