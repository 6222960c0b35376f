// The engine on this machine's GPU: random pairs of layouts by both kinds of kernel against the value face, offsets beyond
// 32 bits, errors, streams, and how long the first call, the disk's and the process's own take. tools/gpu_check builds
// it with the host's compiler and runs it; no CUDA toolkit is needed.
//
//   engine_check [PAIRS [SPECIALISED]]   random pairs in all (5000), of which so many with kernels of their own (400)
#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "tilewright/layout/text.hpp"

#include "tests/support/random_copies.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace tilewright;
using namespace tilewright::gpu;

namespace {

int failures = 0;

void expect(bool holds, std::string const& sentence) {
  if (holds) return;
  if (++failures <= 20) std::printf("FAILED: %s\n", sentence.c_str());
}

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}
double seconds_for(std::function<void()> const& work) {
  auto const began = std::chrono::steady_clock::now();
  work();
  return seconds_since(began);
}

composed_value layout(char const* text) { return {{}, constant_leaf(0), parse_layout(text)}; }

/// is_large: as if the copy outgrew the second-level cache.
copy_plan plan_for_gpu(composed_value const& src, composed_value const& dst, int bits, bool is_large = false) {
  machine_model machine = cuda_machine(0);
  if (is_large) machine.far_bytes = 1;
  return plan_copy({src, dst, bits, 256, 256}, machine);
}

// --- random pairs ------------------------------------------------------------------------------------------------------

/// A copy into memory whose every other byte must stay.
bool arrives(gpu_engine& engine, prepared_copy const& prepared, tests::random_copy const& c, std::uint64_t seed) {
  auto const src = tests::random_bytes(std::size_t(c.bytes_of(c.src_elements)), seed);
  auto got = tests::random_bytes(std::size_t(c.bytes_of(c.dst_elements)) + 64, seed + 1);
  auto const expected = c.expected(src, got);
  device_memory from(engine.device(), src.size()), to(engine.device(), got.size());
  from.upload(src.data(), src.size());
  to.upload(got.data(), got.size());
  run(prepared, from.data(), to.data(), nullptr);
  to.download(got.data(), got.size());
  return got == expected;
}

void random_pairs(gpu_engine& engine, int pairs, int specialised) {
  struct made {
    tests::random_copy copy;
    std::shared_ptr<prepared_copy const> own, generic;
  };
  tests::random_copies copies(20, 4000);
  std::vector<made> all(static_cast<std::size_t>(pairs));
  for (auto& one : all) one.copy = copies.next();
  // Compiling is what takes long, so all processors do it.
  std::atomic<int> next{0};
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
    threads.emplace_back([&] {
      for (int i; (i = next++) < pairs;) {
        auto& one = all[static_cast<std::size_t>(i)];
        try {
          auto const plan = plan_for_gpu(one.copy.src, one.copy.dst, one.copy.element_bits, i % 2 != 0);
          if (i < specialised) one.own = engine.prepare(plan);
          one.generic = engine.prepare(plan, kernel_choice::generic);
        } catch (std::exception const& error) {
          std::lock_guard const lock(mutex);
          expect(false, one.copy.text() + ": " + error.what());
        }
      }
    });
  for (auto& thread : threads) thread.join();
  std::map<std::string, int> methods;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (auto const& prepared : {all[i].own, all[i].generic}) {
      if (!prepared) continue;
      ++methods[name_of(prepared->method)];
      expect(arrives(engine, *prepared, all[i].copy, 2 * i), all[i].copy.text() + ", " + name_of(prepared->method));
    }
  }
  std::printf("random pairs: %d;", pairs);
  for (auto const& [method, count] : methods) std::printf(" %s %d", method.c_str(), count);
  std::printf("\n");
}

// --- kernels of large tiles --------------------------------------------------------------------------------------------

