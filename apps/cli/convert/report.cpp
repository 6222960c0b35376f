// As text for people and as JSON for programs.
#include "apps/cli/convert/report.hpp"

#include "apps/cli/convert/blocks.hpp"
#include "apps/cli/output.hpp"
#include "engine/npy/python_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

using report_json = nlohmann::ordered_json;

char const* name_of(verification how) {
  switch (how) {
    case verification::sums: return "sums";
    case verification::comparison: return "comparison";
    case verification::reread: return "reread";
    default: return "none";
  }
}

char const* sentence_of(verification how) {
  switch (how) {
    case verification::sums: return "; verified by sums";
    case verification::comparison: return "; every element compared";
    case verification::reread: return "; read back, every element compared";
    default: return "";
  }
}

/// Names of files need not be UTF-8.
void print_json(report_json const& out) { say("{}\n", out.dump(2, ' ', false, report_json::error_handler_t::replace)); }

report_json json_of(convert_report const& r) {
  npy_header const& h = r.job.what.header;
  return {{"file", r.request.out},
          {"shape", h.shape},
          {"descr", h.descr},
          {"fortran_order", h.fortran_order},
          {"bytes", r.out_bytes},
          {"verified", r.how != verification::none},
          {"verification", name_of(r.how)}};
}

/// What the blocks of a copy are, on a CPU.
struct block_report {
  std::vector<std::int64_t> extents;
  std::int64_t count = 1, buffers = 0, in_row = 0, out_row = 0;  // bytes
  std::string plan;
};

block_report look_at_blocks(array_copy const& job) {
  block_report out;
  copy_loops const loops = loops_of(job.what);
  if (loops.elements == 0 || job.element.bytes == 0) return out;
  out.extents = blocks_of(job);
  for (std::size_t i = 0; i < out.extents.size(); ++i)
    out.count *= (loops.loops[i].extent + out.extents[i] - 1) / out.extents[i];
  for (bool const of_input : {true, false})
    out.buffers += buffer_bytes(loops, out.extents, job.element.bytes, of_input);
  block_at const first{loops.src, loops.dst, out.extents};
  out.in_row = rows_of(loops, first, true, job.element.bytes).row * job.element.bytes;
  out.out_row = rows_of(loops, first, false, job.element.bytes).row * job.element.bytes;
  // The buffers are whole pages, so their addresses count as aligned.
  auto* const page = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 20);
  block_views const views = views_of_block(job, out.extents, page, page);
  copy_request const request{views.src.layout, views.dst.layout, bits_of(job.element.unit), 4096, 4096};
  out.plan = explain(plan_copy(request, this_machine(cpu, job.threads)));
  return out;
}

std::string room_of(destination const& out) {
  descriptor const folder(open(out.folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder ? text_of_bytes(free_bytes(folder.get())) : "an unknown number of bytes";
}

}  // namespace

std::string text_of(npy_header const& h) {
  return fmt::format("{} of {}{}", npy::text_of_shape(h.shape), h.descr.front() == '[' ? h.descr : "'" + h.descr + "'",
                     h.fortran_order ? " in Fortran order" : "");
}

void print_written(convert_report const& r) {
  if (r.out.is_stream()) return;  // standard output is the array's
  double const rate = r.seconds > 0 ? static_cast<double>(r.out_bytes) / r.seconds * 1e-9 : 0.0;
  if (r.request.json) {
    report_json out = json_of(r);
    out["seconds"] = r.seconds;
    out["gb_per_second"] = rate;
    return print_json(out);
  }
  say("wrote {}: {}, {} bytes in {:.2f} s, {:.2f} GB/s{}\n", r.out.shown(), text_of(r.job.what.header), r.out_bytes,
      r.seconds, rate, sentence_of(r.how));
}

void print_dry_run(convert_report const& r) {
  bool const on_cpu = r.job.where.kind == device_kind::cpu;
  block_report const blocks = on_cpu ? look_at_blocks(r.job) : block_report{};
  if (r.request.json) {
    report_json out = json_of(r);
    out["dry_run"] = true;
    out["input"] = {{"file", r.request.in},
                    {"shape", r.in.array().header.shape},
                    {"descr", r.in.array().header.descr},
                    {"fortran_order", r.in.array().header.fortran_order},
                    {"bytes", r.in.bytes()}};
    out["blocks"] = blocks.count;
    out["buffer_bytes"] = blocks.buffers;
    return print_json(out);
  }
  say("would write {}: {}, {} bytes{}\n", r.out.shown(), text_of(r.job.what.header), r.out_bytes,
      r.out.there() && !r.out.is_archive() ? ", in place of the file that is there" : "");
  say("  from          {}: {}, {} bytes\n", r.in.shown(), text_of(r.in.array().header), r.in.bytes());
  if (on_cpu)
    say("  blocks        {}, read in rows of {}, written in rows of {}\n", blocks.count, text_of_bytes(blocks.in_row),
        text_of_bytes(blocks.out_row));
  say("  memory        {} for buffers\n", text_of_bytes(on_cpu ? blocks.buffers : r.job.max_bytes));
  char const* const how = r.how == verification::none         ? "none"
                          : r.how == verification::sums       ? "sums by position over what is read and what is written"
                          : r.how == verification::comparison ? "every element of the output is compared with the input"
                                                              : "the output is read back from the disk and compared";
  say("  verification  {}\n", how);
  say("  disk          {} free in {}\n", room_of(r.out), shell_name(r.out.folder()));
  if (!blocks.plan.empty()) say("the plan of a block:\n{}{}", blocks.plan, blocks.plan.back() == '\n' ? "" : "\n");
  say("nothing was written\n");
}

}  // namespace tilewright::cli
