#include "distributed/nvlink/peer_flags.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace tilewright::nvlink {
namespace {

using gpu::check;
using gpu::device_address;

constexpr std::size_t flag_bytes = 32;        // a sector each
constexpr std::size_t least_bytes = 1 << 10;  // of a rank's flags; sizes are powers of two, so that they are used again

/// Flags that other processes may have mapped are not freed but used again: when they unmap them is not known here.
struct kept_flags {
  std::mutex mutex;
  std::multimap<std::pair<int, std::size_t>, gpu::device_memory> free;  // by device and bytes
};
kept_flags& kept() {
  static auto* const all = new kept_flags;  // outlives the driver's own end
  return *all;
}

std::size_t bytes_for(int ranks) {
  std::size_t bytes = least_bytes;
  while (bytes < 2 * flag_bytes * static_cast<std::size_t>(ranks)) bytes *= 2;
  return bytes;
}

/// Flags with the value 0. Those that are used again may still be waited for by streams of this device; when these have done
/// what they were given, peers have written all that they will.
gpu::device_memory take(gpu::gpu_device const& device, std::size_t bytes, bool between_processes) {
  gpu::device_memory out;
  if (between_processes) {
    std::lock_guard const lock(kept().mutex);
    auto const found = kept().free.find({device.ordinal, bytes});
    if (found != kept().free.end()) out = std::move(kept().free.extract(found).mapped());
  }
  if (out.bytes() != 0) {
    gpu::current_context const scope(*device.api, device.primary);
    check(*device.api, device.api->cuCtxSynchronize(), "cuCtxSynchronize", "prepare a redistribution between GPUs");
  } else out = gpu::device_memory(device, bytes);
  out.fill(0);
  return out;
}

}  // namespace

peer_flags::peer_flags(gpu::gpu_device const& device, group const& ranks, control const& meetings)
    : device_(device),
      rank_(ranks.rank),
      size_(ranks.size),
      between_processes_(meetings.is_between_processes()),
      peers_(static_cast<std::size_t>(ranks.size)) {
  published_memory mine;
  agree(ranks, error_of([&] {
          own_ = take(device, bytes_for(size_), between_processes_);
          mine = publish(device, own_.data(), between_processes_);
        }));
  std::vector<published_memory> const all = gathered(ranks, mine);
  agree(ranks, error_of([&] {
          for (int r = 0; r < size_; ++r)
            if (r != rank_)
              peers_[static_cast<std::size_t>(r)].map(device, all[static_cast<std::size_t>(r)],
                                                      meetings.is_in_this_process(r));
        }));
}

peer_flags::~peer_flags() {
  if (!between_processes_ && is_clean_) return;
  std::size_t const bytes = own_.bytes();
  if (bytes == 0) return;
  std::lock_guard const lock(kept().mutex);
  kept().free.emplace(std::pair(is_clean_ ? device_.ordinal : -1, bytes), std::move(own_));
}

device_address peer_flags::place(device_address base, int rank, meeting at) const {
  return base + flag_bytes * (2 * static_cast<device_address>(rank) + static_cast<device_address>(at));
}

void peer_flags::tell(int rank, meeting at, gpu::stream_handle stream) const {
  auto const base = reinterpret_cast<device_address>(peers_[static_cast<std::size_t>(rank)].pointer());
  check(*device_.api, device_.api->cuStreamWriteValue32(stream, place(base, rank_, at), run_, 0),
        "cuStreamWriteValue32", "redistribute");
}

void peer_flags::wait(int rank, meeting at, gpu::stream_handle stream) const {
  auto const base = reinterpret_cast<device_address>(own_.data());
  check(*device_.api, device_.api->cuStreamWaitValue32(stream, place(base, rank, at), run_, gpu::wait_value_reached),
        "cuStreamWaitValue32", "redistribute");
}

void peer_flags::release() {
  is_clean_ = false;
  gpu::driver_api const& api = *device_.api;
  gpu::current_context const scope(api, device_.primary);
  gpu::stream_handle aside = nullptr;
  std::string const doing = "give up a redistribution";
  check(api, api.cuStreamCreate(&aside, gpu::stream_non_blocking), "cuStreamCreate", doing);
  int code = 0;
  for (int r = 0; r < size_; ++r)
    for (meeting const at : {meeting::ready, meeting::done})
      if (code == 0)
        code = api.cuStreamWriteValue32(aside, place(reinterpret_cast<device_address>(own_.data()), r, at), run_, 0);
  api.cuStreamDestroy(aside);
  check(api, code, "cuStreamWriteValue32", doing);
}

}  // namespace tilewright::nvlink
