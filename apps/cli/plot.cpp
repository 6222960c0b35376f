// tilewright plot: pictures of layouts, divisions, products, tiled copies, copy atoms and plans, on the terminal or in a
// file. It reads arguments into a plot_request; everything else is the library's.
#include "tilewright/render/plot.hpp"
#include "apps/cli/command.hpp"
#include "apps/cli/copy_options.hpp"
#include "apps/cli/expression.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "apps/cli/subject.hpp"
#include "engine/environment.hpp"
#include "tilewright/render/atoms.hpp"
#include "tilewright/render/mma_atoms.hpp"
#include "tilewright/render/writers.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <optional>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Draws layouts, divisions, products, tiled copies, copy atoms and plans: on the terminal, or with -o in a file "
    "whose\n"
    "ending says the format: .svg, .html (interactive), .png, .pdf, .tex, .json or .txt. Expressions are those of "
    "eval,\n"
    "without symbols.\n\n"
    "  tilewright plot '(8,8):(8,1)' -o x.svg\n"
    "  tilewright plot '((2,4),(4,2)):((1,16),(2,8))' --view coordinates\n"
    "  tilewright plot 'Sw<3,2,3> o 0 o (8,32):(32,1)' --view banks -o swizzle.html\n"
    "  tilewright plot '(8,8):(8,1)' --view divide --by '(2,4)'\n"
    "  tilewright plot '(2,2)' --view product --by '(3,4)' --operation blocked\n"
    "  tilewright plot --atom-bits 128 --element f32 --thr '(4,8)' --val '(1,1)'\n"
    "  tilewright plot --atom-bits 128 --element f32 --thr '(4,8)' --val '(1,1)' --tensor '(32,16)' -o copy.html\n"
    "  tilewright plot '(32,4):(4,1)' --view tv --tile '(16,8)'\n"
    "  tilewright plot --atom SM75_U32x4_LDSM_N -o ldmatrix.png\n"
    "  tilewright plot '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32 --machine sm_90 -o plan.html";

constexpr char const* views =
    "\nViews:\n"
    "  offsets, indices, coordinates  a layout with that in its cells; offsets is the default\n"
    "  banks                          the banks of shared memory, before and after a swizzle\n"
    "  order                          a line through the cells in the order of memory, and memory itself\n"
    "  divide, product                a layout, and its division or product with --by (and --operation)\n"
    "  tv                             a thread-value map on its --tile, and the inverse\n"
    "  threads                        atom, threads and values, and which thread copies what of a tile; the default\n"
    "                                 with --thr\n"
    "  copy                           source and destination of a tiled copy, by rounds; the default with --tensor\n"
    "  conflicts                      the bank conflicts of a tiled copy's stores (--loads) to the last tensor named\n"
    "  plan                           a tile of a copy between two layouts, read, staged and written; the default "
    "with\n"
    "                                 two layouts and --element\n"
    "  atom                           which thread of a copy atom reads and writes what; the default with --atom\n";

/// The operand of a text, which must hold constants only.
/// error: text_error that names the option
operand read_constant(std::string const& option, std::string const& text, symbols& names) {
  try {
    return expression_reader(text, names).read();
  } catch (text_error const& e) {
    if (option.empty()) throw;
    throw text_error(fmt::format("{}: {}", option, e.what()), text, e.position());
  }
}

[[noreturn]] void refuse(std::string const& option, std::string const& text, operand const& x, char const* expected) {
  throw usage_error(fmt::format("plot draws {} here, and {}'{}' is {}", expected, option.empty() ? "" : option + " ",
                                text, describe(x)));
}

/// No symbol among the leaves.
int_tree const& constants(int_tree const& t, std::string const& text) {
  for (int i = 0; i < t.leaves; ++i)
    if (!t.shape[i].is_static() || !t.stride[i].is_static())
      throw usage_error(fmt::format("plot draws constants, and '{}' has symbols; write numbers in their place", text));
  return t;
}

bool has_only_extents(tuple_operand const& t) {
  return t.kept_at == nowhere && t.layout_at == nowhere && t.negative_at == nowhere;
}

