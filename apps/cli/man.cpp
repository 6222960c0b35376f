// tilewright man: manual pages in roff, made from the verbs' own options and the texts of their help.
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/verb_description.hpp"
#include "apps/cli/verbs.hpp"
#include "tilewright/render/writers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <filesystem>
#include <sstream>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Prints a manual page in roff: of the command, or of one of its verbs.\n\n"
    "  tilewright man check | man -l -\n"
    "  tilewright man --output build/man1     tilewright.1, tilewright-check.1 and so on";

/// Text within a line: characters that roff would interpret are escaped.
std::string escaped(std::string_view text) {
  std::string out;
  for (char const ch : text) {
    if (ch == '\\') out += "\\e";
    else if (ch == '-') out += "\\-";
    else if (ch == '\'') out += "\\(aq";
    else if (ch == '`') out += "\\(ga";
    else if (ch == '^') out += "\\(ha";
    else if (ch == '~') out += "\\(ti";
    else out += ch;
  }
  return out;
}

/// A whole line, which must not begin as a request does.
std::string line_of(std::string_view text) {
  std::string const out = escaped(text);
  return (out.starts_with('.') ? "\\&" : "") + out + "\n";
}

/// Paragraphs; indented lines are kept as they are.
std::string body_of(std::string const& text) {
  std::istringstream in(text);
  std::string out;
  bool literal = false, empty = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) {
      empty = !out.empty();
      continue;
    }
    bool const indented = line.starts_with("  ");
    if (indented && !literal) out += ".PP\n.nf\n";
    if (!indented && literal) out += ".fi\n";
    if (empty && !(indented && !literal)) out += indented ? "\n" : ".PP\n";
    empty = false;
    literal = indented;
    out += line_of(line);
  }
  return out + (literal ? ".fi\n" : "");
}

std::string heading(std::string_view name) {
  return fmt::format(".TH {} 1 \"\" \"Tilewright {}\" \"Tilewright\"\n", escaped(name), TILEWRIGHT_VERSION);
}

std::string upper(std::string text) {
  for (char& ch : text) ch = static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
  return text;
}

constexpr char const* exit_status =
    ".SH EXIT STATUS\n"
    ".TP\n0\nsuccess; what was checked holds\n"
    ".TP\n1\nwhat was checked does not hold, or a program found an error\n"
    ".TP\n2\nthe arguments are wrong, or the result cannot be written; standard error says why\n"
    ".PP\nWhere the reader of a pipe is gone, the command ends by SIGPIPE and says nothing.\n";

std::string page_of(verb_description const& v) {
  std::string const name = "tilewright-" + v.name;
  std::string out = heading(upper(name));
  out += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(v.purpose));
  out += fmt::format(".SH SYNOPSIS\n.B tilewright {}\n[\\fIOPTION\\fR]...", escaped(v.name));
  for (option_description const& o : v.options)
    if (o.argument) out += fmt::format(" [\\fI{}\\fR]{}", escaped(o.names.front()), o.repeats ? "..." : "");
  out += "\n.SH DESCRIPTION\n" + body_of(v.introduction);
  if (!v.footer.empty()) out += ".SH DETAILS\n.nf\n";
  std::istringstream footer(v.footer);
  for (std::string line; std::getline(footer, line);) out += line_of(line);
  if (!v.footer.empty()) out += ".fi\n";
  out += ".SH OPTIONS\n";
  for (option_description const& o : v.options) {
    words names;
    for (std::string const& one : o.names)
      names.push_back(fmt::format("\\f{}{}\\fR", o.argument ? 'I' : 'B', escaped(one)));
    std::string const value = o.argument ? "" : o.choices.empty() ? o.value : "WORD";
    std::string const known = o.choices.empty() ? "" : fmt::format("; one of {}", fmt::join(o.choices, ", "));
    out += fmt::format(".TP\n{}{}\n{}", fmt::join(names, ", "),
                       value.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(value)), line_of(o.purpose + known));
  }
  return out + exit_status + ".SH SEE ALSO\n.BR tilewright (1)\n";
}

std::string overview(std::vector<verb_description> const& all) {
  std::string out = heading("TILEWRIGHT");
  out += ".SH NAME\ntilewright \\- move tensors between layouts: plan, explain, check, draw and run it\n";
  out += ".SH SYNOPSIS\n.B tilewright\n\\fIVERB\\fR [\\fIARGUMENT\\fR]...\n.SH VERBS\n";
  for (verb_description const& v : all)
    out += fmt::format(".TP\n.BR tilewright\\-{} (1)\n{}", escaped(v.name), line_of(v.purpose));
  out += exit_status;
  out +=
      ".SH ENVIRONMENT\n"
      ".TP\n.B NO_COLOR\nno colours on a terminal\n"
      ".TP\n.B TILEWRIGHT_CACHE_DIR\nthe folder of compiled kernels\n"
      ".TP\n.B TILEWRIGHT_NVRTC\nthe file of the run\\-time compiler, or none\n";
  return out;
}

}  // namespace

int run_man(words const& given) {
  CLI::App app(introduction, "tilewright man");
  std::string name, folder;
  words names;
  for (verb const& v : verbs()) names.emplace_back(v.name);
  app.add_option("VERB", name, "the verb; the command itself if left out")->type_name(choices_of(names));
  app.add_option("-o,--output", folder, "folder to write all pages into")->type_name("FILE");
  if (!parse(app, given)) return success;
  std::vector<verb_description> const all = describe_verbs();
  if (!folder.empty()) {
    if (!name.empty())
      throw usage_error(
          fmt::format("man takes either --output, which writes all pages, or a verb, not '{}' too", name));
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    render::save_text(overview(all), folder + "/tilewright.1");
    for (verb_description const& v : all) render::save_text(page_of(v), folder + "/tilewright-" + v.name + ".1");
    return success;
  }
  if (name.empty()) {
    say("{}", overview(all));
    return success;
  }
  say("{}", page_of(all[read_word_option("man: VERB", name, names)]));
  return success;
}

}  // namespace tilewright::cli
