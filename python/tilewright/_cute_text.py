"""CUDA C++ that precedes a traced kernel: division as Python rounds it, wide accesses, notes for printing, asynchronous
copies."""
PRELUDE = """\
template <class T> __device__ inline T tw_div(T a, T b) { T q = a / b; return q - T(a % b != 0 && (a < 0) != (b < 0)); }
template <class T> __device__ inline T tw_mod(T a, T b) { T r = a % b; return r + (r != 0 && (r < 0) != (b < 0) ? b : T(0)); }
__device__ inline long long tw_ceil_div(long long a, long long b) { return (a + b - 1) / b; }
__device__ inline long long tw_min(long long a, long long b) { return a < b ? a : b; }
__device__ inline long long tw_max(long long a, long long b) { return a > b ? a : b; }
__device__ inline long long tw_abs(long long a) { return a < 0 ? -a : a; }
__device__ inline long long tw_sign(long long a) { return (a > 0) - (a < 0); }
template <int Bytes> struct alignas(Bytes) tw_word { unsigned char bytes[Bytes]; };
template <int Bytes> __device__ inline void tw_move(void* to, void const* from) {
  *static_cast<tw_word<Bytes>*>(to) = *static_cast<tw_word<Bytes> const*>(from);
}
"""
HALF_BYTES = """\
template <class T> __device__ inline T tw_half_byte(unsigned char const* p, long long i) {
  int const bits = p[i / 2] >> (4 * (i % 2)) & 15;
  if constexpr (requires(T x) { x.is_packed; }) {
    T x;
    x.storage = (unsigned char)bits;
    return x;
  } else {
    return T(bits);
  }
}
template <class T> __device__ inline int tw_half_bits(T const& x) {
  if constexpr (requires { x.is_packed; }) return x.storage;
  else return int(x);
}
template <class T> __device__ inline void tw_set_half_byte(unsigned char* p, long long i, T x) {
  p[i / 2] = (unsigned char)((p[i / 2] & (i % 2 ? 15 : 240)) | (tw_half_bits(x) & 15) << (4 * (i % 2)));
}
"""
PRINTING = """\
template <class T> __device__ inline unsigned long long tw_bits(T x) {
  unsigned long long out = 0;
  for (unsigned i = 0; i < sizeof(T); ++i)
    out |= (unsigned long long)reinterpret_cast<unsigned char const*>(&x)[i] << (8 * i);
  return out;
}
__device__ inline unsigned long long* tw_record(unsigned char* log, unsigned site, unsigned words, unsigned turn) {
  unsigned long long const bytes = 8ull * (words + 3), at = atomicAdd(reinterpret_cast<unsigned long long*>(log), bytes);
  if (at + bytes > TW_LOG_BYTES) return nullptr;
  unsigned long long* const out = reinterpret_cast<unsigned long long*>(log + 16 + at);
  out[0] = site | (unsigned long long)words << 32;
  out[1] = blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  out[2] = (unsigned long long)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) << 32 | turn;
  return out + 3;
}
"""
ASYNC = """\
#include "tilewright/atom/ptx/cp_async.hpp"
template <int Bytes> __device__ inline void tw_move_async(void* to, void const* from) {
  tilewright::ptx::cp_async<Bytes, (Bytes == 16)>(to, from);
}
"""
MATRICES = """\
#include "tilewright/mma/warp_atoms.hpp"
#include "tilewright/atom/ptx/matrix.hpp"
template <class T, class... Rest> __device__ inline unsigned tw_packed(T first, Rest... rest) {
  T const values[] = {first, rest...};
  unsigned out = 0;
  for (unsigned i = 0; i < sizeof(values); ++i)
    out |= (unsigned)reinterpret_cast<unsigned char const*>(values)[i] << (8 * i);
  return out;
}
__device__ inline unsigned tw_word_at(void const* from) {
  unsigned out;
  memcpy(&out, from, 4);
  return out;
}
__device__ inline void tw_put_word(void* to, unsigned word) { memcpy(to, &word, 4); }
template <class T> __device__ inline T tw_unpacked(unsigned word, unsigned at) {
  T out{};
  for (unsigned i = 0; i < sizeof(T); ++i)
    reinterpret_cast<unsigned char*>(&out)[i] = (unsigned char)(word >> (8 * (at * sizeof(T) + i)));
  return out;
}
"""
#: tw_hold: the compiler moves no access to these sums across it.
WARPGROUPS = """\
template <class T, unsigned N> __device__ inline void tw_hold(T (&sums)[N]) {
  using word = tilewright::detail::gmma_result_register<T>;
  auto& words = reinterpret_cast<word(&)[N * sizeof(T) / sizeof(word)]>(sums);
  TILEWRIGHT_UNROLL
  for (unsigned i = 0; i < N * sizeof(T) / sizeof(word); ++i) tilewright::ptx::wgmma_hold_register(words[i]);
}
__device__ inline std::uint64_t tw_descriptor(void const* tile, std::uint64_t fields) {
  return fields | (tilewright::cast_smem_ptr_to_uint(tile) >> 4 & 0x3fff);
}
template <class Op, class T, class... A> __device__ inline void tw_product(T& sums, std::uint64_t b, bool adds, A... a) {
  typename Op::ARegisters const of_a = {a...};
  Op::run(reinterpret_cast<typename Op::DRegisters&>(sums), of_a, b,
          adds ? tilewright::SM90::GMMA::ScaleOut::One : tilewright::SM90::GMMA::ScaleOut::Zero);
}
"""
#: Floats of one sign compare as integers do, those below 0 the other way round.
EXTREMES = """\
__device__ inline float tw_atomic_fmax(float* at, float x) {
  return __float_as_int(x) >= 0 ? __int_as_float(atomicMax(reinterpret_cast<int*>(at), __float_as_int(x)))
                                : __uint_as_float(atomicMin(reinterpret_cast<unsigned*>(at), __float_as_uint(x)));
}
__device__ inline float tw_atomic_fmin(float* at, float x) {
  return __float_as_int(x) >= 0 ? __int_as_float(atomicMin(reinterpret_cast<int*>(at), __float_as_int(x)))
                                : __uint_as_float(atomicMax(reinterpret_cast<unsigned*>(at), __float_as_uint(x)));
}
"""
#: One thread of the warp starts a copy of a box: of all 32, or of those that are here.
BOXES = """\
struct alignas(64) tw_tensor_map { unsigned char bytes[128]; };
__device__ inline void tw_copy_map(void const* from, void* to) {
  for (int i = 0; i < 16; ++i) static_cast<unsigned long long*>(to)[i] = static_cast<unsigned long long const*>(from)[i];
}
__device__ inline bool tw_elected() {
  unsigned const here = __activemask();
  return here == 0xffffffffu ? tilewright::ptx::elect_one() != 0 : (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32 + 1 == __ffs(here);
}
"""
LOG_BYTES = 4 << 20
