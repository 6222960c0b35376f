// The tilewright command: finds the verb, runs it, and turns whatever goes wrong into one sentence and exit status 2.
#include "apps/cli/command.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/verbs.hpp"

#include <fmt/format.h>

namespace tilewright::cli {
namespace {

std::string usage() {
  std::string out = "usage: tilewright VERB [ARGUMENTS]\n\n";
  for (verb const& v : verbs()) out += fmt::format("  {:<12} {}\n", v.name, v.purpose);
  return out + "\ntilewright VERB --help says more; tilewright --version prints the version.\n";
}

int run(words arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    fmt::print("{}", usage());
    return success;
  }
  if (arguments[0] == "--version") {
    fmt::print("tilewright {}\n", TILEWRIGHT_VERSION);
    return success;
  }
  std::string const name = arguments[0];
  arguments.erase(arguments.begin());
  for (verb const& v : verbs())
    if (v.name == name) return v.run(arguments);
  std::vector<std::string_view> names;
  for (verb const& v : verbs()) names.push_back(v.name);
  std::string_view const near = nearest(name, names);
  throw usage_error(
      fmt::format("there is no verb '{}'; {}", name,
                  near.empty() ? "tilewright --help lists them" : fmt::format("did you mean '{}'?", near)));
}

}  // namespace
}  // namespace tilewright::cli

int main(int argc, char** argv) {
  try {
    return tilewright::cli::run({argv + 1, argv + argc});
  } catch (std::exception const& e) {
    tilewright::cli::report(e);
    return tilewright::cli::bad_input;
  }
}
