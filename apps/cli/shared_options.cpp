// Declares and reads the options that several verbs take.
#include "tilewright/machine/arch.hpp"

#include "apps/cli/shared_options.hpp"

#include "apps/cli/nearest.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>

namespace tilewright::cli {
namespace {

constexpr long long max_bits = 1 << 16;  // of an element
constexpr long long max_threads = 4096;
constexpr long long max_alignment = 1 << 20;

struct spelling {
  std::string_view old, current;
  std::string_view verb{};  // of that verb alone; empty: of all
};
constexpr std::array spellings{spelling{"--element-bits", "--element"}, spelling{"--type", "--element"},
                               spelling{"--dtype", "--element"},        spelling{"--arch", "--machine"},
                               spelling{"--color", "--colour"},         spelling{"--out", "--output"},
                               spelling{"--alignment", "--align"},      spelling{"--all", "--output", "man"}};

bool is_number(std::string const& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char ch) { return ch >= '0' && ch <= '9'; });
}

bytes power_of_two(std::string const& verb, std::string const& text) {
  long long const n = read_integer_within(verb + ": --align", text, 1, max_alignment);
  if (!math::has_single_bit(static_cast<unsigned long long>(n)))
    throw usage_error(fmt::format("{}: --align must be a power of two, not {}", verb, n));
  return {n};
}

/// A named CPU's model with other threads.
machine_model with_threads(machine_model m, int threads) {
  m.processors = threads;
  if (std::size_t const comma = m.name.rfind(", "); comma != std::string::npos)
    m.name = fmt::format("{}, {} thread{}", m.name.substr(0, comma), threads, threads == 1 ? "" : "s");
  return m;
}

}  // namespace

CLI::Option* add_element_option(CLI::App& app, std::string& text) {
  return app.add_option("--element", text, "type of an element, such as f32, or its bits, such as 32")
      ->type_name(choices_of(element_names()));
}

CLI::Option* add_machine_option(CLI::App& app, std::string& text) {
  return app
      .add_option("--machine", text, "machine to plan for (this one if left out) or to analyse for (sm_90 if left out)")
      ->type_name(choices_of(all_machine_names()));
}

CLI::Option* add_threads_option(CLI::App& app, std::string& text) {
  return app.add_option("--threads", text, "threads of the CPU, up to 4096; all if 0 or left out")->type_name("NUMBER");
}

CLI::Option* add_device_option(CLI::App& app, std::string& text) {
  return app.add_option("--device", text, "what runs the copy; cuda:NUMBER for one of several GPUs; cpu if left out")
      ->type_name(choices_of({"cpu", "cuda"}));
}

CLI::Option* add_align_option(CLI::App& app, std::string& text) {
  return app
      .add_option("--align", text, "bytes that addresses are multiples of, a power of two; of a copy also FROM,TO")
      ->type_name("BYTES");
}

CLI::Option* add_to_option(CLI::App& app, std::string& text) {
  return app.add_option("--to", text, "tiled copy: layout of the destination; that of --tensor if left out")
      ->type_name("LAYOUT");
}

CLI::Option* add_tile_option(CLI::App& app, std::string& text) {
  return app.add_option("--tile", text, "shape of the tile that a (thread, value) map covers")->type_name("SHAPE");
}

void add_json_option(CLI::App& app, bool& json) { app.add_flag("--json", json, "print JSON instead of text"); }

void add_result_options(CLI::App& app, bool& json) {
  add_json_option(app, json);
  app.add_option_function<std::string>("-o,--output", put_into, "file to write instead of standard output")
      ->type_name("FILE");
}

std::string current_spelling(std::string const& word, bool (*knows)(CLI::App const&, std::string const&),
                             CLI::App const& app) {
  std::string const name = word.substr(0, word.find('='));
  for (spelling const& s : spellings) {
    bool const of_verb = s.verb.empty() || app.get_name() == fmt::format("tilewright {}", s.verb);
    if (name == s.old && of_verb && !knows(app, name) && knows(app, std::string(s.current)))
      return std::string(s.current) + word.substr(name.size());
  }
  return word;
}

