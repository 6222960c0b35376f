// tilewright examples: lists the example programs, or runs one.
#include "apps/cli/command.hpp"
#include "apps/cli/example_programs.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/option_values.hpp"

#include <fmt/format.h>
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
  app.add_flag("--json", json, "list them as JSON");
  if (!parse(app, given)) return success;
  if (json && !name.empty()) throw usage_error("examples: --json is of the list; a program prints what it prints");
  if (json) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (example_program const& e : example_programs()) out.push_back({{"name", e.name}, {"title", e.title}});
    fmt::print("{}\n", out.dump(2));
    return success;
  }
  if (name.empty()) {
    for (example_program const& e : example_programs()) fmt::print("{:<22}{}\n", e.name, e.title);
    return success;
  }
  for (example_program const& e : example_programs())
    if (e.name == name) return e.run() == 0 ? success : check_failed;
  std::vector<std::string> const known = names();
  std::string_view const near = nearest(name, known);
  throw usage_error(
      fmt::format("there is no example '{}'; {}", name,
                  near.empty() ? "tilewright examples lists them" : fmt::format("did you mean '{}'?", near)));
}

}  // namespace tilewright::cli
