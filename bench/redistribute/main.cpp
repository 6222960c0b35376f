// Redistributions of doubles between processes: the library next to MPI_Alltoallw with derived datatypes, ScaLAPACK's pdgemr2d, FFTW's
// transpose, and memcpy through shared memory. All take turns on the same data; figures are medians over rounds of the slowest
// rank. --only TEXT runs the cases whose names contain it, --peers none the library and memcpy alone.
// usage: mpirun -n N bench_redistribute [--json FILE] [--mib N] [--rounds N] [--only TEXT] [--peers none]
#include "bench/redistribute/peers.hpp"
#include "tilewright/distributed/exchange.hpp"
#include "tilewright/distributed/mpi.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

namespace tilewright::bench {
namespace {

MPI_Datatype type_of(exchange_piece const& piece, std::int64_t loop::*stride) {
  MPI_Datatype type = MPI_DOUBLE;
  for (loop const& l : piece.loops) {
    MPI_Datatype next{};
    MPI_Type_create_hvector(static_cast<int>(l.extent), 1, l.*stride * 8, type, &next);
    if (type != MPI_DOUBLE) MPI_Type_free(&type);
    type = next;
  }
  return type;
}

/// One datatype for all pieces of a transfer, from the start of the rank's memory.
MPI_Datatype type_of(transfer const& t, std::int64_t loop::*stride, std::int64_t exchange_piece::*offset) {
  std::vector<int> ones(t.pieces.size(), 1);
  std::vector<MPI_Aint> at;
  std::vector<MPI_Datatype> types;
  for (exchange_piece const& p : t.pieces) {
    at.push_back(p.*offset * 8);
    types.push_back(type_of(p, stride));
  }
  MPI_Datatype out{};
  MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(), at.data(), types.data(), &out);
  MPI_Type_commit(&out);
  for (MPI_Datatype& type : types)
    if (type != MPI_DOUBLE) MPI_Type_free(&type);
  return out;
}

peer alltoallw_peer(rank_plan const& plan, double* src, double* dst, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  auto const n = static_cast<std::size_t>(ranks);
  struct arguments {
    std::vector<int> send_counts, receive_counts, zeros;
    std::vector<MPI_Datatype> send, receive;
  };
  auto const a = std::make_shared<arguments>();
  a->send_counts = a->receive_counts = a->zeros = std::vector<int>(n, 0);
  a->send = a->receive = std::vector<MPI_Datatype>(n, MPI_DOUBLE);
  auto const add = [&](transfer const& t, bool sends, int other) {
    auto const i = static_cast<std::size_t>(other);
    if (t.elements == 0) return;
    (sends ? a->send_counts : a->receive_counts)[i] = 1;
    (sends ? a->send : a->receive)[i] =
        sends ? type_of(t, &loop::src, &exchange_piece::src) : type_of(t, &loop::dst, &exchange_piece::dst);
  };
  for (transfer const& t : plan.sends) add(t, true, t.to);
  for (transfer const& t : plan.receives) add(t, false, t.from);
  add(plan.own, true, plan.rank);
  add(plan.own, false, plan.rank);
  auto const release = [a] {
    for (auto* all : {&a->send, &a->receive})
      for (MPI_Datatype& t : *all)
        if (t != MPI_DOUBLE) MPI_Type_free(&t);
  };
  return {[=] {
            MPI_Alltoallw(src, a->send_counts.data(), a->zeros.data(), a->send.data(), dst, a->receive_counts.data(),
                          a->zeros.data(), a->receive.data(), comm);
          },
          {},
          release};
}

/// As many bytes with memcpy: the rank's own ones directly, those for others into shared memory and out of it, the pages of both
/// ranks touched before.
peer memcpy_peer(rank_plan const& plan, double* src, double* dst, std::int64_t src_size, std::int64_t dst_size,
                 MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  std::int64_t const sent = plan.sent(), received = plan.received(), own = plan.own.elements;
  void* base = nullptr;
  auto const window = std::make_shared<MPI_Win>();
  if (MPI_Win_allocate_shared(static_cast<MPI_Aint>(std::max<std::int64_t>(sent, 1) * 8), 1, MPI_INFO_NULL, comm,
                              static_cast<void*>(&base), window.get()) != MPI_SUCCESS)
    return {{}, "no shared memory", {}};
  std::memset(base, 1, static_cast<std::size_t>(sent) * 8);
  std::int64_t left = received;
  std::vector<std::pair<std::byte const*, std::size_t>> parts;  // of the others' memory
  for (int k = 1; k < ranks && left > 0; ++k) {
    MPI_Aint size = 0;
    int unit = 0;
    void* other = nullptr;
    MPI_Win_shared_query(*window, (rank + k) % ranks, &size, &unit, static_cast<void*>(&other));
    std::int64_t const take = std::min<std::int64_t>(left, size / 8);
    parts.emplace_back(static_cast<std::byte const*>(other), static_cast<std::size_t>(take) * 8);
    left -= take;
  }
  auto const clip = [](std::int64_t n, std::int64_t limit) { return static_cast<std::size_t>(std::min(n, limit)) * 8; };
  std::size_t const own_bytes = clip(own, std::min(src_size, dst_size)), sent_bytes = clip(sent, src_size);
  return {[=] {
            std::memcpy(base, src, sent_bytes);
            std::memcpy(dst, src, own_bytes);
            MPI_Barrier(comm);
            auto* to = reinterpret_cast<std::byte*>(dst);
            for (auto const& [from, bytes] : parts) {
              std::memcpy(to, from, bytes);
              to += bytes;
            }
          },
          {},
          [window] { MPI_Win_free(window.get()); }};
}

std::vector<exchange_case> cases_for(int ranks, std::int64_t mib) {
  auto const n = static_cast<std::int64_t>(std::sqrt(static_cast<double>(mib * ranks) * 131072.0)) / 16 * 16;
  auto const cube = static_cast<std::int64_t>(std::cbrt(static_cast<double>(mib * ranks) * 131072.0)) / 8 * 8;
  using matrix = exchange_case::matrix;
  std::vector<exchange_case> out;
  auto const add = [&](std::string const& name, distributed_layout const& src, distributed_layout const& dst,
                       matrix form, std::int64_t rows, std::int64_t columns) {
    out.push_back({name, src, dst, form, rows, columns, {}, {}});
  };
  for (auto const& [rows, columns] : {std::pair{n, n}, std::pair{n + 7, n - 5}, std::pair{4 * n, n / 4}}) {
    distributed_layout const from = distribute({rows, columns}, {ranks}, {shard(0)});
    add(fmt::format("rows to columns {}x{}", rows, columns), from, distribute({rows, columns}, {ranks}, {shard(1)}),
        matrix::rows_to_columns, rows, columns);
    add(fmt::format("transpose {}x{}", rows, columns), from,
        distribute({rows, columns}, {ranks}, {shard(1)}, local_order::column_major), matrix::transpose, rows, columns);
  }
  for (auto const& [a, b] : {std::pair{64, 48}, std::pair{32, 256}}) {
    auto const descriptor = [&](std::int64_t block) {
      std::int64_t const most = n / (block * ranks) * block + std::min(block, n % (block * ranks));
      return scalapack_descriptor{n, n, block, block, 0, 0, most};
    };
    exchange_case c{fmt::format("block-cyclic {} to {} {}x{}", a, b, n, n),
                    {},
                    {},
                    matrix::scalapack,
                    n,
                    n,
                    descriptor(a),
                    descriptor(b)};
    c.src = from_scalapack(c.from, ranks, 1);
    c.dst = from_scalapack(c.to, ranks, 1);
    out.push_back(c);
  }
  add(fmt::format("slabs to slabs {0}x{0}x{0}", cube), distribute({cube, cube, cube}, {ranks}, {shard(0)}),
      distribute({cube, cube, cube}, {ranks}, {shard(2)}), matrix::none, 0, 0);
  add(fmt::format("cyclic rows to blocks {}x{}", n, n), distribute({n, n}, {ranks}, {cyclic(0)}),
      distribute({n, n}, {ranks}, {shard(0)}), matrix::none, 0, 0);
  return out;
}

struct settings {
  std::string json, only;
  bool peers = true;
  std::int64_t mib = 64;  // of each rank
  int rounds = 7;
};

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

/// Sampled elements of the rank's destination against places_of.
std::string wrong_element(exchange_case const& c, std::vector<double> const& dst, int rank) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::int64_t> x;
    std::int64_t index = 0;
    for (std::int64_t const n : shape_of(c.dst)) {
      x.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)));
      index = index * n + x.back();
    }
    for (place const& at : places_of(c.dst, x))
      if (at.rank == rank && dst[static_cast<std::size_t>(at.offset)] != static_cast<double>(index))
        return fmt::format("element {} of rank {} is wrong", at.offset, rank);
  }
  return {};
}