/// Layouts that random pairs are too small for: rows that begin at any element, and planes and their interleaved form. Tiles may
/// take any of them; each of the other kernels must serve some.
void large_tiles(gpu_engine& engine) {
  struct pair {
    char const *src, *dst;
    cuda_kernel kernel;
    std::vector<int> bits;
    bool shifted;  // the offsets too are odd
  };
  std::vector<pair> const pairs = {
      {"(307,301):(301,1)", "(307,301):(1,309)", cuda_kernel::realigned, {8, 16, 32, 64}, true},
      {"(307,301,3):(-301,1,92407)", "(307,301,3):(1,309,93021)", cuda_kernel::realigned, {8, 16, 32, 64}, true},
      {"(192,128):(129,1)", "(192,128):(1,193)", cuda_kernel::realigned, {8, 32}, true},
      {"(1025,515):(516,1)", "(1025,515):(1,1027)", cuda_kernel::realigned, {8, 16}, false},
      {"(3,10000):(1,3)", "(3,10000):(10000,1)", cuda_kernel::tile, {8, 16}, false},
      {"(3,10000):(10000,1)", "(3,10000):(1,3)", cuda_kernel::tile, {8, 16}, false},
      {"(7,4096,2):(1,7,28672)", "(7,4096,2):(4100,1,28700)", cuda_kernel::tile, {8, 16}, false},
      {"(5,9998,2):(10000,1,50000)", "(5,9998,2):(1,5,49992)", cuda_kernel::tile, {16}, false},
  };
  int copies = 0;
  std::map<cuda_kernel, int> served;
  for (pair const& p : pairs)
    for (int const bits : p.bits)
      for (int const shift : {0, 1, 5}) {
        if (shift != 0 && !p.shifted) continue;
        tests::random_copy c;
        layout_value const src = parse_layout(p.src), dst = parse_layout(p.dst);
        std::int64_t const elements = size(src).value();
        std::int64_t least = 0;
        for (std::int64_t x = 0; x < elements; ++x) least = std::min<std::int64_t>(least, src(x));
        c.element_bits = bits;
        c.src = {{}, constant_leaf(shift - least), src};
        c.dst = {{}, constant_leaf(2 * shift), dst};
        for (std::int64_t x = 0; x < elements; ++x) {
          c.from.push_back(shift - least + src(x));
          c.to.push_back(2 * shift + dst(x));
          c.src_elements = std::max(c.src_elements, c.from.back() + 1);
          c.dst_elements = std::max(c.dst_elements, c.to.back() + 1);
        }
        for (bool const is_large : {false, true}) {
          auto const plan = plan_for_gpu(c.src, c.dst, bits, is_large);
          cuda_kernel const kernel = std::get<cuda_schedule>(plan.schedule).kernel;
          ++served[kernel];
          expect(kernel == p.kernel || kernel == cuda_kernel::tile, c.text() + ": by " + name_of(kernel));
          for (auto const choice : {kernel_choice::best, kernel_choice::generic}) {
            ++copies;
            expect(arrives(engine, *engine.prepare(plan, choice), c, static_cast<std::uint64_t>(copies)), c.text());
          }
        }
      }
  for (cuda_kernel const kernel : {cuda_kernel::realigned, cuda_kernel::tile})
    expect(served[kernel] > 0, std::string("no large tiles by ") + name_of(kernel));
  std::printf("large tiles: %d copies\n", copies);
}

// --- large offsets -----------------------------------------------------------------------------------------------------

