// Reads what explain and check are asked about.
#include "apps/cli/subject.hpp"

#include "apps/cli/option_values.hpp"
#include "apps/cli/shared_options.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/format.h>
#include <cstdlib>
#include <tuple>

namespace tilewright::cli {
namespace {

using tiling::memory;

memory read_space(std::string const& text) {
  return static_cast<memory>(read_word_option("--space", text, {"global", "shared", "registers"}));
}

long long read_element(std::string const& verb, subject_texts const& t) {
  return t.copy.element.empty() ? 32 : read_element_bits(verb, t.copy.element);
}

void refuse(std::string const& verb, std::string const& value, char const* option, char const* of) {
  if (!value.empty()) throw usage_error(fmt::format("{}: {} takes no {}", verb, of, option));
}

/// The memory of source and destination that the atom asks for; empty where it does not.
std::string spaces_of(tiling::declaration const& d, bool cp_async) {
  if (!d.matrix) return cp_async ? "global,shared" : "";
  return d.matrix->kind == tiling::access_kind::ldmatrix ? "shared,registers" : "registers,shared";
}

/// --space, what the atom has, or what most copies on such a machine have.
/// error: usage_error for other memory than the atom's
std::string read_spaces(std::string const& verb, subject_texts const& t, tiling::declaration const& d, bool gpu) {
  std::string const of_atom = spaces_of(d, is_cp_async(t.copy.atom));
  if (of_atom.empty()) return !t.space.empty() ? t.space : gpu ? "global,shared" : "global";
  if (!t.space.empty() && t.space != of_atom)
    throw usage_error(fmt::format("{}: --space is {} for {}, not {}", verb, of_atom, t.copy.atom, t.space));
  if (!gpu)
    throw usage_error(
        fmt::format("{}: {} is an instruction of GPUs; choose --machine sm_90, or leave it out", verb, t.copy.atom));
  return of_atom;
}

/// "SM90_U32x4_STSM_N" is an instruction from sm_90 on.
/// error: usage_error for an older machine
void require_instruction(std::string const& verb, std::string const& atom, architecture const& machine) {
  if (atom.rfind("SM", 0) != 0 || !machine.is_gpu()) return;
  int const needed = std::atoi(atom.c_str() + 2), there = std::atoi(std::string(machine.name.substr(3)).c_str());
  if (there < needed)
    throw usage_error(
        fmt::format("{}: {} needs sm_{} or newer, and --machine is {}", verb, atom, needed, machine.name));
}

copy_subject read_copy(std::string const& verb, subject_texts const& t) {
  constexpr char const* of = "a tiled copy";
  refuse(verb, t.threads, "--threads", of);
  refuse(verb, t.tile, "--tile", of);
  copy_texts const& texts = t.copy;
  char const* missing = missing_option(texts);
  if (missing == nullptr && texts.tensor.empty()) missing = "--tensor";
  if (missing != nullptr) throw usage_error(fmt::format("{} needs {} to describe a tiled copy", verb, missing));

  copy_subject out;
  out.question.copy = read_declaration(verb, texts);
  out.question.machine = read_architecture(verb, t.machine);
  out.question.through_registers = !t.cp_async && !is_cp_async(texts.atom);
  if (t.cp_async && out.question.copy.matrix)
    throw usage_error(
        fmt::format("{}: --cp-async is another instruction than {}; leave one of them out", verb, texts.atom));
  bool const gpu = arch(out.question.machine).is_gpu();
  require_instruction(verb, texts.atom, arch(out.question.machine));
  auto const [from, to] = both_sides(read_spaces(verb, t, out.question.copy, gpu));
  analysis::side_question &source = out.question.source, &destination = out.question.destination;
  source.layout = read_layout_option("--tensor", texts.tensor);
  destination.layout = t.to.empty() ? source.layout : read_layout_option("--to", t.to);
  source.space = read_space(from);
  destination.space = read_space(to);
  if (!gpu && (source.space == memory::shared || destination.space == memory::shared))
    throw usage_error("--space: a CPU has no shared memory; choose global or registers, or another --machine");
  if (t.align.empty()) {
    // What cudaMalloc gives, and what a __shared__ array of 128-byte lines has.
    for (analysis::side_question* const side : {&source, &destination})
      side->alignment = {side->space == memory::shared ? 128 : 256};
    return out;
  }
  std::tie(source.alignment, destination.alignment) = read_alignment(verb, t.align, {256});
  return out;
}

plan_subject read_plan(std::string const& verb, subject_texts const& t) {
  constexpr char const* of = "a plan";
  refuse(verb, t.space, "--space", of);
  refuse(verb, t.tile, "--tile", of);
  if (t.copy.element.empty())
    throw usage_error(fmt::format("{} needs --element for a plan, the type of an element, such as f32", verb));
  copy_request request{read_layout_option("", t.layouts[0]), read_layout_option("", t.layouts[1]),
                       static_cast<int>(read_element(verb, t))};
  auto const [from, to] = read_alignment(verb, t.align, {request.src_alignment});
  request.src_alignment = from.count;
  request.dst_alignment = to.count;
  return {request, plan_copy(request, read_machine(verb, t.machine, t.threads))};
}

layout_subject read_layout(std::string const& verb, subject_texts const& t) {
  constexpr char const* of = "a layout";
  refuse(verb, t.threads, "--threads", of);
  refuse(verb, t.space, "--space", of);
  layout_subject subject;
  analysis::layout_question& out = subject.question;
  out.layout = read_layout_option("", t.layouts[0]);
  out.element = {read_element(verb, t)};
  out.machine = read_architecture(verb, t.machine);
  out.alignment = read_alignment(verb, t.align, out.alignment).first;
  if (!t.tile.empty()) {
    if (out.layout.swizzle.bits != 0 || !out.layout.offset.is(0))
      throw usage_error(fmt::format("{}: with --tile the layout is a (thread, value) map, which has no swizzle", verb));
    out.tile = read_plain_layout_option("--tile", t.tile);
  }
  return subject;
}

}  // namespace

void add_subject_options(CLI::App& app, subject_texts& t) {
  app.add_option("LAYOUT", t.layouts, "one layout, or the source and the destination of a plan")->type_name("LAYOUT");
  add_copy_options(app, t.copy);
  add_to_option(app, t.to);
  app.add_option("--space", t.space,
                 "tiled copy: memory of source and destination, of global, shared and registers; global,shared if "
                 "left out")
      ->type_name("FROM,TO");
  add_align_option(app, t.align);
  app.add_flag("--cp-async", t.cp_async, "tiled copy: data does not pass through registers");
  add_tile_option(app, t.tile);
  add_machine_option(app, t.machine);
  add_threads_option(app, t.threads);
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
