// The options that several verbs take: each has one word, one meaning and one format, declared and read here. A verb that
// needs one of them adds it from here; docs/reference/cli.md lists them.
#pragma once

#include "apps/cli/command.hpp"
#include "tilewright/base/units.hpp"
#include "tilewright/engine/element_type.hpp"
#include "tilewright/plan/machine_model.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tilewright {
enum class arch_id : int;
struct device;
}  // namespace tilewright

namespace tilewright::cli {

// --- what they are called; the texts outlive the app ------------------------------------------------------------------
CLI::Option* add_element_option(CLI::App& app, std::string& text);
CLI::Option* add_machine_option(CLI::App& app, std::string& text);
CLI::Option* add_threads_option(CLI::App& app, std::string& text);
CLI::Option* add_device_option(CLI::App& app, std::string& text);
CLI::Option* add_align_option(CLI::App& app, std::string& text);
CLI::Option* add_to_option(CLI::App& app, std::string& text);
CLI::Option* add_tile_option(CLI::App& app, std::string& text);
void add_json_option(CLI::App& app, bool& json);
/// --json, and --output, which parse() acts upon: what the verb prints goes into that file.
void add_result_options(CLI::App& app, bool& json);

/// The word in use for an old or foreign spelling ("--arch": "--machine"); the word itself where there is none.
/// `knows` says whether the verb has an option of that name.
std::string current_spelling(std::string const& word, bool (*knows)(CLI::App const&, std::string const&),
                             CLI::App const& app);

// --- what they mean; `verb` begins each refusal -----------------------------------------------------------------------
/// The bits of an element: of a type such as f32, or the number itself.
/// error: usage_error, with the types there are
long long read_element_bits(std::string const& verb, std::string const& text);
/// The type; a number is the type of that many bits without a meaning.
element_type read_element_type(std::string const& verb, std::string const& text);

/// The names of all machines: those that analyses know, and those that plans do.
std::vector<std::string> all_machine_names();
/// The architecture that an analysis is for; sm_90 for an empty text.
arch_id read_architecture(std::string const& verb, std::string const& text);
/// The machine that a plan is for: this one for an empty text, with that many threads where the second is not empty.
/// error: usage_error, also for threads of a GPU
machine_model read_machine(std::string const& verb, std::string const& text, std::string const& threads);

/// "512M": bytes, with K, M, G or T for powers of 1024.
/// error: usage_error, text_error
long long read_bytes(std::string const& option, std::string const& text);
/// 0 for an empty text: all.
int read_threads(std::string const& verb, std::string const& text);
/// "cpu", "cuda", "cuda:1"; the CPU for an empty text.
device read_device(std::string const& verb, std::string const& text);
/// "16", or "16,128" for the two sides of a copy.
/// post: powers of two; both `otherwise` for an empty text
std::pair<bytes, bytes> read_alignment(std::string const& verb, std::string const& text, bytes otherwise);
/// "a" for both, or "a,b".
std::pair<std::string, std::string> both_sides(std::string const& text);

}  // namespace tilewright::cli
