#include "bench/redistribute/peers.hpp"

#include <fftw3-mpi.h>
#include <vector>

namespace tilewright::bench {

peer fftw_peer(exchange_case const& c, double* src, double* dst, MPI_Comm comm) {
  if (c.form != exchange_case::matrix::transpose) return {{}, "FFTW transposes matrices alone", {}};
  fftw_mpi_init();
  // Measuring overwrites both arrays, so the source is put back.
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<double> const kept(src, src + local_span(c.src, rank));
  fftw_plan const plan = fftw_mpi_plan_transpose(c.rows, c.columns, src, dst, comm, FFTW_MEASURE);
  std::copy(kept.begin(), kept.end(), src);
  if (plan == nullptr) return {{}, "FFTW has no plan for this transpose", {}};
  return {[plan] { fftw_execute(plan); }, {}, [plan] { fftw_destroy_plan(plan); }};
}

}  // namespace tilewright::bench
