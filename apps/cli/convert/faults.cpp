// The handler of SIGBUS, which may call little: it maps anonymous memory over the page and notes where.
#include "apps/cli/convert/faults.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace tilewright::cli {
namespace {

constexpr std::size_t replaced_at_once = std::size_t{1} << 20;  // bytes
constexpr std::size_t none = ~std::size_t{0};

struct range {
  std::uintptr_t begin = 0, end = 0;
  int protection = PROT_READ;
  std::atomic<std::size_t> fault{none};
};

// A handler reaches nothing but what is global.
std::array<range, fault_watch::capacity> ranges;
std::atomic<int> ranges_watched{0};
std::size_t page_bytes = 4096;
struct sigaction previous;

/// post: true when memory of zeros is where `address` points to
bool replace(range& r, std::uintptr_t address) {
  std::uintptr_t const page = address / page_bytes * page_bytes;
  std::size_t const bytes = std::min<std::size_t>(replaced_at_once, r.end - page);
  void* const put = mmap(reinterpret_cast<void*>(page), bytes, r.protection,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (put == MAP_FAILED) return false;
  std::size_t first = none;
  r.fault.compare_exchange_strong(first, address - r.begin);
  return true;
}

extern "C" void tilewright_cli_on_bus_error(int signal, siginfo_t* info, void*) {
  int const saved = errno;
  auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  bool replaced = false;
  int const watched = ranges_watched.load();
  for (int i = 0; i < watched; ++i) {
    range& r = ranges[static_cast<std::size_t>(i)];
    if (address >= r.begin && address < r.end) replaced = replace(r, address);
  }
  if (!replaced) sigaction(signal, &previous, nullptr);  // the same access then does what it did before
  errno = saved;
}

}  // namespace

fault_watch::fault_watch() {
  ranges_watched = 0;
  page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = tilewright_cli_on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous);
}

fault_watch::~fault_watch() {
  sigaction(SIGBUS, &previous, nullptr);
  ranges_watched = 0;
}

int fault_watch::add(std::byte const* begin, std::size_t bytes, bool is_written) {
  int const number = ranges_watched.load();
  range& r = ranges[static_cast<std::size_t>(number)];
  r.begin = reinterpret_cast<std::uintptr_t>(begin);
  r.end = r.begin + bytes;
  r.protection = is_written ? PROT_READ | PROT_WRITE : PROT_READ;
  r.fault = none;
  ranges_watched = number + 1;
  return number;
}

std::optional<std::size_t> fault_watch::fault_in(int number) const {
  std::size_t const fault = ranges[static_cast<std::size_t>(number)].fault;
  return fault == none ? std::nullopt : std::optional(fault);
}

bool fault_watch::any() const {
  int const watched = ranges_watched.load();
  for (int i = 0; i < watched; ++i)
    if (ranges[static_cast<std::size_t>(i)].fault != none) return true;
  return false;
}

}  // namespace tilewright::cli
