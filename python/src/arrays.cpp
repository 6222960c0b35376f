// Reads the four protocols by which Python libraries show their memory to each other.
#include "python/src/arrays.hpp"

#include "python/src/dlpack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <algorithm>
#include <numeric>
#include <string_view>

namespace tilewright::python {
namespace {

void fill_compact_strides(array_view& a) {
  a.strides.assign(a.shape.size(), 0);
  std::int64_t step = a.item_bytes;
  for (std::size_t i = a.shape.size(); i-- > 0; step *= a.shape[i]) a.strides[i] = step;
}

/// CuPy's arrays have the buffer protocol, and refuse it for memory of a GPU.
bool shows_gpu_memory(py::handle object) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())), "__cuda_array_interface__") != 0;
}

[[noreturn]] void refuse_write() {
  throw py::value_error(
      "the destination cannot be written: its memory is read-only; give an array that can be written");
}

/// The buffer protocol, without a format: NumPy then exports every dtype.
bool read_buffer(py::handle object, access how, array_view& out) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) return false;
  auto buffer = std::make_unique<Py_buffer>();
  int const flags = how == access::write ? PyBUF_STRIDED : PyBUF_STRIDED_RO;
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), flags) != 0) {
    py::error_already_set const refusal;  // takes the error, so that asking for an attribute does not clear it
    if (shows_gpu_memory(object)) return false;
    if (how == access::write && PyObject_GetBuffer(object.ptr(), buffer.get(), PyBUF_STRIDED_RO) == 0) {
      PyBuffer_Release(buffer.get());
      refuse_write();
    }
    PyErr_Clear();
    throw refusal;  // NOLINT(misc-throw-by-value-catch-by-reference): a copy of it
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

std::string type_name_of(py::handle object) { return py::str(object.get_type().attr("__name__")); }

/// "an Image", for messages.
std::string one_of(py::handle object) { return with_article(type_name_of(object)); }

/// post: false for what is no integer of 64 bits; an address above 2^63 is one
bool read_integer(py::handle x, std::int64_t& out, bool is_address = false) {
  if (PyIndex_Check(x.ptr()) == 0) return false;
  py::object const number = py::reinterpret_steal<py::object>(PyNumber_Index(x.ptr()));
  if (!number) throw py::error_already_set();
  out =
      is_address ? static_cast<std::int64_t>(PyLong_AsUnsignedLongLong(number.ptr())) : PyLong_AsLongLong(number.ptr());
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}

/// A tuple of integers of an interface's dictionary.
/// error: TypeError for anything else
std::vector<std::int64_t> integers(py::dict const& d, char const* key, char const* name, py::handle object) {
  py::object const given = d[key];
  std::vector<std::int64_t> out;
  bool valid = py::isinstance<py::tuple>(given) || py::isinstance<py::list>(given);
  if (valid)
    for (py::handle const x : given) valid = valid && read_integer(x, out.emplace_back());
  if (!valid)
    throw py::type_error(fmt::format("{} in the {} of {} is {}, and not a tuple of integers of 64 bits", key, name,
                                     one_of(object), std::string(py::repr(given))));
  return out;
}

[[noreturn]] void refuse_objects_of(py::handle object) {
  throw py::type_error(
      fmt::format("{} holds Python objects, which are counted and cannot be moved as bits", one_of(object)));
}

/// The bytes of an element: "<f4" has 4, "<U2" two characters of 4.
/// error: TypeError
std::int64_t bytes_of_type(std::string const& type, char const* name, py::handle object) {
  bool const known = type.size() > 2 && type.size() < 12 &&
                     std::string_view("<>|=").find(type[0]) != std::string_view::npos &&
                     type.find_first_not_of("0123456789", 2) == std::string::npos;
  if (!known || std::string_view("biufcSUVmMO").find(type[1]) == std::string_view::npos)
    throw py::type_error(
        fmt::format("typestr in the {} of {} is '{}', and not such as '<f4'", name, one_of(object), type));
  if (type[1] == 'O') refuse_objects_of(object);
  return std::stoll(type.substr(2)) * (type[1] == 'U' ? 4 : 1);
}

/// Are fields of an array interface's `descr`, a list of (name, type, shape), Python objects? Types are texts, or such lists.
bool fields_have_objects(py::handle fields) {
  if (py::isinstance<py::str>(fields)) {
    auto const type = fields.cast<std::string>();
    return type.size() > 1 && type[1] == 'O';
  }
  if (!py::isinstance<py::list>(fields)) return false;
  for (py::handle const field : fields) {
    bool const named = py::isinstance<py::tuple>(field) && py::len(field) >= 2;
    if (named && fields_have_objects(py::reinterpret_borrow<py::tuple>(field)[1])) return true;
  }
  return false;
}

/// `__array_interface__` and `__cuda_array_interface__` are dictionaries of the same form.
bool read_interface(py::handle object, char const* name, access how, array_view& out) {
  if (!py::hasattr(object, name)) return false;
  py::object const held = object.attr(name);
  // Memory under another address than the dictionary says: images of Pillow hand out bytes.
  bool const in_buffer = py::isinstance<py::dict>(held) && held.contains("data") &&
                         PyObject_CheckBuffer(py::object(held["data"]).ptr()) != 0;
  if (in_buffer) {
    out = view_of(py::module_::import("numpy").attr("asarray")(object), how, 0);
    return true;
  }
  bool const complete = py::isinstance<py::dict>(held) && held.contains("typestr") && held.contains("shape") &&
                        held.contains("data") && py::isinstance<py::str>(held["typestr"]) &&
                        py::isinstance<py::tuple>(held["data"]) && py::len(held["data"]) == 2;
  if (!complete)
    throw py::type_error(fmt::format(
        "the {} of {} is not a dictionary with typestr, shape and data = (address, read-only)", name, one_of(object)));
  auto const d = held.cast<py::dict>();
  auto const data = d["data"].cast<py::tuple>();
  if (d.contains("mask") && !d["mask"].is_none())
    throw py::type_error(fmt::format("{} has a mask beside its elements, which a copy would lose", one_of(object)));
  if (how == access::write && data[1].cast<bool>()) refuse_write();
  std::int64_t address = 0;
  if (!data[0].is_none() && !read_integer(data[0], address, true))
    throw py::type_error(fmt::format("the address in the {} of {} is {}, and not an integer of 64 bits", name,
                                     one_of(object), std::string(py::repr(data[0]))));
  out.data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  out.format = d["typestr"].cast<std::string>();
  out.item_bytes = bytes_of_type(out.format, name, object);
  if (d.contains("descr") && fields_have_objects(d["descr"])) refuse_objects_of(object);
  out.shape = integers(d, "shape", name, object);
  if (d.contains("strides") && !d["strides"].is_none()) out.strides = integers(d, "strides", name, object);
  else fill_compact_strides(out);
  bool const negative = std::any_of(out.shape.begin(), out.shape.end(), [](std::int64_t n) { return n < 0; });
  if (negative || out.strides.size() != out.shape.size())
    throw py::type_error(
        fmt::format("the {} of {} has the shape ({}) and the strides ({}): extents are 0 or more, and "
                    "each has a stride",
                    name, one_of(object), fmt::join(out.shape, ", "), fmt::join(out.strides, ", ")));
  out.keeper = py::reinterpret_borrow<py::object>(object);
  return true;
}

/// Takes a tensor out of its capsule; `deleter` is called when nothing holds it any more.
template <class Managed>
dlpack::tensor const& taken(py::object const& capsule, char const* name, char const* used, array_view& out) {
  auto* const t = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (t == nullptr) throw py::error_already_set();
  PyCapsule_SetName(capsule.ptr(), used);
  PyCapsule_SetDestructor(capsule.ptr(), nullptr);
  out.keeper = py::capsule(t, [](void* held) {
    auto* const m = static_cast<Managed*>(held);
    if (m->deleter != nullptr) m->deleter(m);
  });
  return t->of;
}

/// post: `pads` tells whether each element of less than a byte has a byte of its own
/// error: TypeError where it is no capsule of DLPack that is still to be taken, or of another major version; ValueError for
///        memory that cannot be written
dlpack::tensor const& tensor_in(py::object const& capsule, py::handle object, access how, bool& pads, array_view& out) {
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor") != 0)
    return taken<dlpack::managed_tensor>(capsule, "dltensor", "used_dltensor", out);
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") == 0)
    throw py::type_error(
        fmt::format("__dlpack__() of {} gives no capsule of DLPack, or one that is taken already", one_of(object)));
  auto const* const t =
      static_cast<dlpack::versioned_tensor const*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
  if (t->major != 1)
    throw py::type_error(fmt::format("__dlpack__() of {} gives a tensor of DLPack's version {}.{}; copies know 0 and 1",
                                     one_of(object), t->major, t->minor));
  if (how == access::write && (t->flags & dlpack::read_only) != 0) refuse_write();
  if (how == access::write && (t->flags & dlpack::is_a_copy) != 0)
    throw py::value_error(fmt::format(
        "the destination cannot be written: __dlpack__() of {} gives a copy of its memory, not the memory itself",
        one_of(object)));
  pads = (t->flags & dlpack::small_elements_are_padded) != 0;
  return taken<dlpack::versioned_tensor>(capsule, "dltensor_versioned", "used_dltensor_versioned", out);
}

/// The letter and the bytes of a number, as the array interface has them: "=f4"; "" for numbers that it does not know.
std::string format_of(dlpack::data_type const& type) {
  char const letter = type.code == 0 ? 'i' : type.code == 1 ? 'u' : type.code == 2 ? 'f' : type.code == 5 ? 'c' : 0;
  return letter == 0 || type.lanes != 1 || type.bits % 8 != 0 ? std::string()
                                                              : fmt::format("={}{}", letter, type.bits / 8);
}

/// What __dlpack__() gives. Exporters that know version 1 are asked for it: version 0 does not say which memory is read-only.
py::object exported(py::handle object, bool on_gpu, std::uintptr_t stream) {
  py::object const method = object.attr("__dlpack__");
  py::dict options;
  if (on_gpu) options["stream"] = stream == 0 ? std::uintptr_t{1} : stream;
  try {
    return method(py::arg("max_version") = py::make_tuple(1, 1), **options);
  } catch (py::error_already_set const& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return method(**options);
}

bool read_dlpack(py::handle object, std::uintptr_t stream, access how, array_view& out) {
  if (!py::hasattr(object, "__dlpack__")) return false;
  py::object const place = py::getattr(object, "__dlpack_device__", py::none());
  py::object const told = place.is_none() ? place : place();
  std::int64_t kind = 0, ordinal = 0;
  if (!py::isinstance<py::tuple>(told) || py::len(told) != 2 || !read_integer(told[py::int_(0)], kind) ||
      !read_integer(told[py::int_(1)], ordinal))
    throw py::type_error(fmt::format("__dlpack_device__() of {} gives {}, and not (kind, number) of a device",
                                     one_of(object), std::string(py::repr(told))));
  bool const on_gpu = kind == dlpack::cuda || kind == dlpack::cuda_managed;
  if (!on_gpu && kind != dlpack::cpu && kind != dlpack::cuda_host)
    throw py::type_error(
        fmt::format("the tensor is on a device of DLPack's kind {}; copies know CPU and CUDA memory", kind));
  py::object const capsule = exported(object, on_gpu, stream);
  bool pads = false;
  dlpack::tensor const& d = tensor_in(capsule, object, how, pads, out);
  int const bits = (pads ? (d.type.bits + 7) / 8 * 8 : d.type.bits) * d.type.lanes;
  if (bits % 8 != 0)
    throw py::type_error(fmt::format("elements of {} bits have no whole bytes; copy them packed, as uint8", bits));
  out.item_bytes = bits / 8;
  out.data = static_cast<char*>(d.data) + d.byte_offset;
  out.shape.assign(d.shape, d.shape + d.rank);
  if (d.strides == nullptr) fill_compact_strides(out);
  else
    for (int i = 0; i < d.rank; ++i) out.strides.push_back(d.strides[i] * out.item_bytes);
  if (on_gpu) out.where = cuda(static_cast<int>(ordinal));
  out.format = format_of(d.type);
  return true;
}

/// Has a format of the buffer protocol Python objects? "T{<i:count:O:name:}" has.
bool format_has_objects(std::string_view format) {
  bool in_name = false;
  for (char const c : format) {
    if (c == ':') in_name = !in_name;
    else if (c == 'O' && !in_name) return true;
  }
  return false;
}

/// The format of memory that says no dtype, such as arrays of ctypes.
/// error: TypeError where it has Python objects
void read_format(py::handle object, array_view& a) {
  if (a.dtype || !a.format.empty() || PyObject_CheckBuffer(object.ptr()) == 0) return;
  Py_buffer buffer;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_RECORDS_RO) != 0) return PyErr_Clear();
  if (buffer.format != nullptr) a.format = buffer.format;
  PyBuffer_Release(&buffer);
  if (a.item_bytes % static_cast<std::int64_t>(sizeof(PyObject*)) == 0 && format_has_objects(a.format))
    throw py::type_error("the memory holds Python objects, which are counted and cannot be moved as bits");
}

