// cutlass::Semaphore: blocks take turns in their order, and each sees what the one before it wrote, without atomics. Prints "passed".
#include <cutlass/semaphore.h>
#include <cutlass/util/device_memory.h>

#include <cstdio>
#include <vector>

constexpr int blocks = 64, threads = 96, rounds = 3;

/// numbers[t] = 3 numbers[t] + block, modulo 2^32, in the order of the blocks, `rounds` times.
__global__ void take_turns(int* lock, unsigned* numbers) {
  int const block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  for (int round = 0; round < rounds; ++round) {
    cutlass::Semaphore semaphore(lock, thread);
    semaphore.fetch();
    semaphore.wait(round * blocks + block);
    // A neighbour's number of the turn before: other threads of that block wrote it.
    unsigned const before = numbers[(thread + 1) % threads];
    __syncthreads();
    numbers[thread] = 3 * before + blockIdx.x;
    semaphore.release(round * blocks + block + 1);
  }
}

int main() {
  std::vector<unsigned> expected(threads), found(threads);
  for (int t = 0; t < threads; ++t) expected[static_cast<std::size_t>(t)] = static_cast<unsigned>(t);
  cutlass::DeviceAllocation<unsigned> numbers(threads);
  numbers.copy_from_host(expected.data());
  std::vector<int> unlocked(1, 0);
  cutlass::DeviceAllocation<int> lock(1);
  lock.copy_from_host(unlocked.data());
  take_turns<<<blocks, threads>>>(lock.get(), numbers.get());
  numbers.copy_to_host(found.data());
  for (unsigned turn = 0; turn < rounds * blocks; ++turn) {
    auto const before = expected;
    for (std::size_t t = 0; t < threads; ++t) expected[t] = 3 * before[(t + 1) % threads] + turn % blocks;
  }
  bool const passed = found == expected;
  std::printf(passed ? "passed\n" : "failed\n");
  return passed ? 0 : 1;
}
