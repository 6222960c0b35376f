#include "bench/redistribute/peers.hpp"

#include <fftw3-mpi.h>
#include <algorithm>

namespace tilewright::bench {

peer fftw_peer(exchange_case const& c, double* src, double* dst, MPI_Comm comm) {
  if (c.form != exchange_case::matrix::transpose) return {{}, "FFTW transposes matrices alone", {}};
  fftw_mpi_init();
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  // FFTW says how much memory both sides need; that may be more than a rank's part.
  ptrdiff_t rows = 0, first_row = 0, columns = 0, first_column = 0;
  ptrdiff_t const complex =
      fftw_mpi_local_size_2d_transposed(c.rows, c.columns, comm, &rows, &first_row, &columns, &first_column);
  auto const size = static_cast<std::size_t>(complex);
  double* const in = fftw_alloc_real(size + 16);
  double* const out = fftw_alloc_real(size + 16);
  fftw_plan const plan = fftw_mpi_plan_transpose(c.rows, c.columns, in, out, comm, FFTW_MEASURE);
  if (plan == nullptr) return {{}, "FFTW has no plan for this transpose", {}};
  auto const from = static_cast<std::size_t>(local_span(c.src, rank)),
             to = static_cast<std::size_t>(local_span(c.dst, rank));
  return {[plan] { fftw_execute(plan); },
          {},
          [=] {
            fftw_destroy_plan(plan);
            fftw_free(in);
            fftw_free(out);
          },
          [=] { std::copy(src, src + from, in); },
          [=] { std::copy(out, out + to, dst); }};
}

}  // namespace tilewright::bench
