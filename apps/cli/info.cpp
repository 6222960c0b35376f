// tilewright info: what a .npy file or a .npz archive holds.
#include "apps/cli/command.hpp"
#include "apps/cli/convert/input.hpp"
#include "apps/cli/convert/report.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "engine/npy/python_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

using info_json = nlohmann::ordered_json;

constexpr char const* introduction =
    "Prints the shape, the element type and the order of the array in a .npy file, or of each array in a .npz "
    "archive.\n\n"
    "  tilewright info in.npy\n"
    "  tilewright info arrays.npz\n"
    "  tilewright info arrays.npz:weights --json";

/// The layout of the data, over the axes of the array, in elements.
std::string layout_text(npy_header const& h) { return format_layout(layout_of(h)); }

info_json json_of(npy_array const& a) {
  return {{"shape", a.header.shape},         {"descr", a.header.descr},      {"fortran_order", a.header.fortran_order},
          {"layout", layout_text(a.header)}, {"elements", a.elements},       {"element_bytes", a.element.bytes},
          {"data_bytes", a.data_bytes},      {"header_bytes", a.data_begin}, {"version", a.version}};
}

void print_array(npy_array const& a) {
  say("  shape    {}\n", npy::text_of_shape(a.header.shape));
  say("  type     {}, {} bytes an element\n", a.header.descr, a.element.bytes);
  say("  order    {}\n", a.header.fortran_order ? "Fortran, the first axis fastest" : "C, the last axis fastest");
  say("  layout   {}\n", layout_text(a.header));
  say("  data     {} elements, {}\n", a.elements, text_of_bytes(a.data_bytes));
  say("  header   {} bytes, version {}.0\n", a.data_begin, a.version);
}

info_json json_of(archive_member const& m) {
  return {
      {"name", m.name}, {"file", m.file}, {"method", m.method}, {"bytes", m.bytes}, {"packed_bytes", m.packed_bytes}};
}

/// A member and its header, or why it has none.
struct member_report {
  archive_member const& member;
  std::optional<npy_array> array;
  std::string error;
};

member_report look_at(archive const& from, std::size_t i) {
  member_report out{from.members()[i], {}, ""};
  try {
    if (out.member.is_array) out.array = read_member_header(from, i);
    else out.error = "not a .npy file";
  } catch (std::exception const& e) {
    out.error = e.what();
  }
  return out;
}

int print_archive(array_name const& name, archive const& from, bool as_json) {
  info_json members = info_json::array();
  bool is_good = true;
  if (!as_json)
    say("{}: a .npz archive with {} member{}\n", name.shown(true), from.members().size(),
        from.members().size() == 1 ? "" : "s");
  std::size_t width = 4;
  for (archive_member const& m : from.members()) width = std::max(width, m.name.size());
  for (std::size_t i = 0; i < from.members().size(); ++i) {
    member_report const r = look_at(from, i);
    is_good = is_good && (r.array || !r.member.is_array);
    if (as_json) {
      info_json row = json_of(r.member);
      if (r.array) row.update(json_of(*r.array));
      else row["error"] = r.error;
      members.push_back(row);
      continue;
    }
    say("  {:<{}}  {}\n", r.member.name, width,
        r.array
            ? fmt::format("{}, {}, {}", text_of(r.array->header), text_of_bytes(r.array->data_bytes), r.member.method)
            : r.error);
  }
  if (as_json) {
    info_json const out{{"file", name.text}, {"members", members}};
    say("{}\n", out.dump(2, ' ', false, info_json::error_handler_t::replace));
  }
  return is_good ? success : bad_input;
}

/// error: file_error
descriptor open_to_look(array_name const& name, bool& is_pipe) {
  descriptor file(name.is_stream() ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : open(name.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat there {};
  if (!file || fstat(file.get(), &there) != 0)
    throw file_error(fmt::format("{} cannot be read: {}", name.shown(true), std::strerror(errno)));
  is_pipe = !S_ISREG(there.st_mode);
  return file;
}

int info(std::string const& text, bool as_json) {
  array_name const name = read_array_name(text);
  bool is_pipe = false;
  if (name.member.empty()) {
    descriptor const file = open_to_look(name, is_pipe);
    std::array<std::byte, 4> head{};
    int code = 0;
    if (!is_pipe && is_archive(std::span(head).first(read_at(file.get(), 0, head, code))))
      return print_archive(name, archive(file, name.path), as_json);
  }
  npy_input const in(name, temporary_folder(), is_pipe ? npy_input::extent::all : npy_input::extent::header);
  if (as_json) {
    info_json out{{"file", text}};
    out.update(json_of(in.array()));
    say("{}\n", out.dump(2, ' ', false, info_json::error_handler_t::replace));
    return success;
  }
  say("{}: a .npy array\n", in.shown());
  print_array(in.array());
  return success;
}

}  // namespace

int run_info(words const& given) {
  CLI::App app(introduction, "tilewright info");
  std::string file;
  bool as_json = false;
  app.add_option("FILE", file, "a .npy file, a .npz archive, a member such as a.npz:weights, or - for standard input")
      ->type_name("FILE");
  add_result_options(app, as_json);
  if (!parse(app, given)) return success;
  if (file.empty()) throw usage_error("info needs a file, such as in.npy or arrays.npz");
  return info(file, as_json);
}

}  // namespace tilewright::cli
