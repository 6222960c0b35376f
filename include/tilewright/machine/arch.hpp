// What the machines are, in one table: the widths of warps, banks, sectors and lines, the memory and registers of an SM,
// and the copy instructions of each architecture from sm_70 to sm_100, and of a CPU.
//
// Sources: CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications per Compute Capability"
// (threads, blocks, registers and shared memory; banks) and the sections on each capability's global and shared memory
// (lines, sectors); PTX ISA, the "Target ISA Notes" of ldmatrix (sm_75), cp.async (sm_80), stmatrix, cp.async.bulk and
// cp.async.bulk.tensor (sm_90), and of ld and st for vectors of 256 bits (sm_100).
#pragma once

#include "tilewright/base/config.hpp"

#include <string_view>

#include "tilewright/base/units.hpp"

namespace tilewright {

enum class arch_id : int { cpu, sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100 };

struct architecture {
  std::string_view name;  // as nvcc spells it
  arch_id id = arch_id::cpu;

  int warp = 0;   // threads that issue one access together; 1 on a CPU
  int banks = 0;  // of shared memory; 0: there is none

  // What an SM has; 0 on a CPU.
  int registers_per_sm = 0;  // of 32 bits
  int registers_per_thread = 0;
  int threads_per_sm = 0;
  int threads_per_block = 0;
  int blocks_per_sm = 0;
  bytes shared_per_sm{};
  bytes shared_per_block{};  // the most a block can ask for
  bytes shared_reserved{};   // by the system, of each block
  bytes shared_beside_l1{};  // the most but one that an SM can be set to: with all of it, little of its L1 is left

  // How memory is reached.
  bytes bank_width{};    // what a bank delivers in one clock
  bytes sector{};        // the least that is fetched
  bytes line{};          // what a cache tag names
  bits widest_global{};  // of one thread's access
  bits widest_shared{};

  // Which instructions there are.
  bytes tma_swizzles[3]{};  // rows in which TMA moves 16-byte chunks; 0: no such mode
  bool ldmatrix = false;
  bool cp_async = false;
  bool stmatrix = false;
  bool bulk = false;  // cp.async.bulk, and thread block clusters
  bool tma = false;   // cp.async.bulk.tensor

  constexpr bool is_gpu() const { return banks > 0; }
};

namespace detail {

/// The largest but one of the sizes that an SM's shared memory can be set to ("Shared Memory" of each capability).
constexpr long long second_of_shared_sizes(long long of_sm) {
  return of_sm == 228 ? 196 : of_sm == 164 ? 132 : of_sm == 64 ? 32 : 64;
}

/// What all GPUs share, with what tells them apart: kilobytes of shared memory that a block may have, that an SM has and
/// that the system reserves of it for each block; threads and blocks of an SM.
constexpr architecture gpu(arch_id id, std::string_view name, int capability, long long of_block, long long of_sm,
                           long long reserved, int threads, int blocks) {
  architecture out{};
  out.id = id;
  out.name = name;
  out.warp = 32;
  out.banks = 32;
  out.bank_width = {4};
  out.sector = {32};
  out.line = {128};
  out.widest_global = {capability >= 100 ? 256 : 128};
  out.widest_shared = {128};
  out.shared_per_block = {of_block * 1024};
  out.shared_per_sm = {of_sm * 1024};
  out.shared_reserved = {reserved * 1024};
  out.shared_beside_l1 = {second_of_shared_sizes(of_sm) * 1024};
  out.registers_per_sm = 65536;
  out.registers_per_thread = 255;
  out.threads_per_sm = threads;
  out.threads_per_block = 1024;
  out.blocks_per_sm = blocks;
  out.ldmatrix = capability >= 75;
  out.cp_async = capability >= 80;
  out.stmatrix = out.bulk = out.tma = capability >= 90;
  if (out.tma)
    for (int i = 0; i < 3; ++i) out.tma_swizzles[i] = {32LL << i};
  return out;
}

/// The line is x86's and most of Arm's; the widest access is a register of AVX-512.
constexpr architecture cpu() {
  architecture out{};
  out.id = arch_id::cpu;
  out.name = "cpu";
  out.warp = 1;
  out.sector = out.line = {64};
  out.widest_global = out.widest_shared = {512};
  return out;
}

}  // namespace detail

/// Rows in order of arch_id.
inline constexpr architecture architectures[] = {
    detail::cpu(),
    detail::gpu(arch_id::sm_70, "sm_70", 70, 96, 96, 0, 2048, 32),
    detail::gpu(arch_id::sm_75, "sm_75", 75, 64, 64, 0, 1024, 16),
    detail::gpu(arch_id::sm_80, "sm_80", 80, 163, 164, 1, 2048, 32),
    detail::gpu(arch_id::sm_86, "sm_86", 86, 99, 100, 1, 1536, 16),
    detail::gpu(arch_id::sm_89, "sm_89", 89, 99, 100, 1, 1536, 24),
    detail::gpu(arch_id::sm_90, "sm_90", 90, 227, 228, 1, 2048, 32),
    detail::gpu(arch_id::sm_100, "sm_100", 100, 227, 228, 1, 2048, 32),
};

constexpr architecture const& arch(arch_id id) { return architectures[static_cast<int>(id)]; }

/// The row of that name ("sm_90", "cpu"); null when there is none.
constexpr architecture const* find_arch(std::string_view name) {
  for (architecture const& a : architectures)
    if (a.name == name) return &a;
  return nullptr;
}

}  // namespace tilewright
