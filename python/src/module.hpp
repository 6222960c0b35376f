// The parts of the extension module; each binds one subject.
#pragma once

#include "tilewright/render/scene.hpp"

#include <pybind11/pybind11.h>
#include <stdexcept>
#include <string>

namespace tilewright::python {

/// LayoutError: a refusal of the algebra, with its sentence.
struct layout_refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void bind_layouts(pybind11::module_& m);
void bind_copies(pybind11::module_& m);
void bind_distributed(pybind11::module_& m);
void bind_fast_copy(pybind11::module_& m);
void bind_nvlink(pybind11::module_& m);
void bind_gpu(pybind11::module_& m);
void bind_tma(pybind11::module_& m);
void bind_verbs(pybind11::module_& m);

/// The scene as svg, html, text, latex or json.  error: ValueError for another name
std::string draw(render::scene const& s, std::string const& as);

}  // namespace tilewright::python
