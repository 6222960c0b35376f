#include "bench/redistribute/peers.hpp"

#include <algorithm>
#include <array>

extern "C" {
int Csys2blacs_handle(MPI_Comm);
void Cfree_blacs_system_handle(int);
void Cblacs_gridinit(int*, char const*, int, int);
void Cblacs_gridexit(int);
void Cpdgemr2d(int, int, double*, int, int, int*, double*, int, int, int*, int);
}

namespace tilewright::bench {
namespace {

using descriptor = std::array<int, 9>;

descriptor in_blacs(scalapack_descriptor const& d, int context) {
  return {
      1,      context, static_cast<int>(d.m),  static_cast<int>(d.n), static_cast<int>(d.mb), static_cast<int>(d.nb),
      d.rsrc, d.csrc,  static_cast<int>(d.lld)};
}

}  // namespace

peer scalapack_peer(exchange_case const& c, double* src, double* dst, MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  int const handle = Csys2blacs_handle(comm);
  int tall = handle, wide = handle;  // grids of ranks x 1 and of 1 x ranks
  Cblacs_gridinit(&tall, "Row", ranks, 1);
  Cblacs_gridinit(&wide, "Row", 1, ranks);
  auto const leave = [=] {
    Cblacs_gridexit(tall);
    Cblacs_gridexit(wide);
    Cfree_blacs_system_handle(handle);
  };
  auto const run = [=](descriptor from, descriptor to) {
    return [=]() mutable { Cpdgemr2d(from[2], from[3], src, 1, 1, from.data(), dst, 1, 1, to.data(), tall); };
  };
  if (c.form == exchange_case::matrix::scalapack) return {run(in_blacs(c.from, tall), in_blacs(c.to, tall)), {}, leave};
  if (c.form == exchange_case::matrix::rows_to_columns) {
    // A row-major matrix is a column-major one with rows and columns exchanged.
    std::int64_t const block = (c.columns + ranks - 1) / ranks,
                       mine = std::clamp<std::int64_t>(c.columns - rank * block, 1, block);
    scalapack_descriptor const from{c.columns, c.rows, c.columns, (c.rows + ranks - 1) / ranks, 0, 0, c.columns};
    scalapack_descriptor const to{c.columns, c.rows, block, c.rows, 0, 0, mine};
    return {run(in_blacs(from, wide), in_blacs(to, tall)), {}, leave};
  }
  leave();
  return {{}, "pdgemr2d moves matrices and transposes none", {}};
}

}  // namespace tilewright::bench
