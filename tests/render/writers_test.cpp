// What the writers put out: golden files, escaping, and text that fits the terminal. After a wanted change, run this
// test once with TILEWRIGHT_UPDATE_GOLDEN=1 in the environment, look at the pictures, and commit tests/data/render/.
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fixed_plans.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/render/atoms.hpp"
#include "tilewright/render/plot.hpp"
#include "tilewright/render/writers.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

namespace tilewright::render {
namespace {

named_layout drawn(char const* text) { return {"", parse_layout(text)}; }

scene tiled_copy(view what, char const* threads, bits atom) {
  plot_request r;
  r.what = what;
  layout_value const thr = parse_layout(threads), val = parse_layout("(1,1)");
  tiled_copy_value const copy = make_tiled_copy(atom, bits{32}, thr, val).value();
  r.copy = {{copy.atom, val, copy.tiler, copy.tv}, thr};
  if (what == view::copy) r.layouts = {{"source", parse_layout("(8,8)")}, {"destination", parse_layout("(8,8):(8,1)")}};
  return make_scene(r);
}

struct golden {
  char const* name;
  scene (*make)();
};
scene offsets() { return layout_scene({drawn("(4,8):(8,1)")}); }
scene nested() { return layout_scene({drawn("((2,4),(4,2)):((1,16),(2,8))")}, view::coordinates); }
scene order() { return layout_scene({drawn("(4,4):(4,1)")}, view::order); }
scene rank_3() { return layout_scene({drawn("(2,3,2)")}, view::indices); }
scene swizzle() {
  return layout_scene({{"", composed_value{{2, 2, 3}, {}, parse_layout("(4,16):(32,1)")}}}, view::banks);
}
scene threads() { return tiled_copy(view::threads, "(4,8)", bits{128}); }
scene copy() { return tiled_copy(view::copy, "(2,4)", bits{64}); }
scene divide() {
  tiler_value tiler{};
  tiler.tree.open(2);
  tiler.tree.add_leaf(constant_leaf(2), constant_leaf(1));
  tiler.tree.add_leaf(constant_leaf(2), constant_leaf(1));
  return divide_scene(parse_layout("(4,4):(4,1)"), tiler);
}
scene product() {
  plot_options options;
  options.operation = "blocked";
  return product_scene(parse_layout("(2,2)"), tiler_value::of(parse_layout("(2,3)")), options);
}
scene plan_cuda() { return plan_scene(tests::fixed_cuda_plan()); }
scene plan_cpu() { return plan_scene(tests::fixed_cpu_plan()); }
scene plan_walk() { return plan_scene(tests::fixed_walk_plan()); }
scene atom() { return atom_scene(atom_named("SM75_U32x2_LDSM_N"), {.element = {16}}); }
scene heat() { return conflict_scene({{"T0–7", {1, 2, 0, 4}}, {"T8–15", {8, 16, 32, 1}}}); }

constexpr golden all[] = {
    {"offsets", offsets},     {"nested", nested},   {"order", order},         {"rank_3", rank_3},
    {"swizzle", swizzle},     {"threads", threads}, {"copy", copy},           {"divide", divide},
    {"product", product},     {"heat", heat},       {"plan_cuda", plan_cuda}, {"plan_cpu", plan_cpu},
    {"plan_walk", plan_walk}, {"atom", atom}};

std::string contents(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

class golden_pictures : public testing::TestWithParam<golden> {};

TEST_P(golden_pictures, are_what_they_were) {
  std::filesystem::path const folder = std::filesystem::path(TILEWRIGHT_TEST_DATA_DIR) / "render";
  scene const s = GetParam().make();
  bool const update = std::getenv("TILEWRIGHT_UPDATE_GOLDEN") != nullptr;
  for (char const* ending : {".svg", ".tex", ".txt", ".json"}) {
    std::filesystem::path const path = folder / (GetParam().name + std::string(ending));
    std::string const now = write(s, format_of(path.string()));
    if (update) save_text(now, path.string());
    EXPECT_TRUE(contents(path) == now) << path << " differs from what is drawn now; see the head of this file";
    EXPECT_EQ(now, write(GetParam().make(), format_of(path.string())));  // deterministic
  }
}

INSTANTIATE_TEST_SUITE_P(scenes, golden_pictures, testing::ValuesIn(all),
                         [](auto const& i) { return std::string(i.param.name); });

// --- escaping --------------------------------------------------------------------------------------------------------
scene hostile() {
  scene s = offsets();
  s.title = "a<b> & \"c\" 'd' </script><script>alert(1)</script>]]> \\end{document} 50% $x$ #1 ~^_{}\x01\xff|";
  s.panels[0].title = s.title;
  s.panels[0].cells.cells[0].text = "<&>\\_";
  s.panels[0].cells.cells[0].coordinate = s.title;
  return s;
}

TEST(escaping, svg_and_html_hold_no_markup_of_the_scene) {
  for (format const as : {format::svg, format::html}) {
    std::string const out = write(hostile(), as);
    EXPECT_EQ(out.find("<b>"), std::string::npos);
    EXPECT_EQ(out.find("<script>alert"), std::string::npos);
    EXPECT_EQ(out.find('\x01'), std::string::npos);
    EXPECT_EQ(out.find('\xff'), std::string::npos);
    EXPECT_NE(out.find("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"), std::string::npos);
  }
}

TEST(escaping, latex_holds_no_command_of_the_scene) {
  std::string const out = to_latex(hostile());
  EXPECT_EQ(out.find("\\end{document} 50"), std::string::npos);
  EXPECT_NE(
      out.find("\\textbackslash{}end\\{document\\} 50\\% \\$x\\$ \\#1 \\textasciitilde{}\\textasciicircum{}\\_\\{\\}"),
      std::string::npos);
}

TEST(escaping, text_holds_no_control_character) {
  for (char const ch : to_text(hostile())) EXPECT_TRUE(ch == '\n' || static_cast<unsigned char>(ch) >= 0x20);
}

TEST(html, fetches_nothing) {
  std::string const page = to_html(copy());
  for (char const* word : {"http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"})
    EXPECT_NE(page.find(word), std::string::npos);
  for (char const* word : {"src=", "href=", "@import", "url(", "fetch("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

// --- terminals -------------------------------------------------------------------------------------------------------
int widest(std::string const& text) {
  int widest = 0, width = 0;
  for (char const ch : text) {
    width = ch == '\n' ? 0 : width + ((static_cast<unsigned char>(ch) & 0xc0u) != 0x80u ? 1 : 0);
    widest = std::max(widest, width);
  }
  return widest;
}

TEST(text, stays_within_the_width) {
  scene const s = layout_scene({drawn("(8,64):(64,1)")});
  for (int const width : {40, 60, 80, 200}) {
    std::string const out = to_text(s, {text_colours::none, width, false});
    EXPECT_LE(widest(out), width);
    for (int offset = 0; offset < 512; ++offset)
      EXPECT_NE((out + " ").find(" " + std::to_string(offset) + " "), std::string::npos)
          << offset << " at width " << width;
  }
  EXPECT_GT(widest(to_text(s, {text_colours::none, 400, false})), 300);
}

TEST(text, ascii_is_ascii) {
  for (golden const& g : all)
    for (char const ch : to_text(g.make(), {text_colours::none, 100, true})) EXPECT_GE(ch, 0) << g.name;
}

TEST(text, colours_do_not_change_the_characters) {
  for (text_colours const how : {text_colours::ansi256, text_colours::rgb24}) {
    std::string const coloured = to_text(divide(), {how, 100, false});
    std::string plain;
    int escapes = 0;
    for (std::size_t i = 0; i < coloured.size(); ++i) {
      if (coloured[i] != '\x1b') {
        plain += coloured[i];
        continue;
      }
      ++escapes;
      while (coloured[i] != 'm') ++i;
    }
    EXPECT_EQ(plain.substr(0, plain.find("tile 0")).find_last_not_of("\n "), to_text(divide()).find_last_not_of("\n "));
    EXPECT_GE(escapes, 64);
  }
}

// --- sizes, files ----------------------------------------------------------------------------------------------------
TEST(svg, text_is_legible_or_gone) {
  for (char const* layout : {"(64,64):(64,1)", "(128,128)", "(16,256)", "256"}) {
    std::string const out = to_svg(layout_scene({drawn(layout)}));
    std::size_t at = 0;
    while ((at = out.find("font-size=\"", at)) != std::string::npos) {
      at += 11;
      EXPECT_GE(std::strtod(out.c_str() + at, nullptr), 5.4) << layout;
    }
  }
  EXPECT_NE(to_svg(layout_scene({drawn("(64,64):(64,1)")})).find(">4095</text>"), std::string::npos);
  EXPECT_EQ(to_svg(layout_scene({drawn("(256,256)")})).find(">65535</text>"), std::string::npos);
}

TEST(save, is_whole_or_nothing) {
  std::filesystem::path const folder =
      std::filesystem::temp_directory_path() / ("tilewright_render_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::string const file = (folder / "x.svg").string();
  save(offsets(), file);
  EXPECT_EQ(contents(file), to_svg(offsets()));
  save(nested(), file);  // replaces
  EXPECT_EQ(contents(file), to_svg(nested()));
  EXPECT_THROW(save(offsets(), (folder / "x.bmp").string()), render_error);
  EXPECT_THROW(save(offsets(), (folder / "no_such" / "x.svg").string()), render_error);
  std::filesystem::create_directory(folder / "taken.svg");
  EXPECT_THROW(save(offsets(), (folder / "taken.svg").string()), render_error);
  std::size_t entries = 0;
  for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(folder)) ++entries;
  EXPECT_EQ(entries, 2u) << "a file beside was left";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tilewright::render
