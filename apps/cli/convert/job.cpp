// Opens both ends, copies, verifies, puts the output into place.
#include "apps/cli/convert/job.hpp"

#include "apps/cli/command.hpp"
#include "apps/cli/convert/blocks.hpp"
#include "apps/cli/convert/destination.hpp"
#include "apps/cli/convert/faults.hpp"
#include "apps/cli/convert/progress_bar.hpp"
#include "apps/cli/convert/report.hpp"
#include "apps/cli/convert/settings.hpp"
#include "apps/cli/convert/signals.hpp"
#include "apps/cli/convert/verify.hpp"
#include "apps/cli/output.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace tilewright::cli {
namespace {

constexpr std::int64_t fault_around = 64 * 1024;  // bytes that the system maps around a page that is touched

void check_together(convert_request const& r) {
  if (r.in.empty() || r.out.empty()) throw usage_error("convert needs two files, such as in.npy out.npy");
  if ((r.permute ? 1 : 0) + (r.to ? 1 : 0) + (r.order ? 1 : 0) > 1)
    throw usage_error("convert takes one of --permute, --to and --order");
  if (r.verify && r.no_verify) throw usage_error("convert takes one of --verify and --no-verify");
  array_name const out = read_array_name(r.out);
  if (r.compress && !names_archive(out))
    throw usage_error(
        fmt::format("convert: --compress is for members of .npz archives, and the output is {}", out.shown(false)));
  if (r.json && out.is_stream() && !r.dry_run)
    throw usage_error("convert: --json prints to standard output, where the array goes; give the output a name");
}

/// Does the byte order that was asked for change any number?
bool changes(std::vector<npy_numbers> const& numbers, byte_order order) {
  return std::any_of(numbers.begin(), numbers.end(), [&](npy_numbers const& n) {
    return n.inner.empty() ? n.order != order : changes(n.inner, order);
  });
}

void check_swizzle(array_copy const& job) {
  if (job.what.dst.swizzle.bits == 0 || job.element.units() == 1 || job.where.kind == device_kind::cpu) return;
  throw usage_error(
      fmt::format("convert: a GPU swizzles elements of 1, 2, 4, 8 or 16 bytes, and these have {}; leave "
                  "--device out",
                  job.element.bytes));
}

/// What the two mappings of a comparison are, for the watch.
struct mapped_pair {
  mapping in, out;
  fault_watch watch;
  mapped_pair(npy_input const& from, open_output const& to, std::int64_t out_bytes)
      : in(from.file(), static_cast<std::size_t>(from.data_begin() + from.array().data_bytes), from.shown()),
        out(to.file(), static_cast<std::size_t>(out_bytes), to.path()) {
    watch.add(in.begin(), in.bytes(), false);
    watch.add(out.begin(), out.bytes(), false);
  }
};

/// Compares the whole output with the input, element by element.
/// post: the sentence on the first difference
/// error: file_error
std::optional<std::string> compare(npy_input const& in, array_copy const& job, std::string const& header,
                                   open_output const& out) {
  auto const out_bytes = static_cast<std::int64_t>(header.size()) + job.what.out_elements * job.element.bytes;
  mapped_pair const files(in, out, out_bytes);
  if (std::memcmp(files.out.begin(), header.data(), header.size()) != 0) return "its header is not what was written";
  progress_bar bar("verifying", in.array().data_bytes);
  comparison c{.what = job.what,
               .element = in.array().element,
               .order = job.order,
               .in = files.in.begin() + in.data_begin(),
               .out = files.out.begin() + header.size()};
  // The system maps some pages around each stretch that a box touches.
  std::int64_t const stretch_bytes = 2 * (fault_around + c.stretch_elements * job.element.bytes);
  c.box_extent = std::clamp<std::int64_t>(job.max_bytes / 2 / stretch_bytes, 8, 512);
  std::int64_t touched = 0;
  c.go_on = [&](std::int64_t compared, std::int64_t stretches) {
    bar.show(compared * job.element.bytes);
    touched += stretches * stretch_bytes;
    if (touched >= job.max_bytes / 2) files.in.give_back(), files.out.give_back(), touched = 0;
    return !files.watch.any();
  };
  std::optional<std::string> difference = find_difference(c);
  if (auto const at = files.watch.fault_in(0)) throw in.lost(0, static_cast<std::int64_t>(*at));
  if (files.watch.fault_in(1)) throw file_error(fmt::format("{} cannot be read back", shell_name(out.path())));
  return difference;
}

verification planned_verification(convert_request const& r, array_copy const& job) {
  if (r.verify) return verification::reread;
  if (r.no_verify) return verification::none;
  return has_sums(job.what, job.element) ? verification::sums : verification::comparison;
}

/// post: the sentence on what is wrong with the output
std::optional<std::string> copy_and_verify(npy_input const& in, array_copy& job, std::string const& header,
                                           open_output& out, verification how) {
  if (int const code = write_at(out.file().get(), 0, std::as_bytes(std::span(header))); code != 0)
    fail_with(code, out.path(), "cannot be written");
  progress_bar bar("writing", in.array().data_bytes);
  job.in = {in.file().get(), in.data_begin(), [&](int code, std::int64_t at) { return in.lost(code, at); }};
  job.out = {out.file().get(), static_cast<std::int64_t>(header.size()), [&](int code, std::int64_t at) {
               return file_error(fmt::format("{} cannot be written at byte {}: {}", shell_name(out.path()), at,
                                             std::strerror(code == 0 ? EIO : code)));
             }};
  job.progress = [&](std::int64_t done) { bar.show(done); };
  job.after_block = [&] { out.begin_writing(); };
  job.verify = how == verification::sums;
  sums const found = copy_array(job);
  in.check_unchanged();
  out.flush();
  if (how == verification::reread) out.forget();
  std::optional<std::string> difference;
  bool const compares = how == verification::reread || how == verification::comparison || found == sums::differ;
  if (compares) difference = compare(in, job, header, out);
  if (found == sums::differ && !difference) difference = "the sums of what was read and of what was written differ";
  if (compares) in.check_unchanged();
  return difference;
}

}  // namespace

