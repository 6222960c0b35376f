// tilewright explain: the sentences for a layout, a tiled copy and a plan, and their values as JSON, which are compared
// with the library's and with what brute force counts.
#include "run_command.hpp"

#include "tilewright/analysis/explain.hpp"
#include "tilewright/analysis/layout_report.hpp"
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace tilewright::test {
namespace {

using lines = std::vector<std::string>;

lines copy_of_16x8(std::string const& verb, std::string const& tensor, lines const& more = {}) {
  lines out{verb, "--atom-bits", "128", "--element-bits", "32", "--thr", "(4,8)", "--val", "(4,1)", "--tensor", tensor};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::string text_of(lines const& words) {
  outcome const result = run_command(words);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

TEST(explain, the_copy_of_a_column_major_tile) {
  EXPECT_EQ(text_of(copy_of_16x8("explain", "(16,8):(1,16)")),
            "covers (16,8) exactly once: 32 threads x 4 values = 128 elements\n"
            "source, global memory: 128-bit loads along mode 0, 4 elements each: the machine's widest\n"
            "source, global memory: 16 sectors per warp request of 16 needed (100 %), 4 lines of 4; 1 request\n"
            "destination, shared memory: 128-bit stores along mode 0, 4 elements each: the machine's widest\n"
            "destination, shared memory: no bank conflicts: 4 phases of 8 threads x 16 bytes, 32 words on 32 banks "
            "each: 4 wavefronts of 4 needed\n"
            "4 registers of a thread and 512 bytes of shared memory for 32 threads; 32 blocks of an SM at a time\n"
            "at least 8 clocks of an SM, bound by global memory (global memory 8, shared memory 4, instructions 2)\n");
}

TEST(explain, why_the_row_major_tile_is_slow_and_what_restores_it) {
  std::string const text = text_of(copy_of_16x8("explain", "(16,8):(8,1)"));
  for (char const* part :
       {"source, global memory: 32-bit loads, although the atom carries 128 bits: a thread's values run along mode 0, "
        "whose stride is 8, not 1\n",
        "destination, shared memory: 12 bank conflicts: 16 wavefronts in 4 phases of 4 instructions, 4 times the "
        "least; the first: 1 phase of 32 threads x 4 bytes, 32 words on 8 banks, 4 of them on bank 0: 4 wavefronts of "
        "1 needed\n",
        "let the values run along mode 1: thr (16,2):(2,1) with val (1,4):(0,1) makes 128-bit accesses on both sides"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  // What it proposes does what it says.
  std::string const better = text_of({"explain", "--atom-bits", "128", "--element", "f32", "--thr", "(16,2):(2,1)",
                                      "--val", "(1,4):(0,1)", "--tensor", "(16,8):(8,1)"});
  EXPECT_NE(better.find("source, global memory: 128-bit loads along mode 1"), std::string::npos) << better;
  EXPECT_NE(better.find("no bank conflicts"), std::string::npos) << better;
}

lines fragments(std::string const& verb, lines const& more) {
  lines out{verb, "--element", "f16", "--thr", "(8,4):(4,1)", "--val", "(4,2):(2,1)", "--tensor", "(32,64):(64,1)"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(explain, copies_of_an_atom_by_its_name) {
  // The 8 rows of a matrix, 4 rows of the tile apart, begin in the same bank.
  std::string const text = text_of(fragments("explain", {"--atom", "SM75_U32x4_LDSM_N"}));
  for (char const* part : {"covers (32,8) exactly once: 32 threads x 8 values = 256 elements\n",
                           "source, shared memory: ldmatrix of rows of 128 bits along mode 1, 8 elements each\n",
                           "source, shared memory: 224 bank conflicts: 256 wavefronts in 32 phases of 8 instructions",
                           "source: better with Sw<3,3,5>: no bank conflicts"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(text.find("destination"), std::string::npos) << text;  // registers have no accesses
  lines const swizzled{
      "--atom",      "SM75_U32x4_LDSM_N", "--tensor", "Sw<3,3,5> o 0 o (32,64):(64,1)", "--thr", "(8,4):(4,1)", "--val",
      "(4,2):(2,1)", "--element",         "f16"};
  lines ask{"check", "--no-conflicts", "--vector", "128", "--covers"};
  ask.insert(ask.end(), swizzled.begin(), swizzled.end());
  EXPECT_EQ(run_command(ask).status, 0) << run_command(ask).out;
  // The widths of one thread and the types are the same copy.
  EXPECT_EQ(text_of(copy_of_16x8("explain", "(16,8):(1,16)")),
            text_of({"explain", "--atom", "UniversalCopy<uint128_t>", "--element", "f32", "--thr", "(4,8)", "--val",
                     "(4,1)", "--tensor", "(16,8):(1,16)"}));
  EXPECT_EQ(text_of(copy_of_16x8("explain", "(16,8):(1,16)", {"--cp-async"})),
            text_of({"explain", "--atom", "SM80_CP_ASYNC_CACHEALWAYS", "--element", "f32", "--thr", "(4,8)", "--val",
                     "(4,1)", "--tensor", "(16,8):(1,16)"}));
  // A fragment's layout that is stored by rows of one thread has no rows for ldmatrix.
  outcome const impossible = run_command({"check", "--atom", "SM75_U32x4_LDSM_N", "--element", "f16", "--thr", "(32,1)",
                                          "--val", "(1,8)", "--tensor", "(32,64):(1,32)", "--no-conflicts"});
  EXPECT_EQ(impossible.status, 1);
  EXPECT_NE(
      impossible.out.find("fails --no-conflicts: source, shared memory: ldmatrix is not possible: it accesses rows"),
      std::string::npos)
      << impossible.out;
}

TEST(explain, refuses_atoms_that_do_not_fit) {
  auto const refused = [](lines const& more, std::string const& sentence) {
    outcome const result = run_command(fragments("explain", more));
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_EQ(result.err, "tilewright: " + sentence + "\n");
  };
  refused({"--atom", "SM75_U32x4_LDSM_N", "--atom-bits", "128"},
          "explain takes either --atom SM75_U32x4_LDSM_N or --atom-bits 128, not both");
  refused({"--atom", "SM75_U32x4_LDSM_N", "--space", "global,shared"},
          "explain: --space is shared,registers for SM75_U32x4_LDSM_N, not global,shared");
  refused({"--atom", "SM75_U32x4_LDSM_N", "--machine", "cpu"},
          "explain: SM75_U32x4_LDSM_N is an instruction of GPUs; choose --machine sm_90, or leave it out");
  refused({"--atom", "SM90_U32x4_STSM_N", "--machine", "sm_80"},
          "explain: SM90_U32x4_STSM_N needs sm_90 or newer, and --machine is sm_80");
  refused({"--atom", "SM75_U32x4_LDSM_N", "--cp-async"},
          "explain: --cp-async is another instruction than SM75_U32x4_LDSM_N; leave one of them out");
  refused({"--atom", "SM90_TMA_LOAD"},
          "SM90_TMA_LOAD is issued by one thread and moves what its descriptor or its size says, so it has no "
          "thread-value map; use the layouts that it moves between");
  refused(
      {"--atom", "SM80_16x8x16_F32F16F16F32_TN"},
      "SM80_16x8x16_F32F16F16F32_TN is a matrix operation and copies nothing; --atom takes a copy atom here, such as "
      "SM75_U32x4_LDSM_N");
  refused({"--atom", "SM75_U32x4_LDSM"}, "there is no copy atom 'SM75_U32x4_LDSM'; did you mean 'SM75_U32x4_LDSM_N'?");
  outcome const wide = run_command({"check", "--atom", "SM75_U16x8_LDSM_T", "--element", "f32", "--thr", "(4,8)",
                                    "--val", "(4,1)", "--tensor", "(32,64)", "--covers"});
  EXPECT_EQ(wide.status, 2);
  EXPECT_EQ(
      wide.err,
      "tilewright: SM75_U16x8_LDSM_T transposes units of 16 bits, and an element has 32; use --element f16, or an "
      "atom that does not transpose, such as SM75_U32x4_LDSM_N\n");
  outcome const half_a_warp = run_command({"explain", "--atom", "SM75_U32x4_LDSM_N", "--element", "f16", "--thr",
                                           "(16,1)", "--val", "(1,8)", "--tensor", "(32,64)"});
  EXPECT_EQ(half_a_warp.status, 2);
  EXPECT_NE(
      half_a_warp.err.find("the number of threads is not a multiple of the atom's threads (threads 16, threads of "
                           "the atom 32)"),
      std::string::npos)
      << half_a_warp.err;
}

TEST(explain, values_of_a_copy_are_the_librarys) {
  for (char const* tensor : {"(16,8):(1,16)", "(16,8):(8,1)", "(32,64):(1,33)"}) {
    nlohmann::json const values = nlohmann::json::parse(text_of(copy_of_16x8("explain", tensor, {"--json"})));
    analysis::copy_question question{};
    question.copy = {bits{128}, bits{32}, parse_layout("(4,8)"), parse_layout("(4,1)")};
    question.source.layout = tiling::unswizzled(parse_layout(tensor));
    question.destination = {question.source.layout, tiling::memory::shared, bytes{128}};
    analysis::copy_report const report = analysis::report_of(question).value();
    EXPECT_EQ(values["kind"], "tiled_copy");
    EXPECT_EQ(values["coverage"]["verdict"], "exactly_once");
    EXPECT_EQ(values["source"]["width"]["bits"], report.source.cost.width.width.count);
    EXPECT_EQ(values["source"]["global"]["sectors"], report.source.cost.global.sectors);
    EXPECT_EQ(values["destination"]["shared"]["bank_conflicts"], report.destination.cost.shared.conflicts());
    EXPECT_EQ(values["rounds"], report.rounds);
    EXPECT_EQ(values["sentences"], analysis::explain(report));
    EXPECT_EQ(values.contains("better"), report.better.has_value());
  }
}

TEST(explain, spaces_alignment_and_architecture) {
  std::string const loads = text_of(copy_of_16x8("explain", "(16,8):(1,16)", {"--space", "global,registers"}));
  EXPECT_EQ(loads.find("destination"), std::string::npos) << loads;
  std::string const odd = text_of(copy_of_16x8("explain", "(16,8):(1,16)", {"--align", "8,128"}));
  EXPECT_NE(odd.find("the base is aligned to 8 bytes, not to 16; align the base to 16 bytes"), std::string::npos)
      << odd;
  std::string const cpu = text_of(copy_of_16x8("explain", "(16,8):(1,16)", {"--machine", "cpu"}));
  EXPECT_NE(cpu.find("cache line"), std::string::npos) << cpu;
  std::string const swizzled =
      text_of(copy_of_16x8("explain", "(16,8):(1,16)", {"--to", "Sw<2,2,3> o 0 o (16,8):(1,16)", "--json"}));
  EXPECT_EQ(nlohmann::json::parse(swizzled)["destination"]["layout"], "Sw<2,2,3> o 0 o (16,8):(1,16)");
}

TEST(explain, a_layout) {
  std::string const text = text_of({"explain", "(8,8):(8,1)", "--element", "f32", "--machine", "sm_90"});
  EXPECT_EQ(text.substr(0, text.find("8 threads")),
            "64 elements of 32 bits in 256 bytes of memory\n"
            "injective: each stride steps over all that the smaller ones reach\n"
            "contiguous: 64 offsets in [0, 63]\n"
            "mode 0: 32-bit loads; wider is not possible: a thread's values run along mode 0, whose stride is 8, not "
            "1\n");
  EXPECT_NE(text.find("mode 1: 128-bit loads along mode 1, 4 elements each: the machine's widest\n"),
            std::string::npos);
  EXPECT_NE(text_of({"explain", "(4,2):(1,2)"}).find("aliased: (2,0) and (0,1) share offset 2"), std::string::npos);
  EXPECT_NE(text_of({"explain", "8"}).find("contiguous: 8 offsets in [0, 7]"), std::string::npos);
  EXPECT_EQ(text_of({"explain", "(32,4):(4,1)", "--tile", "(16,8)"}).find("mode 0"), std::string::npos);
  EXPECT_NE(text_of({"explain", "(32,4):(4,1)", "--tile", "(16,8)"}).find("covers (16,8) exactly once"),
            std::string::npos);
}

TEST(explain, a_layout_without_elements_or_with_one) {
  EXPECT_EQ(text_of({"explain", "(0,4):(4,1)"}).substr(0, 10), "0 elements");
  EXPECT_EQ(text_of({"explain", "1:0"}).substr(0, 10), "1 element ");
}

/// 32-byte sectors of global memory that `threads` neighbours along a mode of a rank-2 layout touch, in all requests.
long long sectors_by_hand(layout_value const& a, int mode, long long threads, long long element_bytes) {
  long long const extents[] = {a.shape[0].number, a.shape[1].number};
  long long sum = 0;
  for (long long other = 0; other < extents[1 - mode]; ++other)
    for (long long first = 0; first < extents[mode]; first += threads) {
      std::set<long long> touched;
      for (long long t = first; t < first + threads; ++t) {
        long long const at = (t * a.stride[mode].number + other * a.stride[1 - mode].number) * element_bytes;
        for (long long byte = at; byte < at + element_bytes; ++byte) touched.insert(byte / 32);
      }
      sum += static_cast<long long>(touched.size());
    }
  return sum;
}

TEST(explain, walks_along_modes_as_brute_force_counts_them) {
  for (char const* text : {"(8,8):(8,1)", "(32,4):(1,32)", "(64,3):(3,1)", "(5,7):(9,1)", "(48,2):(2,100)"})
    for (long long element : {8, 16, 32, 64}) {
      layout_value const a = parse_layout(text);
      analysis::layout_question asked;
      asked.layout = composed(a);
      asked.element = {element};
      analysis::layout_report const report = analysis::report_of(asked);
      ASSERT_EQ(report.walks.size(), 2U);
      for (analysis::mode_walk const& w : report.walks) {
        EXPECT_EQ(a.shape[w.mode].number % w.threads, 0);
        EXPECT_EQ(w.global.global.sectors, sectors_by_hand(a, w.mode, w.threads, element / 8))
            << text << " mode " << w.mode << ", " << element << " bits";
      }
    }
}

TEST(explain, a_plan) {
  lines const words{"(512,256):(256,1)", "(512,256):(1,512)", "--element", "f32", "--machine", "sm_90"};
  lines explain{"explain"}, plan{"plan"};
  explain.insert(explain.end(), words.begin(), words.end());
  plan.insert(plan.end(), words.begin(), words.end());
  EXPECT_EQ(text_of(explain), text_of(plan));
  explain.emplace_back("--json");
  plan.emplace_back("--json");
  nlohmann::json const values = nlohmann::json::parse(text_of(explain));
  EXPECT_EQ(values["kind"], "plan");
  EXPECT_EQ(values["plan"], nlohmann::json::parse(text_of(plan)));
}

TEST(explain, refusals) {
  auto const refused = [](lines words, std::string const& message) {
    words.insert(words.begin(), "explain");
    outcome const result = run_command(words);
    EXPECT_EQ(result.status, 2) << message;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "tilewright: " + message + "\n");
  };
  refused(
      {},
      "explain needs a layout, such as '(8,8):(8,1)', two layouts with --element for a plan, or --thr and the other "
      "options of a tiled copy");
  refused({"8", "8", "8"}, "explain takes one layout or two, and '8' is the third");
  refused({"8", "8"}, "explain needs --element for a plan, the type of an element, such as f32");
  refused({"--thr", "8"}, "explain needs --atom-bits to describe a tiled copy");
  refused({"8", "--thr", "8"}, "explain takes either layouts or the options of a tiled copy, not '8' and --thr too");
  refused({"8", "--space", "shared"}, "explain: a layout takes no --space");
  refused({"8", "--machine", "sm_91"},
          "explain: --machine must be one of cpu, cpu-avx2, cpu-sse4, sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, "
          "sm_100, not "
          "'sm_91'; did you mean 'sm_90'?");
  refused({"8", "--align", "3"}, "explain: --align must be a power of two, not 3");
  refused({"(8,8:(8,1)"},
          "expected an integer since the shape has a leaf here, found '(' at position 6\n  (8,8:(8,1)\n       ^");
  refused({"(8,M)"}, "expected an integer; names are not known here, found 'M' at position 4\n  (8,M)\n     ^");
  refused({"(4,8):(1@0,1@1)"}, "expected a layout whose offsets are numbers, not coordinates\n  (4,8):(1@0,1@1)\n  ^");
  refused({"composition((4,8):(8,1), 9:1"},
          "expected ')' to close the arguments, found the end at position 29\n  composition((4,8):(8,1), 9:1\n" +
              std::string(30, ' ') + "^");
}

}  // namespace
}  // namespace tilewright::test
