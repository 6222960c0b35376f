// The tilewright command: finds the verb, runs it, and makes one sentence and exit status 2 of every error.
#include "apps/cli/command.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/verbs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilewright::cli {
namespace {

std::string usage() {
  std::string out = "usage: tilewright VERB [ARGUMENTS]\n\n";
  for (verb const& v : verbs()) out += fmt::format("  {:<12} {}\n", v.name, v.purpose);
  return out + "\ntilewright help VERB says more; tilewright --version prints the version.\n";
}

/// error: usage_error, with the verb that is spelled most alike, or all
verb const& find_verb(std::string const& name) {
  std::vector<std::string_view> names;
  for (verb const& v : verbs()) {
    if (v.name == name) return v;
    names.push_back(v.name);
  }
  std::string_view const near = nearest(name, names);
  throw usage_error(fmt::format("there is no verb {}; {}", in_quotation(name),
                                near.empty() ? fmt::format("the verbs are {}", fmt::join(names, ", "))
                                             : fmt::format("did you mean '{}'?", near)));
}

int help(words const& arguments) {
  if (arguments.empty()) {
    put(usage());
    return success;
  }
  if (arguments.size() > 1)
    throw usage_error(fmt::format("help takes one verb, and {} is the second word", in_quotation(arguments[1])));
  return find_verb(arguments[0]).run({"--help"});
}

int run(words arguments) {
  if (arguments.empty()) return help({});
  std::string const name = arguments[0];
  arguments.erase(arguments.begin());
  if (name == "--help" || name == "-h" || name == "help") return help(arguments);
  if (name == "--version" || name == "version") {
    say("tilewright {}\n", TILEWRIGHT_VERSION);
    return success;
  }
  return find_verb(name).run(arguments);
}

int run_and_report(words const& arguments) {
  try {
    int const status = run(arguments);
    finish_output();
    return status;
  } catch (output_error const& e) {
    if (e.pipe_closed()) end_by_closed_pipe();
    report(e);
  } catch (std::exception const& e) {
    report(e);
  }
  return bad_input;
}

}  // namespace
}  // namespace tilewright::cli

int main(int argc, char** argv) {
  tilewright::cli::guard_standard_streams();
  return tilewright::cli::run_and_report({argv + 1, argv + argc});
}
