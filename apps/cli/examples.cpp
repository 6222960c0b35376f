// tilewright examples: lists the example programs, or runs one.
#include "apps/cli/command.hpp"
#include "apps/cli/example_programs.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Lists the example programs, whose sources are in examples/, or runs one. The exit status of a program that finds\n"
    "something wrong is 1.\n\n"
    "  tilewright examples\n"
    "  tilewright examples tiled_copy_16x8";

words names() {
  words out;
  for (example_program const& e : example_programs()) out.emplace_back(e.name);
  return out;
}

}  // namespace

int run_examples(words const& given) {
  CLI::App app(introduction, "tilewright examples");
  std::string name;
  bool json = false;
  app.add_option("NAME", name, "the program to run; all are listed if left out")->type_name(choices_of(names()));
  add_json_option(app, json);
  if (!parse(app, given)) return success;
  if (json && !name.empty())
    throw usage_error("examples takes either --json, which prints the list, or a program to run");
  if (json) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (example_program const& e : example_programs()) out.push_back({{"name", e.name}, {"title", e.title}});
    say("{}\n", out.dump(2));
    return success;
  }
  if (name.empty()) {
    for (example_program const& e : example_programs()) say("{:<22}{}\n", e.name, e.title);
    return success;
  }
  for (example_program const& e : example_programs())
    if (e.name == name) return e.run() == 0 ? success : check_failed;
  std::vector<std::string> const known = names();
  std::string_view const near = nearest(name, known);
  throw usage_error(fmt::format("there is no example {}; {}", in_quotation(name),
                                near.empty() ? fmt::format("the examples are {}", fmt::join(known, ", "))
                                             : fmt::format("did you mean '{}'?", near)));
}

}  // namespace tilewright::cli
