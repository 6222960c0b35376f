// What a rank's own work throws, as an error that it can tell the other ranks.
#pragma once

#include "tilewright/plan/copy_error.hpp"

#include <exception>
#include <new>
#include <optional>

namespace tilewright {

/// What `work` throws, as a copy_error: ranks tell each other of it in place of leaving the others to wait.
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

}  // namespace tilewright