/// A transpose of more than 2^32 bytes, looked at in places. The source repeats a block whose length is prime.
void large_offsets(gpu_engine& engine) {
  constexpr std::int64_t rows = 65537, columns = 66000, period = 16777213;
  constexpr auto bytes = static_cast<std::size_t>(rows * columns);
  auto const block = tests::random_bytes(period, 99);
  device_memory from(engine.device(), bytes), to(engine.device(), bytes);
  for (std::size_t at = 0; at < bytes; at += period)
    from.upload(block.data(), std::min<std::size_t>(period, bytes - at), at);
  auto const plan = plan_for_gpu(layout("(65537,66000):(66000,1)"), layout("(65537,66000):(1,65537)"), 8);
  for (auto const choice : {kernel_choice::generic, kernel_choice::best}) {
    auto const prepared = engine.prepare(plan, choice);
    to.fill(0);
    run(*prepared, from.data(), to.data(), nullptr);
    std::vector<std::uint8_t> column(rows);
    for (std::int64_t const c : {std::int64_t(0), std::int64_t(1), columns / 2, columns - 2, columns - 1}) {
      to.download(column.data(), rows, static_cast<std::size_t>(c * rows));
      bool holds = true;
      for (std::int64_t r = 0; r < rows; ++r)
        holds = holds && column[std::size_t(r)] == block[std::size_t((r * columns + c) % period)];
      expect(holds, "column " + std::to_string(c) + " of 65537 x 66000 bytes, " + name_of(prepared->method));
    }
    std::printf("transpose of 65537 x 66000 bytes, %s: %.0f GB/s\n", name_of(prepared->method),
                2e-9 * double(bytes) / seconds_of(*prepared, from.data(), to.data(), 3));
  }
}

// --- errors and streams ------------------------------------------------------------------------------------------------

void expect_error(copy_errc code, char const* part, std::function<void()> const& f) {
  try {
    f();
    expect(false, std::string("no error: ") + part);
  } catch (copy_error const& error) {
    expect(error.code() == code && std::string(error.what()).find(part) != std::string::npos, error.what());
  }
}

void errors(gpu_engine& engine) {
  auto const prepared = engine.prepare(plan_for_gpu(layout("(64,32):(32,1)"), layout("(64,32):(1,64)"), 32));
  device_memory from(engine.device(), 8192), to(engine.device(), 8192);
  from.fill(0);
  std::vector<float> host(2048);
  expect_error(copy_errc::bad_pointer, "is ordinary host memory",
               [&] { run(*prepared, host.data(), to.data(), nullptr); });
  expect_error(copy_errc::bad_pointer, "null pointer", [&] { run(*prepared, from.data(), nullptr, nullptr); });
  expect_error(copy_errc::no_device, "there is no CUDA device 77", [] { engine_of(77); });
  expect_error(copy_errc::out_of_memory, "allocate", [&] { device_memory(engine.device(), std::size_t(1) << 50); });
  run(*prepared, from.data(), to.data(), nullptr);  // nothing of that was lasting
}

/// A chain of copies in one stream, each of which reads what the one before wrote; nothing waits in between.
void streams(gpu_engine& engine) {
  driver_api const& api = *engine.device().api;
  std::size_t const count = 4096 * 4096, bytes = 4 * count;
  auto const there = engine.prepare(plan_for_gpu(layout("(4096,4096):(4096,1)"), layout("(4096,4096):(1,4096)"), 32));
  auto const generic = engine.prepare(plan_for_gpu(layout("(4096,4096):(4096,1)"), layout("(4096,4096):(1,4096)"), 32),
                                      kernel_choice::generic);
  device_memory a(engine.device(), bytes), b(engine.device(), bytes);
  auto const data = tests::random_bytes(bytes, 7);
  a.upload(data.data(), bytes);
  stream_handle stream = nullptr;
  {
    current_context const scope(api, engine.device().primary);
    check(api, api.cuStreamCreate(&stream, 1), "cuStreamCreate",
          "test streams");  // 1: does not wait for the default one
  }
  // No context is current in this thread: the stream brings its own.
  for (int i = 0; i < 10; ++i) {
    auto const& one = i % 3 == 0 ? *generic : *there;
    run(one, a.data(), b.data(), stream);
    run(one, b.data(), a.data(), stream);
  }
  context_handle left = reinterpret_cast<context_handle>(std::uintptr_t(1));
  api.cuCtxGetCurrent(&left);
  expect(left == nullptr, "a copy left its context current");
  current_context const scope(api, engine.device().primary);
  check(api, api.cuStreamSynchronize(stream), "cuStreamSynchronize", "test streams");
  std::vector<std::uint8_t> got(bytes);
  a.download(got.data(), bytes);
  expect(got == data, "twenty transposes in a stream are not the identity");
  check(api, api.cuStreamDestroy(stream), "cuStreamDestroy", "test streams");
}

