// redistribute() on processes, element by element against places_of, which tests/distributed compares with lists of indices.
// usage: mpirun -n N test_mpi random|errors|large|options|groups|killed
#include "tests/distributed/random_distribution.hpp"
#include "tilewright/distributed/mpi.hpp"
#include "tilewright/distributed/mpi_c.h"
#include "tilewright/distributed/nvlink_mpi.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace tilewright {
namespace {

using namespace distributed_test;

constexpr std::byte untouched{0xA5};

void fail(std::string const& what) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "rank %d: %s\n", rank, what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
void expect(bool holds, std::string const& what) {
  if (!holds) fail(what);
}

/// A rank's memory, element by element; the element of coordinate `index` is some function of it.
struct memory {
  std::vector<std::byte> bytes;
  int bits;

  memory(std::int64_t elements, int b)
      : bytes(static_cast<std::size_t>((elements * b + 7) / 8 + 16), untouched),
        bits(b) {}
  void put(std::int64_t offset, std::int64_t index) {
    if (bits == 4) {
      std::byte& at = bytes[static_cast<std::size_t>(offset / 2)];
      auto const value = static_cast<std::byte>((index * 7 + 3) % 16);
      at = offset % 2 == 0 ? (at & std::byte{0xF0}) | value : (at & std::byte{0x0F}) | (value << 4);
      return;
    }
    std::size_t const n = static_cast<std::size_t>(bits / 8);
    for (std::size_t k = 0; k < n; ++k)
      bytes[static_cast<std::size_t>(offset) * n + k] =
          static_cast<std::byte>((index * 31 + static_cast<std::int64_t>(k) * 97 + index / 256) & 0xFF);
  }
};

void check_pair(distributed_layout const& src, distributed_layout const& dst, element_type element, MPI_Comm comm,
                mpi::options const& how, int runs) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int const bits = bits_of(element);
  memory from(local_span(src, rank), bits), to(local_span(dst, rank), bits), expected = to;
  for_each_coordinate(shape_of(src), [&](std::vector<std::int64_t> const& x, std::int64_t index) {
    for (place const& at : places_of(src, x))
      if (at.rank == rank) from.put(at.offset, index);
    for (place const& at : places_of(dst, x))
      if (at.rank == rank) expected.put(at.offset, index);
  });
  memory const before = from;
  mpi::redistribution job(src, dst, element, comm, how);
  for (int i = 0; i < runs; ++i) {
    to = memory(local_span(dst, rank), bits);
    job.run(from.bytes.data(), to.bytes.data());
    std::string const what = to_text(src) + " -> " + to_text(dst) + " of " + name_of(element);
    expect(to.bytes == expected.bytes, what + ": the destination is wrong");
    expect(from.bytes == before.bytes, what + ": the source changed");
    expect(job.staging_bytes() <= how.staging_bytes, what + ": more staging than allowed");
  }
  std::int64_t const bytes = job.plan().sent() * bits / 8;
  expect(bits == 4 || job.sent_bytes() == runs * bytes,
         "sent " + std::to_string(job.sent_bytes()) + " and not " + std::to_string(runs * bytes));
}

void random_pairs() {
  int size = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<MPI_Comm> first;  // the first n ranks
  for (int n = 1; n <= size; ++n) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, 0, &comm);
    first.push_back(comm);
  }
  random_source random(2024);
  element_type const elements[] = {element_type::b4,  element_type::u8,  element_type::f16,
                                   element_type::f32, element_type::f64, element_type::b128};
  int const cases = std::getenv("TILEWRIGHT_TEST_ALL") != nullptr ? 2000 : 160;
  for (int i = 0; i < cases; ++i) {
    family const f{i % 2 == 0, i % 4 == 1};
    auto const shape = random_shape(random, f.uneven);
    int const ranks = static_cast<int>(random.between(1, size)),
              spare = random.one_in(4) ? static_cast<int>(random.between(0, size - ranks)) : 0;
    distributed_layout const src = random_distribution(random, shape, ranks, f);
    distributed_layout const dst = random_distribution(random, shape, static_cast<int>(random.between(1, ranks)), f);
    element_type const element = elements[random.between(0, 5)];
    mpi::options how;
    how.shared_memory = random.one_in(2);
    how.staging_bytes = random.one_in(2) ? 64 << 10 : 64 << 20;
    MPI_Comm const comm = first[static_cast<std::size_t>(ranks + spare - 1)];
    int const runs = random.one_in(4) ? 2 : 1;
    if (comm != MPI_COMM_NULL) check_pair(src, dst, element, comm, how, runs);
  }
  for (MPI_Comm& comm : first)
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  if (rank == 0) std::printf("%d pairs\n", cases);
}

