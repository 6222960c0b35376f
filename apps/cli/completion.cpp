// tilewright completion: a shell's completion script, made from the verbs' own options.
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "apps/cli/verb_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints the completion script of a shell.\n\n"
    "  source <(tilewright completion bash)\n"
    "  tilewright completion zsh > \"${fpath[1]}/_tilewright\"\n"
    "  tilewright completion fish > ~/.config/fish/completions/tilewright.fish\n"
    "  tilewright completion --json                  the verbs and their options, for other programs";

/// In single quotes, as all three shells read them.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (char const ch : text) out += ch == '\'' ? std::string("'\\''") : std::string(1, ch);
  return out + "'";
}

words names_of(std::vector<verb_description> const& all) {
  words out;
  for (verb_description const& v : all) out.push_back(v.name);
  return out;
}

// --- bash -----------------------------------------------------------------------------------------------------------
std::string for_bash(std::vector<verb_description> const& all) {
  std::string out = fmt::format(
      "# bash completion of tilewright; made by: tilewright completion bash\n"
      "_tilewright() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$cur\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      in_quotes(fmt::format("{} help --help --version", fmt::join(names_of(all), " "))));
  out += fmt::format("    help) COMPREPLY=($(compgen -W {} -- \"$cur\")) ;;\n",
                     in_quotes(fmt::format("{}", fmt::join(names_of(all), " "))));
  for (verb_description const& v : all) {
    words options, arguments;
    std::string values;
    for (option_description const& o : v.options) {
      if (o.argument) {
        arguments.insert(arguments.end(), o.choices.begin(), o.choices.end());
        continue;
      }
      options.insert(options.end(), o.names.begin(), o.names.end());
      if (o.value.empty()) continue;
      std::string const reply =
          o.file ? "$(compgen -f -- \"$cur\")"
                 : fmt::format("$(compgen -W {} -- \"$cur\")", in_quotes(fmt::format("{}", fmt::join(o.choices, " "))));
      values += fmt::format("        {}) COMPREPLY=({}); return ;;\n", fmt::join(o.names, "|"), reply);
    }
    out += fmt::format("    {})\n", v.name);
    if (!values.empty()) out += "      case $prev in\n" + values + "      esac\n";
    out += fmt::format("      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$cur\"))\n",
                       in_quotes(fmt::format("{}", fmt::join(options, " "))));
    if (!arguments.empty())
      out += fmt::format("      else COMPREPLY=($(compgen -W {} -- \"$cur\"))\n",
                         in_quotes(fmt::format("{}", fmt::join(arguments, " "))));
    out += "      fi ;;\n";
  }
  return out + "  esac\n}\ncomplete -o default -F _tilewright tilewright\n";
}

// --- zsh ------------------------------------------------------------------------------------------------------------
/// A description within a specification of _arguments: brackets and colons have a meaning there.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char const ch : text) {
    if (ch == '[' || ch == ']' || ch == ':' || ch == '\\') out += '\\';
    out += ch;
  }
  return out;
}

std::string zsh_value(option_description const& o) {
  std::string const action = o.file               ? "_files"
                             : !o.choices.empty() ? fmt::format("({})", fmt::join(o.choices, " "))
                             : o.argument         ? "_default"
                                                  : " ";
  std::string const message = o.choices.empty() ? o.value : o.names.front();
  return fmt::format("{}:{}", zsh_text(message), action);
}

