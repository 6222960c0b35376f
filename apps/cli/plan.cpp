// tilewright plan: how a copy between two layouts would be run, and why.
#include "apps/cli/command.hpp"
#include "apps/cli/layout_argument.hpp"
#include "apps/cli/option_values.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/format.h>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints the plan of a copy from one layout to another of the same shape: its loops, the way through memory, the\n"
    "tiles, the expected time, and the reason for each choice.\n\n"
    "  tilewright plan '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32\n"
    "  tilewright plan '(8,64):(64,1)' 'Sw<3,3,3> o 0 o (8,64):(64,1)' --element bf16 --machine sm_90 --json";

long long parse_number(std::string const& text, char const* option, long long least, long long most) {
  long long const number = parse_integer(text);
  if (number < least || number > most)
    throw usage_error(fmt::format("plan: {} is {} to {}, not {}", option, least, most, number));
  return number;
}

machine_model find_machine(std::string const& name, int threads) {
  if (name.empty()) return this_machine(cpu, threads);
  try {
    return machine_named(name);
  } catch (std::invalid_argument const& e) {
    throw usage_error(fmt::format("plan: {}", e.what()));
  }
}

}  // namespace

int run_plan(words const& given) {
  CLI::App app(introduction, "tilewright plan");
  std::string src, dst, element, machine, threads = "0", align = "16";
  bool json = false;
  app.add_option("SRC", src, "the layout to read, in the language of tilewright eval")->type_name("LAYOUT");
  app.add_option("DST", dst, "the layout to write")->type_name("LAYOUT");
  app.add_option("--element", element, "the type of an element")->type_name(choices_of(element_names()));
  app.add_option("--machine", machine, "the machine to plan for; this one if left out")
      ->type_name(choices_of(machine_names()));
  app.add_option("--threads", threads, "of this machine; all if left out")->type_name("NUMBER");
  app.add_option("--align", align, "bytes that both pointers are multiples of; 16 if left out")->type_name("BYTES");
  app.add_flag("--json", json, "print the plan as JSON");
  if (!parse(app, given)) return success;
  if (src.empty() || dst.empty())
    throw usage_error("plan needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'");
  if (element.empty()) throw usage_error("plan needs --element, the type of an element, such as f32");
  auto const count = static_cast<int>(parse_number(threads, "--threads", 0, 4096));
  long long const alignment = parse_number(align, "--align", 1, 4096);

  copy_request request{parse_layout_argument(src), parse_layout_argument(dst), read_element_option("plan", element),
                       alignment, alignment};
  copy_plan const plan = plan_copy(request, find_machine(machine, count));
  std::string const text = json ? to_json(plan) : explain(plan);
  fmt::print("{}{}", text, text.empty() || text.back() != '\n' ? "\n" : "");
  return success;
}

}  // namespace tilewright::cli
