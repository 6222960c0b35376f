// copy_ as a plain function of the interpreter: for small arrays, parsing arguments the general way takes longer than the
// copy. What is no array with the buffer protocol and no tensor of PyTorch goes to the general function, errors too: nothing
// has been written then, and it raises them with their sentence.
#include "python/src/module.hpp"

#include "python/src/copies.hpp"

#include <exception>

namespace tilewright::python {
namespace {

/// Copies what takes the processor less than handing over the interpreter's lock. post: false where it did nothing
bool copies_small(py::handle dst, py::handle src) noexcept {
  auto const is_known = [](py::handle a) { return PyObject_CheckBuffer(a.ptr()) != 0 || is_torch_tensor(a); };
  try {
    if (!is_known(dst) || !is_known(src)) return false;
    pair_of_tensors const p = read_pair(dst, src, 0);
    if (p.bytes >= worth_releasing) return false;
    copy_options options;
    options.stream = p.stream;
    if (p.bytes > 0) copy(p.src, p.dst, options);
    return true;
  } catch (std::exception const&) {
    PyErr_Clear();
    return false;
  }
}

PyObject* copy_two(PyObject* general, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (count == 2 && (names == nullptr || PyTuple_GET_SIZE(names) == 0) && copies_small(arguments[0], arguments[1]))
    return Py_NewRef(arguments[0]);
  return PyObject_Vectorcall(general, arguments, static_cast<std::size_t>(count), names);
}

}  // namespace

void bind_fast_copy(py::module_& m) {
  m.def("with_fast_path", [](py::function const& general) {
    static std::string const text = "copy_(dst, src, *, threads=0, overlap='temporary', tune=False)\n--\n\n" +
                                    general.attr("__doc__").cast<std::string>();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how the interpreter stores functions of this kind
    static PyMethodDef definition{"copy_", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&copy_two)),
                                  METH_FASTCALL | METH_KEYWORDS, text.c_str()};
    return py::reinterpret_steal<py::object>(
        PyCFunction_NewEx(&definition, general.ptr(), py::str("tilewright").ptr()));
  });
}

}  // namespace tilewright::python
