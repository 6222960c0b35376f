// print_text, print_svg, print_html, print_latex, print_json: pictures of layouts, swizzled layouts and tiled copies, as
// types or as values, and of plans, on a C stream. print_latex(layout) and print_latex(tiled_copy) are CuTe's names. They are
// function objects, which argument-dependent lookup does not find: code that calls CuTe's functions of these names goes
// on calling those when it includes this file too. Needs tilewright::engine.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdio>

#include "tilewright/algebra/to_value.hpp"
#include "tilewright/render/plot.hpp"
#include "tilewright/render/writers.hpp"

namespace tilewright {

namespace render {

/// What can be drawn as a layout: typed or a value, swizzled or not.
template <class L>
concept Drawable = requires(L const& layout) {
  named_layout("", to_value(layout));
};

/// A tiled copy as a type; named by what it offers, since pictures are drawn without the kernels' headers.
template <class T>
concept DrawableCopy = requires {
  typename T::TiledLayout_TV;
  typename T::AtomNumVal;
  T::get_layoutS_TV();
  T::get_layoutD_TV();
  T::tile_shape();
};

/// Who carries what of the tile, at the source and, where that differs, at the destination.
template <DrawableCopy T>
scene scene_of(T const&, plot_options const& options = {}) {
  copy_picture copy;
  copy.tiler = int_tree(lift::value_of<std::remove_cvref_t<decltype(T::tile_shape())>>.tree);
  copy.tv = to_value(T::get_layoutS_TV());
  copy.atom = {static_cast<long long>(T::AtomNumVal::value)};
  scene out = threads_scene(copy, options);
  copy_picture destination = copy;
  destination.tv = to_value(T::get_layoutD_TV());
  if (destination.tv == copy.tv) return out;
  scene const other = threads_scene(destination, options);
  out.panels.front().title += ", source";
  std::size_t const at = out.panels.size();
  out.panels.insert(out.panels.end(), other.panels.begin(), other.panels.end());
  out.panels[at].title += ", destination";
  return out;
}
template <Drawable L>
scene scene_of(L const& layout, view what = view::offsets, plot_options const& options = {}) {
  return layout_scene({named_layout("", to_value(layout))}, what, options);
}
inline scene scene_of(copy_plan const& plan, plot_options const& options = {}) { return plan_scene(plan, options); }
inline scene const& scene_of(scene const& s) { return s; }

/// Prints whatever scene_of accepts, with its further arguments behind the first.
template <format Format>
struct print_as {
  template <class T, class... Options>
  requires requires(T const& x, Options const&... options) { render::scene_of(x, options...); }
  void operator()(T const& x, Options const&... options) const { to(stdout, x, options...); }
  /// The same on another stream.
  template <class T, class... Options>
  void to(std::FILE* stream, T const& x, Options const&... options) const {
    std::string const out = write(render::scene_of(x, options...), Format);
    std::fwrite(out.data(), 1, out.size(), stream);
  }
};

}  // namespace render

inline constexpr render::print_as<render::format::text> print_text{};
inline constexpr render::print_as<render::format::svg> print_svg{};
inline constexpr render::print_as<render::format::html> print_html{};
inline constexpr render::print_as<render::format::latex> print_latex{};
inline constexpr render::print_as<render::format::json> print_json{};

}  // namespace tilewright
