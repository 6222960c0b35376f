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
  EXPECT_NE(map.find("│ T01 │ T05 │ T09 │"), std::string::npos) << map;
  std::string const copy = run_command(with_copy({"--tensor", "(32,8)"})).out;
  EXPECT_NE(copy.find("tile (16,8), 2 rounds: every element is copied exactly once"), std::string::npos) << copy;
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
  expect_refused({"plot", "(4,8)", "-o", "x.bmp"},
                 "'x.bmp' does not say what to write; end its name in .svg, .html, .png, .pdf, .tex, .json or .txt");
  expect_refused(
      {"plot", "(4,8)", "-o", "/nowhere/x.svg"},
      "'/nowhere/x.svg' cannot be written: No such file or directory; choose a folder that exists and that you "
      "may write to");
  expect_refused({"plot", "(4,8)", "--view", "pie"},
                 "there is no view 'pie'; the views are offsets, indices, coordinates, banks, order, divide, product, "
                 "threads, tv, copy, conflicts, plan, atom");
  expect_refused({"plot", "(4,8)", "--view", "divide"}, "the view divide needs --by, what to divide by");
  expect_refused({"plot", "--tensor", "(4,8)"}, "plot needs --atom-bits to draw a tiled copy");
  expect_refused(with_copy({"(4,8)"}), "the view threads draws the tiled copy of the options, not '(4,8)'");
  expect_refused({"plot", "(4,8)", "--view", "banks", "--thr", "8"}, "the view banks takes no --thr");
  expect_refused({"plot", "(4,8)", "--colour", "blue"},
                 "plot: --colour must be one of auto, always, never, 256, 24bit, not 'blue'");
  expect_refused({"plot", "(4,8)", "--width", "3"}, "plot: --width must be from 20 to 10000, not 3");
  expect_refused(
      {"plot", "(4,8)", "--format", "gif"},
      "plot: --format must be one of text, svg, html, png, pdf, tex, json, txt, latex, not 'gif'; did you mean "
      "'pdf'?");
}

/// The width and height in a PNG's header.
std::pair<unsigned, unsigned> size_of_png(std::string const& bytes) {
  auto const word = [&](std::size_t at) {
    unsigned out = 0;
    for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
    return out;
  };
  return {word(16), word(20)};
}