/// Each element is its row-major index.
void fill(exchange_case const& c, std::vector<double>& src, int rank, int ranks) {
  // Everything that the rank has, as the plan to a tensor that one rank has whole says it.
  (void)ranks;
  distributed_layout whole = distribute(shape_of(c.src), {c.src.ranks}, {replicate()});
  rank_plan const plan = plan_exchange(c.src, whole, rank);
  for (exchange_piece const& p : plan.own.pieces)
    for (std::int64_t e = 0; e < p.elements; ++e) {
      std::int64_t rest = e, from = p.src, to = p.dst;
      for (loop const& l : p.loops) {
        from += rest % l.extent * l.src;
        to += rest % l.extent * l.dst;
        rest /= l.extent;
      }
      src[static_cast<std::size_t>(from)] = static_cast<double>(to);
    }
}

using named_peers = std::vector<std::pair<std::string, peer>>;

void add_peers(named_peers& out, exchange_case const& c, rank_plan const& plan, double* src, double* dst,
               MPI_Comm comm) {
  out.emplace_back("alltoallw", alltoallw_peer(plan, src, dst, comm));
  out.emplace_back("pdgemr2d", scalapack_peer(c, src, dst, comm));
  out.emplace_back("fftw", fftw_peer(c, src, dst, comm));
}

