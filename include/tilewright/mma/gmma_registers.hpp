// The registers of a warpgroup's matrix operation, and its call with each of them as an argument.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/collective.hpp"
#include "tilewright/mma/gmma_descriptor.hpp"

namespace tilewright::detail {

template <class T>
using gmma_result_register = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;

/// Gives Op fma(A's descriptor or registers, B's descriptor, D's registers, perhaps the metadata, perhaps the scale). Op has
/// run_with(d, a, b, metadata, scale) for a GPU and start_on_host(addresses of d, a, b, metadata, scale).
/// ReadsA: A is in shared memory, else in registers.  IsSparse: there are metadata
template <class Op, int N, class D, bool ReadsA, bool IsSparse>
struct gmma_registers {
  using DRegisters = gmma_result_register<D>[64 * N / 128 * sizeof_bits_v<D> / 32];
  using ARegisters = std::conditional_t<ReadsA, std::uint64_t[1], std::uint32_t[4]>;
  using BRegisters = std::uint64_t[1];
  using CRegisters = DRegisters;
  using register_d = register_type<DRegisters>;
  static constexpr int registers_d = register_count<DRegisters>;
  static constexpr auto extent_d = static_cast<std::size_t>(registers_d);

  /// pre: all threads of the warpgroup call it with the same descriptors, after warpgroup_arrive
  TILEWRIGHT_NO_EXEC_CHECK
  template <class... R>
  TILEWRIGHT_FN static void fma(R&&... arguments) {
    constexpr int given = static_cast<int>(sizeof...(R)), needed = after_d + (IsSparse ? 1 : 0);
    static_assert(
        given == needed || given == needed + 1,
        "fma: the operation has another number of registers; pass those of A, B's descriptor and those of D, and the "
        "metadata of a sparse A");
    inputs in{};
#if TILEWRIGHT_ON_DEVICE
    register_d d[extent_d];
    put_in(make_seq<given>{}, in, arguments...);
    load(make_seq<given>{}, d, arguments...);
    Op::run_with(d, in.a, in.b, in.metadata, in.scale);
    store(make_seq<given>{}, d, arguments...);
#elif TILEWRIGHT_HOSTED
    register_d* to[extent_d];
    put_in(make_seq<given>{}, in, arguments...);
    point_to(make_seq<given>{}, to, arguments...);
    Op::start_on_host(to, in.a, in.b, in.metadata, in.scale);
#endif
  }

 private:
  static constexpr int first_d = register_count<ARegisters> + 1, after_d = first_d + registers_d;
  struct inputs {
    ARegisters a;
    std::uint64_t b = 0;
    std::uint32_t metadata = 0;
    SM90::GMMA::ScaleOut scale = SM90::GMMA::ScaleOut::One;
  };

  template <int I, class X>
  TILEWRIGHT_FN static void put(X const& from, inputs& in) {
    if constexpr (I < first_d - 1) in.a[I] = static_cast<register_type<ARegisters>>(from);
    else if constexpr (I == first_d - 1) in.b = static_cast<std::uint64_t>(from);
    else if constexpr (IsSparse && I == after_d) in.metadata = static_cast<std::uint32_t>(from);
    else if constexpr (I >= after_d) in.scale = from;
  }
  template <int... I, class... R>
  TILEWRIGHT_FN static void put_in(seq<I...>, inputs& in, R&... arguments) {
    (put<I>(arguments, in), ...);
  }
  template <int I, class X>
  TILEWRIGHT_FN static void load_one(register_d* d, X& from) {
    if constexpr (I >= first_d && I < after_d) d[I - first_d] = from;
  }
  template <int... I, class... R>
  TILEWRIGHT_FN static void load(seq<I...>, DRegisters& d, R&... arguments) {
    (load_one<I>(d, arguments), ...);
  }
  template <int I, class X>
  TILEWRIGHT_FN static void store_one(register_d const* d, X& to) {
    if constexpr (I >= first_d && I < after_d) to = d[I - first_d];
  }
  template <int... I, class... R>
  TILEWRIGHT_FN static void store(seq<I...>, DRegisters const& d, R&... arguments) {
    (store_one<I>(d, arguments), ...);
  }
  template <int I, class X>
  TILEWRIGHT_FN static void point(register_d** to, X& at) {
    if constexpr (I >= first_d && I < after_d) to[I - first_d] = &at;
  }
  template <int... I, class... R>
  TILEWRIGHT_FN static void point_to(seq<I...>, register_d* (&to)[extent_d], R&... arguments) {
    (point<I>(to, arguments), ...);
  }
};

}  // namespace tilewright::detail