/// What is looked up in PyTorch once, when a program that has imported it first hands over a tensor.
struct torch_module {
  py::object tensor, parameter, strided, raw_stream;
  py::str layout{"layout"}, is_conj{"is_conj"}, is_neg{"is_neg"}, is_cuda{"is_cuda"}, is_cpu{"is_cpu"},
      get_device{"get_device"}, data_ptr{"data_ptr"}, shape{"shape"}, stride{"stride"}, element_size{"element_size"},
      dtype{"dtype"};
};

/// Null where PyTorch is not imported, or not yet in full.
torch_module const* the_torch() {
  static torch_module const* found = nullptr;  // for the rest of the process: modules are not unloaded
  if (found != nullptr) return found;
  PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
  if (module == nullptr || PyObject_HasAttrString(module, "nn") == 0) return nullptr;
  try {
    py::handle const torch(module);
    auto out = std::make_unique<torch_module>();
    out->tensor = torch.attr("Tensor");
    out->parameter = torch.attr("nn").attr("Parameter");
    out->strided = torch.attr("strided");
    out->raw_stream = py::getattr(torch.attr("_C"), "_cuda_getCurrentRawStream", py::none());
    found = out.release();
  } catch (py::error_already_set const&) {
    return nullptr;  // PyTorch is being imported
  }
  return found;
}

