// Tensors side by side: zip_tensor(a, b)(c) is (a(c), b(c)). Whatever one tensor can be asked or cut by, all of them are,
// so that each keeps a layout of its own.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "cute/underscore.hpp"

namespace cute {

/// Layouts side by side: zip_layout(c) is the tuple of their offsets at c, or of their slices.
/// pre: the layouts have one rank
template <class... L>
struct ZipLayout {
  static constexpr int rank = tilewright::rank_v<tuple_element_t<0, tuple<L...>>>;
  static_assert(((tilewright::rank_v<L> == rank) && ...), "ZipLayout: the layouts have different ranks");

  tuple<L...> layouts_{};

  constexpr ZipLayout() = default;
  CUTE_HOST_DEVICE constexpr ZipLayout(L const&... layouts) : layouts_(layouts...) {}
  CUTE_HOST_DEVICE constexpr ZipLayout(tuple<L...> const& layouts) : layouts_(layouts) {}

  template <class... X>
  CUTE_HOST_DEVICE constexpr auto operator()(X const&... x) const {
    return side_by_side(apply(layouts_, [&](auto const&... l) { return make_tuple(l(x...)...); }));
  }

 private:
  template <class... R>
  CUTE_HOST_DEVICE static constexpr auto side_by_side(tuple<R...> const& results) {
    if constexpr ((tilewright::AnyLayout<R> && ...)) return ZipLayout<R...>(results);
    else return results;
  }
};
template <class T>
struct is_zip_layout : false_type {};
template <class... L>
struct is_zip_layout<ZipLayout<L...>> : true_type {};
template <int... I, class... L>
CUTE_HOST_DEVICE constexpr auto size(ZipLayout<L...> const& zip) {
  return size<I...>(get<0>(zip.layouts_));
}
template <int... I, class... L>
CUTE_HOST_DEVICE constexpr auto rank(ZipLayout<L...> const& zip) {
  return rank<I...>(get<0>(zip.layouts_));
}

/// Iterators side by side, to be read: *it is the tuple of what they point to, it + offsets moves each by its own offset.
template <class... Iters>
struct ZipIterator {
  using value_type = tuple<iter_value_t<Iters>...>;
  using element_type = tuple<iter_element_t<Iters>...>;
  using reference = value_type;

  tuple<Iters...> iters_{};

  ZipIterator() = delete;
  CUTE_HOST_DEVICE constexpr ZipIterator(Iters const&... iters) : iters_(iters...) {}
  CUTE_HOST_DEVICE constexpr ZipIterator(tuple<Iters...> const& iters) : iters_(iters) {}

  CUTE_HOST_DEVICE constexpr reference operator*() const {
    return apply(iters_, [](auto const&... it) { return reference(static_cast<iter_value_t<Iters>>(*it)...); });
  }
  template <class... Index>
  CUTE_HOST_DEVICE constexpr auto operator+(tuple<Index...> const& offsets) const {
    static_assert(sizeof...(Index) == sizeof...(Iters), "ZipIterator: give an offset for each iterator");
    return moved(offsets, std::make_index_sequence<sizeof...(Iters)>{});
  }
  template <class... Index>
  CUTE_HOST_DEVICE constexpr reference operator[](tuple<Index...> const& offsets) const {
    return *(*this + offsets);
  }

 private:
  template <class Offsets, std::size_t... I>
  CUTE_HOST_DEVICE constexpr auto moved(Offsets const& offsets, std::index_sequence<I...>) const {
    return cute::ZipIterator<decltype(get<I>(iters_) + get<I>(offsets))...>(get<I>(iters_) + get<I>(offsets)...);
  }
};

/// pre: the tensors have one shape
template <class... T>
struct ZipTensor {
  static_assert(sizeof...(T) > 0, "make_zip_tensor: there is no tensor; give one at least");
  using value_type = tuple<typename T::value_type...>;
  using element_type = value_type;
  /// The elements themselves, to read and to write.
  using reference = tuple<typename T::reference...>;
  static constexpr int rank = tuple_element_t<0, tuple<T...>>::rank;

  tuple<T...> tensors{};

