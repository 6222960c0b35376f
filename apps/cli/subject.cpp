// Reads what explain and check are asked about.
#include "apps/cli/subject.hpp"

#include "apps/cli/option_values.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/format.h>

namespace tilewright::cli {
namespace {

using analysis::memory;

constexpr long long most_bits = 1 << 16;  // of an element, whatever it is
constexpr long long most_alignment = 1 << 20;

std::vector<std::string> arch_names() {
  std::vector<std::string> out;
  for (architecture const& a : architectures) out.emplace_back(a.name);
  return out;
}

/// "a" for both, or "a,b".
std::pair<std::string, std::string> both_sides(std::string const& text) {
  std::size_t const comma = text.find(',');
  if (comma == std::string::npos) return {text, text};
  return {text.substr(0, comma), text.substr(comma + 1)};
}

memory read_space(std::string const& text) {
  return static_cast<memory>(read_word_option("--space", text, {"global", "shared", "registers"}));
}

bytes read_alignment(std::string const& text) {
  long long const n = read_integer_within("--align", text, 1, most_alignment);
  if (!math::has_single_bit(static_cast<unsigned long long>(n)))
    throw usage_error(fmt::format("--align is a power of two, not {}", n));
  return {n};
}

arch_id read_arch(subject_texts const& t) {
  if (t.arch.empty()) return arch_id::sm_90;
  return architectures[read_word_option("--arch", t.arch, arch_names())].id;
}

long long read_element(std::string const& verb, subject_texts const& t) {
  if (!t.element.empty() && !t.copy.element_bits.empty())
    throw usage_error(fmt::format("{} takes either --element or --element-bits, not both", verb));
  if (!t.element.empty()) return read_element_option(verb, t.element);
  if (!t.copy.element_bits.empty()) return read_integer_within("--element-bits", t.copy.element_bits, 1, most_bits);
  return 32;
}

void refuse(std::string const& verb, std::string const& value, char const* option, char const* of) {
  if (!value.empty()) throw usage_error(fmt::format("{}: {} takes no {}", verb, of, option));
}

copy_subject read_copy(std::string const& verb, subject_texts const& t) {
  constexpr char const* of = "a tiled copy";
  refuse(verb, t.machine, "--machine", of);
  refuse(verb, t.threads, "--threads", of);
  refuse(verb, t.tile, "--tile", of);
  copy_texts texts = t.copy;
  if (!t.element.empty()) texts.element_bits = std::to_string(read_element(verb, t));
  char const* missing = missing_option(texts);
  if (missing == nullptr && texts.tensor.empty()) missing = "--tensor";
  if (missing != nullptr) throw usage_error(fmt::format("{} needs {} to describe a tiled copy", verb, missing));

  copy_subject out;
  out.question.copy = read_declaration(texts);
  out.question.machine = read_arch(t);
  out.question.through_registers = !t.cp_async;
  bool const gpu = arch(out.question.machine).is_gpu();
  auto const [from, to] = both_sides(t.space.empty() ? (gpu ? "global,shared" : "global") : t.space);
  analysis::side_question &source = out.question.source, &destination = out.question.destination;
  source.layout = read_layout_option("--tensor", texts.tensor);
  destination.layout = t.to.empty() ? source.layout : read_layout_option("--to", t.to);
  source.space = read_space(from);
  destination.space = read_space(to);
  if (!gpu && (source.space == memory::shared || destination.space == memory::shared))
    throw usage_error("--space: a CPU has no shared memory; choose global or registers, or another --arch");
  if (t.align.empty()) {
    // What cudaMalloc gives, and what a __shared__ array of 128-byte lines has.
    for (analysis::side_question* const side : {&source, &destination})
      side->alignment = {side->space == memory::shared ? 128 : 256};
    return out;
  }
  auto const [first, second] = both_sides(t.align);
  source.alignment = read_alignment(first);
  destination.alignment = read_alignment(second);
  return out;
}

plan_subject read_plan(std::string const& verb, subject_texts const& t) {
  constexpr char const* of = "a plan";
  refuse(verb, t.arch, "--arch", of);
  refuse(verb, t.space, "--space", of);
  refuse(verb, t.tile, "--tile", of);
  if (t.element.empty() && t.copy.element_bits.empty())
    throw usage_error(fmt::format("{} needs --element for a plan, the type of an element, such as f32", verb));
  copy_request request{read_layout_option("", t.layouts[0]), read_layout_option("", t.layouts[1]),
                       static_cast<int>(read_element(verb, t))};
  if (!t.align.empty()) {
    auto const [first, second] = both_sides(t.align);
    request.src_alignment = read_alignment(first).count;
    request.dst_alignment = read_alignment(second).count;
  }
  int const threads = t.threads.empty() ? 0 : static_cast<int>(read_integer_within("--threads", t.threads, 0, 4096));
  machine_model const machine =
      t.machine.empty() ? this_machine(cpu, threads)
                        : machine_named(machine_names()[read_word_option("--machine", t.machine, machine_names())]);
  return {request, plan_copy(request, machine)};
}

layout_subject read_layout(std::string const& verb, subject_texts const& t) {
  constexpr char const* of = "a layout";
  refuse(verb, t.machine, "--machine", of);
  refuse(verb, t.threads, "--threads", of);
  refuse(verb, t.space, "--space", of);
  layout_subject out;
  out.layout = read_layout_option("", t.layouts[0]);
  out.element = {read_element(verb, t)};
  out.machine = read_arch(t);
  if (!t.align.empty()) out.alignment = read_alignment(t.align);
  if (!t.tile.empty()) {
    if (out.layout.swizzle.bits != 0 || !out.layout.offset.is(0))
      throw usage_error(fmt::format("{}: with --tile the layout is a (thread, value) map, which has no swizzle", verb));
    out.tile = read_plain_layout_option("--tile", t.tile);
  }
  return out;
}

}  // namespace

void add_subject_options(CLI::App& app, subject_texts& t) {
  app.add_option("LAYOUT", t.layouts, "one layout, or the source and the destination of a plan")->type_name("LAYOUT");
  app.add_option("--element", t.element, "the type of an element; f32 for a layout if left out")
      ->type_name(choices_of(element_names()));
  add_copy_options(app, t.copy);
  app.add_option("--to", t.to, "tiled copy: layout of the destination; the tensor's if left out")->type_name("LAYOUT");
  app.add_option("--space", t.space,
                 "tiled copy: where source and destination lie, of global, shared and registers; global,shared if left "
                 "out")
      ->type_name("FROM,TO");
  app.add_option("--arch", t.arch, "layout, tiled copy: the architecture; sm_90 if left out")
      ->type_name(choices_of(arch_names()));
  app.add_option("--align", t.align, "bytes that the bases are multiples of; for a copy also FROM,TO")
      ->type_name("BYTES");
  app.add_flag("--cp-async", t.cp_async, "tiled copy: it passes no registers");
  app.add_option("--tile", t.tile, "the layout is a (thread, value) map of a tile of that shape")->type_name("SHAPE");
  app.add_option("--machine", t.machine, "plan: the machine; this one if left out")
      ->type_name(choices_of(machine_names()));
  app.add_option("--threads", t.threads, "plan: of this machine; all if left out")->type_name("NUMBER");
}

subject read_subject(std::string const& verb, subject_texts const& t) {
  if (describes_copy(t.copy)) {
    if (!t.layouts.empty())
      throw usage_error(fmt::format("{} takes either layouts or the options of a tiled copy, not '{}' and {} too", verb,
                                    t.layouts[0], t.copy.thr.empty() ? "--tensor" : "--thr"));
    return read_copy(verb, t);
  }
  refuse(verb, t.to, "--to", t.layouts.size() == 2 ? "a plan" : "a layout");
  if (t.cp_async) refuse(verb, "yes", "--cp-async", t.layouts.size() == 2 ? "a plan" : "a layout");
  switch (t.layouts.size()) {
    case 0:
      throw usage_error(
          fmt::format("{0} needs a layout, such as '(8,8):(8,1)', two layouts with --element for a plan, or "
                      "--thr and the other options of a tiled copy",
                      verb));
    case 1: return read_layout(verb, t);
    case 2: return read_plan(verb, t);
    default: throw usage_error(fmt::format("{} takes one layout or two, and '{}' is the third", verb, t.layouts[2]));
  }
}

}  // namespace tilewright::cli
