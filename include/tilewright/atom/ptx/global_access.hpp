// Loads and stores of global memory with cache hints (PTX ISA, "Data Movement and Conversion Instructions: ld, ld.global.nc,
// st, createpolicy"), of 4, 8, 16 and 32 bytes. 32 bytes are one access from sm_100 on (PTX ISA 8.8) and two of 16 bytes
// before. On the host these functions do not exist: the atoms copy there.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/cache_hint.hpp"
#include "tilewright/atom/ptx/target.hpp"
#include "tilewright/tensor/element.hpp"

#if TILEWRIGHT_ON_DEVICE

namespace tilewright::ptx {

/// Does one instruction move 32 bytes?
#if __CUDA_ARCH__ >= 1000 && (__CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9))
inline constexpr bool has_256_bit_accesses = true;
#else
inline constexpr bool has_256_bit_accesses = false;
#endif

// --- the words of the instructions -----------------------------------------------------------------------------------
// The constraint "C" puts an array of characters into an instruction.
struct no_word {
  static constexpr char text[] = "";
};
struct nc_word {
  static constexpr char text[] = ".nc";
};
struct cg_word {
  static constexpr char text[] = ".cg";
};
struct cs_word {
  static constexpr char text[] = ".cs";
};
struct wt_word {
  static constexpr char text[] = ".wt";
};
struct no_allocate_word {
  static constexpr char text[] = ".L1::no_allocate";
};
struct prefetch_64_word {
  static constexpr char text[] = ".L2::64B";
};
struct prefetch_128_word {
  static constexpr char text[] = ".L2::128B";
};
struct prefetch_256_word {
  static constexpr char text[] = ".L2::256B";
};

/// The line of a global address into L2.
TILEWRIGHT_FN void prefetch_line(void const* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(p)));
}

/// `Word` where the hints hold `one`, else `Other`.
template <cache Hints, cache one, class Word, class Other = no_word>
using word_of = std::conditional_t<has_hint(Hints, one), Word, Other>;

template <cache Hints>
struct words {
  using cached = word_of<Hints, cache::streaming, cs_word,
                         word_of<Hints, cache::l2_only, cg_word, word_of<Hints, cache::write_through, wt_word>>>;
  using read_only = word_of<Hints, cache::read_only, nc_word>;
  using l1 = word_of<Hints, cache::no_allocate, no_allocate_word>;
#if __CUDA_ARCH__ >= 800
  using prefetch = word_of<
      Hints, cache::prefetch_256, prefetch_256_word,
      word_of<Hints, cache::prefetch_128, prefetch_128_word, word_of<Hints, cache::prefetch_64, prefetch_64_word>>>;
  static constexpr bool has_policy = has_hint(Hints, cache::evict_first | cache::evict_last);
#else
  using prefetch = word_of<Hints, cache::prefetch_256 | cache::prefetch_128, prefetch_128_word,
                           word_of<Hints, cache::prefetch_64, prefetch_64_word>>;
  static constexpr bool has_policy = false;
#endif
};

/// The policy of the hints, for .L2::cache_hint. Without side effects, so that a loop makes it once.
template <cache Hints>
TILEWRIGHT_FN std::uint64_t eviction_policy() {
  std::uint64_t policy = 0;
#if __CUDA_ARCH__ >= 800
  if constexpr (has_hint(Hints, cache::evict_first))
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  else asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#endif
  return policy;
}

// --- loads -----------------------------------------------------------------------------------------------------------
template <cache Hints>
TILEWRIGHT_FN word<256> load_global_256(word<256> const* p);

