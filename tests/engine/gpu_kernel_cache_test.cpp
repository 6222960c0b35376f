// Kernels are made once each: in a process whatever the number of threads that ask, and on a machine through the folder.
#include "engine/cuda/kernel_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace tilewright::gpu;

namespace {

using cache_of_text = kernel_cache<std::string>;

cache_of_text::pointer loaded(std::string const& code) { return std::make_shared<std::string const>("loaded " + code); }

TEST(gpu_kernel_cache, a_key_is_compiled_once_under_contention) {
  cache_of_text cache{disk_cache({})};
  std::atomic<int> compiled{0}, ready{0};
  std::vector<std::thread> threads;
  std::vector<cache_of_text::pointer> got(8);
  for (std::size_t t = 0; t < got.size(); ++t)
    threads.emplace_back([&, t] {
      ++ready;
      while (ready < static_cast<int>(got.size())) std::this_thread::yield();
      for (int k = 0; k < 20; ++k) {
        auto const value = cache.get(
            kernel_key("kernel " + std::to_string(k)),
            [&] {
              ++compiled;
              std::this_thread::sleep_for(std::chrono::milliseconds(2));
              return std::to_string(k);
            },
            loaded);
        EXPECT_EQ(*value, "loaded " + std::to_string(k));
        if (k == 7) got[t] = value;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(compiled, 20);
  for (auto const& one : got) EXPECT_EQ(one, got[0]);
}

TEST(gpu_kernel_cache, other_keys_do_not_wait_for_one_in_the_making) {
  cache_of_text cache{disk_cache({})};
  std::promise<void> started, may_end;
  std::thread slow([&] {
    cache.get(
        kernel_key("slow"),
        [&] {
          started.set_value();
          may_end.get_future().wait();
          return std::string("slow");
        },
        loaded);
  });
  started.get_future().wait();
  EXPECT_EQ(*cache.get(
                kernel_key("fast"), [] { return std::string("fast"); }, loaded),
            "loaded fast");
  may_end.set_value();
  slow.join();
}

TEST(gpu_kernel_cache, a_failure_reaches_all_that_wait_and_the_next_tries_again) {
  cache_of_text cache{disk_cache({})};
  std::atomic<int> tries{0}, failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      try {
        cache.get(
            kernel_key("bad"),
            [&]() -> std::string {
              ++tries;
              std::this_thread::sleep_for(std::chrono::milliseconds(20));
              throw std::runtime_error("the compiler's log");
            },
            loaded);
      } catch (std::runtime_error const& error) {
        if (std::string(error.what()) == "the compiler's log") ++failures;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 4);
  EXPECT_LE(tries, 4);
  EXPECT_EQ(*cache.get(
                kernel_key("bad"), [] { return std::string("mended"); }, loaded),
            "loaded mended");
}

TEST(gpu_kernel_cache, the_folder_saves_the_next_process_from_compiling) {
  std::string name = (std::filesystem::temp_directory_path() / "tilewright_kernels_XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  int compiled = 0;
  auto const compile = [&] {
    ++compiled;
    return std::string("code");
  };
  for (int process = 0; process < 3; ++process) {
    cache_of_text cache{disk_cache(name)};
    EXPECT_EQ(*cache.get(kernel_key("key"), compile, loaded), "loaded code");
    EXPECT_EQ(*cache.get(kernel_key("key"), compile, loaded), "loaded code");
  }
  EXPECT_EQ(compiled, 1);
  // Code that the driver does not take any more is made anew, and kept.
  cache_of_text cache{disk_cache(name)};
  int loads = 0;
  auto const picky = [&](std::string const& code) {
    if (++loads == 1) throw std::runtime_error("made for another device");
    return loaded(code);
  };
  EXPECT_EQ(*cache.get(kernel_key("key"), compile, picky), "loaded code");
  EXPECT_EQ(compiled, 2);
  std::filesystem::remove_all(name);
}

TEST(gpu_kernel_cache, keys_of_one_hash_are_told_apart) {
  EXPECT_EQ(kernel_key("a"), kernel_key("a"));
  EXPECT_FALSE(kernel_key("a") == kernel_key("b"));
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);  // published values of FNV-1a
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

}  // namespace
