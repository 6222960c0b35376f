// The table of architectures: rows in order, numbers as the CUDA programming guide has them, and what must hold of each.
#include "tilewright/machine/arch.hpp"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

static_assert(arch(arch_id::sm_90).id == arch_id::sm_90 && find_arch("sm_86") == &arch(arch_id::sm_86));
static_assert(find_arch("sm_20") == nullptr && find_arch("") == nullptr);

TEST(arch, rows_are_found_by_id_and_name) {
  for (architecture const& a : architectures) {
    EXPECT_EQ(&arch(a.id), &a);
    EXPECT_EQ(find_arch(a.name), &a);
  }
}

TEST(arch, gpus_share_what_all_of_them_have) {
  for (architecture const& a : architectures) {
    EXPECT_EQ(a.is_gpu(), a.id != arch_id::cpu);
    EXPECT_EQ(a.line.count % a.sector.count, 0);
    if (!a.is_gpu()) continue;
    EXPECT_EQ(a.warp, 32);
    EXPECT_EQ(a.banks * a.bank_width.count, a.line.count);
    EXPECT_EQ(a.sector.count, 32);
    EXPECT_EQ(a.registers_per_sm, 65536);
    EXPECT_LE(a.shared_per_block.count + a.shared_reserved.count, a.shared_per_sm.count);
    EXPECT_LT(a.shared_beside_l1.count, a.shared_per_sm.count);
    EXPECT_GE(a.widest_global.count, a.widest_shared.count);
    EXPECT_EQ(a.threads_per_sm % a.warp, 0);
  }
}

TEST(arch, instructions_only_come_and_never_go) {
  architecture const* before = &arch(arch_id::sm_70);
  for (architecture const& a : architectures) {
    if (!a.is_gpu()) continue;
    EXPECT_TRUE(a.ldmatrix >= before->ldmatrix && a.cp_async >= before->cp_async && a.stmatrix >= before->stmatrix);
    EXPECT_TRUE(a.bulk >= before->bulk && a.tma >= before->tma);
    EXPECT_EQ(a.tma, a.tma_swizzles[0].count != 0);
    before = &a;
  }
}

TEST(arch, shared_memory_is_the_guides) {
  auto const kilobytes = [](arch_id id) { return arch(id).shared_per_block.count / 1024; };
  EXPECT_EQ(kilobytes(arch_id::sm_70), 96);
  EXPECT_EQ(kilobytes(arch_id::sm_75), 64);
  EXPECT_EQ(kilobytes(arch_id::sm_80), 163);
  EXPECT_EQ(kilobytes(arch_id::sm_86), 99);
  EXPECT_EQ(kilobytes(arch_id::sm_89), 99);
  EXPECT_EQ(kilobytes(arch_id::sm_90), 227);
  EXPECT_EQ(kilobytes(arch_id::sm_100), 227);
}

}  // namespace
}  // namespace tilewright