/// Many chunks, with less staging than tensor: the slots are used again and again.
void large() {
  distributed_layout const rows = distribute({280, 360}, {8}, {shard(0)}),
                           columns = distribute({280, 360}, {2, 4}, {shard(1), cyclic(0)});
  distributed_layout const blocks = distribute({280, 360}, {8}, {block_cyclic(1, 7)}, local_order::column_major);
  for (bool const shared : {true, false})
    for (auto const& [src, dst] :
         {std::pair{rows, columns}, std::pair{columns, blocks}, std::pair{blocks, rows}, std::pair{rows, rows}}) {
      mpi::options how;
      how.staging_bytes = 64 << 10;
      how.shared_memory = shared;
      check_pair(src, dst, element_type::f64, MPI_COMM_WORLD, how, 2);
    }
}

/// Every rank must hear `part`.
template <class Work>
void expect_error(Work const& work, std::string const& part) {
  std::string heard = "no error";
  try {
    work();
  } catch (copy_error const& e) {
    heard = e.what();
  }
  expect(heard.find(part) != std::string::npos, "expected '" + part + "' and heard '" + heard + "'");
  MPI_Barrier(MPI_COMM_WORLD);
}

void errors() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  distributed_layout const rows = parse_distributed("distribute((16,16),8,S0)"),
                           columns = parse_distributed("distribute((16,16),8,S1)");
  std::vector<float> a(32), b(32);
  auto const run = [&](distributed_layout const& src, distributed_layout const& dst, void const* from, void* to,
                       mpi::options const& how = {}) {
    mpi::redistribute({from, src}, {to, dst}, element_type::f32, MPI_COMM_WORLD, how);
  };
  expect_error([&] { run(rank == 5 ? columns : rows, columns, a.data(), b.data()); }, "rank 5: asked for");
  expect_error([&] { run(rows, columns, rank == 3 ? nullptr : a.data(), b.data()); },
               "rank 3: the source is a null pointer, and this rank has 128 bytes of it");
  expect_error([&] { run(rows, columns, a.data(), rank == 2 ? a.data() : b.data()); }, "rank 2: the source at ");
  expect_error(
      [&] {
        run(parse_distributed("distribute((16),16,S0)"), parse_distributed("distribute((16),16,C0)"), a.data(),
            b.data());
      },
      "rank 0: the layouts have 16 ranks and the communicator 8; start 16 processes");
  expect_error([&] { run(rows, parse_distributed("distribute((16,17),8,S0)"), a.data(), b.data()); },
               "both must describe one tensor");
  mpi::options tiny;
  tiny.staging_bytes = 100;
  expect_error([&] { run(rows, columns, a.data(), b.data(), tiny); },
               "staging of 100 bytes is too small; give 65536 or more");

  char message[200];
  char const* const to = "distribute((16,16),8,S1)";
  int code = tw_mpi_redistribute(a.data(), "distribute((16,16),8,S0)", b.data(), to, "f32", MPI_COMM_WORLD, message,
                                 sizeof message);
  expect(code == 0, "tw_mpi_redistribute failed");
  code = tw_mpi_redistribute(a.data(), rank == 1 ? "distribute((16,16),8,Q0)" : to, b.data(), to, "f32", MPI_COMM_WORLD,
                             message, sizeof message);
  expect(code == static_cast<int>(copy_errc::bad_layout) &&
             std::strstr(message, "rank 1: 'Q0' is not a placement") == message,
         message);
  if (rank == 0) std::puts("errors are heard on every rank");
}

