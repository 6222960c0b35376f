// Reads the four protocols by which Python libraries show their memory to each other.
#include "python/src/arrays.hpp"

#include "python/src/dlpack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace tilewright::python {
namespace {

void fill_compact_strides(array_view& a) {
  a.strides.assign(a.shape.size(), 0);
  std::int64_t step = a.item_bytes;
  for (std::size_t i = a.shape.size(); i-- > 0; step *= a.shape[i]) a.strides[i] = step;
}

/// The buffer protocol, without a format: NumPy then exports every dtype.
bool read_buffer(py::handle object, access how, array_view& out) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) return false;
  auto buffer = std::make_unique<Py_buffer>();
  int const flags = how == access::write ? PyBUF_STRIDED : PyBUF_STRIDED_RO;
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), flags) != 0) {
    if (how == access::write) {
      PyErr_Clear();
      throw py::value_error(
          "the destination cannot be written: its memory is read-only; give an array that can be written");
    }
    throw py::error_already_set();
  }
  out.data = buffer->buf;
  out.item_bytes = buffer->itemsize;
  out.shape.assign(buffer->shape, buffer->shape + buffer->ndim);
  if (buffer->strides != nullptr) out.strides.assign(buffer->strides, buffer->strides + buffer->ndim);
  else fill_compact_strides(out);
  out.keeper = py::capsule(buffer.release(), [](void* held) {
    auto* const b = static_cast<Py_buffer*>(held);
    PyBuffer_Release(b);
    delete b;
  });
  return true;
}

std::vector<std::int64_t> integers(py::handle sequence) {
  std::vector<std::int64_t> out;
  for (py::handle const x : sequence) out.push_back(x.cast<std::int64_t>());
  return out;
}

/// `__array_interface__` and `__cuda_array_interface__` are dictionaries of the same form.
bool read_interface(py::handle object, char const* name, access how, array_view& out) {
  if (!py::hasattr(object, name)) return false;
  auto const d = object.attr(name).cast<py::dict>();
  auto const type = d["typestr"].cast<std::string>();
  auto const data = d["data"].cast<py::tuple>();
  if (how == access::write && data[1].cast<bool>())
    throw py::value_error(
        "the destination cannot be written: its memory is read-only; give an array that can be written");
  out.data = reinterpret_cast<void*>(data[0].cast<std::uintptr_t>());
  out.item_bytes = std::stoll(type.substr(2)) * (type[1] == 'U' ? 4 : 1);
  out.shape = integers(d["shape"]);
  if (d.contains("strides") && !d["strides"].is_none()) out.strides = integers(d["strides"]);
  else fill_compact_strides(out);
  out.keeper = py::reinterpret_borrow<py::object>(object);
  return true;
}

/// Calls `deleter` of a tensor that was taken out of its capsule.
void release_dlpack(void* held) {
  auto* const t = static_cast<dlpack::managed_tensor*>(held);
  if (t->deleter != nullptr) t->deleter(t);
}

bool read_dlpack(py::handle object, std::uintptr_t stream, array_view& out) {
  if (!py::hasattr(object, "__dlpack__")) return false;
  auto const place = object.attr("__dlpack_device__")().cast<py::tuple>();
  auto const kind = place[0].cast<int>();
  bool const on_gpu = kind == dlpack::cuda || kind == dlpack::cuda_managed;
  if (!on_gpu && kind != dlpack::cpu && kind != dlpack::cuda_host)
    throw py::type_error(
        fmt::format("the tensor is on a device of DLPack's kind {}; copies know CPU and CUDA memory", kind));
  py::object const capsule =
      on_gpu ? object.attr("__dlpack__")(py::arg("stream") = stream == 0 ? std::uintptr_t{1} : stream)
             : object.attr("__dlpack__")();
  auto* const t = static_cast<dlpack::managed_tensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (t == nullptr) throw py::error_already_set();
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  PyCapsule_SetDestructor(capsule.ptr(), nullptr);
  out.keeper = py::capsule(t, release_dlpack);
  dlpack::tensor const& d = t->of;
  int const bits = d.type.bits * d.type.lanes;
  if (bits % 8 != 0)
    throw py::type_error(fmt::format("elements of {} bits have no whole bytes; copy them packed, as uint8", bits));
  out.item_bytes = bits / 8;
  out.data = static_cast<char*>(d.data) + d.byte_offset;
  out.shape.assign(d.shape, d.shape + d.rank);
  if (d.strides == nullptr) fill_compact_strides(out);
  else
    for (int i = 0; i < d.rank; ++i) out.strides.push_back(d.strides[i] * out.item_bytes);
  if (on_gpu) out.where = cuda(place[1].cast<int>());
  return true;
}

