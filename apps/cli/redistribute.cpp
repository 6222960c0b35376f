// tilewright redistribute: shards of a tensor, one .npy file for each rank, written again as the shards of another distribution.
// Processes share the work by destination ranks and exchange no messages: each reads what its shards need from the files.
#include "apps/cli/command.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/redistribute/shard_file.hpp"
#include "apps/cli/shared_options.hpp"
#include "tilewright/distributed/exchange.hpp"
#include "tilewright/distributed/placements.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Reads the shards of a distributed tensor, one .npy file for each rank, and writes those of another distribution.\n"
    "{} in a name is the number of the rank. Under mpirun or srun the processes share the shards to write; all of them "
    "must\n"
    "see the files.\n\n"
    "  tilewright redistribute old_{}.npy new_{}.npy --from 'distribute((4096,512),4,S0)' --to "
    "'distribute((4096,512),(2,2),S1,S0)'\n"
    "  mpirun -n 4 tilewright redistribute old_{}.npy new_{}.npy --from … --to … --resume";

struct redistribute_texts {
  std::string in, out, from, to, process;
  bool resume = false;
};

struct share {
  int process = 0, processes = 1;
};

int number_in_environment(std::initializer_list<char const*> names, int fallback) {
  for (char const* const name : names)
    if (char const* const text = std::getenv(name); text != nullptr && *text != '\0') return std::atoi(text);
  return fallback;
}

/// Which of how many processes this is: as --process says, or as MPI and Slurm tell their processes.
share read_share(std::string const& text) {
  share out;
  if (text.empty()) {
    out.process = number_in_environment({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}, 0);
    out.processes = number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}, 1);
  } else {
    std::size_t const slash = text.find('/');
    if (slash == std::string::npos)
      throw usage_error(fmt::format("redistribute: --process '{}' must be NUMBER/PROCESSES, as 0/4", text));
    out.processes =
        static_cast<int>(read_integer_within("redistribute: --process", text.substr(slash + 1), 1, 1 << 20));
    out.process =
        static_cast<int>(read_integer_within("redistribute: --process", text.substr(0, slash), 0, out.processes - 1));
  }
  if (out.processes < 1 || out.process < 0 || out.process >= out.processes)
    throw usage_error(fmt::format("redistribute: process {} of {} is impossible; give --process NUMBER/PROCESSES",
                                  out.process, out.processes));
  return out;
}

/// The tensor as the files have it: compact in the file's order, and with units of an element as one more axis.
distributed_layout in_files(distributed_layout layout, bool fortran_order, std::int64_t units) {
  if (layout.swizzle.bits != 0 || layout.offset != 0)
    throw usage_error("redistribute: a .npy file has no swizzle and no offset; leave them out of the layouts");
  layout = packed_in(std::move(layout), fortran_order ? local_order::column_major : local_order::row_major);
  if (units == 1) return layout;
  int const last = static_cast<int>(layout.axes.size());
  for (distributed_axis& axis : layout.axes)
    for (axis_digit& d : axis.digits)
      if (!d.of_rank) d.stride *= units;
  layout.axes.push_back({units, {{units, 1, 1, false}}});
  layout.packed.insert(layout.packed.begin(), last);
  validate(layout);
  return layout;
}

bool is_column_major(distributed_layout const& layout) {
  return layout.packed.size() > 1 && std::is_sorted(layout.packed.begin(), layout.packed.end());
}

class job {
 public:
  explicit job(redistribute_texts const& texts)
      : texts_(texts),
        given_from_(parse_distributed(texts.from)),
        given_to_(parse_distributed(texts.to)) {
    if (shape_of(given_from_) != shape_of(given_to_))
      throw usage_error(
          fmt::format("redistribute: --from distributes the shape ({}) and --to ({}); both must describe one tensor",
                      fmt::join(shape_of(given_from_), ","), fmt::join(shape_of(given_to_), ",")));
    (void)shard_path(texts.out, 0);
    if (shard_path(texts.in, 0) == shard_path(texts.out, 0))
      throw usage_error(
          "redistribute: the new shards would replace the old ones while these are read; give another name");
    read_headers();
  }

  void run(share const& mine, bool json) {
    std::int64_t written = 0;
    int shards = 0, kept = 0;
    for (int rank = mine.process; rank < to_.ranks; rank += mine.processes) {
      std::string const path = shard_path(texts_.out, rank);
      if (texts_.resume && is_whole(path, rank)) {
        ++kept;
        continue;
      }
      std::int64_t const bytes = write_shard(path, rank);
      written += bytes;
      ++shards;
    }
    if (json)
      return say("{}\n", nlohmann::ordered_json{{"process", mine.process},
                                                {"processes", mine.processes},
                                                {"shards", shards},
                                                {"kept", kept},
                                                {"bytes", written}}
                             .dump(2));
    say("{}{} of {} shards written, {} bytes{}\n",
        mine.processes > 1 ? fmt::format("process {} of {}: ", mine.process, mine.processes) : "", shards, to_.ranks,
        written, kept > 0 ? fmt::format("; {} were there", kept) : "");
  }

