// tilewright plot: what it writes where, and what it refuses.
#include "run_command.hpp"

#include "tilewright/layout/text.hpp"
#include "tilewright/render/plot.hpp"
#include "tilewright/render/writers.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewright::test {
namespace {

std::string contents(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

class plot : public testing::Test {
 protected:
  plot() : folder(std::filesystem::temp_directory_path() / ("tilewright_plot_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder);
  }
  ~plot() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
};

std::vector<std::string> with_copy(std::vector<std::string> more) {
  std::vector<std::string> out{"plot",  "--atom-bits", "128",   "--element-bits", "32",
                               "--thr", "(4,8)",       "--val", "(1,1)"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST_F(plot, prints_text_without_a_file) {
  outcome const result = run_command({"plot", "(2,4):(4,1)"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            "offset of each coordinate\n\n"
            "(2,4):(4,1)\n"
            "    0  1  2  3\n"
            "  ┌────────────┐\n"
            "0 │ 0  1  2  3 │\n"
            "1 │ 4  5  6  7 │\n"
            "  └────────────┘\n");
}

TEST_F(plot, writes_what_the_ending_says) {
  for (char const* ending : {".svg", ".html", ".tex", ".json", ".txt"}) {
    std::string const file = (folder / ("x" + std::string(ending))).string();
    outcome const result = run_command({"plot", "(4,8):(8,1)", "--view", "order", "-o", file});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out + result.err, "");
    render::scene const s = render::layout_scene({{"", parse_layout("(4,8):(8,1)")}}, render::view::order);
    EXPECT_EQ(contents(file), render::write(s, render::format_of(file)));
  }
}

TEST_F(plot, writes_a_format_to_standard_output) {
  render::scene const s = render::layout_scene({{"", parse_layout("(4,8):(8,1)")}});
  EXPECT_EQ(run_command({"plot", "(4,8):(8,1)", "--format", "svg"}).out, render::to_svg(s));
  EXPECT_EQ(run_command({"plot", "(4,8):(8,1)", "--format", "tex"}).out, render::to_latex(s));
  EXPECT_EQ(run_command({"plot", "(4,8):(8,1)", "--json"}).out, render::to_json(s));
}

TEST_F(plot, draws_expressions) {
  EXPECT_EQ(run_command({"plot", "composition((4,8):(8,1), <2:1,2:1>)"}).out, run_command({"plot", "(2,2):(8,1)"}).out);
  EXPECT_EQ(run_command({"plot", "(4,8)"}).out, run_command({"plot", "(4,8):(1,4)"}).out);
  EXPECT_NE(run_command({"plot", "Sw<2,0,3> o 0 o (4,8):(8,1)"}).out.find("1 │  9   8  11  10"), std::string::npos);
}

TEST_F(plot, draws_tiled_copies) {
  std::string const map = run_command(with_copy({"--width", "200"})).out;
  EXPECT_NE(map.find(" 5 │ T01 V1 │ T05 V1 │"), std::string::npos) << map;
  std::string const copy = run_command(with_copy({"--tensor", "(32,8)"})).out;
  EXPECT_NE(copy.find("tile (16,8), 2 rounds: every element is carried exactly once"), std::string::npos) << copy;
  std::string const conflicts = run_command(with_copy({"--tensor", "(16,8)", "--view", "conflicts"})).out;
  EXPECT_NE(conflicts.find("no bank serves more than one word at a time"), std::string::npos) << conflicts;
}

TEST_F(plot, divides_and_multiplies) {
  std::string const divided = run_command({"plot", "(8,8):(8,1)", "--view", "divide", "--by", "(2,4)"}).out;
  EXPECT_NE(divided.find("8 tiles of 8 elements"), std::string::npos) << divided;
  std::string const product =
      run_command({"plot", "(2,2)", "--view", "product", "--by", "(3,4)", "--operation", "blocked"}).out;
  EXPECT_NE(product.find("12 repetitions of 4 elements"), std::string::npos) << product;
}

TEST_F(plot, colours_only_when_asked_or_on_a_terminal) {
  EXPECT_EQ(run_command({"plot", "(4,8)"}).out.find('\x1b'), std::string::npos);
  EXPECT_NE(run_command({"plot", "(4,8)", "--colour", "256"}).out.find("\x1b[48;5;"), std::string::npos);
  EXPECT_NE(run_command({"plot", "(4,8)", "--colour", "24bit"}).out.find("\x1b[48;2;"), std::string::npos);
  std::string const file = (folder / "x.txt").string();
  EXPECT_EQ(run_command({"plot", "(4,8)", "-o", file}).status, 0);
  EXPECT_EQ(contents(file).find('\x1b'), std::string::npos);
}

TEST_F(plot, refuses_in_one_sentence) {
  auto const expect_refused = [](std::vector<std::string> const& arguments, std::string const& message) {
    outcome const result = run_command(arguments);
    EXPECT_EQ(result.status, 2) << message;
    EXPECT_EQ(result.out, "") << message;
    EXPECT_EQ(result.err, "tilewright: " + message + "\n");
  };
  expect_refused({"plot"},
                 "plot needs a layout, such as '(8,8):(8,1)', or --thr and the other options of a tiled copy");
  expect_refused({"plot", "(4,8", "-o", "x.svg"},
                 "expected ')' to close a tuple, found the end at position 5\n  (4,8\n      ^");
  expect_refused({"plot", "(M,8)"}, "plot draws constants, and '(M,8)' has symbols; write numbers in their place");
  expect_refused({"plot", "Sw<2,0,3>"}, "plot draws layouts here, and 'Sw<2,0,3>' is a swizzle");
  expect_refused({"plot", "(4,8)", "-o", "x.png"},
                 "'x.png' does not say what to write; end its name in .svg, .html, .tex, .json or .txt");
  expect_refused(
      {"plot", "(4,8)", "-o", "/nowhere/x.svg"},
      "'/nowhere/x.svg' cannot be written: No such file or directory; choose a folder that exists and that you "
      "may write to");
  expect_refused({"plot", "(4,8)", "--view", "pie"},
                 "there is no view 'pie'; the views are offsets, indices, coordinates, banks, order, divide, product, "
                 "threads, tv, copy, conflicts, plan");
  expect_refused({"plot", "(4,8)", "--view", "divide"}, "the view divide needs --by, what to divide by");
  expect_refused({"plot", "--tensor", "(4,8)"}, "plot needs --atom-bits to draw a tiled copy");
  expect_refused(with_copy({"(4,8)"}), "the view threads draws the tiled copy of the options, not '(4,8)'");
  expect_refused({"plot", "(4,8)", "--view", "banks", "--thr", "8"}, "the view banks takes no --thr");
  expect_refused({"plot", "(4,8)", "--colour", "blue"}, "--colour is auto, always, never, 256 or 24bit, not 'blue'");
  expect_refused({"plot", "(4,8)", "--width", "3"}, "--width is 20 to 10000 columns, not 3");
  expect_refused({"plot", "(4,8)", "--format", "png"}, "--format is text, svg, html, tex or json, not 'png'");
}

TEST_F(plot, draws_the_plan_of_two_layouts_with_an_element) {
  std::vector<std::string> const turn{"plot", "(64,32):(32,1)", "(64,32):(1,64)", "--element",
                                      "f32",  "--machine",      "sm_90"};
  outcome const text = run_command(turn);
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out.find("plan of 2048 elements of 32 bits, path: staged\n"), 0u) << text.out;
  for (char const* part : {"sm_90", "expected in", "1. read the source", "shared memory", "write the destination"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
  for (char const* ending : {".svg", ".html", ".tex", ".json", ".txt"}) {
    std::string const file = (folder / ("plan" + std::string(ending))).string();
    std::vector<std::string> words = turn;
    words.insert(words.end(), {"-o", file});
    outcome const result = run_command(words);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(contents(file).find("read the source"), std::string::npos) << ending;
  }
  EXPECT_EQ(contents(folder / "plan.txt"), text.out);
  // The same by the name of the view, with bits in place of a type, on this machine.
  outcome const here = run_command({"plot", "(4,8):(8,1)", "(4,8):(8,1)", "--view", "plan", "--element-bits", "16"});
  EXPECT_NE(here.out.find("path: contiguous"), std::string::npos) << here.out << here.err;
  // Without --element two layouts are two pictures, and with another view too.
  EXPECT_EQ(run_command({"plot", "(4,8)", "(4,8)"}).out.find("offset of each coordinate"), 0u);
  EXPECT_EQ(run_command({"plot", "(4,8)", "(4,8)", "--view", "banks", "--element", "f64"}).out.find("bank of"), 0u);
}

TEST_F(plot, refuses_what_is_no_plan) {
  auto const refused = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plot");
    outcome const result = run_command(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refused({"(4,8)", "--view", "plan", "--element", "f32"}),
            "tilewright: the view plan needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'\n");
  EXPECT_EQ(refused({"(4,8)", "(4,8)", "--view", "plan"}),
            "tilewright: plot needs --element for a plan, the type of an element, such as f32\n");
  EXPECT_EQ(refused({"(4,8)", "--machine", "sm_90"}), "tilewright: the view offsets takes no --machine\n");
  EXPECT_EQ(
      refused({"(4,8)", "(4,8)", "--element", "f32", "--machine", "sm_901"}),
      "tilewright: --machine is cpu, cpu-avx2, cpu-sse4, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, not 'sm_901'; "
      "did you mean 'sm_90'?\n");
  EXPECT_NE(refused({"(4,8)", "(4,9)", "--element", "f32"}).find("have different shapes"), std::string::npos);
  EXPECT_NE(refused({"(4,8)", "(4,8)", "--element", "f33"}).find("there is no element type 'f33'"), std::string::npos);
}

}  // namespace
}  // namespace tilewright::test