py::object call(py::handle object, py::str const& method) {
  PyObject* const out = PyObject_CallMethodNoArgs(object.ptr(), method.ptr());
  if (out == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(out);
}
py::object attribute(py::handle object, py::str const& name) {
  PyObject* const out = PyObject_GetAttr(object.ptr(), name.ptr());
  if (out == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(out);
}
void append_integers(py::object const& tuple, std::vector<std::int64_t>& out, std::int64_t factor) {
  for (Py_ssize_t i = 0, n = PyTuple_GET_SIZE(tuple.ptr()); i < n; ++i)
    out.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(tuple.ptr(), i)) * factor);
}

/// Tensors of PyTorch by their attributes: an export as DLPack takes several times as long.
bool read_torch(py::handle object, array_view& out) {
  if (!is_torch_tensor(object)) return false;
  torch_module const& t = *the_torch();
  bool const on_gpu = attribute(object, t.is_cuda).ptr() == Py_True;
  if (!attribute(object, t.layout).is(t.strided) || (!on_gpu && attribute(object, t.is_cpu).ptr() != Py_True))
    throw py::type_error(
        fmt::format("a {} tensor on {} has no strides in memory that copies reach; copies take strided "
                    "tensors on a CPU or a CUDA device",
                    std::string(py::str(attribute(object, t.layout))), std::string(py::str(object.attr("device")))));
  if (call(object, t.is_conj).ptr() == Py_True || call(object, t.is_neg).ptr() == Py_True)
    throw py::type_error(
        "the tensor is a view that conjugates or negates when it is read, and a copy moves what is in memory; give "
        "x.resolve_conj() or x.resolve_neg()");
  out.item_bytes = call(object, t.element_size).cast<std::int64_t>();
  out.data = reinterpret_cast<void*>(call(object, t.data_ptr).cast<std::uintptr_t>());
  append_integers(attribute(object, t.shape), out.shape, 1);
  append_integers(call(object, t.stride), out.strides, out.item_bytes);
  out.dtype = attribute(object, t.dtype);
  if (on_gpu) out.where = cuda(call(object, t.get_device).cast<int>());
  out.keeper = py::reinterpret_borrow<py::object>(object);
  out.of_torch = true;
  return true;
}

