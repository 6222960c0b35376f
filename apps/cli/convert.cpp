// tilewright convert: one .npy file to another in which the same elements lie in another order. The input and the output
// are memory; the output gets its name when all of it is on the disk.
#include "apps/cli/command.hpp"
#include "apps/cli/convert/copy_array.hpp"
#include "apps/cli/convert/faults.hpp"
#include "apps/cli/convert/input.hpp"
#include "apps/cli/convert/output.hpp"
#include "apps/cli/convert/progress_bar.hpp"
#include "apps/cli/convert/signals.hpp"
#include "apps/cli/convert/target.hpp"
#include "apps/cli/convert/verify.hpp"
#include "apps/cli/layout_argument.hpp"
#include "apps/cli/option_values.hpp"
#include "tilewright/plan/movement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Writes the array of IN.npy to OUT.npy with its elements in another order.\n\n"
    "  tilewright convert in.npy out.npy --permute 2,0,1         numpy.transpose, the last axis fastest\n"
    "  tilewright convert in.npy out.npy --order F               the same array, the first axis fastest\n"
    "  tilewright convert in.npy out.npy --to nhwc               an array (n,c,h,w) as (n,h,w,c)\n"
    "  tilewright convert in.npy out.npy --to nChw16c            channels in blocks of 16\n"
    "  tilewright convert in.npy out.npy --to '((16,4),64):((1,1024),16)'\n\n"
    "Without any of these, the last axis becomes the fastest. Files may be larger than memory. OUT.npy appears when\n"
    "it is complete; whatever goes wrong leaves what was there before.";

struct request {
  std::string in, out, permute, to, order, device = "cpu", threads = "0", memory = "0";
  bool verify = false, force = false, json = false;
};

/// "2,0,1"
/// error: text_error
std::vector<long long> parse_axes(std::string_view text) {
  layout_reader reader(text);
  std::vector<long long> axes;
  do axes.push_back(reader.read_integer());
  while (reader.accept(','));
  reader.expect_end();
  return axes;
}

/// "512M": bytes, with K, M, G or T for powers of 1024.
/// error: text_error, usage_error
std::int64_t parse_bytes(std::string_view text) {
  layout_reader reader(text);
  long long bytes = reader.read_integer();
  constexpr std::string_view units = "KMGT";
  std::size_t const unit = reader.at_end() ? std::string_view::npos : units.find(reader.peek());
  if (unit != std::string_view::npos) {
    reader.move_to(reader.position() + 1);
    long long const factor = 1LL << (10 * (unit + 1));
    if (!math::multiply(bytes, factor, bytes)) reader.fail_at("expected at most 2^63 bytes", 0);
  }
  reader.expect_end();
  if (bytes < 0) throw usage_error(fmt::format("convert: --memory is a number of bytes, not {}", text));
  return bytes;
}

device parse_device(std::string const& text) {
  if (text == "cpu") return cpu;
  if (text == "cuda") return cuda();
  if (text.rfind("cuda:", 0) == 0) {
    long long const ordinal = parse_integer(std::string_view(text).substr(5));
    if (ordinal >= 0 && ordinal <= int32_max) return cuda(static_cast<int>(ordinal));
  }
  throw usage_error(fmt::format("convert: --device is cpu, cuda or cuda:NUMBER, not '{}'", text));
}

int parse_threads(std::string const& text) {
  constexpr long long most = 4096;
  long long const threads = parse_integer(text);
  if (threads < 0 || threads > most)
    throw usage_error(fmt::format("convert: --threads is 1 to {}, or 0 for all, not {}", most, threads));
  return static_cast<int>(threads);
}

conversion wanted(request const& r, npy_header const& in) {
  if (!r.permute.empty()) return convert_permuted(in, parse_axes(r.permute));
  if (!r.to.empty())
    return is_format(r.to) ? convert_to_format(in, r.to) : convert_to_layout(in, parse_layout_argument(r.to));
  if (r.order.empty() || r.order == "C") return convert_order(in, false);
  if (r.order == "F") return convert_order(in, true);
  throw usage_error(fmt::format("convert: --order is C, the last axis fastest, or F, the first; not '{}'", r.order));
}

/// error: file_error
void check_faults(fault_watch const& watch, npy_input const& in, new_file const& out) {
  if (auto const at = watch.fault_in(0)) throw in.lost_byte(*at);
  if (auto const at = watch.fault_in(1)) throw out.lost_byte(*at);
}

/// Watches the mappings of both files, in this order.
void watch_both(std::optional<fault_watch>& watch, npy_input const& in, new_file const& out) {
  watch.reset();
  watch.emplace();
  watch->add(in.memory().begin(), in.memory().bytes(), false);
  watch->add(out.memory().begin(), out.memory().bytes(), true);
}

/// post: the output is on the disk and holds every element
/// error: file_error, copy_error
void write_array(request const& r, npy_input const& in, conversion const& c, std::string const& header, new_file& out) {
  std::int64_t const bytes = in.array().data_bytes;
  std::optional<fault_watch> watch;
  watch_both(watch, in, out);
  std::memcpy(out.memory().begin(), header.data(), header.size());
  progress_bar bar("writing", bytes);
  array_copy const job{.what = c,
                       .element = in.array().element,
                       .in = in.data(),
                       .out = out.memory().begin() + header.size(),
                       .where = parse_device(r.device),
                       .threads = parse_threads(r.threads),
                       .most_memory = parse_bytes(r.memory),
                       .go_on =
                           [&](std::int64_t done) {
                             bar.show(done);
                             return !watch->any();
                           },
                       .after_block = [&] { out.begin_writing(); }};
  copy_array(job);
  check_faults(*watch, in, out);
  in.check_unchanged();
  out.flush();
}

