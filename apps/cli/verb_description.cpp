// Reads the verbs' parsers.
#include "apps/cli/verb_description.hpp"

#include "apps/cli/verbs.hpp"

namespace tilewright::cli {
namespace {

/// "{a,b,c}" has three; other texts none.
words choices_in(std::string const& value) {
  words out;
  if (value.size() < 2 || value.front() != '{' || value.back() != '}') return out;
  std::string word;
  for (char const ch : value.substr(1)) {
    if (ch != ',' && ch != '}') {
      word += ch;
      continue;
    }
    out.push_back(word);
    word.clear();
  }
  return out;
}

option_description describe(CLI::Option const& option) {
  option_description out;
  for (std::string const& name : option.get_lnames()) out.names.push_back("--" + name);
  for (std::string const& name : option.get_snames()) out.names.push_back("-" + name);
  out.argument = out.names.empty();
  if (out.argument) out.names.push_back(option.get_name(true));
  bool const flag = option.get_expected_max() == 0;
  if (!flag) out.value = option.get_type_name();
  out.choices = choices_in(out.value);
  out.file = out.value == "FILE";
  out.repeats = option.get_expected_max() > 1;
  out.purpose = option.get_description();
  return out;
}

}  // namespace

std::vector<verb_description> describe_verbs() {
  std::vector<verb_description> out;
  for (verb const& v : verbs()) {
    verb_description d;
    d.name = v.name;
    d.purpose = v.purpose;
    options_of(v.run, [&](CLI::App const& app) {
      d.introduction = app.get_description();
      d.footer = app.get_footer();
      for (CLI::Option const* option : app.get_options())
        if (!option->get_group().empty()) d.options.push_back(describe(*option));
    });
    out.push_back(d);
  }
  return out;
}

}  // namespace tilewright::cli