/// The class of NumPy's arrays; null where NumPy is not imported, or not yet in full.
PyObject* numpy_array_class() {
  static PyObject* found = nullptr;  // for the rest of the process: modules are not unloaded
  if (found != nullptr) return found;
  PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (module == nullptr) return nullptr;
  found = PyObject_GetAttrString(module, "ndarray");
  if (found == nullptr) PyErr_Clear();
  return found;
}

/// The bytes of an element of NumPy's dtype; that of the last one is kept.
std::int64_t bytes_of_dtype(py::object const& dtype) {
  static py::object& last = *new py::object;  // lives as long as the process: the interpreter ends before it
  static std::int64_t bytes = 0;
  if (!dtype.is(last)) {
    bytes = dtype.attr("itemsize").cast<std::int64_t>();
    last = dtype;
  }
  return bytes;
}

/// Arrays of NumPy itself by their members: an export by the buffer protocol takes several times as long.
/// post: false for other objects, and for arrays whose memory may not simply be written
bool read_numpy(py::handle object, access how, array_view& out) {
  constexpr int warns_of_writes = static_cast<int>(1U << 31);
  if (reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) != numpy_array_class()) return false;
  auto const array = py::reinterpret_borrow<py::array>(object);
  if (how == access::write && (!array.writeable() || (array.flags() & warns_of_writes) != 0)) return false;
  out.data = const_cast<void*>(array.data());
  out.dtype = array.dtype();
  out.item_bytes = bytes_of_dtype(out.dtype);
  out.shape.assign(array.shape(), array.shape() + array.ndim());
  out.strides.assign(array.strides(), array.strides() + array.ndim());
  out.keeper = array;
  return true;
}