/// post: the sentence on the first difference
/// error: file_error
std::optional<std::string> verify_array(npy_input const& in, conversion const& c, std::string const& header,
                                        new_file& out) {
  out.reread();
  std::optional<fault_watch> watch;
  watch_both(watch, in, out);
  auto const element_bytes = static_cast<std::size_t>(bits_of(in.array().element) / 8);
  progress_bar bar("verifying", in.array().data_bytes);
  std::optional<std::string> difference;
  if (std::memcmp(out.memory().begin(), header.data(), header.size()) != 0)
    difference = "its header is not what was written";
  else
    difference =
        find_difference(c, in.data(), out.memory().begin() + header.size(), element_bytes, [&](std::int64_t compared) {
          bar.show(compared * static_cast<std::int64_t>(element_bytes));
          return !watch->any();
        });
  check_faults(*watch, in, out);
  in.check_unchanged();
  return difference;
}

/// What was written, on standard output.
void tell(request const& r, npy_header const& h, std::size_t bytes, double seconds) {
  double const rate = seconds > 0 ? static_cast<double>(bytes) / seconds * 1e-9 : 0.0;
  if (r.json) {
    nlohmann::ordered_json const out{
        {"file", r.out},  {"shape", h.shape},   {"descr", h.descr},      {"fortran_order", h.fortran_order},
        {"bytes", bytes}, {"seconds", seconds}, {"gb_per_second", rate}, {"verified", r.verify}};
    // Names of files need not be UTF-8.
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("wrote '{}': ({}{}) of '{}'{}, {} bytes in {:.2f} s, {:.2f} GB/s{}\n", r.out, fmt::join(h.shape, ", "),
             h.shape.size() == 1 ? "," : "", h.descr, h.fortran_order ? " in Fortran order" : "", bytes, seconds, rate,
             r.verify ? "; every element verified" : "");
}

int convert(request const& r) {
  npy_input const in(r.in);
  struct stat there {};
  if (stat(r.out.c_str(), &there) == 0 && in.is(there))
    throw usage_error(fmt::format("'{}' and '{}' are the same file; give the output a name of its own", r.in, r.out));
  conversion const c = wanted(r, in.array().header);
  (void)make_movement(c.src, c.dst, bits_of(in.array().element));  // refuses before anything is written
  std::string header;
  try {
    header = write_npy_header(c.header);
  } catch (npy_error const& e) {
    throw usage_error(fmt::format("convert: the output cannot be written: {}", e.what()));
  }

  auto const begin = std::chrono::steady_clock::now();
  auto const element_bytes = static_cast<std::size_t>(bits_of(in.array().element) / 8);
  std::size_t const out_bytes = header.size() + static_cast<std::size_t>(c.out_elements) * element_bytes;
  stop_signals const signals(fmt::format("tilewright: stopped by a signal; '{}' was not written\n", r.out));
  new_file out(r.out, r.force);
  out.allocate(out_bytes);
  write_array(r, in, c, header, out);
  if (r.verify) {
    if (auto const difference = verify_array(in, c, header, out)) {
      fmt::print(stderr, "tilewright: '{}' was not written: verification found that {}\n", r.out, *difference);
      return check_failed;
    }
  }
  out.publish();
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  tell(r, c.header, out_bytes, seconds);
  return success;
}

}  // namespace

int run_convert(words const& given) {
  CLI::App app(introduction, "tilewright convert");
  request r;
  app.add_option("IN", r.in, "the array to read")->type_name("FILE");
  app.add_option("OUT", r.out, "the array to write")->type_name("FILE");
  auto const* permute =
      app.add_option("--permute", r.permute, "axes of the input in their new order, such as 2,0,1")->type_name("AXES");
  auto const* to =
      app.add_option("--to", r.to, "a layout for the output over the axes of the input, or the name of a format")
          ->type_name("LAYOUT");
  auto const* order =
      app.add_option("--order", r.order, "C: the last axis fastest; F: the first")->type_name(choices_of({"C", "F"}));
  app.add_option("--device", r.device, "cpu, cuda or cuda:NUMBER; cpu if left out")->type_name("DEVICE");
  app.add_option("--threads", r.threads, "of the CPU; all if left out")->type_name("NUMBER");
  app.add_option("--memory", r.memory,
                 "bytes of both files to hold at a time, such as 2G; half of what is free if left out")
      ->type_name("BYTES");
  app.add_flag("--verify", r.verify, "read the output back from the disk and compare every element");
  app.add_flag("--force", r.force, "replace OUT where it exists");
  app.add_flag("--json", r.json, "print what was written as JSON");
  if (!parse(app, given)) return success;
  if (r.in.empty() || r.out.empty()) throw usage_error("convert needs two files, such as in.npy out.npy");
  if ((permute->empty() ? 0 : 1) + (to->empty() ? 0 : 1) + (order->empty() ? 0 : 1) > 1)
    throw usage_error("convert takes one of --permute, --to and --order");
  // All options are read before the first file is opened.
  (void)parse_device(r.device), (void)parse_threads(r.threads), (void)parse_bytes(r.memory);
  return convert(r);
}

}  // namespace tilewright::cli
