// The names by which programs choose how an epilogue goes to memory; collective/collective_builder.hpp says which there are for sm_90.
#pragma once

#include "tilewright/base/config.hpp"

namespace cutlass::epilogue {

struct EpilogueSimtVectorized {};
struct NoSmemWarpSpecialized {};
struct PtrArrayDefault {};
struct EpiloguePtrArraySimtVectorized {};
struct PtrArrayNoSmemWarpSpecialized {};
struct PtrArrayNoSmemWarpSpecializedTransposed {};
struct PtrArrayTmaWarpSpecialized {};
struct PtrArrayTmaWarpSpecializedPingpong {};
struct PtrArrayTmaWarpSpecializedCooperative {};
struct TmaWarpSpecialized {};
struct TmaWarpSpecializedCooperative {};

struct NoSmemWarpSpecialized1Sm {};
struct NoSmemWarpSpecialized2Sm {};
struct TmaWarpSpecialized1Sm {};
struct TmaWarpSpecialized2Sm {};

/// Stages of the loads of C and of the stores of D, of which ReuseSmemC says that they share memory.
template <int StagesC_, int StagesD_, int FragmentSize_, bool ReuseSmemC_, bool DelayTmaStore_>
struct Sm90TmaWarpSpecialized {
  static constexpr int StagesC = StagesC_;
  static constexpr int StagesD = StagesD_;
  static constexpr int FragmentSize = FragmentSize_;
  static constexpr bool ReuseSmemC = ReuseSmemC_;
  static constexpr bool DelayTmaStore = DelayTmaStore_;
};

/// The same of groups, whose matrices have addresses in an array; programs specialise FusionCallbacks for it.
template <int StagesC_, int StagesD_, int FragmentSize_, bool ReuseSmemC_, bool DelayTmaStore_,
          int NumEpilogueWarpGroups_>
struct Sm90PtrArrayTmaWarpSpecialized
    : Sm90TmaWarpSpecialized<StagesC_, StagesD_, FragmentSize_, ReuseSmemC_, DelayTmaStore_> {
  static constexpr int NumEpilogueWarpGroups = NumEpilogueWarpGroups_;
};

}  // namespace cutlass::epilogue
