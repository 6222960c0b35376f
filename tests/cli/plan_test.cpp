// `tilewright plan`: prints what the library plans for the same layouts and machine, as text and as JSON.
#include "run_command.hpp"

#include <nlohmann/json.hpp>

#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/copy_plan.hpp"

namespace tilewright::test {
namespace {

copy_plan transpose_plan(machine_model const& machine) {
  return plan_copy({composed(parse_layout("(512,256):(256,1)")), composed(parse_layout("(512,256):(1,512)")), 32},
                   machine);
}

TEST(plan, is_the_librarys_for_each_machine_that_has_a_name) {
  for (std::string const& name : machine_names()) {
    copy_plan const plan = transpose_plan(machine_named(name));
    std::vector<std::string> const words{
        "plan", "(512,256):(256,1)", "(512,256):(1,512)", "--element", "f32", "--machine", name};
    outcome const text = run_command(words);
    EXPECT_EQ(text.status, 0) << text.err;
    std::string const explained = explain(plan);
    EXPECT_EQ(text.out, explained.back() == '\n' ? explained : explained + "\n") << name;
    std::vector<std::string> with_json = words;
    with_json.push_back("--json");
    outcome const json = run_command(with_json);
    EXPECT_EQ(json.status, 0) << json.err;
    EXPECT_EQ(nlohmann::json::parse(json.out), nlohmann::json::parse(to_json(plan))) << name;
  }
}

TEST(plan, for_this_machine_and_for_swizzled_layouts) {
  outcome const here = run_command({"plan", "(64,32)", "(64,32):(32,1)", "--element", "float64", "--threads", "1"});
  EXPECT_EQ(here.status, 0) << here.err;
  EXPECT_NE(here.out, "");
  outcome const swizzled = run_command(
      {"plan", "(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "--element", "bf16", "--machine", "cpu", "--json"});
  EXPECT_EQ(swizzled.status, 0) << swizzled.err;
  EXPECT_TRUE(nlohmann::json::parse(swizzled.out).is_object());
}

TEST(plan, refusals) {
  auto const refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), "plan");
    outcome const result = run_command(words);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refused({}), "tilewright: plan needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'\n");
  EXPECT_EQ(refused({"8", "8"}), "tilewright: plan needs --element, the type of an element, such as f32\n");
  EXPECT_EQ(refused({"8", "8", "--element", "f31"}),
            "tilewright: plan: there is no element type 'f31'; there are b4 to b128, bool, i4 to i64, u4 to u64, f8, "
            "f16, bf16, "
            "f32, f64, c64 and c128; did you mean 'f32'?\n");
  EXPECT_EQ(refused({"(4,8:(8,1)", "8", "--element", "f32"}),
            "tilewright: expected an integer since the shape has a leaf here, found '(' at position 6\n  (4,8:(8,1)\n  "
            "     ^\n");
  EXPECT_EQ(refused({"(M,8)", "8", "--element", "f32"}),
            "tilewright: expected an integer; names are not known here, found 'M' at position 2\n  (M,8)\n   ^\n");
  EXPECT_EQ(refused({"(4,8):(1@0,1@1)", "8", "--element", "f32"}),
            "tilewright: expected a layout whose offsets are numbers, not coordinates\n  (4,8):(1@0,1@1)\n  ^\n");
  EXPECT_EQ(refused({"8", "8", "--element", "f32", "--threads", "-2"}),
            "tilewright: plan: --threads must be from 0 to 4096, not -2\n");
  for (std::vector<std::string> const& words :
       std::vector<std::vector<std::string>>{{"(4,8)", "(8,4)", "--element", "f32"},
                                             {"8:1", "8:0", "--element", "f32"},
                                             {"8", "8", "--element", "f32", "--machine", "abacus"},
                                             {"8", "8", "--element", "f32", "--align", "3"}}) {
    std::string const sentence = refused(words);
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 1) << sentence;
  }
}

}  // namespace
}  // namespace tilewright::test
