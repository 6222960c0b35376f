// tilewright eval on expressions: constants, symbols and facts, and every operation at least once.
#include "run_command.hpp"

#include "apps/cli/conditions.hpp"
#include "apps/cli/operations.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace tilewright::test {
namespace {

using namespace tilewright::cli;

/// The result of an expression computed in this process, with its conditions.
std::string eval(std::string_view text, std::initializer_list<char const*> stated = {}) {
  facts known;
  for (char const* fact : stated) known.read(fact);
  symbols names(known);
  operand const result = expression_reader(text, names).read();
  text_style const style = names.style(false);
  std::string const condition = conditions(style);
  return format(result, style) + (condition.empty() ? "" : "  if " + condition);
}

struct example {
  char const* text;
  char const* result;
};

TEST(eval, every_operation) {
  constexpr example examples[] = {
      {"size((4,8):(1,4))", "32"},
      {"size((4,8):(1,4), 1)", "8"},
      {"cosize((4,8):(1,5))", "39"},
      {"cosize(Sw<3,4,3> o 0 o (8,64):(64,1))", "1024"},
      {"rank((4,(2,2)))", "2"},
      {"rank((4,(2,2)), 1)", "2"},
      {"depth((4,(2,2)))", "2"},
      {"shape((4,8):(1,4))", "(4,8)"},
      {"stride((4,8):(8,1))", "(8,1)"},
      {"mode(((4,2),8):((1,4),8), 0)", "(4,2):(1,4)"},
      {"crd2idx((3,2), (4,8):(8,1))", "26"},
      {"idx2crd(7, (4,8))", "(3,1)"},
      {"offset2crd(26, (4,8):(8,1))", "(3,2)"},
      {"slice((_,2), (4,8):(8,1))", "(4):(8)"},
      {"dice((_,2), (4,8):(8,1))", "(8):(1)"},
      {"slice_and_offset((_,2), (4,8):(8,1))", "((4):(8),2)"},
      {"congruent((4,(2,2)), (1,(1,1)))", "true"},
      {"compatible(8, (4,2))", "true"},
      {"compatible(4, (4,2))", "false"},
      {"weakly_compatible(4, (4,2))", "true"},
      {"compact_left((4,8))", "(4,8):(1,4)"},
      {"compact_right((4,8))", "(4,8):(8,1)"},
      {"compact_order((4,8,2), (2,1,3))", "(4,8,2):(8,1,32)"},
      {"identity_layout((4,(8,2)))", "(4,(8,2)):(1@0,(1@0@1,1@1@1))"},
      {"coalesce((2,(1,6)):(1,(6,2)))", "12:1"},
      {"coalesce((2,(1,6)):(1,(6,2)), (1,1))", "(2,6):(1,2)"},
      {"coalesce_each(((2,2),(2,2)):((1,2),(4,8)))", "(4,4):(1,4)"},
      {"filter((4,8):(0,1))", "8:1"},
      {"filter_zeros((4,8):(0,1))", "(1,8):(0,1)"},
      {"composition((6,2):(8,2), (4,3):(3,1))", "((2,2),3):((24,2),8)"},
      {"with_shape(8:1, (4,2))", "(4,2):(1,4)"},
      {"complement(4:2, 24)", "(2,3):(1,8)"},
      {"complement(4:2)", "2:1"},
      {"right_inverse((4,8):(8,1))", "(8,4):(4,1)"},
      {"left_inverse((4,8):(8,1))", "(8,4):(4,1)"},
      {"nullspace((4,8):(0,1))", "4:1"},
      {"max_common_layout((4,8):(1,4), (4,8):(1,8))", "4:1"},
      {"max_common_vector((4,8):(1,4), (4,8):(1,8))", "4"},
      {"logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))"},
      {"zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)", "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"},
      {"tiled_divide((8,8):(1,8), (4,4))", "((4,4),2,2):((1,8),4,32)"},
      {"flat_divide((8,8):(1,8), (4,4))", "(4,4,2,2):(1,8,4,32)"},
      {"logical_product((2,2):(4,1), 6:1)", "((2,2),(2,3)):((4,1),(2,8))"},
      {"zipped_product((2,4):(4,1), <3:1,2:1>)", "((2,4),(3,2)):((4,1),(1,4))"},
      {"tiled_product((2,4):(4,1), <3:1,2:1>)", "((2,4),3,2):((4,1),1,4)"},
      {"flat_product((2,4):(4,1), <3:1,2:1>)", "(2,4,3,2):(4,1,1,4)"},
      {"blocked_product((2,5):(5,1), (3,4):(1,3))", "((2,3),(5,4)):((5,10),(1,30))"},
      {"raked_product((2,5):(5,1), (3,4):(1,3))", "((3,2),(4,5)):((10,5),(30,1))"},
      {"tile_to_shape((2,4):(4,1), (4,8))", "((2,2),(4,2)):((4,8),(1,16))"},
      {"tile_to_shape((2,4):(4,1), (4,8), (2,1))", "((2,2),(4,2)):((4,16),(1,8))"},
      {"make_layout_tv((4,8):(1,4), (4,1):(1,0))", "(32,4):(4,1)"},
      {"copy_view((16,8):(1,16), (16,8), (32,4):(4,1), (1,4):(0,1), (1,4):(0,1))", "(32,(4,1),(1,1)):(4,(1,0),(0,0))"},
      {"copy_view(Sw<1,0,3> o 0 o (16,8):(1,16), (16,8), (32,4):(4,1), (1,4):(0,1), (1,4):(0,1))",
       "Sw<1,0,3> o 0 o (32,(4,1),(1,1)):(4,(1,0),(0,0))"},
      {"retile((4,2,2):(1,4,8), (16,8), ((4,8),(2,2)):((32,1),(16,8)), 2)", "((2,2),2,2):((1,2),4,8)"},
      {"mma_view((32,16):(1,32), (_,_), (16,8), ((4,8),(2,2)):((32,1),(16,8)), (2,1))",
       "(((4,8),(2,1)),((2,2),(1,2))):(((64,1),(16,0)),((32,8),(0,256)))"},
      {"mma_tv((_,_), (16,8), ((4,8),(2,2)):((32,1),(16,8)), (32,2,1,1):(1,32,0,0), 1, 2)",
       "((4,8,2),((2,2),(1,1))):((64,1,16),((32,8),(0,0)))"},
      {"upcast((8,4):(1,8), 4)", "(2,4):(1,2)"},
      {"downcast((2,4):(1,2), 4)", "(8,4):(1,8)"},
      {"recast((8,4):(1,8), 16, 32)", "(4,4):(1,4)"},
      {"domain_distribute((8,8), 4)", "4:1"},
      {"group((2,3,4), 0, 2)", "((2,3),4)"},
      {"group((2,3,4):(1,2,6), 1, 3)", "(2,(3,4)):(1,(2,6))"},
      {"select((2,3,4):(1,2,6), 2, 0)", "(4,2):(6,1)"},
      {"take((2,3,4):(1,2,6), 1, 3)", "(3,4):(2,6)"},
      {"append((2,3):(1,2), 4:6)", "(2,3,4):(1,2,6)"},
      {"prepend((2,3), 4)", "(4,2,3)"},
      {"replace((2,3):(1,2), 1, 5:7)", "(2,5):(1,7)"},
      {"flatten(((2,3),4):((1,2),6))", "(2,3,4):(1,2,6)"},
      {"unflatten((2,3,4), ((1,1),1))", "((2,3),4)"},
      {"ceil_div(9, 4)", "3"},
      {"min(9, 4)", "4"},
      {"max(9, 4)", "9"},
      {"abs(-9)", "9"},
      {"sign(-9)", "-1"},
  };
  std::set<std::string_view> used;
  for (example const& e : examples) {
    EXPECT_EQ(eval(e.text), e.result) << e.text;
    used.insert(std::string_view(e.text).substr(0, std::string_view(e.text).find('(')));
  }
  for (operation_group const& group : operation_groups())
    for (operation const& op : group.operations) EXPECT_TRUE(used.contains(op.name)) << op.name << " has no example";
}

TEST(eval, notation) {
  constexpr example examples[] = {
      {"(4,8)", "(4,8)"},
      {"_4:_1", "4:1"},
      {"(8):(1)", "(8):(1)"},
      {"((8):(1))", "(8):(1)"},
      {"(4,_)", "(4,_)"},
      {"<8:1,_>", "(8:1,_)"},
      {" ( 4 , 8 ) : ( 1 , -4 ) ", "(4,8):(1,-4)"},
      {"(4,8):(1@0,2@1@0)", "(4,8):(1@0,2@1@0)"},
      {"(4,8):(1@0,1@1)(3,2)", "(3,2)"},
      {"()", "()"},
      {"():()", "():()"},
      {"7 / 2 * 2 + 7 % 2 - -1", "8"},
      {"(2+3)*4", "20"},
      {"-(3)", "-3"},
      {"(size((4,8)),2):(1,size((4,8)))", "(32,2):(1,32)"},
      {"(4,8):stride((2,2):(8,1))", "(4,8):(8,1)"},
      {"(4,8):(8,1)(3,2)", "26"},
      {"(4,8):(8,1)((3,2))", "26"},
      {"(4,8):(8,1)(11)", "26"},
      {"(4,(2,4)):(8,(4,1))(3,(1,_))", "(4):(1)"},
      {"compact_right((4,8))(_,2)", "(4):(8)"},
      {"(6,2):(8,2) o (4,3):(3,1)", "((2,2),3):((24,2),8)"},
      {"(12):(1) o 6:2 o 3:1", "3:2"},
      {"Sw<3,4,3>", "Sw<3,4,3>"},
      {"Sw<3,4,3> o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
      {"Sw<3,4,3> o 0 o (8,64)", "Sw<3,4,3> o 0 o (8,64):(1,8)"},
      {"Sw<3,4,3> o 64 o (8,64):(64,1)", "Sw<3,4,3> o 64 o (8,64):(64,1)"},
      {"Sw<3,4,3> o 0 o (8,64):(64,1)(3)", "208"},
      {"Sw<3,4,3> o 0 o (8,64):(64,1)(_,3)", "Sw<3,4,3> o 3 o (8):(64)"},
      {"size(Sw<3,4,3> o (8,64):(64,1))", "512"},
      {"zipped_divide(Sw<3,4,3> o (8,64):(64,1), (4,32))", "Sw<3,4,3> o 0 o ((4,32),(2,2)):((64,1),(256,32))"},
      {"upcast(Sw<3,4,3> o (8,64):(64,1), 8)", "Sw<3,1,3> o 0 o (8,8):(8,1)"},
      {"max_common_vector(Sw<3,3,3> o (64,8):(1,64), (64,8):(1,64))", "8"},
      {"slice((_,22), (16,(12,2,4)):(96,(8,4,1)))", "(16):(96)"},
      {"slice((16,(12,2,4)):(96,(8,4,1)), (_,22))", "(16):(96)"},
      {"composition(coalesce((4,8)), size(4):2)", "4:2"},
  };
  for (example const& e : examples) EXPECT_EQ(eval(e.text), e.result) << e.text;
}

TEST(eval, symbols) {
  EXPECT_EQ(eval("(M,N):(1,M)"), "(M,N):(1,M)");
  EXPECT_EQ(eval("(M,N):(1,M)(i,j)"), "i+j*M");
  EXPECT_EQ(eval("size((M,N))*2+1"), "M*N*2+1");
  EXPECT_EQ(eval("compact_right((M,N,K))"), "(M,N,K):(K*N,K,1)");
  EXPECT_EQ(eval("((M+1)*2,N)"), "((M+1)*2,N)");
  EXPECT_EQ(eval("M:1@0"), "M:1@0");
}

TEST(eval, symbolic_results_can_be_pasted) {
  for (char const* text : {"compact_left((M,(N,K)))", "zipped_divide((M,N):(1,M), (8,16))", "complement(4:2, N)",
                           "idx2crd(i, (M,8,N))", "((M/8)%4,min(M,N),max(1,M-N),abs(M),sign(N))"}) {
    std::string const once = eval(text);
    EXPECT_EQ(eval(once), once) << text;
  }
}

TEST(eval, facts_prove_what_symbols_leave_open) {
  EXPECT_EQ(eval("logical_divide((M,N):(1,M), <8:1,_>)"), "((8,ceil_div(M,8)),N):((1,8),M)");
  EXPECT_EQ(eval("logical_divide((M,N):(1,M), <8:1,_>)", {"M%8=0"}), "((8,M/8),N):((1,8),M)");
  EXPECT_EQ(eval("logical_divide((M,N):(1,M), <8:1,_>)", {"M%4=0"}), "((8,ceil_div(M,8)),N):((1,8),M)");
  EXPECT_EQ(eval("zipped_divide((M,N):(1,M), (8,16))", {"M%8=0", "N % 16 = 0"}),
            "((8,16),(M/8,N/16)):((1,M),(8,16*M))");
  EXPECT_EQ(eval("M%24", {"M%8=0", "M%12=0"}), "0");
  EXPECT_EQ(eval("M%24", {"M%8=0"}), "M%24");
}

TEST(eval, conditions_stand_behind_the_result) {
  EXPECT_EQ(eval("upcast((8,M):(1,K), 4)"), "(2,M):(1,K/4)  if K%4=0");
  EXPECT_EQ(eval("upcast((8,M):(1,K), 4)", {"K%8=0"}), "(2,M):(1,K/4)");
  EXPECT_EQ(eval("composition((M,N):(1,M), <8:1,_>)"), "(8,N):(1,M)  if 8<=M");
  EXPECT_EQ(eval("composition((M,N):(1,M), <8:1,_>)", {"M%8=0"}), "(8,N):(1,M)");
  // What holds for all integers is no condition.
  EXPECT_EQ(eval("tile_to_shape(4:1, M)"), "((4,(ceil_div(M,4)))):((1,(4)))");
}

TEST(eval, the_command) {
  EXPECT_EQ(value_of({"logical_divide((M,N):(1,M), <8:1,_>)", "M%8=0"}), "((8,M/8),N):((1,8),M)");
  EXPECT_EQ(value_of({"M%8=0", "(M,N):(1,M)"}), "(M,N):(1,M)");
  EXPECT_EQ(value_of({"--mark-static", "composition((6,2):(8,2), (4,3):(3,1))"}), "((_2,_2),_3):((_24,_2),_8)");
  EXPECT_EQ(value_of({"4:1", "size((4,8))"}), "4:1\n32");
  EXPECT_EQ(value_of({"--", "-(3)", "-4"}), "-3\n-4");
}

TEST(eval, an_integer_of_a_tiler_is_a_vector) {
  EXPECT_EQ(eval("composition((4,8):(8,1), (2,2))"), "(2,2):(8,1)");
  EXPECT_EQ(eval("composition((4,8):(8,1), 2)"), "2:8");
  EXPECT_EQ(eval("composition((4,8):(8,1), <2,_>)"), "(2,8):(8,1)");
  EXPECT_EQ(eval("composition((4,(2,4)):(8,(4,1)), (2,(2,2)))"), "(2,(2,2)):(8,(4,1))");
  // The same as the layouts that it stands for, and as the first mode of a division.
  EXPECT_EQ(eval("composition((4,8):(8,1), (2,4))"), eval("composition((4,8):(8,1), <2:1,4:1>)"));
  EXPECT_EQ(eval("composition((4,8):(8,1), (2,4))"), eval("mode(zipped_divide((4,8):(8,1), (2,4)), 0)"));
  EXPECT_EQ(eval("composition(Sw<2,0,3> o 0 o (4,8):(8,1), (2,4))"), "Sw<2,0,3> o 0 o (2,4):(8,1)");
  EXPECT_EQ(eval("composition((M,N):(1,P), (4,2))", {"M%4=0", "N%2=0"}), "(4,2):(1,P)");
}

TEST(eval, as_json) {
  outcome const result = run_command({"eval", "--json", "(4,(2,2)):(8,(1,4))", "size((4,8))", "(M,8):(1,M)",
                                      "compatible(8, (4,2))", "upcast((8,M):(1,K), 4)", "(4,_)"});
  EXPECT_EQ(result.status, 0) << result.err;
  nlohmann::json const all = nlohmann::json::parse(result.out);
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0]["shape"], nlohmann::json::parse("[4,[2,2]]"));
  EXPECT_EQ(all[0]["stride"], nlohmann::json::parse("[8,[1,4]]"));
  EXPECT_EQ(all[0]["result"], "(4,(2,2)):(8,(1,4))");
  EXPECT_EQ(all[1]["value"], 32);
  EXPECT_EQ(all[2]["shape"], nlohmann::json::parse("[\"M\",8]"));
  EXPECT_EQ(all[3]["value"], true);
  EXPECT_EQ(all[4]["if"], "K%4=0");
  EXPECT_EQ(all[5]["result"], "(4,_)");
  outcome const one_is_bad = run_command({"eval", "--json", "size((4", "size((2,2))"});
  EXPECT_EQ(one_is_bad.status, 2);
  EXPECT_EQ(nlohmann::json::parse(one_is_bad.out).size(), 1U);
  EXPECT_EQ(run_command({"eval", "--json", "--tsv", "-"}).status, 2);
}

TEST(eval, help_lists_every_operation) {
  outcome const help = run_command({"eval", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  for (operation_group const& group : operation_groups())
    for (operation const& op : group.operations) EXPECT_NE(help.out.find(signature(op)), std::string::npos) << op.name;
}

}  // namespace
}  // namespace tilewright::test