render::named_layout read_layout(std::string const& option, std::string const& name, std::string const& text) {
  facts const none;
  symbols names(none);
  operand const x = read_constant(option, text, names);
  if (auto const* a = std::get_if<layout_operand>(&x)) return {name, layout_value(constants(a->layout, text))};
  if (auto const* a = std::get_if<composed_value>(&x)) {
    constants(a->layout, text);
    constants(leaf_tree(a->offset), text);
    return {name, *a};
  }
  auto const* t = std::get_if<tuple_operand>(&x);
  if (t == nullptr || !has_only_extents(*t)) refuse(option, text, x, "layouts");
  return {name, compact_left(constants(t->tree, text)).value()};
}

/// A layout without a swizzle.
layout_value read_plain(std::string const& option, std::string const& text) {
  render::named_layout const out = read_layout(option, "", text);
  if (out.swizzled()) refuse(option, text, out.map, "layouts without a swizzle");
  return out.map.layout;
}

tiler_value read_tiler(std::string const& option, std::string const& text) {
  facts const none;
  symbols names(none);
  operand const x = read_constant(option, text, names);
  if (auto const* a = std::get_if<layout_operand>(&x)) return tiler_value::of(layout_value(constants(a->layout, text)));
  auto const* t = std::get_if<tuple_operand>(&x);
  if (t == nullptr || t->negative_at != nowhere) refuse(option, text, x, "tilers");
  return {constants(t->tree, text)};
}

struct given {
  words expressions;
  copy_texts copy;
  std::string file, format, view, by, operation, title, to, tile, colour, width, scale;
  std::string machine, threads, align;
  bool loads = false, ascii = false, json = false;
};

/// The bits of an element; 32 if left out.
bits read_element(given const& g) { return {g.copy.element.empty() ? 32 : read_element_bits("plot", g.copy.element)}; }

/// The tiled copy of the options, as `tiled-copy` reads them.
/// error: usage_error when one is missing
render::copy_picture read_copy(given const& g) {
  if (char const* const missing = missing_option(g.copy))
    throw usage_error(fmt::format("plot needs {} to draw a tiled copy", missing));
  tiling::declaration const d = read_declaration("plot", g.copy);
  tiled_copy_value const copy = tiled_copy_of(d);
  render::copy_picture out{copy, d.thr};
  out.val = d.val;
  return out;
}

render::view view_of(given const& g) {
  if (!g.view.empty()) return render::view_of(g.view);
  if (!g.copy.atom.empty() && g.copy.thr.empty()) return render::view::atom;
  if (!g.copy.tensor.empty()) return render::view::copy;
  if (!g.copy.element.empty() && g.expressions.size() == 2 && g.copy.thr.empty()) return render::view::plan;
  return g.copy.thr.empty() ? render::view::offsets : render::view::threads;
}

void refuse_option(std::string const& value, char const* option, std::string const& view) {
  if (!value.empty()) throw usage_error(fmt::format("the view {} takes no {}", view, option));
}

/// The plan of a copy from the first layout to the second, as explain and check read it.
copy_plan read_plan(given const& g) {
  if (g.expressions.size() != 2)
    throw usage_error("the view plan needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'");
  subject_texts texts;
  texts.layouts = g.expressions;
  texts.copy.element = g.copy.element;
  texts.machine = g.machine;
  texts.threads = g.threads;
  texts.align = g.align;
  return std::get<plan_subject>(read_subject("plot", texts)).plan;
}

/// error: usage_error for options that a copy atom by itself has not
render::plot_request read_atom(given const& g) {
  render::plot_request out;
  out.what = render::view::atom;
  if (g.copy.atom.empty())
    throw usage_error("the view atom needs --atom, the name of a copy atom, such as SM75_U32x4_LDSM_N");
  if (!g.expressions.empty())
    throw usage_error(fmt::format("plot draws either the copy atom {} or '{}'", g.copy.atom, g.expressions[0]));
  for (auto const& [value, option] : {std::pair{&g.copy.atom_bits, "--atom-bits"},
                                      {&g.copy.thr, "--thr"},
                                      {&g.copy.val, "--val"},
                                      {&g.copy.tensor, "--tensor"},
                                      {&g.to, "--to"},
                                      {&g.by, "--by"},
                                      {&g.tile, "--tile"},
                                      {&g.machine, "--machine"},
                                      {&g.threads, "--threads"},
                                      {&g.align, "--align"}})
    refuse_option(*value, option, "atom");
  out.atom = g.copy.atom;
  out.options.title = g.title;
  std::vector<std::string> const& operations = render::mma_names();
  if (std::count(operations.begin(), operations.end(), g.copy.atom) > 0) {
    refuse_option(g.copy.element, "--element", "atom");
    return out;
  }
  render::atom_maps const atom = copy_atom_named(g.copy.atom, operations);
  out.options.element = g.copy.element.empty() ? atom.element : read_element(g);
  return out;
}

