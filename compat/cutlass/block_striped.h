// Arrays of the threads of a block in memory, so that neighbouring threads access neighbouring words: word i of thread t is word
// i * BlockThreads + t.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/functional.h"
#include "cutlass/numeric_types.h"

namespace cutlass {

/// The widest word, of at most Limit bytes, that an object of T consists of.
template <class T, int Limit = 16>
struct AccessWidth {
  static constexpr int bytes(int width) {
    return sizeof(T) % static_cast<unsigned>(width) == 0 && alignof(T) >= static_cast<unsigned>(width)
               ? width
               : bytes(width / 2);
  }
  static constexpr int value = bytes(Limit);
};

/// pre: ArrayT is an array of a fixed size that can be copied byte by byte
template <int BlockThreads, class ArrayT, class AccessT = AlignedArray<std::uint8_t, AccessWidth<ArrayT>::value>>
struct BlockStriped {
  static constexpr int kStripes = static_cast<int>(sizeof(ArrayT) / sizeof(AccessT));
  static_assert(kStripes > 0, "BlockStriped: a word has more bytes than the array");

  CUTLASS_DEVICE static void load(ArrayT& data, ArrayT* memory, int thread) {
    for_each_word([&](int i) { word(data, i) = word(*memory, i * BlockThreads + thread); });
  }
  /// The elements of memory are added.
  CUTLASS_DEVICE static void load_add(ArrayT& data, ArrayT* memory, int thread) {
    ArrayT other;
    load(other, memory, thread);
    data = plus<ArrayT>{}(data, other);
  }
  CUTLASS_DEVICE static void store(ArrayT* memory, ArrayT const& data, int thread) {
    for_each_word([&](int i) { word(*memory, i * BlockThreads + thread) = word(data, i); });
  }

 protected:
  CUTLASS_DEVICE static AccessT& word(ArrayT& array, int i) { return reinterpret_cast<AccessT*>(&array)[i]; }
  CUTLASS_DEVICE static AccessT const& word(ArrayT const& array, int i) {
    return reinterpret_cast<AccessT const*>(&array)[i];
  }
  template <class F>
  CUTLASS_DEVICE static void for_each_word(F const& f) {
    CUTLASS_PRAGMA_UNROLL
    for (int i = 0; i < kStripes; ++i) f(i);
  }
};

/// With a sum in memory: element by element; half_t in pairs.
template <int BlockThreads, class ArrayT, class ElementT = typename ArrayT::Element>
struct BlockStripedReduce : BlockStriped<BlockThreads, ArrayT, ElementT> {
  CUTLASS_DEVICE static void reduce(ArrayT* memory, ArrayT const& data, int thread) {
    using words = BlockStripedReduce;
    words::for_each_word(
        [&](int i) { atomic_add<ElementT>{}(&words::word(*memory, i * BlockThreads + thread), words::word(data, i)); });
  }
};
#if defined(__CUDACC__)
template <int BlockThreads, class ArrayT>
struct BlockStripedReduce<BlockThreads, ArrayT, half_t> : BlockStriped<BlockThreads, ArrayT, half2> {
  CUTLASS_DEVICE static void reduce(ArrayT* memory, ArrayT const& data, int thread) {
    using words = BlockStripedReduce;
    words::for_each_word(
        [&](int i) { atomic_add<half2>{}(&words::word(*memory, i * BlockThreads + thread), words::word(data, i)); });
  }
};
#endif

}  // namespace cutlass
