#include "distributed/nvlink/control.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

namespace tilewright::nvlink {
namespace {

struct verdict {
  std::int32_t code = 0;
  char text[400] = {};
};

template <std::size_t N>
void write_text(char (&to)[N], char const* from) {
  std::strncpy(to, from, N - 1);
  to[N - 1] = '\0';
}

copy_error of_rank(std::size_t rank, int code, char const* text) {
  return copy_error(static_cast<copy_errc>(code), fmt::format("rank {}: {}", rank, text));
}

[[noreturn]] void fail(char const* call) {
  throw copy_error(copy_errc::device_failed, fmt::format("{} failed for the memory that the ranks of a redistribution "
                                                         "share: {}",
                                                         call, std::strerror(errno)));
}

std::atomic<unsigned> segments{0};

/// A process whose parent has not waited for it is a zombie: it has a number, and runs no more.
bool has_ended(int process) {
  if (::kill(process, 0) != 0) return errno == ESRCH;
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  std::size_t const name = text.rfind(')');
  if (name == std::string::npos || name + 2 >= text.size()) return false;
  return text[name + 2] == 'Z' || text[name + 2] == 'X';
}

copy_error ended(int rank, int process) {
  return copy_error(copy_errc::device_failed,
                    fmt::format("rank {}: its process {} has ended; start all ranks again", rank, process));
}

}  // namespace

void agree(group const& ranks, std::optional<copy_error> const& mine) {
  verdict one;
  if (mine) {
    one.code = static_cast<std::int32_t>(mine->code());
    write_text(one.text, mine->what());
  }
  std::vector<verdict> const all = gathered(ranks, one);
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].code != 0) throw of_rank(r, all[r].code, all[r].text);
}

std::string host_name() {
  char name[128] = {};
  ::gethostname(name, sizeof name - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return fmt::format("{} {}", name, boot);
}

std::vector<group> groups_of_threads(int ranks) {
  struct board {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<char> bytes;
    int arrived = 0, left = 0;
    std::uint64_t round = 0;
  };
  auto const shared = std::make_shared<board>();
  std::vector<group> out;
  for (int rank = 0; rank < ranks; ++rank)
    out.push_back({rank, ranks, [shared, rank, ranks](void const* mine, void* all, std::size_t bytes) {
                     board& b = *shared;
                     std::unique_lock lock(b.mutex);
                     b.changed.wait(lock, [&] { return b.left == 0; });  // the round before is read by all
                     b.bytes.resize(bytes * static_cast<std::size_t>(ranks));
                     std::memcpy(b.bytes.data() + bytes * static_cast<std::size_t>(rank), mine, bytes);
                     std::uint64_t const round = b.round;
                     if (++b.arrived == ranks) {
                       b.arrived = 0;
                       b.left = ranks;
                       ++b.round;
                       b.changed.notify_all();
                     }
                     b.changed.wait(lock, [&] { return b.round != round; });
                     std::memcpy(all, b.bytes.data(), b.bytes.size());
                     if (--b.left == 0) b.changed.notify_all();
                   }});
  return out;
}

control::control(group const& ranks, double timeout_seconds)
    : rank_(ranks.rank),
      size_(ranks.size),
      timeout_seconds_(timeout_seconds) {
  struct greeting {
    std::int32_t process = 0;
    char name[64] = {};
  } mine;
  mine.process = ::getpid();
  std::size_t const bytes = sizeof(rank_slot) * static_cast<std::size_t>(size_);
  auto const map = [&](int file) {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (at == MAP_FAILED) fail("mmap");
    slots_ = static_cast<rank_slot*>(at);
  };
  std::optional<copy_error> error;
  if (rank_ == 0) {
    write_text(mine.name, fmt::format("/tilewright-{}-{}", mine.process, segments++).c_str());
    error = error_of([&] {
      int const file = ::shm_open(mine.name, O_CREAT | O_EXCL | O_RDWR, 0600);
      if (file < 0) fail("shm_open");
      if (::ftruncate(file, static_cast<off_t>(bytes)) != 0) fail("ftruncate");
      map(file);
    });
  }
  std::vector<greeting> const all = gathered(ranks, mine);
  for (greeting const& g : all) processes_.push_back(g.process);
  if (rank_ != 0)
    error = error_of([&] {
      int const file = ::shm_open(all[0].name, O_RDWR, 0600);
      if (file < 0) fail("shm_open");
      map(file);
    });
  try {
    agree(ranks, error);
  } catch (...) {
    if (slots_ != nullptr) ::munmap(slots_, bytes);
    if (rank_ == 0) ::shm_unlink(mine.name);
    throw;
  }
  if (rank_ == 0) ::shm_unlink(mine.name);
}

control::~control() { ::munmap(slots_, sizeof(rank_slot) * static_cast<std::size_t>(size_)); }

bool control::is_in_this_process(int rank) const { return process_of(rank) == process_of(rank_); }

bool control::is_between_processes() const {
  return std::any_of(processes_.begin(), processes_.end(), [this](int p) { return p != process_of(rank_); });
}

std::optional<copy_error> control::wait_for(int rank, meeting at) {
  using clock = std::chrono::steady_clock;
  std::atomic<std::uint64_t> const& run = slots_[rank].run[static_cast<int>(at)];
  std::uint64_t const wanted = runs_[static_cast<int>(at)];
  auto const begin = clock::now();
  for (int round = 0; run.load(std::memory_order_acquire) < wanted; ++round) {
    if (round < 2000) continue;
    if (round < 20000) {
      std::this_thread::yield();
      continue;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (round % 20 == 0 && !is_in_this_process(rank) && has_ended(process_of(rank)) &&
        run.load(std::memory_order_acquire) < wanted)
      return ended(rank, process_of(rank));
    if (std::chrono::duration<double>(clock::now() - begin).count() > timeout_seconds_)
      return copy_error(copy_errc::device_failed,
                        fmt::format("rank {}: it has not called within {:g} s; call run() on every rank, or raise "
                                    "options::timeout_seconds",
                                    rank, timeout_seconds_));
  }
  return {};
}

std::optional<copy_error> control::look_for_ended() {
  for (int r = 0; r < size_ && !lost_; ++r)
    if (!is_in_this_process(r) && has_ended(process_of(r))) lost_ = ended(r, process_of(r));
  return lost_;
}

std::optional<copy_error> control::meet(meeting at, std::optional<copy_error> const& mine) {
  auto const m = static_cast<std::size_t>(at);
  ++runs_[m];
  rank_slot& own = slots_[rank_];
  own.code[m] = mine ? static_cast<std::int32_t>(mine->code()) : 0;
  if (mine) write_text(own.text[m], mine->what());
  own.run[m].store(runs_[m], std::memory_order_release);
  for (int r = 0; r < size_ && !lost_; ++r)
    if (r != rank_) lost_ = wait_for(r, at);
  if (lost_) return lost_;
  for (int r = 0; r < size_; ++r)
    if (slots_[r].code[m] != 0) return of_rank(static_cast<std::size_t>(r), slots_[r].code[m], slots_[r].text[m]);
  return {};
}

}  // namespace tilewright::nvlink