 private:
  /// Every shard to read must be there, of one type and order, with the shape that --from gives it.
  void read_headers() {
    for (int rank = 0; rank < given_from_.ranks; ++rank) {
      std::string const path = shard_path(texts_.in, rank);
      shard_input const shard(path);
      npy_header const& h = shard.array().header;
      if (!first_) {
        first_ = shard.array();
        first_path_ = path;
      } else if (h.descr != first_->header.descr) {
        throw usage_error(
            fmt::format("redistribute: {} has elements of {}, and {} of {}; all shards must have one type", path,
                        h.descr, first_path_, first_->header.descr));
      }
      std::vector<std::int64_t> const expected = local_shape(given_from_, rank);
      bool const is_empty = std::find(expected.begin(), expected.end(), 0) != expected.end();
      if (h.shape != expected && !(is_empty && shard.array().elements == 0))
        throw usage_error(fmt::format("redistribute: {} has the shape ({}), and --from gives rank {} the shape ({})",
                                      path, fmt::join(h.shape, ","), rank, fmt::join(expected, ",")));
      // A shard with one long axis is in both orders; NumPy then says C.
      if (std::count_if(h.shape.begin(), h.shape.end(), [](std::int64_t n) { return n > 1; }) < 2 || is_empty) continue;
      if (fortran_ && *fortran_ != h.fortran_order)
        throw usage_error(
            fmt::format("redistribute: {} and {} have different orders; write all in one", path, ordered_path_));
      fortran_ = h.fortran_order;
      ordered_path_ = path;
    }
    if (first_->element.bytes == 0) throw usage_error("redistribute: elements of 0 bytes have no contents to move");
    from_ = in_files(given_from_, fortran_.value_or(false), first_->element.units());
    to_ = in_files(given_to_, is_column_major(given_to_), first_->element.units());
  }

  npy_header header_of(int rank) const {
    return {first_->header.descr, is_column_major(given_to_), local_shape(given_to_, rank)};
  }

  bool is_whole(std::string const& path, int rank) const {
    if (!std::filesystem::exists(path)) return false;
    try {
      return shard_input(path).array().header == header_of(rank);
    } catch (usage_error const&) {
      return false;
    }
  }

  shard_input const& input(int rank) {
    auto const found = inputs_.find(rank);
    if (found != inputs_.end()) return found->second;
    if (inputs_.size() >= max_open) inputs_.clear();
    return inputs_.emplace(rank, shard_input(shard_path(texts_.in, rank))).first->second;
  }

  std::int64_t write_shard(std::string const& path, int rank) {
    int const unit_bits = bits_of(first_->element.unit);
    std::int64_t const bytes = local_span(to_, rank) * unit_bits / 8;
    shard_output out(path, header_of(rank), static_cast<std::size_t>(bytes));
    if (rank < std::max(from_.ranks, to_.ranks)) {
      rank_plan const plan = plan_exchange(from_, to_, rank);
      copy_transfer(plan.own, out);
      for (transfer const& t : plan.receives) copy_transfer(t, out);
    }
    out.commit();
    return bytes;
  }

  void copy_transfer(transfer const& t, shard_output const& out) {
    for (exchange_piece const& piece : t.pieces) {
      const_tensor_view const src{input(t.from).elements(), source_layout(piece, from_), first_->element.unit};
      copy(src, tensor_view{out.elements(), destination_layout(piece, to_), first_->element.unit});
    }
  }

  static constexpr std::size_t max_open = 64;
  redistribute_texts const& texts_;
  distributed_layout given_from_, given_to_;  // as the options say
  distributed_layout from_, to_;              // as the files have it
  std::optional<npy_array> first_;
  std::string first_path_;
  std::optional<bool> fortran_;
  std::string ordered_path_;
  std::map<int, shard_input> inputs_;
};

}  // namespace

int run_redistribute(words const& given) {
  CLI::App app(introduction, "tilewright redistribute");
  redistribute_texts texts;
  app.add_option("IN", texts.in, "files to read, {} for the number of the rank")->type_name("FILES");
  app.add_option("OUT", texts.out, "files to write, {} for the number of the rank")->type_name("FILES");
  app.add_option("--from", texts.from, "distributed layout of the files to read")->type_name("LAYOUT");
  app.add_option("--to", texts.to, "distributed layout of the files to write")->type_name("LAYOUT");
  app.add_option("--process", texts.process,
                 "which of how many processes this is, as 0/4; as mpirun or srun say if left out")
      ->type_name("NUMBER/PROCESSES");
  app.add_flag("--resume", texts.resume, "keep shards that are there already");
  bool json = false;
  add_result_options(app, json);
  if (!parse(app, given)) return success;
  if (texts.in.empty() || texts.out.empty())
    throw usage_error("redistribute needs the files to read and to write, such as old_{}.npy new_{}.npy");
  if (texts.from.empty() || texts.to.empty())
    throw usage_error("redistribute needs --from and --to, such as 'distribute((4096,512),4,S0)'");
  share const mine = read_share(texts.process);
  job(texts).run(mine, json);
  return success;
}

}  // namespace tilewright::cli
