// Errors that all ranks of a communicator hear of.
#pragma once

#include "distributed/error_of.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <mpi.h>
#include <optional>
#include <string>

namespace tilewright::mpi {

/// Throws where an MPI call reports an error.
/// error: copy_error device_failed
void check(int result, char const* call);

/// Collective. Does nothing when no rank has an error; else throws that of the lowest rank that has one, on every rank.
void agree(std::optional<copy_error> const& mine, MPI_Comm comm);

}  // namespace tilewright::mpi