/// pre: p is aligned to its word
template <cache Hints, int Bits>
TILEWRIGHT_FN word<Bits> load_global(word<Bits> const* p) {
  using W = words<Hints>;
  std::size_t const from = __cvta_generic_to_global(p);
  word<Bits> out;
  if constexpr (Bits == 32) {
    if constexpr (W::has_policy) {
      asm volatile("ld.global%2%3%4.L2::cache_hint%5.b32 %0, [%1], %6;"
                   : "=r"(out.units[0])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text),
                     "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("ld.global%2%3%4%5.b32 %0, [%1];"
                   : "=r"(out.units[0])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text)
                   : "memory");
    }
  } else if constexpr (Bits == 64) {
    if constexpr (W::has_policy) {
      asm volatile("ld.global%2%3%4.L2::cache_hint%5.b64 %0, [%1], %6;"
                   : "=l"(out.units[0])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text),
                     "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("ld.global%2%3%4%5.b64 %0, [%1];"
                   : "=l"(out.units[0])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text)
                   : "memory");
    }
  } else if constexpr (Bits == 128) {
    if constexpr (W::has_policy) {
      asm volatile("ld.global%3%4%5.L2::cache_hint%6.v2.b64 {%0, %1}, [%2], %7;"
                   : "=l"(out.units[0]), "=l"(out.units[1])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text),
                     "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("ld.global%3%4%5%6.v2.b64 {%0, %1}, [%2];"
                   : "=l"(out.units[0]), "=l"(out.units[1])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text)
                   : "memory");
    }
  } else {
    out = load_global_256<Hints>(p);
  }
  return out;
}
/// The same of 256 bits: two loads where the GPU has none of that width.
template <cache Hints>
TILEWRIGHT_FN word<256> load_global_256(word<256> const* p) {
  using W = words<Hints>;
  word<256> out;
  if constexpr (has_256_bit_accesses) {
    std::size_t const from = __cvta_generic_to_global(p);
    if constexpr (W::has_policy) {
      asm volatile("ld.global%5%6%7.L2::cache_hint%8.v4.b64 {%0, %1, %2, %3}, [%4], %9;"
                   : "=l"(out.units[0]), "=l"(out.units[1]), "=l"(out.units[2]), "=l"(out.units[3])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text),
                     "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("ld.global%5%6%7%8.v4.b64 {%0, %1, %2, %3}, [%4];"
                   : "=l"(out.units[0]), "=l"(out.units[1]), "=l"(out.units[2]), "=l"(out.units[3])
                   : "l"(from), "C"(W::cached::text), "C"(W::read_only::text), "C"(W::l1::text), "C"(W::prefetch::text)
                   : "memory");
    }
  } else {
    auto const* const halves = reinterpret_cast<word<128> const*>(p);
    word<128> const low = load_global<Hints>(halves), high = load_global<Hints>(halves + 1);
    out = word<256>{{low.units[0], low.units[1], high.units[0], high.units[1]}};
  }
  return out;
}

// --- stores ----------------------------------------------------------------------------------------------------------
/// pre: p is aligned to its word
template <cache Hints, int Bits>
TILEWRIGHT_FN void store_global(word<Bits>* p, word<Bits> const& value) {
  using W = words<Hints>;
  std::size_t const to = __cvta_generic_to_global(p);
  if constexpr (Bits == 32) {
    if constexpr (W::has_policy) {
      asm volatile("st.global%2%3.L2::cache_hint.b32 [%0], %1, %4;" ::"l"(to), "r"(value.units[0]),
                   "C"(W::cached::text), "C"(W::l1::text), "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("st.global%2%3.b32 [%0], %1;" ::"l"(to), "r"(value.units[0]), "C"(W::cached::text), "C"(W::l1::text)
                   : "memory");
    }
  } else if constexpr (Bits == 64) {
    if constexpr (W::has_policy) {
      asm volatile("st.global%2%3.L2::cache_hint.b64 [%0], %1, %4;" ::"l"(to), "l"(value.units[0]),
                   "C"(W::cached::text), "C"(W::l1::text), "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("st.global%2%3.b64 [%0], %1;" ::"l"(to), "l"(value.units[0]), "C"(W::cached::text), "C"(W::l1::text)
                   : "memory");
    }
  } else if constexpr (Bits == 128) {
    if constexpr (W::has_policy) {
      asm volatile("st.global%3%4.L2::cache_hint.v2.b64 [%0], {%1, %2}, %5;" ::"l"(to), "l"(value.units[0]),
                   "l"(value.units[1]), "C"(W::cached::text), "C"(W::l1::text), "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("st.global%3%4.v2.b64 [%0], {%1, %2};" ::"l"(to), "l"(value.units[0]), "l"(value.units[1]),
                   "C"(W::cached::text), "C"(W::l1::text)
                   : "memory");
    }
  } else if constexpr (has_256_bit_accesses) {
    if constexpr (W::has_policy) {
      asm volatile("st.global%5%6.L2::cache_hint.v4.b64 [%0], {%1, %2, %3, %4}, %7;" ::"l"(to), "l"(value.units[0]),
                   "l"(value.units[1]), "l"(value.units[2]), "l"(value.units[3]), "C"(W::cached::text),
                   "C"(W::l1::text), "l"(eviction_policy<Hints>())
                   : "memory");
    } else {
      asm volatile("st.global%5%6.v4.b64 [%0], {%1, %2, %3, %4};" ::"l"(to), "l"(value.units[0]), "l"(value.units[1]),
                   "l"(value.units[2]), "l"(value.units[3]), "C"(W::cached::text), "C"(W::l1::text)
                   : "memory");
    }
  } else {
    auto* const halves = reinterpret_cast<word<128>*>(p);
    store_global<Hints>(halves, word<128>{{value.units[0], value.units[1]}});
    store_global<Hints>(halves + 1, word<128>{{value.units[2], value.units[3]}});
  }
}

}  // namespace tilewright::ptx

#endif
