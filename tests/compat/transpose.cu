// A matrix transposed three ways: element by element, through shared memory, and through swizzled shared memory, whose
// columns lie in different banks. Prints "passed".
#include <cute/tensor.hpp>

#include <cstdio>
#include <utility>
#include <vector>

using namespace cute;

template <class TensorS, class TensorD, class ThreadLayoutS, class ThreadLayoutD>
__global__ void transpose_naive(TensorS S, TensorD DT, ThreadLayoutS tS, ThreadLayoutD tD) {
  Tensor gS = S(make_coord(_, _), blockIdx.x, blockIdx.y);    // (bM, bN)
  Tensor gDT = DT(make_coord(_, _), blockIdx.x, blockIdx.y);  // (bM, bN), of the transposed destination
  Tensor tSgS = local_partition(gS, tS, threadIdx.x);
  Tensor tDgDT = local_partition(gDT, tD, threadIdx.x);
  Tensor rmem = make_tensor_like(tSgS);
  copy(tSgS, rmem);
  copy(rmem, tDgDT);
}

template <class Element, class SmemLayout>
struct SharedStorageTranspose {
  alignas(128) array_aligned<Element, cosize_v<SmemLayout>> smem;
};

template <class TensorS, class TensorD, class SmemLayoutS, class ThreadLayoutS, class SmemLayoutD, class ThreadLayoutD>
__global__ static void __launch_bounds__(256, 1)
    transpose_smem(TensorS S, TensorD D, SmemLayoutS smemLayoutS, ThreadLayoutS tS, SmemLayoutD smemLayoutD,
                   ThreadLayoutD tD) {
  using Element = typename TensorS::value_type;
  extern __shared__ char shared_memory[];
  using SharedStorage = SharedStorageTranspose<Element, SmemLayoutD>;
  SharedStorage& shared_storage = *reinterpret_cast<SharedStorage*>(shared_memory);

  Tensor sS = make_tensor(make_smem_ptr(shared_storage.smem.data()), smemLayoutS);  // (bM, bN)
  Tensor sD = make_tensor(make_smem_ptr(shared_storage.smem.data()), smemLayoutD);  // (bN, bM)
  Tensor gS = S(make_coord(_, _), blockIdx.x, blockIdx.y);                          // (bM, bN)
  Tensor gD = D(make_coord(_, _), blockIdx.y, blockIdx.x);                          // (bN, bM)

  Tensor tSgS = local_partition(gS, tS, threadIdx.x);
  Tensor tSsS = local_partition(sS, tS, threadIdx.x);
  Tensor tDgD = local_partition(gD, tD, threadIdx.x);
  Tensor tDsD = local_partition(sD, tD, threadIdx.x);

  cute::copy(tSgS, tSsS);
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  cute::copy(tDsD, tDgD);
}

template <class T>
struct Matrices {
  int M, N;
  T *src = nullptr, *dst = nullptr;
  std::vector<T> source;
  Matrices(int m, int n) : M(m), N(n), source(static_cast<std::size_t>(m) * n) {
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = T(i % 8191);
    cudaMalloc(&src, source.size() * sizeof(T));
    cudaMalloc(&dst, source.size() * sizeof(T));
    cudaMemcpy(src, source.data(), source.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Matrices() {
    cudaFree(src);
    cudaFree(dst);
  }
  /// Is dst the transposed of src? Clears dst.
  bool transposed() {
    std::vector<T> target(source.size());
    bool same = cudaDeviceSynchronize() == cudaSuccess;
    cudaMemcpy(target.data(), dst, source.size() * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemset(dst, 0, source.size() * sizeof(T));
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < N; ++n) same = same && target[std::size_t(n) * M + m] == source[std::size_t(m) * N + n];
    return same;
  }
};

template <class T>
bool transpose_all(int M, int N) {
  Matrices<T> matrices(M, N);
  auto tensor_shape = make_shape(M, N);
  auto tensor_shape_trans = make_shape(N, M);
  Tensor tensor_S = make_tensor(make_gmem_ptr(matrices.src), make_layout(tensor_shape, LayoutRight{}));
  Tensor tensor_D = make_tensor(make_gmem_ptr(matrices.dst), make_layout(tensor_shape_trans, LayoutRight{}));
  Tensor tensor_DT = make_tensor(make_gmem_ptr(matrices.dst), make_layout(tensor_shape, GenColMajor{}));

  using bM = Int<64>;
  using bN = Int<64>;
  auto block_shape = make_shape(bM{}, bN{});
  auto block_shape_trans = make_shape(bN{}, bM{});
  Tensor tiled_tensor_S = tiled_divide(tensor_S, block_shape);        // ((bM, bN), m', n')
  Tensor tiled_tensor_D = tiled_divide(tensor_D, block_shape_trans);  // ((bN, bM), n', m')
  Tensor tiled_tensor_DT = tiled_divide(tensor_DT, block_shape);      // ((bM, bN), m', n')

  auto thread_layout = make_layout(make_shape(Int<8>{}, Int<32>{}), LayoutRight{});
  dim3 gridDim(size<1>(tiled_tensor_S), size<2>(tiled_tensor_S));
  dim3 blockDim(size(thread_layout));

  transpose_naive<<<gridDim, blockDim>>>(tiled_tensor_S, tiled_tensor_DT, thread_layout, thread_layout);
  bool ok = matrices.transposed();

  auto smem_layout_S = make_layout(block_shape, LayoutRight{});
  auto smem_layout_D = composition(smem_layout_S, make_layout(block_shape_trans, LayoutRight{}));
  size_t smem_size = sizeof(SharedStorageTranspose<T, decltype(smem_layout_D)>);
  transpose_smem<<<gridDim, blockDim, smem_size>>>(tiled_tensor_S, tiled_tensor_D, smem_layout_S, thread_layout,
                                                   smem_layout_D, thread_layout);
  ok = matrices.transposed() && ok;

  auto smem_layout_S_swizzle = composition(Swizzle<5, 0, 5>{}, smem_layout_S);
  auto smem_layout_D_swizzle = composition(smem_layout_S_swizzle, make_layout(block_shape_trans, LayoutRight{}));
  smem_size = sizeof(SharedStorageTranspose<T, decltype(smem_layout_D_swizzle)>);
  transpose_smem<<<gridDim, blockDim, smem_size>>>(tiled_tensor_S, tiled_tensor_D, smem_layout_S_swizzle, thread_layout,
                                                   smem_layout_D_swizzle, thread_layout);
  return matrices.transposed() && ok;
}

int main() {
  bool const ok = transpose_all<float>(1024, 512) && transpose_all<half_t>(256, 512);
  std::printf(ok ? "passed\n" : "failed\n");
  return ok ? 0 : 1;
}
