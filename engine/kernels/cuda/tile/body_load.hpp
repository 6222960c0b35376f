// How the tile kernel (body.hpp) loads an access of the source: whole, from wherever a row begins, or element by element.
#pragma once

#include "engine/kernels/cuda/parts/body_words.hpp"

namespace tilewright::kernels {

using address = unsigned long long;

/// `S` is the shape of tile_copy (body.hpp).
template <class S>
class source_loads {
  static constexpr int element = S::element, read_bytes = S::read::vector * element;

 public:
  /// The access at `at`, of which `bytes_left` are the row's.
  template <bool Cut>
  TILEWRIGHT_FN static bundle<read_bytes> load(address at, int bytes_left) {
    if constexpr (S::read::shifted) return load_shifted<Cut>(at, bytes_left);
    else if (Cut && S::read::vector > 1 && bytes_left < read_bytes) return load_elements(at, bytes_left);
    else return load_global<read_bytes, S::evict_source_last>(reinterpret_cast<void const*>(at));
  }

 private:
  template <int Bytes>
  TILEWRIGHT_FN static bundle<Bytes> load_at(address at) {
    return load_global < Bytes, S::evict_source_last && Bytes >= 4 > (reinterpret_cast<void const*>(at));
  }

  /// The first `bytes` of an access, element by element.
  TILEWRIGHT_FN static bundle<read_bytes> load_elements(address at, int bytes) {
    bundle<read_bytes> out{};
    TILEWRIGHT_UNROLL
    for (int i = 0; i < read_bytes; i += element) {
      if (i >= bytes) continue;
      bundle<element> const one = load_at<element>(at + static_cast<address>(i));
      if constexpr (element < 4) {
        out.words[i / 4] |= one.words[0] << (i % 4 * 8);
      } else {
        TILEWRIGHT_UNROLL
        for (int w = 0; w < element / 4; ++w) out.words[i / 4 + w] = one.words[w];
      }
    }
    return out;
  }

  /// What an access reads from an address that is a multiple of the element alone, of which `bytes_left` are the row's: by
  /// elements, or from the vectors or words that hold them.
  template <bool Cut>
  TILEWRIGHT_FN static bundle<read_bytes> load_shifted(address at, int bytes_left) {
    bundle<read_bytes> out{};
    if constexpr (Cut) {
      return load_elements(at, bytes_left);
    } else if constexpr (read_bytes == 16) {
      address const begin = at & ~address{15};
      return shifted_vector<element >= 4>(load_at<16>(begin), load_at<16>(begin + 16), static_cast<unsigned>(at) & 15u);
    } else if constexpr (element < 4) {
      unsigned const lead = static_cast<unsigned>(at) & 3u;
      address const begin = at & ~address{3};
      unsigned words[read_bytes / 4 + 1];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < read_bytes / 4 + 1; ++i) words[i] = load_at<4>(begin + static_cast<address>(4 * i)).words[0];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < read_bytes / 4; ++i) out.words[i] = shifted_word(words[i], words[i + 1], lead);
    }
    return out;
  }
};

}  // namespace tilewright::kernels