// --- times -------------------------------------------------------------------------------------------------------------

copy_plan plan_of_times() { return plan_for_gpu(layout("(1000,1000):(1000,1)"), layout("(1000,1000):(1,1000)"), 32); }

/// The first copy of a process, after the device is open: with a folder of kernels as it is.
void first_copy(char const* what) {
  double const opening = seconds_for([] { device_of(0); });
  device_memory from(device_of(0), 4000000), to(device_of(0), 4000000);
  copy_plan const plan = plan_of_times();
  double const first = seconds_for([&] { run_cuda(plan, from.data(), to.data(), 0, nullptr); });
  std::printf("%s: %.1f ms (and %.0f ms to open the device)\n", what, 1e3 * first, 1e3 * opening);
}

void times(char const* self) {
  std::string name = (std::filesystem::temp_directory_path() / "tilewright_check_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
  std::fflush(stdout);
  std::string const command = "TILEWRIGHT_CACHE_DIR=" + name + " " + self + " --first ";
  bool const ran = std::system((command + "'first copy, nothing compiled'").c_str()) == 0 &&
                   std::system((command + "'first copy, kernel on the disk'").c_str()) == 0;
  expect(ran, "a process of the timed ones failed");
  std::filesystem::remove_all(name);

  copy_plan const plan = plan_of_times();
  device_memory from(device_of(0), 4000000), to(device_of(0), 4000000);
  stream_handle stream = nullptr;
  current_context const scope(*device_of(0).api, device_of(0).primary);
  device_of(0).api->cuStreamCreate(&stream, 1);
  auto const prepared = engine_of(0).prepare(plan);
  auto const generic = engine_of(0).prepare(plan, kernel_choice::generic);
  auto const host_time = [&](char const* what, std::function<void()> const& copy) {
    copy();
    std::vector<double> each;
    for (int round = 0; round < 30; ++round) {
      each.push_back(seconds_for([&] {
                       for (int i = 0; i < 20; ++i) copy();
                     }) /
                     20);
      device_of(0).api->cuStreamSynchronize(stream);
    }
    std::sort(each.begin(), each.end());
    std::printf("%s: %.2f us of host time\n", what, 1e6 * each[15]);
  };
  host_time("a prepared copy", [&] { run(*prepared, from.data(), to.data(), stream); });
  host_time("a prepared copy, generic kernel", [&] { run(*generic, from.data(), to.data(), stream); });
  host_time("a planned copy", [&] { run_cuda(plan, from.data(), to.data(), 0, stream); });
  device_of(0).api->cuStreamDestroy(stream);
  machine_model const m = cuda_machine(0);
  std::printf("%s: %.0f GB/s expected, %lld + %lld bytes of shared memory\n", m.name.c_str(), 1e-9 * m.bytes_per_second,
              static_cast<long long>(m.near_bytes), static_cast<long long>(m.block_bytes));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--first") {
      first_copy(argv[2]);
      return 0;
    }
    int const pairs = argc > 1 ? std::atoi(argv[1]) : 5000, specialised = argc > 2 ? std::atoi(argv[2]) : 400;
    gpu_engine& engine = engine_of(0);
    random_pairs(engine, pairs, specialised);
    large_tiles(engine);
    errors(engine);
    streams(engine);
    if (pairs >= 1000) {  // fewer are asked for under tools that take long
      large_offsets(engine);
      times(argv[0]);
    }
  } catch (std::exception const& error) {
    expect(false, error.what());
  }
  if (failures == 0) std::printf("engine: all checks hold.\n");
  return failures == 0 ? 0 : 1;
}
