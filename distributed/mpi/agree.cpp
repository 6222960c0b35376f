#include "distributed/mpi/agree.hpp"

#include <fmt/format.h>
#include <climits>
#include <new>

namespace tilewright::mpi {

void check(int result, char const* call) {
  if (result == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(result, words, &length);
  throw copy_error(copy_errc::device_failed, fmt::format("{} failed: {}", call, words));
}

void agree(std::optional<copy_error> const& mine, MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  int const candidate = mine ? rank : INT_MAX;
  int first = INT_MAX;
  check(MPI_Allreduce(&candidate, &first, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if (first == INT_MAX) return;
  std::string text;
  int head[2] = {0, 0};
  if (rank == first) {
    text = fmt::format("rank {}: {}", rank, mine->what());
    head[0] = static_cast<int>(mine->code());
    head[1] = static_cast<int>(text.size());
  }
  check(MPI_Bcast(head, 2, MPI_INT, first, comm), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(head[1]));
  check(MPI_Bcast(text.data(), head[1], MPI_CHAR, first, comm), "MPI_Bcast");
  throw copy_error(static_cast<copy_errc>(head[0]), text);
}

}  // namespace tilewright::mpi