std::string for_zsh(std::vector<verb_description> const& all) {
  std::string out =
      "#compdef tilewright\n"
      "# zsh completion of tilewright; made by: tilewright completion zsh\n"
      "_tilewright() {\n"
      "  local -a verbs\n"
      "  verbs=(\n";
  for (verb_description const& v : all) out += fmt::format("    {}\n", in_quotes(v.name + ":" + zsh_text(v.purpose)));
  out +=
      "  )\n"
      "  if (( CURRENT == 3 )) && [[ $words[2] == help ]]; then\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  verbs+=('help:print the help of a verb')\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  local verb=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $verb in\n";
  for (verb_description const& v : all) {
    out += fmt::format("    {})\n      _arguments -s", v.name);
    for (option_description const& o : v.options) {
      if (o.argument) {
        out += fmt::format(" \\\n        {}", in_quotes((o.repeats ? "*:" : ":") + zsh_value(o)));
        continue;
      }
      for (std::string const& name : o.names) {
        std::string const value = o.value.empty() ? "" : ":" + zsh_value(o);
        out += fmt::format(" \\\n        {}", in_quotes(fmt::format("{}[{}]{}", name, zsh_text(o.purpose), value)));
      }
    }
    out += " ;;\n";
  }
  return out + "  esac\n}\n_tilewright \"$@\"\n";
}

// --- fish -----------------------------------------------------------------------------------------------------------
std::string for_fish(std::vector<verb_description> const& all) {
  std::string out = "# fish completion of tilewright; made by: tilewright completion fish\n";
  for (verb_description const& v : all)
    out +=
        fmt::format("complete -c tilewright -n __fish_use_subcommand -f -a {} -d {}\n", v.name, in_quotes(v.purpose));
  out += fmt::format(
      "complete -c tilewright -n __fish_use_subcommand -f -a help -d 'print the help of a verb'\n"
      "complete -c tilewright -n '__fish_seen_subcommand_from help' -f -a {}\n",
      in_quotes(fmt::format("{}", fmt::join(names_of(all), " "))));
  for (verb_description const& v : all) {
    std::string const when = in_quotes("__fish_seen_subcommand_from " + v.name);
    for (option_description const& o : v.options) {
      std::string line = fmt::format("complete -c tilewright -n {}", when);
      if (o.argument && o.choices.empty()) continue;  // files, as everywhere
      if (!o.argument)
        for (std::string const& name : o.names)
          line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (o.file) line += " -r -F";
      else if (!o.choices.empty())
        line += fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(o.choices, " "))));
      else if (!o.value.empty()) line += " -x";
      out += fmt::format("{} -d {}\n", line, in_quotes(o.purpose));
    }
  }
  return out;
}

// --- other programs -------------------------------------------------------------------------------------------------
nlohmann::ordered_json as_json(std::vector<verb_description> const& all) {
  auto out = nlohmann::ordered_json::array();
  for (verb_description const& v : all) {
    auto options = nlohmann::ordered_json::array(), arguments = options;
    for (option_description const& o : v.options) {
      nlohmann::ordered_json one{{"names", o.names}, {"purpose", o.purpose}};
      if (!o.value.empty() && o.choices.empty()) one["value"] = o.value;
      if (!o.choices.empty()) one["choices"] = o.choices;
      if (o.repeats) one["repeats"] = true;
      (o.argument ? arguments : options).push_back(std::move(one));
    }
    out.push_back({{"verb", v.name}, {"purpose", v.purpose}, {"arguments", arguments}, {"options", options}});
  }
  return out;
}

}  // namespace

int run_completion(words const& given) {
  words const shells{"bash", "zsh", "fish"};
  CLI::App app(introduction, "tilewright completion");
  std::string shell;
  bool json = false;
  app.add_option("SHELL", shell, "the shell")->type_name(choices_of(shells));
  add_result_options(app, json);
  if (!parse(app, given)) return success;
  if (json) {
    if (!shell.empty())
      throw usage_error(fmt::format("completion takes either --json or a shell, not '{}' too", shell));
    say("{}\n", as_json(describe_verbs()).dump(2));
    return success;
  }
  if (shell.empty()) throw usage_error("completion needs a shell: bash, zsh or fish");
  std::size_t const which = read_word_option("completion: SHELL", shell, shells);
  std::vector<verb_description> const all = describe_verbs();
  say("{}", which == 0 ? for_bash(all) : which == 1 ? for_zsh(all) : for_fish(all));
  return success;
}

}  // namespace tilewright::cli