nlohmann::ordered_json measure(exchange_case const& c, settings const& s, MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<double> src(static_cast<std::size_t>(local_span(c.src, rank)), -1),
      dst(static_cast<std::size_t>(local_span(c.dst, rank)), -1);
  mpi::redistribution job(c.src, c.dst, element_type::f64, comm);
  named_peers parties;
  parties.emplace_back("tilewright", peer{[&] { job.run(src.data(), dst.data()); }, {}, {}});
  parties.emplace_back("memcpy", memcpy_peer(job.plan(), src.data(), dst.data(), static_cast<std::int64_t>(src.size()),
                                             static_cast<std::int64_t>(dst.size()), comm));
  if (s.peers) add_peers(parties, c, job.plan(), src.data(), dst.data(), comm);
  fill(c, src, rank, ranks);
  std::map<std::string, std::vector<double>> times;
  std::string wrong;
  for (int round = -1; round < s.rounds; ++round)
    for (auto& [name, p] : parties) {
      if (!p.run) continue;
      if (round < 0) std::fill(dst.begin(), dst.end(), -1);
      if (round < 0 && p.before) p.before();
      MPI_Barrier(comm);
      double const begin = MPI_Wtime();
      p.run();
      double mine = MPI_Wtime() - begin, slowest = 0;
      MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
      if (round < 0 && p.after) p.after();
      if (round >= 0) times[name].push_back(slowest);
      else if (name != "memcpy" && wrong.empty())
        if (std::string const w = wrong_element(c, dst, rank); !w.empty()) wrong = name + ": " + w;
    }
  int bad = wrong.empty() ? 0 : 1, any = 0;
  MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, comm);
  double const own = median(times["tilewright"]);
  nlohmann::ordered_json row{{"suite", "redistribute"},
                             {"case", c.name},
                             {"element", "f64"},
                             {"ranks", ranks},
                             {"bytes", elements_of(c.src) * 8},
                             {"sent_bytes", job.plan().sent() * 8},
                             {"bound_bytes", job.plan().bound() * 8},
                             {"seconds", own}};
  if (times.count("memcpy") != 0) {
    row["memcpy_seconds"] = median(times["memcpy"]);
    row["share"] = median(times["memcpy"]) / own;
  }
  for (auto& [name, p] : parties) {
    if (name == "tilewright" || name == "memcpy") continue;
    if (p.run) row["peers"][name] = {{"seconds", median(times[name])}, {"ratio", median(times[name]) / own}};
    else row["peers"][name] = {{"absent", p.absent}};
  }
  row["wrong"] = nlohmann::ordered_json::array();
  if (any != 0) row["wrong"].push_back(wrong.empty() ? "an element of another rank is wrong" : wrong);
  for (auto& [name, p] : parties)
    if (p.release) p.release();
  return row;
}

