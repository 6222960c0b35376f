// print of matrix operations, as CuTe prints them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algorithm/print.hpp"
#include "tilewright/mma/tiled_mma.hpp"

namespace tilewright {

template <class... P>
TILEWRIGHT_FN void print(MMA_Atom<P...> const&) {
  using Atom = MMA_Atom<P...>;
  printf("MMA_Atom\n  ThrID:      ");
  print(typename Atom::ThrID{});
  printf("\n  Shape_MNK:  ");
  print(typename Atom::Shape_MNK{});
  printf("\n  LayoutA_TV: ");
  print(typename Atom::LayoutA_TV{});
  printf("\n  LayoutB_TV: ");
  print(typename Atom::LayoutB_TV{});
  printf("\n  LayoutC_TV: ");
  print(typename Atom::LayoutC_TV{});
  printf("\n");
}

template <class Atom, class AtomLayout, class Permutation>
TILEWRIGHT_FN void print(TiledMMA<Atom, AtomLayout, Permutation> const& mma) {
  printf("TiledMMA\n  ThrLayoutVMNK:  ");
  print(mma.get_thr_layout_vmnk());
  printf("\n  PermutationMNK: ");
  print(Permutation{});
  printf("\n");
  print(static_cast<Atom const&>(mma));
}

template <class Mma, class ThrVMNK>
TILEWRIGHT_FN void print(ThrMMA<Mma, ThrVMNK> const& thr) {
  printf("ThrMMA\n  Thr VMNK: ");
  print(thr.thr_vmnk_);
  printf("\n");
  print(static_cast<Mma const&>(thr));
}

}  // namespace tilewright