long long read_element_bits(std::string const& verb, std::string const& text) {
  if (is_number(text)) return read_integer_within(verb + ": --element", text, 1, max_bits);
  return bits_of(read_element_type(verb, text));
}

element_type read_element_type(std::string const& verb, std::string const& text) {
  if (auto const found = element_type_named(is_number(text) ? "b" + text : text)) return *found;
  std::vector<std::string> const known = element_names();
  std::string_view const near = nearest(text, known);
  throw usage_error(
      fmt::format("{}: there is no element type '{}'; there are b4 to b128, bool, i4 to i64, u4 to u64, "
                  "f8, f16, bf16, f32, f64, c64 and c128{}",
                  verb, text, near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

std::vector<std::string> all_machine_names() {
  std::vector<std::string> out = machine_names();
  for (architecture const& a : architectures) {
    if (std::find(out.begin(), out.end(), a.name) != out.end()) continue;
    auto const first_gpu = std::find_if(out.begin(), out.end(), [](std::string const& n) { return n[0] == 's'; });
    out.insert(first_gpu, std::string(a.name));
  }
  return out;
}

arch_id read_architecture(std::string const& verb, std::string const& text) {
  if (text.empty()) return arch_id::sm_90;
  std::vector<std::string> const known = all_machine_names();
  std::string const name = known[read_word_option(verb + ": --machine", text, known)];
  if (architecture const* const found = find_arch(name)) return found->id;
  return arch_id::cpu;  // cpu-avx2 and the like: analyses of them differ in nothing
}

machine_model read_machine(std::string const& verb, std::string const& text, std::string const& threads) {
  int const count = read_threads(verb, threads);
  if (text.empty()) return this_machine(cpu, count);
  std::vector<std::string> const known = all_machine_names(), planned = machine_names();
  std::string const name = known[read_word_option(verb + ": --machine", text, known)];
  if (std::find(planned.begin(), planned.end(), name) == planned.end())
    throw usage_error(fmt::format("{}: there are no figures of {} to plan with; the machines that have some are {}",
                                  verb, name, fmt::join(planned, ", ")));
  machine_model const m = machine_named(name);
  if (threads.empty() || count == 0) return m;
  if (m.kind == device_kind::cuda)
    throw usage_error(
        fmt::format("{}: --threads {} is for CPUs, and {} is a GPU, whose threads the plan chooses; leave "
                    "--threads out",
                    verb, count, name));
  return with_threads(m, count);
}

long long read_bytes(std::string const& option, std::string const& text) {
  constexpr std::string_view units = "KMGT";
  std::size_t const unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit == std::string_view::npos) return read_integer_option(option, text);
  long long const factor = 1LL << (10 * (unit + 1));
  long long bytes = read_integer_option(option, text.substr(0, text.size() - 1));
  if (!math::multiply(bytes, factor, bytes))
    throw usage_error(fmt::format("{} must be below 2^63 bytes, not {}", option, text));
  return bytes;
}

int read_threads(std::string const& verb, std::string const& text) {
  return text.empty() ? 0 : static_cast<int>(read_integer_within(verb + ": --threads", text, 0, max_threads));
}

device read_device(std::string const& verb, std::string const& text) {
  if (text.empty() || text == "cpu") return cpu;
  if (text == "cuda") return cuda();
  if (text.rfind("cuda:", 0) == 0 && is_number(text.substr(5)))
    return cuda(static_cast<int>(read_integer_within(verb + ": --device cuda:", text.substr(5), 0, 1023)));
  throw usage_error(fmt::format("{}: --device is cpu, cuda or cuda:NUMBER, not '{}'", verb, text));
}

std::pair<bytes, bytes> read_alignment(std::string const& verb, std::string const& text, bytes otherwise) {
  if (text.empty()) return {otherwise, otherwise};
  auto const [from, to] = both_sides(text);
  return {power_of_two(verb, from), power_of_two(verb, to)};
}

std::pair<std::string, std::string> both_sides(std::string const& text) {
  std::size_t const comma = text.find(',');
  if (comma == std::string::npos) return {text, text};
  return {text.substr(0, comma), text.substr(comma + 1)};
}

}  // namespace tilewright::cli
