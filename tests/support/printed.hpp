// What cute's print() writes of a value.
#pragma once

#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <string>

namespace tilewright::tests {

template <class T>
std::string printed(T const& value) {
  using cute::print;
  testing::internal::CaptureStdout();
  print(value);
  return testing::internal::GetCapturedStdout();
}

}  // namespace tilewright::tests