/// What the view draws and does not must be given and left out.
void check_options(given const& g, render::view what, bool of_copy, std::string const& name) {
  using render::view;
  if (of_copy && !g.expressions.empty())
    throw usage_error(fmt::format("the view {} draws the tiled copy of the options, not '{}'", name, g.expressions[0]));
  if (!of_copy && g.expressions.empty())
    throw usage_error("plot needs a layout, such as '(8,8):(8,1)', or --thr and the other options of a tiled copy");
  if (!of_copy) {
    refuse_option(g.copy.thr, "--thr", name);
    refuse_option(g.copy.tensor, "--tensor", name);
    refuse_option(g.copy.atom, "--atom", name);
  }
  if (what != view::plan) {
    refuse_option(g.machine, "--machine", name);
    refuse_option(g.threads, "--threads", name);
    refuse_option(g.align, "--align", name);
  }
  if (what != view::divide && what != view::product) refuse_option(g.by, "--by", name);
  if (what != view::tv) refuse_option(g.tile, "--tile", name);
  if (what == view::conflicts && !g.copy.atom.empty() && copy_atom_named(g.copy.atom).threads() > 1)
    throw usage_error(
        fmt::format("the view conflicts draws loads and stores; 'explain --atom {0}' counts the bank "
                    "conflicts of {0}",
                    g.copy.atom));
}

/// A tiled copy, with its tensors where the view draws some.
void read_copy_view(given const& g, std::string const& name, render::plot_request& out) {
  using render::view;
  out.copy = read_copy(g);
  bool const tensors = out.what == view::copy || out.what == view::conflicts;
  if (tensors && g.copy.tensor.empty()) throw usage_error(fmt::format("the view {} needs --tensor, a layout", name));
  if (out.what == view::copy || (tensors && g.to.empty()))
    out.layouts.push_back(read_layout("--tensor", "source", g.copy.tensor));
  if (tensors && !g.to.empty()) out.layouts.push_back(read_layout("--to", "destination", g.to));
  if (out.what == view::conflicts) out.layouts[0].name.clear();
}

void read_tv_view(given const& g, render::plot_request& out) {
  if (g.tile.empty()) throw usage_error("the view tv needs --tile, the shape of the tile that the map covers");
  if (g.expressions.size() > 1) throw usage_error("the view tv draws one thread-value map");
  out.copy.tv = read_plain("", g.expressions[0]);
  out.copy.tiler = shape_of(read_plain("--tile", g.tile));
}

/// Layouts, divided or multiplied where the view is of that.
void read_layout_view(given const& g, std::string const& name, render::plot_request& out) {
  using render::view;
  for (std::string const& text : g.expressions) out.layouts.push_back(read_layout("", "", text));
  if (out.what != view::divide && out.what != view::product) return;
  if (g.by.empty())
    throw usage_error(fmt::format("the view {} needs --by, what to {} by", name, name == "divide" ? name : "multiply"));
  bool const by_layout = g.operation == "blocked" || g.operation == "raked";
  out.tiler = by_layout ? tiler_value::of(read_plain("--by", g.by)) : read_tiler("--by", g.by);
}

render::plot_request read_request(given const& g) {
  using render::view;
  if (view_of(g) == view::atom) return read_atom(g);
  render::plot_request out;
  out.what = view_of(g);
  std::string const name = render::view_names()[static_cast<std::size_t>(out.what)];
  bool const of_copy = out.what == view::threads || out.what == view::copy || out.what == view::conflicts ||
                       (out.what == view::tv && !g.copy.thr.empty());
  check_options(g, out.what, of_copy, name);
  out.options.title = g.title;
  out.options.operation = g.operation;
  out.options.loads = g.loads;
  if (out.what == view::plan) {
    out.plan = read_plan(g);
    return out;
  }
  out.options.element = read_element(g);
  if (of_copy) read_copy_view(g, name, out);
  else if (out.what == view::tv) read_tv_view(g, out);
  else read_layout_view(g, name, out);
  return out;
}

// --- output ---------------------------------------------------------------------------------------------------------

