// tilewright plan: how a copy between two layouts would be run, and why.
#include "apps/cli/output.hpp"
#include "apps/cli/plan_ranks.hpp"
#include "apps/cli/shared_options.hpp"
#include "apps/cli/subject.hpp"
#include "tilewright/engine/copy.hpp"

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints the plan of a copy from one layout to another of the same shape: its loops, the way through memory, the\n"
    "tiles, the expected time, and the reason for each choice.\n\n"
    "  tilewright plan '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32\n"
    "  tilewright plan '(8,64):(64,1)' 'Sw<3,3,3> o 0 o (8,64):(64,1)' --element bf16 --machine sm_90 --json\n\n"
    "With --ranks the layouts are distributed ones, and the plan says who sends what to whom:\n\n"
    "  tilewright plan --ranks 4 'distribute((10,8),4,S0)' 'distribute((10,8),4,S1)' --element f32";

}  // namespace

int run_plan(words const& given) {
  CLI::App app(introduction, "tilewright plan");
  subject_texts texts;
  std::string src, dst;
  bool json = false;
  app.add_option("SRC", src, "layout to read, in the language of tilewright eval")->type_name("LAYOUT");
  app.add_option("DST", dst, "layout to write")->type_name("LAYOUT");
  add_element_option(app, texts.copy.element);
  add_machine_option(app, texts.machine);
  add_threads_option(app, texts.threads);
  add_align_option(app, texts.align);
  rank_texts ranks;
  app.add_option("--ranks", ranks.ranks, "ranks that the tensor is distributed over; plans a redistribution")
      ->type_name("NUMBER");
  app.add_option("--rank", ranks.rank, "with --ranks: what this rank sends and receives alone")->type_name("NUMBER");
  app.add_option("--topology", ranks.topology, "with --ranks: the network to estimate the time for; host if left out")
      ->type_name("host|nvlink|rail|fat-tree");
  app.add_flag("--baselines", ranks.compare,
               "with --ranks: also the times of an all-to-all and of DTensor's collectives");
  app.add_option("--svg", ranks.svg, "with --ranks: file to draw who sends what to whom in")->type_name("FILE");
  add_result_options(app, json);
  if (!parse(app, given)) return success;
  if (src.empty() || dst.empty())
    throw usage_error("plan needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'");
  if (texts.copy.element.empty()) throw usage_error("plan needs --element, the type of an element, such as f32");
  if (!ranks.ranks.empty()) {
    if (!texts.machine.empty() || !texts.threads.empty() || !texts.align.empty())
      throw usage_error("plan: with --ranks there is no --machine, --threads or --align; --topology names the network");
    print_redistribution(src, dst, texts.copy.element, ranks, json);
    return success;
  }
  if (!ranks.rank.empty() || !ranks.topology.empty() || !ranks.svg.empty() || ranks.compare)
    throw usage_error("plan: --rank, --topology, --baselines and --svg describe a redistribution; give --ranks too");
  texts.layouts = {src, dst};
  copy_plan const plan = std::get<plan_subject>(read_subject("plan", texts)).plan;
  std::string const text = json ? to_json(plan) : explain(plan);
  say("{}{}", text, text.empty() || text.back() != '\n' ? "\n" : "");
  return success;
}

}  // namespace tilewright::cli