void print_row(nlohmann::ordered_json const& row) {
  auto const ratio = [&](char const* name) {
    auto const p = row.value("peers", nlohmann::ordered_json::object()).value(name, nlohmann::ordered_json::object());
    return p.contains("ratio") ? fmt::format("{:.2f}x", p["ratio"].get<double>()) : std::string("-");
  };
  fmt::print("{:44} {:8.1f} {:9.2f} {:8.2f} {:>10} {:>9} {:>7}{}\n", row["case"].get<std::string>(),
             row["bytes"].get<double>() / 1e6, row["seconds"].get<double>() * 1e3, row.value("share", 0.0),
             ratio("alltoallw"), ratio("pdgemr2d"), ratio("fftw"), row["wrong"].empty() ? "" : " WRONG");
  std::fflush(stdout);
}

void print_summary(nlohmann::ordered_json const& rows) {
  auto const mean = [&](std::string const& what, auto const& value) {
    double sum = 0, worst = 1e300;
    int n = 0;
    for (auto const& row : rows)
      if (double const v = value(row); v > 0) {
        sum += std::log(v);
        worst = std::min(worst, v);
        ++n;
      }
    if (n > 0)
      fmt::print("{}: {:.2f} in the geometric mean of {} cases, least {:.2f}\n", what, std::exp(sum / n), n, worst);
  };
  mean("share of memcpy through shared memory", [](auto const& row) { return row.value("share", 0.0); });
  for (char const* const name : {"alltoallw", "pdgemr2d", "fftw"})
    mean(fmt::format("{}'s time as a multiple of the library's", name), [&](auto const& row) {
      auto const at = nlohmann::ordered_json::json_pointer(fmt::format("/peers/{}/ratio", name));
      return row.value(at, 0.0);
    });
}

}  // namespace
}  // namespace tilewright::bench

int main(int argc, char** argv) {
  using namespace tilewright;
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bench::settings s;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string const word = argv[i];
    if (word == "--only") s.only = argv[i + 1];
    else if (word == "--peers") s.peers = argv[i + 1] != std::string("none");
    else if (word == "--json") s.json = argv[i + 1];
    else if (word == "--mib") s.mib = std::max(1, std::atoi(argv[i + 1]));
    else if (word == "--rounds") s.rounds = std::max(1, std::atoi(argv[i + 1]));
  }
  try {
    if (rank == 0)
      fmt::print(
          "{} ranks, {} MiB each; share: of memcpy through shared memory; peers: multiples of the library's time\n"
          "{:44} {:>8} {:>9} {:>8} {:>10} {:>9} {:>7}\n",
          ranks, s.mib, "case", "MB", "ms", "share", "alltoallw", "pdgemr2d", "fftw");
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (bench::exchange_case const& c : bench::cases_for(ranks, s.mib)) {
      if (c.name.find(s.only) == std::string::npos) continue;
      rows.push_back(bench::measure(c, s, MPI_COMM_WORLD));
      if (rank == 0) bench::print_row(rows.back());
      if (!rows.back()["wrong"].empty()) status = 1;
    }
    if (rank == 0) {
      bench::print_summary(rows);
      if (!s.json.empty()) {
        std::ofstream file(s.json);
        file << nlohmann::ordered_json{{"ranks", ranks}, {"rows", rows}}.dump(1) << '\n';
        if (!file) status = 2;
      }
    }
  } catch (std::exception const& e) {
    std::fprintf(stderr, "redistribute: rank %d: %s\n", rank, e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
