// The libraries that bench/redistribute compares with. A peer is made for a case, or is absent with a reason.
#pragma once

#include "tilewright/distributed/placements.hpp"

#include <mpi.h>
#include <functional>
#include <string>

namespace tilewright::bench {

/// One redistribution of doubles: a matrix of rows x columns, or another tensor.
struct exchange_case {
  std::string name;
  distributed_layout src, dst;
  enum class matrix { none, rows_to_columns, transpose, scalapack } form = matrix::none;
  std::int64_t rows = 0, columns = 0;
  scalapack_descriptor from{}, to{};  // of form scalapack, on a grid of ranks x 1
};

struct peer {
  std::function<void()> run;  // collective; empty: absent
  std::string absent;
  std::function<void()> release;  // collective
  // Where a peer needs memory of its own: copies the source there, and the result to the destination; not timed.
  std::function<void()> before{}, after{};
};

peer scalapack_peer(exchange_case const& c, double* src, double* dst, MPI_Comm comm);
peer fftw_peer(exchange_case const& c, double* src, double* dst, MPI_Comm comm);

}  // namespace tilewright::bench
