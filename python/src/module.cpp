// tilewright._core: the value wing and the engine for Python. It holds no algebra of its own; the package beside it adds
// what is Python's alone (notations, arrays of other libraries, pictures in notebooks).
#include "python/src/module.hpp"

#include "tilewright/plan/copy_error.hpp"
#include "tilewright/render/writers.hpp"

#include <fmt/format.h>
#include <map>

namespace tilewright::python {

std::string draw(render::scene const& s, std::string const& as) {
  static std::map<std::string, render::format> const formats{{"svg", render::format::svg},
                                                             {"html", render::format::html},
                                                             {"text", render::format::text},
                                                             {"latex", render::format::latex},
                                                             {"json", render::format::json}};
  auto const found = formats.find(as);
  if (found == formats.end())
    throw pybind11::value_error(
        fmt::format("there is no picture format '{}'; there are svg, html, text, latex and json", as));
  return render::write(s, found->second);
}

}  // namespace tilewright::python

PYBIND11_MODULE(_core, m) {
  m.attr("__version__") = TILEWRIGHT_VERSION_TEXT;
  pybind11::register_exception<tilewright::copy_error>(m, "CopyError", PyExc_ValueError);
  tilewright::python::bind_layouts(m);
  tilewright::python::bind_copies(m);
  tilewright::python::bind_distributed(m);
  tilewright::python::bind_fast_copy(m);
  tilewright::python::bind_nvlink(m);
  tilewright::python::bind_gpu(m);
  tilewright::python::bind_tma(m);
  tilewright::python::bind_verbs(m);
}