  template <class... X>
  CUTE_HOST_DEVICE constexpr auto operator()(X const&... x) const {
    return cut([&](auto const& t) -> decltype(auto) { return t(x...); });
  }
  template <class X>
  CUTE_HOST_DEVICE constexpr auto operator[](X const& x) const {
    return (*this)(x);
  }
  template <int I>
  CUTE_HOST_DEVICE constexpr auto const& tensor() const {
    return get<I>(tensors);
  }
  CUTE_HOST_DEVICE constexpr auto layout() const {
    return apply(tensors, [](auto const&... t) { return ZipLayout<typename T::layout_type...>(t.layout()...); });
  }
  CUTE_HOST_DEVICE constexpr auto shape() const { return get<0>(tensors).shape(); }
  CUTE_HOST_DEVICE constexpr auto size() const { return get<0>(tensors).size(); }

  /// f of each tensor: tensors side by side again, or a tuple of elements by value.
  template <class F>
  CUTE_HOST_DEVICE constexpr auto cut(F const& f) const {
    return apply(tensors, [&](auto const&... t) {
      if constexpr ((tilewright::TensorType<decltype(f(t))> && ...)) return ZipTensor<decltype(f(t))...>{{f(t)...}};
      else return value_type{static_cast<typename T::value_type>(f(t))...};
    });
  }
};

template <class T>
struct is_zip_tensor : false_type {};
template <class... T>
struct is_zip_tensor<ZipTensor<T...>> : true_type {};

namespace detail {
template <class T>
concept zip_tensor_type = is_zip_tensor<std::remove_cvref_t<T>>::value;
}

template <class... E, class... L>
CUTE_HOST_DEVICE constexpr auto make_zip_tensor(Tensor<E, L> const&... t) {
  return ZipTensor<Tensor<E, L>...>{{t...}};
}
template <class... E, class... L>
CUTE_HOST_DEVICE constexpr auto make_zip_tensor(tuple<Tensor<E, L>...> const& t) {
  return ZipTensor<Tensor<E, L>...>{t};
}
/// The tensors that are side by side.
template <class... T>
CUTE_HOST_DEVICE constexpr tuple<T...> unzip_tensor(ZipTensor<T...> const& zip) {
  return zip.tensors;
}
template <class E, class L, class F, class K>
CUTE_HOST_DEVICE constexpr auto zip(Tensor<E, L> const& a, Tensor<F, K> const& b) {
  return make_zip_tensor(a, b);
}
template <class E, class L, class F, class K, class G, class M, class... More>
CUTE_HOST_DEVICE constexpr auto zip(Tensor<E, L> const& a, Tensor<F, K> const& b, Tensor<G, M> const& c,
                                    More const&... more) {
  return make_zip_tensor(a, b, c, more...);
}

template <int... I, detail::zip_tensor_type T>
CUTE_HOST_DEVICE constexpr auto size(T const& t) {
  return size<I...>(t.template tensor<0>());
}
template <int... I, detail::zip_tensor_type T>
CUTE_HOST_DEVICE constexpr auto shape(T const& t) {
  return shape<I...>(t.template tensor<0>());
}
template <int... I, detail::zip_tensor_type T>
CUTE_HOST_DEVICE constexpr auto rank(T const& t) {
  return rank<I...>(t.template tensor<0>());
}

template <detail::zip_tensor_type T, class... Args>
CUTE_HOST_DEVICE constexpr auto local_tile(T const& t, Args const&... args) {
  return t.cut([&](auto const& each) { return local_tile(each, args...); });
}
template <detail::zip_tensor_type T, class... Args>
CUTE_HOST_DEVICE constexpr auto local_partition(T const& t, Args const&... args) {
  return t.cut([&](auto const& each) { return local_partition(each, args...); });
}
#define TILEWRIGHT_X_DIVIDE(NAME, ...)                                   \
  template <detail::zip_tensor_type T, class Tiler>                      \
  CUTE_HOST_DEVICE constexpr auto NAME(T const& t, Tiler const& tiler) { \
    return t.cut([&](auto const& each) { return NAME(each, tiler); });   \
  }
#include "tilewright/algebra/operations.def"

}  // namespace cute
