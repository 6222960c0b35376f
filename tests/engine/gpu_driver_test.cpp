// The driver's library opened at run time: machines without one, calls that fail, contexts that are left as they were.
#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/driver.hpp"

#include "fake_driver.hpp"

#include <gtest/gtest.h>

#include <filesystem>

using namespace tilewright;
using namespace tilewright::gpu;

namespace {

template <class F>
copy_error error_of(F&& f) {
  try {
    f();
  } catch (copy_error const& error) {
    return error;
  }
  return {copy_errc::ok, ""};
}

bool has(copy_error const& error, char const* part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

TEST(gpu_driver, a_machine_without_the_driver_gets_a_sentence) {
  auto const error = error_of([] { load_driver("libcuda_that_is_not_there.so.1"); });
  EXPECT_EQ(error.code(), copy_errc::no_device);
  EXPECT_TRUE(has(error, "libcuda_that_is_not_there.so.1 cannot be opened")) << error.what();
  EXPECT_TRUE(has(error, "install NVIDIA's driver, or copy on the CPU")) << error.what();
}

TEST(gpu_driver, a_library_that_is_no_driver_is_named_with_what_it_lacks) {
  auto const error = error_of([] { load_driver("libm.so.6"); });
  EXPECT_EQ(error.code(), copy_errc::no_device);
  EXPECT_TRUE(has(error, "libm.so.6 has no cuInit; install a driver for CUDA 12.0 or later")) << error.what();
}

TEST(gpu_driver, the_toolkits_stand_in_is_recognised) {
  for (char const* const stub : {"/usr/local/cuda/lib64/stubs/libcuda.so", "/usr/local/cuda/lib/stubs/libcuda.so"}) {
    if (!std::filesystem::exists(stub)) continue;
    auto const error = error_of([&] { load_driver(stub); });
    EXPECT_EQ(error.code(), copy_errc::no_device);
    EXPECT_TRUE(has(error, "CUDA_ERROR_STUB_LIBRARY")) << error.what();
    return;
  }
  GTEST_SKIP() << "no CUDA toolkit is installed here";
}

TEST(gpu_driver, codes_become_errors_with_the_call_and_the_drivers_words) {
  auto const api = fake::new_driver();
  EXPECT_NO_THROW(check(api, cuda_success, "cuLaunchKernel", "copy"));
  auto const failed = error_of([&] { check(api, cuda_launch_failed, "cuLaunchKernel", "copy 4 bytes"); });
  EXPECT_EQ(failed.code(), copy_errc::device_failed);
  EXPECT_STREQ(
      failed.what(),
      "copy 4 bytes: cuLaunchKernel failed with CUDA_ERROR_OF_A_TEST (the driver's words); this process can use "
      "the device no more");
  EXPECT_EQ(error_of([&] { check(api, cuda_out_of_memory, "cuMemAlloc", "x"); }).code(), copy_errc::out_of_memory);
  EXPECT_EQ(error_of([&] { check(api, cuda_no_device, "cuInit", "x"); }).code(), copy_errc::no_device);
  EXPECT_TRUE(
      has(error_of([&] { check(api, cuda_unsupported_ptx_version, "cuLibraryLoadData", "x"); }), "older libnvrtc"));
}

TEST(gpu_driver, contexts_are_left_as_they_were) {
  auto const api = fake::new_driver();
  auto const other = fake::context_of(1), own = fake::context_of(0);
  fake::gpu().stack = {other};
  {
    current_context const scope(api, own);
    EXPECT_EQ(fake::gpu().stack.back(), own);
    {
      current_context const same(api, own);
      EXPECT_EQ(fake::gpu().calls["cuCtxPushCurrent"], 1);
    }
    EXPECT_EQ(fake::gpu().stack.back(), own);
  }
  EXPECT_EQ(fake::gpu().stack, std::vector<context_handle>{other});
  fake::gpu().failing["cuCtxPushCurrent"] = 999;
  EXPECT_EQ(error_of([&] { current_context const scope(api, own); }).code(), copy_errc::device_failed);
  EXPECT_EQ(fake::gpu().stack, std::vector<context_handle>{other});
}

TEST(gpu_device, attributes_become_a_machine_model) {
  auto const api = fake::new_driver();
  auto const device = open_device(api, 0);
  EXPECT_EQ(device.machine.name, "Fake GPU, sm_90, 132 multiprocessors");
  EXPECT_EQ(device.machine.kind, device_kind::cuda);
  EXPECT_EQ(device.machine.processors, 132);
  EXPECT_EQ(device.machine.compute_capability, 90);
  EXPECT_EQ(device.machine.near_bytes, 228 << 10);
  EXPECT_EQ(device.machine.block_bytes, 227 << 10);
  EXPECT_EQ(device.machine.far_bytes, 60 << 20);
  EXPECT_NEAR(device.machine.bytes_per_second, 4.24e12,
              0.02e12);  // measured on the part with these attributes: 4.23e12
}

TEST(gpu_device, an_ordinal_that_is_none_is_refused_with_those_there_are) {
  auto const api = fake::new_driver();
  for (int const ordinal : {-1, 2}) {
    auto const error = error_of([&] { open_device(api, ordinal); });
    EXPECT_EQ(error.code(), copy_errc::no_device);
    EXPECT_TRUE(has(error, "there are 2, 0 to 1")) << error.what();
  }
}

TEST(gpu_device, memory_is_freed_and_bounds_hold) {
  auto const api = fake::new_driver();
  auto const device = open_device(api, 1);
  {
    device_memory memory(device, 16);
    memory.fill(7);
    std::uint32_t const in = 0x01020304;
    memory.upload(&in, 4, 12);
    std::uint8_t out[16];
    memory.download(out, 16);
    EXPECT_EQ(out[11], 7);
    EXPECT_EQ(out[12], 4);
    EXPECT_EQ(error_of([&] { memory.upload(&in, 4, 13); }).code(), copy_errc::bad_option);
    EXPECT_EQ(error_of([&] { memory.download(out, 1, std::size_t(-1)); }).code(), copy_errc::bad_option);
    device_memory moved = std::move(memory);
    EXPECT_EQ(fake::gpu().memory.size(), 1u);
    EXPECT_EQ(fake::gpu().memory.begin()->second.device, 1);
  }
  EXPECT_TRUE(fake::gpu().memory.empty());
  EXPECT_TRUE(fake::gpu().stack.empty());
  fake::gpu().failing["cuMemAlloc"] = cuda_out_of_memory;
  auto const error = error_of([&] { device_memory(device, 5); });
  EXPECT_EQ(error.code(), copy_errc::out_of_memory);
  EXPECT_TRUE(has(error, "allocate 5 bytes on Other GPU")) << error.what();
}

}  // namespace
