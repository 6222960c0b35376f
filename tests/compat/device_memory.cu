// Memory of the device in owners of cutlass/util; a kernel that reads a matrix by ldmatrix spelled by hand, from an address
// that is found without a namespace, as programs write it.
// Prints "passed".
// ptx: ldmatrix\.sync\.aligned\.x4\.m8n8\.shared\.b16
#include <cutlass/numeric_types.h>
#include <cutlass/util/device_memory.h>
#include <cute/tensor.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

__global__ void load_matrix(cutlass::half_t const* in, cutlass::half_t* out) {
  using namespace cute;
  __shared__ alignas(16) cutlass::half_t smem[16 * 16];
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 256; i += 32) smem[i] = in[i];
  __syncthreads();
  uint128_t* const row = reinterpret_cast<uint128_t*>(smem + thread % 16 * 16 + thread / 16 * 8);
  uint32_t r[4];
  uint32_t const address = cast_smem_ptr_to_uint(row);
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  if (in == nullptr) print(make_tensor(in, Layout<_8>{}).rank);  // a number that has no address on the device
  for (int i = 0; i < 4; ++i) reinterpret_cast<uint32_t*>(out)[thread * 4 + i] = r[i];
}

// Matrix i of four: rows 8 * (i % 2), columns 8 * (i / 2); thread t has columns 2 * (t % 4) and the next of row t / 4.
int expected_at(int thread, int k) {
  int const matrix = k / 2, row = matrix % 2 * 8 + thread / 4, column = matrix / 2 * 8 + thread % 4 * 2 + k % 2;
  return row * 16 + column;
}

int main() {
  std::vector<cutlass::half_t> host(256), back(256);
  for (int i = 0; i < 256; ++i) host[i] = cutlass::half_t(static_cast<float>(i));
  cutlass::DeviceAllocation<cutlass::half_t> in(256), out(256);
  in.copy_from_host(host.data());
  load_matrix<<<1, 32>>>(in.get(), out.get());
  out.copy_to_host(back.data());
  bool right = in.size() == 256 && in.bytes() == 512 && cutlass::DeviceAllocation<cutlass::int4b_t>::bytes(5) == 3;
  for (int i = 0; i < 256; ++i)
    right = right && static_cast<float>(back[i]) == static_cast<float>(expected_at(i / 8, i % 8));

  cutlass::device_memory::allocation<cutlass::half_t> copy(in),
      taken(std::move(copy));  // memory of its own, then handed on
  copy.reset(64);
  taken.reallocate(300);
  taken.copy_to_host(back.data(), 256);
  right = right && copy.size() == 64 && taken.size() == 300 && std::memcmp(back.data(), host.data(), 512) == 0;
  cutlass::device_memory::insert_to_device(copy.get(), host.begin() + 100, host.begin() + 164);
  cutlass::device_memory::insert_to_host(back.begin(), back.begin() + 64, copy.get());
  right = right && std::memcmp(back.data(), host.data() + 100, 128) == 0;
  cutlass::half_t* const freed = taken.release();
  cutlass::device_memory::free(freed);
  try {
    cutlass::DeviceAllocation<double> too_many(std::size_t{1} << 50);
    right = false;
  } catch (cutlass::cuda_exception const& e) {
    right = right && e.cudaError() == cudaErrorMemoryAllocation;
  }
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
