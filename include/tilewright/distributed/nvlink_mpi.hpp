// The ranks of an MPI communicator, one GPU each, for nvlink::redistribution.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/distributed/nvlink.hpp"
#include "tilewright/plan/copy_error.hpp"

#if __has_include(<mpi.h>)
#include <mpi.h>

namespace tilewright::nvlink {

/// pre: the communicator lives as long as the group is used
/// error: copy_error device_failed where MPI fails
inline group group_of(MPI_Comm comm) {
  group out;
  MPI_Comm_rank(comm, &out.rank);
  MPI_Comm_size(comm, &out.size);
  out.all_gather = [comm](void const* mine, void* all, std::size_t bytes) {
    if (MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes), MPI_BYTE, comm) !=
        MPI_SUCCESS)
      throw copy_error(copy_errc::device_failed, "MPI_Allgather failed");
  };
  return out;
}

}  // namespace tilewright::nvlink

#endif
