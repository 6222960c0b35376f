// In place of raster.cpp where the build found no librsvg.
#include "engine/render/raster.hpp"
#include "tilewright/render/scene.hpp"

namespace tilewright::render {
namespace {

[[noreturn]] void refuse() {
  throw render_error(
      "this build cannot write PNG and PDF, because librsvg was not found when it was built; install the Debian "
      "package "
      "librsvg2-dev and build again, or write SVG");
}

}  // namespace

std::string png_of(std::string const&, double, double, double) { refuse(); }
std::string pdf_of(std::string const&, double, double, std::string const&) { refuse(); }

}  // namespace tilewright::render
