// archs: 80 89 90
// Narrow floats on the device against the host, which tests/tensor/small_float_test.cpp compares with their definition: every code
// widened; floats at, below and above every boundary between two codes, and random ones, narrowed; sums, differences, products and
// quotients of random pairs; integers. NaN has to be NaN.
#include "support/device.hpp"
#include "tilewright/algorithm/elementwise.hpp"
#include "tilewright/tensor/small_float.hpp"

#include <cmath>
#include <cstring>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// Results of one thread: the codes, or a float's bits.
template <class T>
__global__ void widen(std::uint32_t* out, int codes) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= codes) return;
  auto const x = T::bitcast(static_cast<decltype(T{}.raw())>(i));
  out[i] = __float_as_uint(static_cast<float>(x));
}
template <class T>
__global__ void narrow(float const* in, std::uint32_t* out, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = T(in[i]).raw();
}
template <class T>
__global__ void of_integers(int const* in, std::uint32_t* out, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = T(in[i]).raw();
}
template <class T>
__global__ void calculate(std::uint32_t const* in, std::uint32_t* out, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  using Code = decltype(T{}.raw());
  T const a = T::bitcast(static_cast<Code>(in[2 * i])), b = T::bitcast(static_cast<Code>(in[2 * i + 1]));
  out[4 * i] = (a + b).raw();
  out[4 * i + 1] = (a - b).raw();
  out[4 * i + 2] = (a * b).raw();
  out[4 * i + 3] = (a / b).raw();
}

template <class T>
bool is_nan(std::uint32_t code) {
  return std::isnan(static_cast<float>(T::bitcast(static_cast<decltype(T{}.raw())>(code))));
}
template <class T>
void expect_code(std::uint32_t given, std::uint32_t expected, char const* what, long long where) {
  expect(given == expected || (is_nan<T>(given) && is_nan<T>(expected)), what, where);
}
unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

template <class T>
void test_format(char const* name) {
  using Code = decltype(T{}.raw());
  constexpr int codes = sizeof(Code) == 1 ? 256 : 65536;  // of tf32 those with the low bits zero
  device_array<std::uint32_t> widened(codes);
  widen<T><<<blocks_for(codes), 256>>>(widened.data(), codes);
  auto const floats = widened.host();
  std::vector<float> boundaries;
  for (int i = 0; i < codes; ++i) {
    float const expected = static_cast<float>(T::bitcast(static_cast<Code>(i)));
    float given;
    std::memcpy(&given, &floats[static_cast<std::size_t>(i)], sizeof given);
    expect(std::memcmp(&given, &expected, sizeof given) == 0 || (std::isnan(given) && std::isnan(expected)), name, i);
    float const next = static_cast<float>(T::bitcast(static_cast<Code>(i + 1)));
    float const middle = static_cast<float>((static_cast<double>(expected) + static_cast<double>(next)) / 2);
    for (float const x : {expected, middle, std::nextafterf(middle, -INFINITY), std::nextafterf(middle, INFINITY)})
      boundaries.push_back(x);
  }
  for (std::uint32_t const bits : random_bits<std::uint32_t>(1 << 20, 1)) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    boundaries.push_back(x);
  }
  device_array<float> const in(boundaries);
  device_array<std::uint32_t> narrowed(boundaries.size());
  narrow<T><<<blocks_for(boundaries.size()), 256>>>(in.data(), narrowed.data(), static_cast<int>(boundaries.size()));
  auto const out = narrowed.host();
  for (std::size_t i = 0; i < out.size(); ++i)
    expect_code<T>(out[i], T(boundaries[i]).raw(), name, static_cast<long long>(i));

  constexpr std::size_t pairs = 1 << 20;
  auto operands = random_bits<std::uint32_t>(2 * pairs, 2);
  for (std::uint32_t& x : operands) x = static_cast<Code>(x & T::mask);
  device_array<std::uint32_t> const on_operands(operands);
  device_array<std::uint32_t> results(4 * pairs);
  calculate<T><<<blocks_for(pairs), 256>>>(on_operands.data(), results.data(), static_cast<int>(pairs));
  auto const given = results.host();
  for (std::size_t i = 0; i < pairs; ++i) {
    T const a = T::bitcast(static_cast<Code>(operands[2 * i])), b = T::bitcast(static_cast<Code>(operands[2 * i + 1]));
    std::uint32_t const expected[] = {(a + b).raw(), (a - b).raw(), (a * b).raw(), (a / b).raw()};
    for (std::size_t k = 0; k < 4; ++k)
      expect_code<T>(given[4 * i + k], expected[k], name, static_cast<long long>(4 * i + k));
  }

  auto const integers = random_bits<int>(1 << 16, 3);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < integers.size(); ++i) numbers.push_back(integers[i] >> (i % 31));
  device_array<int> const on_numbers(numbers);
  device_array<std::uint32_t> from_numbers(numbers.size());
  of_integers<T>
      <<<blocks_for(numbers.size()), 256>>>(on_numbers.data(), from_numbers.data(), static_cast<int>(numbers.size()));
  auto const of_numbers = from_numbers.host();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    expect_code<T>(of_numbers[i], T(static_cast<double>(numbers[i])).raw(), name, static_cast<long long>(i));
}

int main() {
  return run("small_float", [] {
    test_format<half_t>("f16");
    test_format<bfloat16_t>("bf16");
    test_format<tfloat32_t>("tf32");
    test_format<float_e4m3_t>("e4m3");
    test_format<float_e5m2_t>("e5m2");
    test_format<float_e2m1_t>("e2m1");
  });
}
