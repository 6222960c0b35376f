// archs: 80
// What device memory gives where only some of its sectors of 32 bytes are touched, or where they are written in part: the
// bytes of all touched sectors per second, as a share of what cudaMemcpy moves in the same run. What is written in part is
// written as it is, and after the second-level cache has been asked for the sectors.
#include "../../tests/cuda/support/device.hpp"
#include "tilewright/atom/ptx/prefetch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::cuda_test;

constexpr std::size_t bytes_in_all = std::size_t{1} << 30, sector_bytes = 32;
constexpr int at_once = 4;  // loads of a thread in flight together

/// Reads one sector of `every`, four threads a sector.
__global__ void read_sectors(std::uint64_t const* in, std::size_t sectors, int every, std::uint64_t* out) {
  std::size_t const first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                    step = std::size_t{gridDim.x} * blockDim.x;
  std::uint64_t sum = 0;
  for (std::size_t i = first; i < 4 * sectors; i += at_once * step) {
    std::uint64_t held[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      std::size_t const at = i + k * step;
      held[k] = at < 4 * sectors ? in[at / 4 * 4 * every + at % 4] : 0;
    }
    for (std::uint64_t const x : held) sum += x;
  }
  if (sum == 1) *out = sum;  // never, and the compiler does not know it
}

__device__ void fetch([[maybe_unused]] void const* p) {
#if TILEWRIGHT_ON_DEVICE
  ptx::prefetch_l2(p);
#endif
}

/// Writes the first `used` words of every `pitch`.
template <bool Fetches, class Word>
__global__ void write_rows(Word* out, std::size_t rows, int used, int pitch) {
  std::size_t const first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                    step = std::size_t{gridDim.x} * blockDim.x;
  auto const each = [&](std::size_t i, auto const& act) {
#pragma unroll
    for (int k = 0; k < at_once; ++k)
      if (std::size_t const at = i + k * step; at < rows * used) act(out + at / used * pitch + at % used);
  };
  for (std::size_t i = first; i < rows * used; i += at_once * step) {
    if constexpr (Fetches) each(i, [](Word* to) { fetch(to); });
    each(i, [&](Word* to) { *to = static_cast<Word>(i); });
  }
}

/// The sectors that rows of `used` bytes touch, `pitch` bytes apart.
std::size_t touched(std::size_t rows, std::size_t used, std::size_t pitch) {
  std::size_t count = 0, behind = 0;  // `behind`: the first sector that no row before has touched
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t const first = r * pitch / sector_bytes, end = (r * pitch + used - 1) / sector_bytes + 1;
    count += end - (first < behind ? behind : first);
    behind = end;
  }
  return count;
}

/// The fastest of 7 runs after one.
template <class Start>
double milliseconds(Start const& start) {
  return sorted_milliseconds(start, 7, 1).front();
}

template <class Word>
void print_writes(char* memory, int used, int pitch, double copied, int blocks) {
  std::size_t const rows = bytes_in_all / (pitch * sizeof(Word));
  auto* const out = reinterpret_cast<Word*>(memory);
  double const plain = milliseconds([&] { write_rows<false><<<blocks, 256>>>(out, rows, used, pitch); }),
               fetched = milliseconds([&] { write_rows<true><<<blocks, 256>>>(out, rows, used, pitch); });
  check_cuda(cudaGetLastError(), "write_rows");
  double const bytes = static_cast<double>(touched(rows, used * sizeof(Word), pitch * sizeof(Word)) * sector_bytes);
  std::printf("%3d of every %3d words of %zu bytes written: %.3f of cudaMemcpy, %.3f if fetched first\n", used, pitch,
              sizeof(Word), bytes / plain / copied, bytes / fetched / copied);
}

int main() {
  return run("sectors", [] {
    device_array<char> const from(bytes_in_all);
    device_array<char> to(bytes_in_all);
    to.poison();
    int processors = 0;
    check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    int const blocks = 16 * processors;
    double const time = milliseconds([&] {
      check_cuda(cudaMemcpyAsync(to.data(), from.data(), bytes_in_all, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    });
    double const copied = 2.0 * bytes_in_all / time;
    std::printf("1 GiB, read and written; fastest of 7 runs\ncudaMemcpy: %.0f GB/s\n", copied * 1e-6);
    for (int const every : {1, 2, 3, 4, 8, 16}) {
      std::size_t const sectors = bytes_in_all / sector_bytes / every;
      double const read = milliseconds([&] {
        read_sectors<<<blocks, 256>>>(reinterpret_cast<std::uint64_t const*>(from.data()), sectors, every,
                                      reinterpret_cast<std::uint64_t*>(to.data()));
      });
      check_cuda(cudaGetLastError(), "read_sectors");
      std::printf("one sector of every %2d read: %.3f of cudaMemcpy\n", every,
                  static_cast<double>(sectors * sector_bytes) / read / copied);
    }
    print_writes<std::uint64_t>(to.data(), 4, 4, copied, blocks);      // whole sectors
    print_writes<std::uint64_t>(to.data(), 4, 8, copied, blocks);      // every second one
    print_writes<std::uint64_t>(to.data(), 12, 16, copied, blocks);    // three of four
    print_writes<std::uint64_t>(to.data(), 3, 4, copied, blocks);      // each in part
    print_writes<std::uint64_t>(to.data(), 20, 23, copied, blocks);    // five sectors and more in a row
    print_writes<std::uint32_t>(to.data(), 100, 108, copied, blocks);  // rows of 400 bytes, 32 apart
  });
}
