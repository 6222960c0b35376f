// What the process was given: one variable of its environment.
#pragma once

#include <cstdlib>
#include <string>

namespace tilewright {

/// Empty where the variable is not set.
inline std::string environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace tilewright