TEST_F(plot, writes_png_and_pdf) {
  std::string const png = (folder / "x.png").string(), pdf = (folder / "x.pdf").string();
  outcome const result = run_command({"plot", "(4,8):(8,1)", "-o", png});
  if (result.status == 2) {  // a build without librsvg says so in one sentence
    EXPECT_NE(result.err.find("install the Debian package librsvg2"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(png));
    GTEST_SKIP() << result.err;
  }
  EXPECT_EQ(result.err, "");
  std::string const bytes = contents(png);
  ASSERT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  auto const [width, height] = size_of_png(bytes);
  std::string const svg = run_command({"plot", "(4,8):(8,1)", "--format", "svg"}).out;
  EXPECT_NE(svg.find("width=\"" + std::to_string(width / 2) + "\" height=\"" + std::to_string(height / 2) + "\""),
            std::string::npos);
  EXPECT_EQ(run_command({"plot", "(4,8):(8,1)", "--format", "png", "--scale", "1"}).out.substr(0, 4), "\x89PNG");
  EXPECT_EQ(size_of_png(run_command({"plot", "(4,8):(8,1)", "--format", "png", "--scale", "3"}).out).first,
            3 * width / 2);
  EXPECT_EQ(run_command({"plot", "(4,8):(8,1)", "-o", pdf}).status, 0);
  EXPECT_EQ(contents(pdf).substr(0, 5), "%PDF-");
  EXPECT_NE(contents(pdf).find("%%EOF"), std::string::npos);
  // Larger than a PNG may be: drawn smaller.
  outcome const large = run_command({"plot", "(16,2048)", "--format", "png", "--scale", "16"});
  EXPECT_EQ(large.status, 0) << large.err;
  EXPECT_LE(size_of_png(large.out).first, 32767u);
}

TEST_F(plot, draws_atoms_by_name) {
  outcome const x4 = run_command({"plot", "--atom", "SM75_U32x4_LDSM_N"});
  EXPECT_EQ(x4.status, 0) << x4.err;
  EXPECT_EQ(x4.out.find("copy atom SM75_U32x4_LDSM_N\n32 threads move 256 elements of 16 bits"), 0u) << x4.out;
  for (char const* part : {"source (32,128):(128,1)", "destination", "matrix 0", "matrix 3"})
    EXPECT_NE(x4.out.find(part), std::string::npos) << part;
  EXPECT_EQ(run_command({"plot", "--atom", "UniversalCopy", "--element", "f32"})
                .out.find("copy atom UniversalCopy<uint128_t>"),
            0u);
  auto const refused = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plot");
    outcome const result = run_command(arguments);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_EQ(refused({"--atom", "SM75_U32x3_LDSM_N"}),
            "tilewright: there is no copy atom 'SM75_U32x3_LDSM_N'; did you mean 'SM75_U32x1_LDSM_N'?\n");
  EXPECT_NE(refused({"--atom", "zzz"}).find("there are SM75_U32x1_LDSM_N, "), std::string::npos);
  EXPECT_NE(refused({"--atom", "SM90_TMA_LOAD"}).find("it has no thread-value map;"), std::string::npos);
  EXPECT_NE(refused({"--atom", "SM75_U16x2_LDSM_T", "--element", "f32"}).find("give --element 16 or less"),
            std::string::npos);
  EXPECT_EQ(refused({"--atom", "SM75_U32x1_LDSM_N", "--thr", "8", "--view", "atom"}),
            "tilewright: the view atom takes no --thr\n");
  EXPECT_EQ(refused({"(4,8)", "--view", "banks", "--atom", "UniversalCopy"}),
            "tilewright: the view banks takes no --atom\n");
  EXPECT_EQ(refused({"--atom", "SM80_16x8x16_F32F16F16F32_TM"}),
            "tilewright: there is no copy atom 'SM80_16x8x16_F32F16F16F32_TM'; did you mean "
            "'SM80_16x8x16_F32F16F16F32_TN'?\n");
  EXPECT_EQ(refused({"--atom", "UniversalCopy<float>"}),
            "tilewright: there is no copy atom 'UniversalCopy<float>'; UniversalCopy without a type is "
            "UniversalCopy<uint128_t>\n");
}

TEST_F(plot, draws_tiled_copies_of_an_atom_by_name) {
  std::vector<std::string> const rest{"--element", "f16", "--thr", "(32,1)", "--val", "(1,8)"};
  auto const drawn = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plot");
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return run_command(arguments);
  };
  outcome const named = drawn({"--atom", "UniversalCopy<uint128_t>"});
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(named.out, drawn({"--atom-bits", "128"}).out);
  EXPECT_EQ(drawn({"--atom", "SM75_U32x4_LDSM_N"}).out, named.out);  // 8 values of each thread as well
  EXPECT_EQ(drawn({"--atom", "SM75_U32x4_LDSM_N", "--view", "conflicts", "--tensor", "(32,8)"}).err,
            "tilewright: the view conflicts draws loads and stores; 'explain --atom SM75_U32x4_LDSM_N' counts the bank "
            "conflicts of SM75_U32x4_LDSM_N\n");
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
      "tilewright: plot: --machine must be one of cpu, cpu-avx2, cpu-sse4, sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, "
      "sm_100, not 'sm_901'; did you mean 'sm_90'?\n");
  EXPECT_NE(refused({"(4,8)", "(4,9)", "--element", "f32"}).find("have different shapes"), std::string::npos);
  EXPECT_NE(refused({"(4,8)", "(4,8)", "--element", "f33"}).find("there is no element type 'f33'"), std::string::npos);
}

}  // namespace
}  // namespace tilewright::test
