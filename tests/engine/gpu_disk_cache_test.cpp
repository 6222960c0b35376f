// The folder of compiled kernels: what is stored comes back, what is damaged does not, whoever writes at the same time.
#include "engine/cuda/disk_cache.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

using namespace tilewright::gpu;
namespace fs = std::filesystem;

namespace {

/// A folder that goes with the test.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "tilewright_cache_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  scratch_folder(scratch_folder const&) = delete;
  scratch_folder& operator=(scratch_folder const&) = delete;
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

std::string read(fs::path const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(fs::path const& path, std::string const& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
std::size_t files_in(fs::path const& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string value_of(int i) { return std::string(static_cast<std::size_t>(1000 + i), static_cast<char>(i)) + "\0end"; }

TEST(gpu_disk_cache, keeps_what_is_stored_under_its_key) {
  scratch_folder const scratch;
  disk_cache const cache(scratch.path() / "made" / "when needed");
  EXPECT_FALSE(cache.load("key"));
  EXPECT_FALSE(fs::exists(cache.folder()));
  std::string const value("with\0nulls\n", 11);
  EXPECT_TRUE(cache.store("key", value));
  EXPECT_EQ(cache.load("key"), value);
  EXPECT_FALSE(cache.load("other"));
  EXPECT_TRUE(cache.store("key", ""));
  EXPECT_EQ(cache.load("key"), "");
  EXPECT_EQ(files_in(cache.folder()), 1u);  // and nothing unfinished
}

TEST(gpu_disk_cache, any_truncated_or_damaged_file_is_absent_and_written_anew) {
  scratch_folder const scratch;
  disk_cache const cache(scratch.path());
  ASSERT_TRUE(cache.store("key", "some machine code"));
  auto const file = cache.file_of("key");
  std::string const good = read(file);
  for (std::size_t length = 0; length < good.size(); ++length) {
    write(file, good.substr(0, length));
    EXPECT_FALSE(cache.load("key")) << length;
  }
  write(file, good + "x");
  EXPECT_FALSE(cache.load("key"));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int const bit : {0, 3, 7}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      write(file, bad);
      EXPECT_FALSE(cache.load("key")) << at;
    }
  }
  write(file, "the notes of another program, which happen to lie here");
  EXPECT_FALSE(cache.load("key"));
  EXPECT_TRUE(cache.store("key", "some machine code"));
  EXPECT_EQ(read(file), good);
}

TEST(gpu_disk_cache, an_entry_of_another_key_in_a_keys_file_is_not_taken) {
  scratch_folder const scratch;
  disk_cache const cache(scratch.path());
  ASSERT_TRUE(cache.store("key one", "code one"));
  fs::copy_file(cache.file_of("key one"), cache.file_of("key two"));  // as if their hashes were equal
  EXPECT_FALSE(cache.load("key two"));
  EXPECT_EQ(cache.load("key one"), "code one");
}

TEST(gpu_disk_cache, a_folder_that_cannot_be_written_costs_nothing_else) {
  scratch_folder const scratch;
  write(scratch.path() / "file", "no folder");
  for (fs::path const& folder : {scratch.path() / "file" / "below", fs::path("/proc/no/such"), fs::path()}) {
    disk_cache const cache(folder);
    EXPECT_FALSE(cache.store("key", "value"));
    EXPECT_FALSE(cache.load("key"));
  }
  // The entry's own place is taken by a folder.
  disk_cache const cache(scratch.path());
  fs::create_directory(cache.file_of("key"));
  write(cache.file_of("key") / "inside", "");
  EXPECT_FALSE(cache.store("key", "value"));
  EXPECT_FALSE(cache.load("key"));
  EXPECT_EQ(files_in(scratch.path()), 2u);
}

TEST(gpu_disk_cache, the_least_recently_used_go_when_the_folder_is_full) {
  scratch_folder const scratch;
  std::string const value(1000, 'v');
  disk_cache const cache(scratch.path(), 20000);
  auto const now = fs::file_time_type::clock::now();
  for (int i = 0; i < 18; ++i) {
    auto const key = std::to_string(i);
    ASSERT_TRUE(cache.store(key, value));
    fs::last_write_time(cache.file_of(key), now - std::chrono::minutes(100 - i));
  }
  EXPECT_EQ(files_in(scratch.path()), 18u);
  EXPECT_TRUE(cache.load("0"));  // used just now
  auto const left_behind = scratch.path() / "x.kernel.1.2.unfinished", in_the_making = scratch.path() / "y.unfinished";
  write(left_behind, "half");
  write(in_the_making, "half");
  fs::last_write_time(left_behind, now - std::chrono::hours(3));
  for (int i = 18; i < 20; ++i) ASSERT_TRUE(cache.store(std::to_string(i), value));
  EXPECT_TRUE(cache.load("0"));
  EXPECT_TRUE(cache.load("19"));
  for (int i = 1; i <= 4; ++i) EXPECT_FALSE(cache.load(std::to_string(i))) << i;
  EXPECT_FALSE(fs::exists(left_behind));
  EXPECT_TRUE(fs::exists(in_the_making));
  std::uintmax_t total = 0;
  for (auto const& entry : fs::directory_iterator(scratch.path())) total += entry.file_size();
  EXPECT_LE(total, 20000u);
}

/// Stores and loads a few keys over and over; false when a load ever gives what was not stored.
bool hammer(disk_cache const& cache, int rounds, int start) {
  for (int i = 0; i < rounds; ++i) {
    int const which = (start + i) % 5;
    std::string const key = "key " + std::to_string(which);
    if (i % 3 == 0) cache.store(key, value_of(which));
    else if (auto const found = cache.load(key); found && *found != value_of(which)) return false;
  }
  return true;
}

TEST(gpu_disk_cache, threads_share_a_folder) {
  scratch_folder const scratch;
  disk_cache const cache(scratch.path(), 4000);  // always evicting
  std::atomic<bool> fine{true};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      if (!hammer(cache, 150, t)) fine = false;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(fine);
  for (auto const& entry : fs::directory_iterator(scratch.path())) EXPECT_EQ(entry.path().extension(), ".kernel");
}

TEST(gpu_disk_cache, processes_share_a_folder_and_may_be_killed) {
  scratch_folder const scratch;
  std::vector<pid_t> children;
  for (int p = 0; p < 5; ++p) {
    pid_t const child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      disk_cache const cache(scratch.path());
      // The last writes until it is killed.
      bool const fine = hammer(cache, p == 4 ? 100000000 : 200, p);
      ::_exit(fine ? 0 : 1);
    }
    children.push_back(child);
  }
  for (int p = 0; p < 4; ++p) {
    int status = 0;
    ::waitpid(children[static_cast<std::size_t>(p)], &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  ::kill(children[4], SIGKILL);
  ::waitpid(children[4], nullptr, 0);
  disk_cache const cache(scratch.path());
  for (int which = 0; which < 5; ++which) {
    auto const found = cache.load("key " + std::to_string(which));
    EXPECT_EQ(found.value_or(value_of(which)), value_of(which));
  }
  EXPECT_TRUE(hammer(cache, 20, 0));
}

TEST(gpu_disk_cache, the_folder_comes_from_the_environment) {
  ::setenv("HOME", "/home/someone", 1);
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("TILEWRIGHT_CACHE_DIR");
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/tilewright");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(cache_folder(), "/caches/tilewright");
  ::setenv("TILEWRIGHT_CACHE_DIR", "/mine", 1);
  EXPECT_EQ(cache_folder(), "/mine");
  ::setenv("TILEWRIGHT_CACHE_DIR", "", 1);
  EXPECT_EQ(cache_folder(), "");
}

}  // namespace