int run_conversion(convert_request const& r, std::optional<copy_function> copier) {
  check_together(r);
  convert_settings const settings = read_settings(r);
  if (r.memory) (void)buffer_limit(r, settings, 0);
  array_name const in_name = read_array_name(r.in), out_name = read_array_name(r.out);
  std::string const folder = out_name.is_stream() ? temporary_folder() : folder_of(out_name.path);
  npy_input const in(in_name, folder, r.dry_run ? npy_input::extent::header : npy_input::extent::all);
  struct stat there {};
  if (!names_archive(out_name) && !out_name.is_stream() && stat(out_name.path.c_str(), &there) == 0 && in.is(there))
    throw usage_error(fmt::format("{} and {} are the same file; give the output a name of its own", in_name.shown(true),
                                  out_name.shown(false)));
  destination out(out_name, {r.force, r.compress, in.member()});
  conversion const c = read_conversion(r, in.array());
  npy_element const& element = in.array().element;
  (void)make_movement(c.src, c.dst, bits_of(element.unit));  // refuses before anything is written
  std::string header;
  try {
    header = write_npy_header(c.header, settings.version);
  } catch (npy_error const& e) {
    throw usage_error(fmt::format("convert: the output cannot be written: {}", e.what()));
  }
  array_copy job{.what = c, .element = element, .order = {}, .in = {}, .out = {}};
  job.where = settings.where;
  job.threads = settings.threads;
  job.max_bytes = buffer_limit(r, settings, in.array().data_bytes + c.out_elements * element.bytes);
  if (settings.order && changes(element.numbers, *settings.order)) job.order = settings.order;
  if (copier) job.copier = *copier;
  check_swizzle(job);
  verification const how = planned_verification(r, job);
  auto const out_bytes = static_cast<std::int64_t>(header.size()) + c.out_elements * element.bytes;
  convert_report report{r, in, out, job, out_bytes, how, 0};
  if (r.dry_run) {
    print_dry_run(report);
    return success;
  }

  auto const begin = std::chrono::steady_clock::now();
  stop_signals const signals(fmt::format("tilewright: stopped by a signal; {} was not written\n", out.shown()));
  open_output& file = out.open(out_bytes);
  if (auto const difference = copy_and_verify(in, job, header, file, how)) {
    complain(fmt::format("tilewright: {} was not written: verification found that {}\n", out.shown(), *difference));
    return check_failed;
  }
  out.finish(r.verify);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  print_written(report);
  return success;
}

}  // namespace tilewright::cli