/// Classes derived from NumPy's array may hold what a copy of the memory would lose.
void refuse_masked(py::handle object) {
  PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy.ma");
  if (module == nullptr || std::string_view(Py_TYPE(object.ptr())->tp_name) == "numpy.ndarray") return;
  if (py::isinstance(object, py::handle(module).attr("MaskedArray")))
    throw py::type_error(
        "a masked array has a mask beside its elements, which a copy would lose; give x.data or x.filled()");
}

/// NumPy's scalars of times show 8 bytes in place of one element.
bool shows_other_elements(array_view const& a) {
  return a.dtype && py::hasattr(a.dtype, "itemsize") && a.dtype.attr("itemsize").cast<std::int64_t>() != a.item_bytes;
}

std::int64_t power_of_two_in(std::int64_t x) { return x == 0 ? 16 : x & -x; }

}  // namespace

bool is_torch_tensor(py::handle object) {
  torch_module const* const t = the_torch();
  auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()));
  return t != nullptr && (type == t->tensor.ptr() || type == t->parameter.ptr());
}

std::uintptr_t torch_stream(int ordinal) {
  torch_module const* const t = the_torch();
  if (t == nullptr || t->raw_stream.is_none()) return 1;
  auto const stream = t->raw_stream(ordinal).cast<std::uintptr_t>();
  return stream == 0 ? 1 : stream;
}

array_view view_of(py::handle object, access how, std::uintptr_t stream) {
  array_view out;
  if (read_numpy(object, how, out) || read_torch(object, out)) return out;
  bool const found = read_buffer(object, how, out) || read_interface(object, "__array_interface__", how, out) ||
                     read_dlpack(object, stream, how, out) ||
                     read_interface(object, "__cuda_array_interface__", how, out);
  if (!found && how == access::read && py::hasattr(object, "__array__")) {
    py::object const array = py::module_::import("numpy").attr("asarray")(object);
    if (PyObject_CheckBuffer(array.ptr()) != 0) return view_of(array, how, stream);
  }
  if (!found)
    throw py::type_error(
        fmt::format("{} shows no memory; copies take objects with the buffer protocol, DLPack, __array_interface__ or "
                    "__cuda_array_interface__, such as arrays of NumPy and tensors of PyTorch",
                    one_of(object)));
  PyObject* const dtype = PyObject_GetAttrString(object.ptr(), "dtype");
  if (dtype == nullptr) PyErr_Clear();
  else if (!out.dtype) out.dtype = py::reinterpret_steal<py::object>(dtype);
  else Py_DECREF(dtype);
  refuse_masked(object);
  if (how == access::read && out.shape.size() == 1 && shows_other_elements(out)) {
    py::object const array = py::module_::import("numpy").attr("asarray")(object);
    if (!array.is(object)) return view_of(array, how, stream);
  }
  read_format(object, out);
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

std::string with_article(std::string const& words) {
  bool const vowel = !words.empty() && std::string_view("aeioAEIO8").find(words[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + words;
}

std::string describe(array_view const& a) {
  std::string const type = a.dtype            ? std::string(py::str(a.dtype))
                           : a.format.empty() ? fmt::format("{}-byte", a.item_bytes)
                                              : fmt::format("{}-byte '{}'", a.item_bytes, a.format);
  std::string const shape =
      a.shape.size() == 1 ? fmt::format("({},)", a.shape[0]) : fmt::format("({})", fmt::join(a.shape, ", "));
  return with_article(fmt::format("{} array of shape {}", type, shape));
}

}  // namespace tilewright::python
