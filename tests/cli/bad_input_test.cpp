// Whatever the command refuses: one sentence on stderr, the text and a caret where there is text, exit status 2.
#include "run_command.hpp"

#include "apps/cli/operations.hpp"
#include "apps/cli/verbs.hpp"

#include <random>

namespace tilewright::test {
namespace {

using namespace tilewright::cli;

std::string all_verbs() {
  std::string out;
  for (verb const& v : verbs()) out += (out.empty() ? "" : ", ") + std::string(v.name);
  return out;
}

void expect_refused(std::vector<std::string> const& arguments, std::string const& message) {
  outcome const result = run_command(arguments);
  std::string words;
  for (std::string const& word : arguments) words += " " + word;
  EXPECT_EQ(result.status, 2) << words;
  EXPECT_EQ(result.out, "") << words;
  EXPECT_EQ(result.err, "tilewright: " + message + "\n") << words;
}

TEST(bad_input, verbs_and_options) {
  expect_refused({"evla"}, "there is no verb 'evla'; did you mean 'eval'?");
  expect_refused({"transmogrify"}, "there is no verb 'transmogrify'; the verbs are " + all_verbs());
  expect_refused({"--verbose"}, "there is no verb '--verbose'; the verbs are " + all_verbs());
  expect_refused({"eval"}, "eval needs an expression, such as '(4,8):(8,1)(3,2)'");
  expect_refused({"eval", "M%8=0"}, "eval needs an expression, such as '(4,8):(8,1)(3,2)'");
  expect_refused({"eval", "--tvs", "4"}, "eval does not take '--tvs'; did you mean '--tsv'?");
  expect_refused({"eval", "-(3)"},
                 "eval does not take '-(3)'; write -- in front of what begins with '-' and is not an option");
  expect_refused({"eval", "--tsv"}, "eval --tsv needs a value");
  expect_refused({"eval", "--tsv", "/nowhere/at.all"}, "'/nowhere/at.all' cannot be read: No such file or directory");
  expect_refused({"eval", "--tsv", "/"}, "'/' is a folder, not a file");
  expect_refused({"tiled-copy", "--atom-bits", "128"},
                 "tiled-copy needs --element: type of an element, such as f32, or its bits, such as 32");
  expect_refused({"tiled-copy", "--tsv", "-", "--thr", "8:1"}, "tiled-copy takes either --tsv or --thr, not both");
  expect_refused({"tiled-copy", "extra"},
                 "tiled-copy does not take 'extra'; tilewright tiled-copy --help lists what it takes");
  expect_refused({"demo", "--matrix", "100"}, "demo: --matrix must be a multiple of 256 up to 16384, not 100");
  expect_refused({"demo", "--bytes", "xM"}, "demo: --bytes: expected an integer, found 'x' at position 1\n  x\n  ^");
  expect_refused({"demo", "--bytes", "3000000"}, "demo: --bytes must be a multiple of 1M up to 4G, not 3000000");
}

TEST(bad_input, malformed_text) {
  expect_refused({"eval", "(4,2):(1,4"},
                 "expected ')' since the shape's tuple ends here, found the end at position 11\n"
                 "  (4,2):(1,4\n"
                 "            ^");
  expect_refused({"eval", "(4,2):(1,2,3)"},
                 "expected ')' since the shape's tuple ends here, found ',' at position 11\n"
                 "  (4,2):(1,2,3)\n"
                 "            ^");
  expect_refused({"eval", "(4,2):1"},
                 "expected '(' since the shape is a tuple here, found '1' at position 7\n  (4,2):1\n        ^");
  expect_refused({"eval", "4:(1)"},
                 "expected an integer since the shape has a leaf here, found '(' at position 3\n  4:(1)\n    ^");
  expect_refused({"eval", "(4,-2):(1,4)"},
                 "expected an extent of 0 or more, found '-' at position 4\n  (4,-2):(1,4)\n     ^");
  expect_refused({"eval", "(4,_):(1,4)"},
                 "expected a layout without '_', found '_' at position 4\n  (4,_):(1,4)\n     ^");
  expect_refused({"eval", "(4,8"}, "expected ')' to close a tuple, found the end at position 5\n  (4,8\n      ^");
  expect_refused({"eval", "4 8"}, "expected the end of the text, found '8' at position 3\n  4 8\n    ^");
  expect_refused({"eval", ""}, "expected an integer, a name, '_' or '(', found the end at position 1\n  \n  ^");
  expect_refused({"eval", "Sw<3,4,2> o 4:1"},
                 "expected a swizzle Sw<B,M,S> with B, M >= 0, |S| >= B and few enough bits, found 'S' at position 1\n"
                 "  Sw<3,4,2> o 4:1\n"
                 "  ^");
  expect_refused({"eval", "99999999999999999999"},
                 "expected an integer of at most 64 bits, found '9' at position 1\n  99999999999999999999\n  ^");
  expect_refused({"eval", std::string(40, '(') + "4"}, "expected less nesting, found '(' at position 33\n  " +
                                                           std::string(40, '(') + "4\n  " + std::string(32, ' ') + "^");
  expect_refused(
      {"eval", "M%8=1", "M"},
      "expected 0, since a fact says what a name is a multiple of, found '1' at position 5\n  M%8=1\n      ^");
  expect_refused({"eval", "M%0=0", "M"}, "expected a divisor of 1 or more, found '0' at position 3\n  M%0=0\n    ^");
  expect_refused({"eval", "M%4611686018427387904=0", "M%3=0", "M"},
                 "the facts about M give a divisor that does not fit 64 bits\n  M%3=0\n    ^");
}

TEST(bad_input, operations_without_an_answer) {
  expect_refused({"eval", "compositon((4,8), 2:1)"},
                 "there is no operation 'compositon'; did you mean 'composition'?\n  compositon((4,8), 2:1)\n  ^");
  expect_refused({"eval", "frobnicate(4)"},
                 "there is no operation 'frobnicate'; there are " + operation_names() + "\n  frobnicate(4)\n  ^");
  expect_refused({"eval", "size()"}, "expected the arguments of size(A[, i]), found 0\n  size()\n  ^");
  expect_refused({"eval", "coalesce(_)"},
                 "argument 1 of coalesce(A[, profile]) must be a layout, not '_'\n"
                 "  coalesce(_)\n           ^");
  expect_refused({"eval", "upcast(8:1, 4:1)"},
                 "argument 2 of upcast(A, n) must be an integer, not a layout\n"
                 "  upcast(8:1, 4:1)\n              ^");
  // A tiler that does not divide.
  expect_refused({"eval", "size(logical_divide((6,4):(1,8), 4:1))"},
                 "composition: the stride of the right-hand layout and an extent of the left-hand layout do not divide "
                 "one another (stride 4, extent 6); choose a tiler whose stride divides the extent or is a multiple of "
                 "it (docs/errors.md#stride_does_not_divide)\n"
                 "  size(logical_divide((6,4):(1,8), 4:1))\n"
                 "       ^");
  // A coordinate out of range.
  expect_refused({"eval", "(4,8):(8,1)(4,0)"},
                 "the coordinate is out of range (coordinate (4,0), layout (4,8):(8,1)); use coordinates from 0 to "
                 "extent - 1 in each mode "
                 "(docs/errors.md#coordinate_out_of_range)\n"
                 "  (4,8):(8,1)(4,0)\n"
                 "             ^");
  expect_refused(
      {"eval", "idx2crd(32, (4,8))"},
      "the coordinate is out of range (coordinate 32, extent 32); use coordinates from 0 to extent - 1 in each mode "
      "(docs/errors.md#coordinate_out_of_range)\n"
      "  idx2crd(32, (4,8))\n"
      "  ^");
  // An overflowing size.
  expect_refused({"eval", "size((4611686018427387904,4))"},
                 "arithmetic: a size, stride or offset does not fit 64 bits (left operand 4611686018427387904, right "
                 "operand 4); use smaller extents or strides (docs/errors.md#overflow)\n"
                 "  size((4611686018427387904,4))\n"
                 "  ^");
  expect_refused({"eval", "1/(2-2)"},
                 "arithmetic: an extent or stride is divided by zero (dividend 1, divisor 0); give every extent of the "
                 "divisor at least one element (docs/errors.md#division_by_zero)\n"
                 "  1/(2-2)\n"
                 "   ^");
}

TEST(bad_input, one_bad_expression_does_not_silence_the_others) {
  outcome const result = run_command({"eval", "size((4,8))", "size((4", "size((2,2))"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "32\n4\n");
  EXPECT_EQ(result.err,
            "tilewright: expected ')' to close a tuple, found the end at position 8\n  size((4\n         ^\n");
}

TEST(bad_input, tiled_copies) {
  auto const refused = [](std::string const& atom, std::string const& thr, std::string const& tensor,
                          std::string const& thread, std::string const& message) {
    expect_refused({"tiled-copy", "--atom-bits", atom, "--element", "f32", "--thr", thr, "--val", "(1,1)", "--tensor",
                    tensor, "--thread", thread},
                   message);
  };
  refused("48", "(4,8)", "(16,8)", "0",
          "tiled_copy: the atom's bits are not a multiple of an element's bits (bits of the atom 48, bits of an "
          "element 32); "
          "choose an atom whose width is a multiple of the element's (docs/errors.md#atom_not_divisible)");
  refused("128", "(4,8)", "(16,8)", "32",
          "tiled_copy: the thread index is beyond the copy's threads (thread 32, threads 32); use a thread index below "
          "the number of threads (docs/errors.md#thread_out_of_range)");
  refused("128", "(4,8)", "(16,8)", "-1",
          "tiled_copy: the thread index is beyond the copy's threads (thread -1, threads 32); use a thread index below "
          "the number of threads (docs/errors.md#thread_out_of_range)");
  refused("128", "(4,8)", "(24,8)", "0",
          "partition: the tensor's mode is not a multiple of the tiled copy's tile (extent of the tensor 24, extent of "
          "the tile 16); use a tile that divides the tensor, or copy with bounds (docs/errors.md#tiler_does_not_fit)");
  refused(
      "128", "(4,8):(1,5)", "(16,8)", "0",
      "tiled_copy: the thread layout must number its threads 0, 1, 2, … once each (size 32, cosize 39); use a compact "
      "thread layout such as (4,8):(1,4) (docs/errors.md#thr_layout_not_compact)");
  refused("12x", "(4,8)", "(16,8)", "0",
          "--atom-bits: expected the end of the text, found 'x' at position 3\n  12x\n    ^");
  refused("128", "(4,8", "(16,8)", "0",
          "--thr: expected ')' to close a tuple, found the end at position 5\n  (4,8\n      ^");
  refused("128", "(4,8)", "(M,8)", "0",
          "--tensor: expected an integer; names are not known here, found 'M' at position 2\n  (M,8)\n   ^");
}

TEST(bad_input, text_is_made_fit_for_a_terminal) {
  expect_refused({"eval", "4\t\x1b[31mé + ("},
                 "expected the end of the text, found byte 27 at position 3\n  4  [31mé + (\n    ^");
  expect_refused({"eval", "(é"}, "expected an integer, a name, '_' or '(', found byte 195 at position 2\n  (é\n   ^");
  std::string const longest = "size(" + std::string(300, ' ') + "?" + std::string(300, ' ') + ")";
  outcome const result = run_command({"eval", longest});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "tilewright: expected an integer, a name, '_' or '(', found '?' at position 306\n  ..." +
                            std::string(50, ' ') + "?" + std::string(49, ' ') + "...\n  " + std::string(53, ' ') +
                            "^\n");
}

TEST(bad_input, results_that_are_too_long_to_print) {
  std::string text = "i";
  for (int n = 0; n < 15; ++n) text = "crd2idx(" + text + ", (M,N):(K,L))";
  outcome const result = run_command({"eval", text});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(
      result.err,
      "tilewright: a result has more than 20000 characters; give fewer symbols, or state what they are multiples of "
      "(M%8=0)\n");
}

/// Expressions with pieces swapped, doubled and dropped have a value or a sentence, never anything else.
TEST(bad_input, mutated_expressions) {
  constexpr std::string_view seeds[] = {"logical_divide((M,N):(1,M), <8:1,_>)",
                                        "Sw<3,4,3> o 0 o (8,64):(64,1)(3)",
                                        "slice((_,(1,_)), (4,(2,4)):(8,(4,1)))",
                                        "tile_to_shape((2,4):(4,1), (4,8), (2,1))",
                                        "(4,8):(1@0,1@1)(3,2)",
                                        "unflatten((2,3,4), ((1,1),1))",
                                        "max_common_vector((4,8):(1,4), (4,8):(1,8))",
                                        "((M+1)/8*-2%3,N-1)",
                                        "select((2,3,4):(1,2,6), 2, 0)"};
  constexpr std::string_view pieces[] = {"(", ")", ",", ":", "_",   "<", ">", "0",
                                         "1", "8", "M", "@", " o ", "-", "%", "9223372036854775807"};
  std::minstd_rand random(1);
  auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int values = 0, sentences = 0;
  for (int n = 0; n < 20'000; ++n) {
    std::string text(seeds[below(std::size(seeds))]);
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      std::size_t const at = below(text.size() + 1);
      switch (below(3)) {
        case 0: text.insert(at, pieces[below(std::size(pieces))]); break;
        case 1: text.erase(at, 1 + below(3)); break;
        default: text.insert(at, text.substr(below(text.size() + 1), 1 + below(8))); break;
      }
    }
    try {
      facts const none;
      symbols names(none);
      operand const result = expression_reader(text, names).read();
      values += format(result, names.style(true)).empty() ? 0 : 1;
    } catch (text_error const& e) {
      sentences += e.position() <= text.size() && *e.what() != '\0' ? 1 : 0;
    }
  }
  EXPECT_EQ(values + sentences, 20'000);
  EXPECT_GT(values, 500);
}

TEST(usage, without_arguments) {
  outcome const plain = run_command({});
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(plain.out.substr(0, plain.out.find('\n')), "usage: tilewright VERB [ARGUMENTS]");
  EXPECT_EQ(run_command({"--help"}).out, plain.out);
  EXPECT_EQ(run_command({"--version"}).out, "tilewright " TILEWRIGHT_VERSION "\n");
  for (char const* verb : {"eval", "tiled-copy", "demo"}) {
    EXPECT_NE(plain.out.find(verb), std::string::npos);
    EXPECT_EQ(run_command({verb, "--help"}).status, 0);
  }
}

}  // namespace
}  // namespace tilewright::test
