// Draws SVG with librsvg on a surface of cairo. Their headers give the types, dlopen the functions.
#include "engine/render/raster.hpp"

#include "tilewright/render/scene.hpp"

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>
#include <algorithm>
#include <cmath>
#include <memory>

namespace tilewright::render {
namespace {

constexpr double max_side = 32767;  // pixels of an image surface
constexpr double max_pixels = 1e8;

class library {
 public:
  explicit library(char const* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ != nullptr) return;
    char const* const reason = dlerror();
    throw render_error(std::string("PNG and PDF are drawn by librsvg, which cannot be opened (") +
                       (reason == nullptr ? file : reason) + "); install the Debian package librsvg2-2, or write SVG");
  }
  template <class Function>
  Function* function(char const* name) const {
    void* const found = dlsym(handle_, name);
    if (found == nullptr)
      throw render_error(std::string("PNG and PDF are drawn by librsvg 2.46 or later, and the one found has no ") +
                         name + "; install a newer librsvg2-2, or write SVG");
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;  // for the life of the process
};

/// The functions that are called, opened once.
struct drawing_functions {
  library rsvg{"librsvg-2.so.2"}, cairo{"libcairo.so.2"}, gobject{"libgobject-2.0.so.0"}, glib{"libglib-2.0.so.0"};

  decltype(rsvg_handle_new_from_data)* new_from_data =
      rsvg.function<decltype(rsvg_handle_new_from_data)>("rsvg_handle_new_from_data");
  decltype(rsvg_handle_render_document)* render_document =
      rsvg.function<decltype(rsvg_handle_render_document)>("rsvg_handle_render_document");
  decltype(g_object_unref)* unref = gobject.function<decltype(g_object_unref)>("g_object_unref");
  decltype(g_error_free)* error_free = glib.function<decltype(g_error_free)>("g_error_free");

  decltype(cairo_image_surface_create)* image =
      cairo.function<decltype(cairo_image_surface_create)>("cairo_image_surface_create");
  decltype(cairo_pdf_surface_create_for_stream)* pdf =
      cairo.function<decltype(cairo_pdf_surface_create_for_stream)>("cairo_pdf_surface_create_for_stream");
  decltype(cairo_pdf_surface_set_metadata)* set_metadata =
      cairo.function<decltype(cairo_pdf_surface_set_metadata)>("cairo_pdf_surface_set_metadata");
  decltype(cairo_surface_write_to_png_stream)* write_png =
      cairo.function<decltype(cairo_surface_write_to_png_stream)>("cairo_surface_write_to_png_stream");
  decltype(cairo_surface_finish)* finish = cairo.function<decltype(cairo_surface_finish)>("cairo_surface_finish");
  decltype(cairo_surface_destroy)* destroy_surface =
      cairo.function<decltype(cairo_surface_destroy)>("cairo_surface_destroy");
  decltype(cairo_surface_status)* surface_status =
      cairo.function<decltype(cairo_surface_status)>("cairo_surface_status");
  decltype(cairo_create)* create = cairo.function<decltype(cairo_create)>("cairo_create");
  decltype(cairo_destroy)* destroy = cairo.function<decltype(cairo_destroy)>("cairo_destroy");
  decltype(cairo_status)* status = cairo.function<decltype(cairo_status)>("cairo_status");
  decltype(cairo_status_to_string)* status_text =
      cairo.function<decltype(cairo_status_to_string)>("cairo_status_to_string");

  void check(cairo_status_t status_now) const {
    if (status_now != CAIRO_STATUS_SUCCESS)
      throw render_error(std::string("cairo could not draw the picture: ") + status_text(status_now) +
                         "; draw a smaller one, or write SVG");
  }
};

drawing_functions const& functions() {
  static drawing_functions const opened;
  return opened;
}

cairo_status_t append(void* to, unsigned char const* data, unsigned length) {
  static_cast<std::string*>(to)->append(reinterpret_cast<char const*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// A surface of cairo, given back at the end.
class surface {
 public:
  surface(drawing_functions const& f, cairo_surface_t* made) : f_(f), made_(made) { f_.check(f_.surface_status(made)); }
  surface(surface const&) = delete;
  surface& operator=(surface const&) = delete;
  ~surface() { f_.destroy_surface(made_); }

  cairo_surface_t* get() const { return made_; }

  /// post: the SVG fills the rectangle from (0, 0)
  void draw(std::string const& svg, double width, double height) const {
    GError* error = nullptr;
    auto const* const bytes = reinterpret_cast<guint8 const*>(svg.data());
    RsvgHandle* const handle = f_.new_from_data(bytes, svg.size(), &error);
    bool drawn = false;
    if (handle != nullptr) {
      cairo_t* const context = f_.create(made_);
      RsvgRectangle const all{0, 0, width, height};
      drawn = f_.render_document(handle, context, &all, &error) != 0 && f_.status(context) == CAIRO_STATUS_SUCCESS;
      f_.destroy(context);
      f_.unref(handle);
    }
    std::string const reason = error == nullptr ? "it gives no reason" : error->message;
    if (error != nullptr) f_.error_free(error);
    if (!drawn) throw render_error("librsvg could not draw the picture: " + reason + "; write SVG instead");
  }

 private:
  drawing_functions const& f_;
  cairo_surface_t* made_;
};

}  // namespace

std::string png_of(std::string const& svg, double width, double height, double scale) {
  drawing_functions const& f = functions();
  double const fits = std::min(max_side / std::max(width, height), std::sqrt(max_pixels / (width * height)));
  double const by = std::min(scale, fits);
  double const w = std::max(1.0, std::round(width * by)), h = std::max(1.0, std::round(height * by));
  surface const image(f, f.image(CAIRO_FORMAT_ARGB32, static_cast<int>(w), static_cast<int>(h)));
  image.draw(svg, w, h);
  std::string out;
  f.check(f.write_png(image.get(), append, &out));
  return out;
}

std::string pdf_of(std::string const& svg, double width, double height, std::string const& title) {
  constexpr double points = 72.0 / 96.0;  // of a unit of the SVG
  drawing_functions const& f = functions();
  std::string out;
  {
    surface const page(f, f.pdf(append, &out, width * points, height * points));
    f.set_metadata(page.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
    page.draw(svg, width * points, height * points);
    f.finish(page.get());
    f.check(f.surface_status(page.get()));
  }
  return out;
}

}  // namespace tilewright::render