std::int64_t power_of_two_in(std::int64_t x) { return x == 0 ? 16 : x & -x; }

}  // namespace

array_view view_of(py::handle object, access how, std::uintptr_t stream) {
  array_view out;
  bool const found = read_buffer(object, how, out) || read_interface(object, "__array_interface__", how, out) ||
                     read_dlpack(object, stream, out) || read_interface(object, "__cuda_array_interface__", how, out);
  if (!found)
    throw py::type_error(fmt::format(
        "a {} shows no memory; copies take objects with the buffer protocol, DLPack, __array_interface__ or "
        "__cuda_array_interface__, such as arrays of NumPy and tensors of PyTorch",
        std::string(py::str(object.get_type().attr("__name__")))));
  PyObject* const dtype = PyObject_GetAttrString(object.ptr(), "dtype");
  if (dtype != nullptr) out.dtype = py::reinterpret_steal<py::object>(dtype);
  else PyErr_Clear();
  return out;
}

std::int64_t common_unit(array_view const& a) {
  std::int64_t unit = std::min<std::int64_t>(16, power_of_two_in(a.item_bytes));
  for (std::size_t i = 0; i < a.strides.size(); ++i)
    if (a.shape[i] > 1) unit = std::min(unit, power_of_two_in(a.strides[i]));
  // A GPU's loads and stores need addresses that are multiples of the element.
  if (a.where.kind == device_kind::cuda)
    unit = std::min(unit, power_of_two_in(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(a.data))));
  return unit;
}

tensor_view tensor_of(array_view const& a, std::int64_t unit) {
  bool const splits = a.item_bytes != unit;
  auto const rank = static_cast<int>(a.shape.size()) + (splits ? 1 : 0);
  if (rank > int_tree::leaf_capacity)
    throw py::value_error(
        fmt::format("an array of {} axes; a layout has at most {}", a.shape.size(), int_tree::leaf_capacity - 1));
  layout_value layout{};
  if (rank == 0) layout = layout_value(leaf_tree(constant_leaf(1)));
  else layout.open(rank);
  if (splits) layout.add_leaf(constant_leaf(a.item_bytes / unit), constant_leaf(1));
  for (std::size_t i = a.shape.size(); i-- > 0;)
    layout.add_leaf(constant_leaf(a.shape[i]), constant_leaf(a.strides[i] / unit));
  element_type const element = unit == 1   ? element_type::b8
                               : unit == 2 ? element_type::b16
                               : unit == 4 ? element_type::b32
                               : unit == 8 ? element_type::b64
                                           : element_type::b128;
  return {a.data, composed(layout), element, a.where};
}

std::string describe(array_view const& a) {
  std::string const type = a.dtype ? std::string(py::str(a.dtype)) : fmt::format("{}-byte", a.item_bytes);
  std::string const shape =
      a.shape.size() == 1 ? fmt::format("({},)", a.shape[0]) : fmt::format("({})", fmt::join(a.shape, ", "));
  return fmt::format("{} array of shape {}", type, shape);
}

}  // namespace tilewright::python