/// As the option says; "auto" is colour on a terminal that does not refuse it.
render::text_colours colours_of(std::string const& option, bool terminal) {
  using render::text_colours;
  bool const many = environment("COLORTERM") == "truecolor" || environment("COLORTERM") == "24bit";
  text_colours const some = many ? text_colours::rgb24 : text_colours::ansi256;
  if (option == "never") return text_colours::none;
  if (option == "256") return text_colours::ansi256;
  if (option == "24bit") return text_colours::rgb24;
  if (option == "always") return some;
  if (option != "auto" && !option.empty())
    read_word_option("plot: --colour", option, {"auto", "always", "never", "256", "24bit"});
  bool const wanted = terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return wanted ? some : text_colours::none;
}

int width_of(std::string const& option, bool terminal) {
  constexpr long long least = 20, most = 10000;
  if (!option.empty()) {
    return static_cast<int>(read_integer_within("plot: --width", option, least, most));
  }
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= least) return size.ws_col;
  return 100;
}

std::vector<std::string> format_names() { return {"text", "svg", "html", "png", "pdf", "tex", "json", "txt", "latex"}; }

/// Pixels for a unit of the picture.
double scale_of(std::string const& option) {
  return option.empty() ? 2 : static_cast<double>(read_integer_within("plot: --scale", option, 1, 16));
}

render::format format_named(std::string const& name) {
  if (name == "text" || name == "latex") return name == "text" ? render::format::text : render::format::latex;
  read_word_option("plot: --format", name, format_names());
  return render::format_of("." + name);
}

void write_picture(given const& g, render::scene const& picture) {
  bool const to_file = !g.file.empty() && g.file != "-";
  bool const terminal = !to_file && writes_to_terminal();
  render::text_options const style{colours_of(g.colour.empty() && to_file ? "never" : g.colour, terminal),
                                   width_of(g.width, terminal), g.ascii};
  render::format const as = g.json              ? render::format::json
                            : !g.format.empty() ? format_named(g.format)
                            : !to_file          ? render::format::text
                                                : render::format_of(g.file);
  if ((as == render::format::png || as == render::format::pdf) && terminal)
    throw usage_error("plot does not print PNG or PDF on a terminal; name a file with -o");
  std::string const out =
      as == render::format::png ? render::to_png(picture, scale_of(g.scale)) : render::write(picture, as, style);
  if (!to_file) return put(out);
  render::save_text(out, g.file);
}

}  // namespace

int run_plot(words const& arguments) {
  CLI::App app(introduction, "tilewright plot");
  given g;
  app.add_option("EXPR", g.expressions, "layouts; several are drawn side by side, two with --element are a plan")
      ->type_name("EXPRESSION");
  app.add_option("-o,--output", g.file, "file to write instead of standard output")->type_name("FILE");
  app.add_option("--format", g.format, "format, where no file ending gives it")
      ->type_name(choices_of({"text", "svg", "html", "png", "pdf", "tex", "json"}));
  app.add_option("--view", g.view, "what to draw, see below")->type_name(choices_of(render::view_names()));
  app.add_option("--by", g.by, "divide and product: the tiler, or the layout that repeats")->type_name("TILER");
  app.add_option("--operation", g.operation, "divide and product: which one; blocked and raked are products")
      ->type_name(choices_of({"logical", "zipped", "tiled", "flat", "blocked", "raked"}));
  add_tile_option(app, g.tile);
  add_copy_options(app, g.copy);
  add_machine_option(app, g.machine);
  add_threads_option(app, g.threads);
  add_align_option(app, g.align);
  add_to_option(app, g.to);
  app.add_flag("--loads", g.loads, "conflicts: of loads from shared memory instead of stores to it");
  app.add_option("--title", g.title, "title of the picture instead of its own");
  app.add_option("--colour", g.colour, "when to colour text; auto: on a terminal")
      ->type_name(choices_of({"auto", "always", "never", "256", "24bit"}));
  app.add_option("--width", g.width, "columns of text; the terminal's, or 100")->type_name("COLUMNS");
  app.add_option("--scale", g.scale, "PNG: pixels for each pixel of the SVG, 1 to 16; 2 if left out")
      ->type_name("NUMBER");
  app.add_flag("--ascii", g.ascii, "text without box drawing characters");
  add_json_option(app, g.json);
  app.footer(views);
  if (!parse(app, arguments)) return success;
  write_picture(g, render::make_scene(read_request(g)));
  return success;
}

}  // namespace tilewright::cli
