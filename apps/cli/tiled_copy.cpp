// tilewright tiled-copy: what a tiled copy derives from its three declarations, and one thread's share of a tensor.
#include "apps/cli/command.hpp"
#include "apps/cli/copy_options.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "tilewright/analysis/explain.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

#include <fmt/format.h>
#include <array>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints what a tiled copy derives from its declarations: what one thread moves at a time (the atom), the thread\n"
    "layout and the value layout; and one thread's share of a tensor.\n\n"
    "  tilewright tiled-copy --atom-bits 128 --element f32 --thr '(4,8):(1,4)' --val '(1,1)' \\\n"
    "                        --tensor '(128,128):(1,128)' --thread 5\n"
    "  tilewright tiled-copy --atom SM75_U32x4_LDSM_N --element f16 --thr '(8,4):(4,1)' --val '(4,2):(2,1)' \\\n"
    "                        --tensor '(32,64):(64,1)'\n\n"
    "The value layout counts values when its size is a multiple of the atom's values; otherwise it counts atoms.";

struct question {
  tiled_copy_value copy{};
  layout_value tensor{};
  long long thread = 0;
};

question read_question(copy_texts const& texts, std::string const& thread) {
  tiling::declaration const d = read_declaration("tiled-copy", texts);
  layout_value const tensor = read_plain_layout_option("--tensor", texts.tensor);
  return {tiled_copy_of(d), tensor, read_integer_option("--thread", thread)};
}

/// A row's arguments, in the order of the options.
/// error: text_error
question read_row(std::string_view arguments) {
  std::array<std::string, 6> part;
  for (std::size_t i = 0, from = 0; i < part.size(); ++i) {
    std::size_t const end = arguments.find(" ; ", from);
    bool const last = i + 1 == part.size();
    if ((end == std::string_view::npos) != last) {
      throw text_error("expected 'atom bits ; element bits ; thr ; val ; tensor ; thread'", arguments,
                       last ? end : arguments.size());
    }
    part[i] = arguments.substr(from, end - from);
    from = end + 3;
  }
  return read_question({part[0], part[1], part[2], part[3], part[4]}, part[5]);
}

std::string row_of(question const& q, text_style const& style) {
  sliced_value const share = partition(q.copy, q.thread, q.tensor).value();
  return fmt::format("{} ; {} ; {} ; {}", format_tuple(q.copy.tiler, style), format_layout(q.copy.tv, style),
                     format_layout(share.layout, style), share.offset);
}

void print(question const& q, text_style const& style) {
  layout_value const view = partition_view(q.copy, q.tensor).value();
  sliced_value const share = partition(q.copy, q.thread, q.tensor).value();
  auto const line = [](std::string_view name, auto const& value) { say("{:<17}{}\n", name, value); };
  std::string const atom = analysis::detail::counted(q.copy.atom.count, "value");
  bool const alone = q.copy.atom_threads() == 1;
  line("atom", alone ? atom + " at a time" : fmt::format("{} threads x {}", q.copy.atom_threads(), atom));
  line("threads", q.copy.threads());
  line("values", fmt::format("{} of each thread in a tile", q.copy.values()));
  line("Tiler_MN", format_tuple(q.copy.tiler, style));
  line("TiledLayout_TV", format_layout(q.copy.tv, style));
  line("whole view", format_layout(view, style));
  line("", alone ? "(thread, value, rest)" : "(thread, value, rest) of the source");
  say("thread {}:\n", q.thread);
  line("  partition_S", format_layout(share.layout, style));
  line("  first offset", analysis::detail::counted(share.offset, "element"));
  if (alone) return;
  sliced_value const written = partition(q.copy, q.thread, q.tensor, q.copy.maps.destination).value();
  line("  partition_D", format_layout(written.layout, style));
  line("  first offset", analysis::detail::counted(written.offset, "element"));
}

void print_json(question const& q) {
  layout_value const view = partition_view(q.copy, q.tensor).value();
  sliced_value const share = partition(q.copy, q.thread, q.tensor).value();
  nlohmann::ordered_json out;
  out["atom_values"] = q.copy.atom.count;
  out["threads"] = q.copy.threads();
  out["values"] = q.copy.values();
  out["tiler"] = format_tuple(q.copy.tiler);
  out["tv"] = format_layout(q.copy.tv);
  out["whole_view"] = format_layout(view);
  out["thread"] = q.thread;
  out["partition"] = format_layout(share.layout);
  out["first_offset"] = share.offset;
  if (q.copy.atom_threads() > 1) {
    sliced_value const written = partition(q.copy, q.thread, q.tensor, q.copy.maps.destination).value();
    out["atom_threads"] = q.copy.atom_threads();
    out["partition_destination"] = format_layout(written.layout);
    out["first_offset_destination"] = written.offset;
  }
  say("{}\n", out.dump(2));
}

}  // namespace

int run_tiled_copy(words const& given) {
  CLI::App app(introduction, "tilewright tiled-copy");
  copy_texts texts;
  std::string table, thread = "0";
  bool mark_static = false, json = false;
  add_copy_options(app, texts);
  app.add_option("--thread", thread, "thread whose share to print; 0 if left out")->type_name("NUMBER");
  auto const* tsv = app.add_option("--tsv", table,
                                   "read rows tiled_copy<TAB>atom bits ; element bits ; thr ; val ; tensor ; thread "
                                   "('-': standard input) and write them with Tiler_MN ; TiledLayout_TV ; "
                                   "partition_S ; first offset")
                        ->type_name("FILE");
  app.add_flag("--mark-static", mark_static, "write constants with an underscore, _8");
  add_result_options(app, json);
  if (!parse(app, given)) return success;
  text_style const style{mark_static};

  if (!tsv->empty()) {
    for (char const* name : {"--atom", "--atom-bits", "--element", "--thr", "--val", "--tensor", "--thread", "--json"})
      if (app.count(name) > 0) throw usage_error(fmt::format("tiled-copy takes either --tsv or {}, not both", name));
    return for_each_row(table, [&](std::string_view operation, std::string_view arguments) {
      if (operation != "tiled_copy") throw text_error("expected the operation tiled_copy", operation, 0);
      return row_of(read_row(arguments), style);
    });
  }
  char const* missing = missing_option(texts);
  if (missing == nullptr && texts.tensor.empty()) missing = "--tensor";
  if (missing != nullptr)
    throw usage_error(fmt::format("tiled-copy needs {}: {}", missing, app.get_option(missing)->get_description()));
  question const q = read_question(texts, thread);
  if (json) print_json(q);
  else print(q, style);
  return success;
}

}  // namespace tilewright::cli