/// The destination is the source's memory; and a rank that cancels.
void options_of_a_run() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  distributed_layout const rows = parse_distributed("distribute((640,960),8,S0)"),
                           columns = parse_distributed("distribute((640,960),8,S1)");
  std::vector<float> memory(640 * 960 / 8);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(rank * 76800) + static_cast<float>(i);
  mpi::options how;
  how.overlap = on_overlap::through_temporary;
  mpi::redistribute({memory.data(), rows}, {memory.data(), columns}, element_type::f32, MPI_COMM_WORLD, how);
  for (int i = 0; i < 640; ++i)
    for (int j = 0; j < 120; ++j)
      expect(memory[static_cast<std::size_t>(i * 120 + j)] == static_cast<float>(i * 960 + rank * 120 + j),
             "redistributed in place: an element is wrong");

  std::vector<float> other(memory.size());
  std::int64_t last = 0, total = 0;
  how.staging_bytes = 64 << 10;
  how.progress = [&](std::int64_t done, std::int64_t all) {
    expect(done > last && done <= all, "progress goes back");
    last = done;
    total = all;
    return true;
  };
  mpi::redistribute({memory.data(), rows}, {other.data(), columns}, element_type::f32, MPI_COMM_WORLD, how);
  expect(last == total && total > 0, "progress ends before the end");
  how.progress = [&](std::int64_t done, std::int64_t) { return rank != 6 || done < 100000; };
  expect_error(
      [&] {
        mpi::redistribute({memory.data(), rows}, {other.data(), columns}, element_type::f32, MPI_COMM_WORLD, how);
      },
      "rank 6: the caller cancelled the redistribution after");
}

/// The ranks of a communicator as a group for GPUs; what one of them finds wrong is heard on all.
void groups() {
  nvlink::group const ranks = nvlink::group_of(MPI_COMM_WORLD);
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks.size), -1);
  std::int64_t const mine = 100 + ranks.rank;
  ranks.all_gather(&mine, all.data(), sizeof mine);
  for (std::size_t r = 0; r < all.size(); ++r) expect(all[r] == 100 + static_cast<std::int64_t>(r), "gathered");
  distributed_layout const rows = parse_distributed("distribute((16,16),8,S0)");
  expect_error([&] { nvlink::redistribution(rows, rows, element_type::f32, ranks, 4711); }, "rank 0: ");
  expect_error([&] { nvlink::redistribution(rows, rows, element_type::f32, ranks, 4711); }, "no CUDA device");
  distributed_layout const columns = parse_distributed("distribute((16,16),8,S1)");
  expect_error([&] { nvlink::redistribution(rows, ranks.rank == 6 ? rows : columns, element_type::f32, ranks, 0); },
               "rank 6: asked for");
  if (ranks.rank == 0) std::puts("a communicator is a group of ranks");
}

/// Rank 1 ends where others wait for it.
void killed() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  distributed_layout const rows = parse_distributed("distribute((1600,160),8,S0)"),
                           columns = parse_distributed("distribute((1600,160),8,S1)");
  std::vector<float> a(32000), b(32000);
  mpi::redistribution job(rows, columns, element_type::f32, MPI_COMM_WORLD);
  for (int i = 0;; ++i) {
    if (rank == 1 && i == 3) std::raise(SIGKILL);
    job.run(a.data(), b.data());
  }
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string const what = argc > 1 ? argv[1] : "random";
  try {
    if (what == "random") tilewright::random_pairs();
    else if (what == "large") tilewright::large();
    else if (what == "errors") tilewright::errors();
    else if (what == "options") tilewright::options_of_a_run();
    else if (what == "groups") tilewright::groups();
    else if (what == "killed") tilewright::killed();
    else tilewright::fail("there is no test " + what);
  } catch (std::exception const& e) {
    tilewright::fail(e.what());
  }
  MPI_Finalize();
}
