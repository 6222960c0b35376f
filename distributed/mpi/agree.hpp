// Errors that all ranks of a communicator hear of.
#pragma once

#include "tilewright/plan/copy_error.hpp"

#include <mpi.h>
#include <new>
#include <optional>
#include <string>

namespace tilewright::mpi {

/// Throws where an MPI call reports an error.
/// error: copy_error device_failed
void check(int result, char const* call);

/// Collective. Does nothing when no rank has an error; else throws that of the lowest rank that has one, on every rank.
void agree(std::optional<copy_error> const& mine, MPI_Comm comm);

/// What `work` throws, as a copy_error.
template <class Work>
std::optional<copy_error> error_of(Work const& work) {
  try {
    work();
    return std::nullopt;
  } catch (copy_error const& e) {
    return e;
  } catch (std::bad_alloc const&) {
    return copy_error(copy_errc::out_of_memory, "there is not enough memory");
  } catch (std::exception const& e) {
    return copy_error(copy_errc::internal, e.what());
  }
}

}  // namespace tilewright::mpi
