// archs: 90
// sanitizer: no
// sass: load_global LDG=1 LDL=0
// sass: store_global STG=1 LDG=0
// sass: load_shared LDS\b=1 LDSM=0 STS=0
// sass: store_shared STS\b=1 STSM=0 LDS=0
// sass: load_matrices LDSM=1 LDS\b=0 STS=0
// sass: store_matrices STSM=1 STS\b=0 LDS=0
// Makes each access of cases.hpp once, by one warp in a launch of its own, for a profiler to count, and prints what the
// analysis predicts of each, as JSON, one access a line, in the order of the launches. (measure.py runs it.)
//
// usage: accesses GROUP RANDOM [--list]   GROUP: one of groups below; RANDOM: random accesses of each instruction;
//                                         --list prints alone, and needs no GPU
//
// Offsets lie in the kernel's parameters, that is in constant memory, so that the access is the only one of its memory
// and direction: what a load found goes to global memory, where it counts as a store.
#include <cstdio>
#include <cstdlib>

#include "cases.hpp"
#include "tilewright/atom/ptx/matrix.hpp"

using namespace tilewright;
using agreement::measured_access;

namespace {

struct lane_table {
  std::uint32_t active;
  std::uint32_t offset[32];
};

template <int Bytes>
struct word;
template <>
struct word<1> {
  using type = unsigned char;
};
template <>
struct word<2> {
  using type = unsigned short;
};
template <>
struct word<4> {
  using type = unsigned;
};
template <>
struct word<8> {
  using type = uint2;
};
template <>
struct word<16> {
  using type = uint4;
};
template <int Bytes>
using word_t = typename word<Bytes>::type;

template <class Word>
__device__ Word word_of(unsigned lane) {
  if constexpr (sizeof(Word) == 16) return {lane, lane, lane, lane};
  else if constexpr (sizeof(Word) == 8) return {lane, lane};
  else return static_cast<Word>(lane);
}

__device__ bool is_active(lane_table const& lanes) { return (lanes.active >> threadIdx.x & 1) != 0; }

template <int Bytes>
__global__ void load_global(char const* from, char* sink, __grid_constant__ lane_table const lanes) {
  if (!is_active(lanes)) return;
  reinterpret_cast<word_t<Bytes>*>(sink)[threadIdx.x] =
      *reinterpret_cast<word_t<Bytes> const*>(from + lanes.offset[threadIdx.x]);
}

template <int Bytes>
__global__ void store_global(char* to, __grid_constant__ lane_table const lanes) {
  if (!is_active(lanes)) return;
  *reinterpret_cast<word_t<Bytes>*>(to + lanes.offset[threadIdx.x]) = word_of<word_t<Bytes>>(threadIdx.x);
}

extern __shared__ __align__(1024) char tile[];

template <int Bytes>
__global__ void load_shared(char* sink, __grid_constant__ lane_table const lanes) {
  if (!is_active(lanes)) return;
  reinterpret_cast<word_t<Bytes>*>(sink)[threadIdx.x] =
      *reinterpret_cast<word_t<Bytes> const*>(tile + lanes.offset[threadIdx.x]);
}

template <int Bytes>
__global__ void store_shared(__grid_constant__ lane_table const lanes) {
  if (!is_active(lanes)) return;
  *reinterpret_cast<word_t<Bytes>*>(tile + lanes.offset[threadIdx.x]) = word_of<word_t<Bytes>>(threadIdx.x);
}

template <int Matrices, bool Transposed>
__global__ void load_matrices(char* sink, __grid_constant__ lane_table const lanes) {
#if TILEWRIGHT_ON_DEVICE
  std::uint32_t r[Matrices];
  ptx::ldmatrix<Matrices, Transposed>(tile + lanes.offset[threadIdx.x], r);
  for (int i = 0; i < Matrices; ++i) reinterpret_cast<std::uint32_t*>(sink)[32 * i + threadIdx.x] = r[i];
#endif
}

template <int Matrices, bool Transposed>
__global__ void store_matrices(__grid_constant__ lane_table const lanes) {
#if TILEWRIGHT_ON_DEVICE
  std::uint32_t r[Matrices];
  for (int i = 0; i < Matrices; ++i) r[i] = threadIdx.x;
  ptx::stmatrix<Matrices, Transposed>(tile + lanes.offset[threadIdx.x], r);
#endif
}

struct device_memory {
  char* tested = nullptr;
  char* sink = nullptr;
};

template <int Bytes>
void launch_plain(measured_access const& a, lane_table const& lanes, device_memory const& m) {
  bool const load = a.kind == tiling::access_kind::load;
  if (a.space == tiling::memory::global) {
    if (load) load_global<Bytes><<<1, 32>>>(m.tested, m.sink, lanes);
    else store_global<Bytes><<<1, 32>>>(m.tested, lanes);
  } else if (load) {
    load_shared<Bytes><<<1, 32, agreement::shared_span>>>(m.sink, lanes);
  } else {
    store_shared<Bytes><<<1, 32, agreement::shared_span>>>(lanes);
  }
}

template <int Matrices, bool Transposed>
void launch_matrices(measured_access const& a, lane_table const& lanes, device_memory const& m) {
  if (a.kind == tiling::access_kind::ldmatrix)
    load_matrices<Matrices, Transposed><<<1, 32, agreement::shared_span>>>(m.sink, lanes);
  else store_matrices<Matrices, Transposed><<<1, 32, agreement::shared_span>>>(lanes);
}

void launch(measured_access const& a, device_memory const& m) {
  lane_table lanes{a.active, {}};
  for (std::size_t i = 0; i < 32; ++i) lanes.offset[i] = static_cast<std::uint32_t>(a.offset[i]);
  switch (a.matrices * 2 + a.transposed) {
    case 2: return launch_matrices<1, false>(a, lanes, m);
    case 3: return launch_matrices<1, true>(a, lanes, m);
    case 4: return launch_matrices<2, false>(a, lanes, m);
    case 5: return launch_matrices<2, true>(a, lanes, m);
    case 8: return launch_matrices<4, false>(a, lanes, m);
    case 9: return launch_matrices<4, true>(a, lanes, m);
    default: break;
  }
  switch (a.width) {
    case 1: return launch_plain<1>(a, lanes, m);
    case 2: return launch_plain<2>(a, lanes, m);
    case 4: return launch_plain<4>(a, lanes, m);
    case 8: return launch_plain<8>(a, lanes, m);
    default: return launch_plain<16>(a, lanes, m);
  }
}

void print(measured_access const& a) {
  char const* const kinds[] = {"load", "store", "ldmatrix", "stmatrix"};
  tiling::warp_access const access = a.access();
  std::printf(R"({"space": "%s", "kind": "%s", "width": %d, "matrices": %d, "transposed": %s, "name": "%s", )",
              a.space == tiling::memory::global ? "global" : "shared", kinds[static_cast<int>(a.kind)], a.width,
              a.matrices, a.transposed ? "true" : "false", a.name.c_str());
  std::printf(R"("active": "%08x", "offset": [)", access.active);
  for (std::size_t i = 0; i < 32; ++i) std::printf("%s%lld", i == 0 ? "" : ", ", a.offset[i]);
  architecture const& machine = arch(arch_id::sm_90);
  if (a.space == tiling::memory::global) {
    std::printf(R"(], "sectors": %lld})", tiling::traffic_of(access, machine).sectors);
  } else {
    tiling::bank_report const banks = tiling::bank_conflicts(access, machine);
    std::printf(R"(], "wavefronts": %d, "conflicts": %d})", banks.wavefronts, banks.conflicts());
  }
  std::printf("\n");
}

bool succeeded(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return true;
  std::fprintf(stderr, "agreement: %s: %s.\n", what, cudaGetErrorString(status));
  return false;
}

int make_accesses(std::vector<measured_access> const& all) {
  device_memory m;
  if (!succeeded(cudaMalloc(&m.tested, agreement::global_span), "allocating") ||
      !succeeded(cudaMalloc(&m.sink, 4096), "allocating") ||
      !succeeded(cudaMemset(m.tested, 0, agreement::global_span), "clearing"))
    return 1;
  for (measured_access const& a : all) {
    launch(a, m);
    if (!succeeded(cudaGetLastError(), a.name.c_str())) return 1;
  }
  if (!succeeded(cudaDeviceSynchronize(), "waiting")) return 1;
  cudaFree(m.tested);
  cudaFree(m.sink);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view const group = argc > 1 ? argv[1] : "", mode = argc > 3 ? argv[3] : "";
  bool known = false;
  for (std::string_view const g : agreement::groups) known = known || g == group;
  if (!known || argc < 3 || (!mode.empty() && mode != "--list")) {
    std::fprintf(stderr, "usage: accesses GROUP RANDOM [--list], where GROUP is one of");
    for (char const* const g : agreement::groups) std::fprintf(stderr, " %s", g);
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::vector<measured_access> chosen;
  for (measured_access const& a : agreement::all_accesses(std::atoi(argv[2])))
    if (agreement::group_of(a) == group) chosen.push_back(a);
  for (measured_access const& a : chosen) print(a);
  return mode.empty() ? make_accesses(chosen) : 0;
}
