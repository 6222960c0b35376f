// copy_ and plans: the engine's copy between what Python shows as arrays.
#include "python/src/copies.hpp"
#include "python/src/module.hpp"

#include "engine/plan_cache.hpp"
#include "tilewright/plan/prove.hpp"
#include "tilewright/render/plot.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <algorithm>
#include <bit>
#include <chrono>
#include <string_view>
#include <thread>

namespace tilewright::python {
namespace {

constexpr std::int64_t worth_interrupting = 1 << 25;

/// A source of fewer axes, or with extents of 1, is repeated along the destination's, as NumPy does it.
/// error: ValueError, with both shapes
void broadcast_to(array_view& src, array_view const& dst) {
  auto const refuse = [&] {
    throw py::value_error(fmt::format("{} cannot fill {}: the shapes differ; extents must be equal, or 1 in the source",
                                      describe(src), describe(dst)));
  };
  if (src.shape == dst.shape) return;
  if (src.shape.size() > dst.shape.size()) refuse();
  std::size_t const missing = dst.shape.size() - src.shape.size();
  src.shape.insert(src.shape.begin(), missing, 1);
  src.strides.insert(src.strides.begin(), missing, 0);
  for (std::size_t i = 0; i < dst.shape.size(); ++i) {
    if (src.shape[i] == dst.shape[i]) continue;
    if (src.shape[i] != 1) refuse();
    src.shape[i] = dst.shape[i];
    src.strides[i] = 0;
  }
}

/// The element types of two libraries by their names: torch.float32 is float32.
bool same_name(py::object const& a, py::object const& b) {
  auto const name = [](py::object const& dtype) {
    std::string text = py::str(dtype);
    return text.starts_with("torch.") ? text.substr(6) : text;
  };
  return Py_TYPE(a.ptr()) != Py_TYPE(b.ptr()) && name(a) == name(b);
}

/// Numbers of several bytes: what they are, and are their bytes swapped?  `kind` is NumPy's letter, 0 where it is not known.
struct number_kind {
  char kind = 0;
  bool swapped = false;
};

number_kind number_of(array_view const& a) {
  number_kind out;
  if (a.item_bytes == 1) return out;
  char order = '=';
  auto const read = [&](std::string const& text) { order = text[0], out.kind = text[1]; };  // such as "<f4"
  if (a.of_torch) {
    std::string const name = py::str(a.dtype);  // such as "torch.float32"
    if (name.size() > 6 && std::string_view("iufc").find(name[6]) != std::string_view::npos) out.kind = name[6];
  } else if (a.dtype) {
    std::string const text = py::str(py::getattr(a.dtype, "str", py::str("")));
    if (text.size() > 2) read(text);
  } else if (a.format.size() > 2 && a.format.back() >= '0' && a.format.back() <= '9' &&
             std::string_view("<>|=").find(a.format[0]) != std::string_view::npos) {
    read(a.format);  // of an array interface, or of DLPack
    if (out.kind == 'V') out.kind = 0;
  } else if (a.format.size() == 1 ||
             (a.format.size() == 2 && std::string_view("@=<>!").find(a.format[0]) != std::string_view::npos)) {
    if (a.format.size() == 2) order = a.format[0];
    char const letter = a.format.back();
    if (std::string_view("hilqn").find(letter) != std::string_view::npos) out.kind = 'i';
    if (std::string_view("HILQN").find(letter) != std::string_view::npos) out.kind = 'u';
    if (std::string_view("efdg").find(letter) != std::string_view::npos) out.kind = 'f';
  }
  out.swapped = order == '>' || order == '!';
  return out;
}

/// Memory without a dtype says by its format what its numbers are.
bool numbers_differ(array_view const& src, array_view const& dst) {
  if (src.format.empty() && dst.format.empty()) return false;
  number_kind const a = number_of(src), b = number_of(dst);
  return a.kind != 0 && b.kind != 0 && (a.kind != b.kind || a.swapped != b.swapped);
}

void check_elements(array_view const& src, array_view const& dst) {
  bool const differ = src.item_bytes != dst.item_bytes || numbers_differ(src, dst) ||
                      (src.dtype && dst.dtype && !src.dtype.is(dst.dtype) && !same_name(src.dtype, dst.dtype) &&
                       !(Py_TYPE(src.dtype.ptr()) == Py_TYPE(dst.dtype.ptr()) && src.dtype.equal(dst.dtype)));
  if (differ)
    throw py::type_error(fmt::format("{} into {}: a copy converts nothing; give both sides one element type",
                                     describe(src), describe(dst)));
}

/// Elements that are pointers to Python's objects are counted, which moving bits does not do.
/// error: TypeError
void refuse_objects(array_view const& a) {
  if (a.of_torch || !a.dtype || a.item_bytes % static_cast<std::int64_t>(sizeof(PyObject*)) != 0) return;
  py::object const has = py::getattr(a.dtype, "hasobject", py::none());
  if (has.ptr() == Py_True)
    throw py::type_error(fmt::format(
        "{} holds Python objects, which are counted and cannot be moved as bits; copy it with NumPy", describe(a)));
}

}  // namespace

pair_of_tensors read_pair(py::handle dst, py::handle src, std::uintptr_t stream, reshaping const& to,
                          reshaping const& from) {
  pair_of_tensors p{view_of(src, access::read, stream), view_of(dst, access::write, stream), {}, {}, 0};
  array_view const& on_gpu = p.to.where.kind == device_kind::cuda ? p.to : p.from;
  if (on_gpu.where.kind == device_kind::cuda)
    p.stream = reinterpret_cast<void*>(stream == 0 && on_gpu.of_torch ? torch_stream(on_gpu.where.ordinal) : stream);
  to.apply(p.to);
  from.apply(p.from);
  check_elements(p.from, p.to);
  refuse_objects(p.to);
  if (!p.to.dtype) refuse_objects(p.from);
  broadcast_to(p.from, p.to);
  std::int64_t const unit = std::min(common_unit(p.from), common_unit(p.to));
  p.src = tensor_of(p.from, unit);
  p.dst = tensor_of(p.to, unit);
  p.bytes = p.to.item_bytes;
  for (std::int64_t const extent : p.to.shape) p.bytes *= extent;
  return p;
}

namespace {

on_overlap overlap_named(std::string const& name) {
  if (name == "temporary") return on_overlap::through_temporary;
  if (name == "refuse") return on_overlap::refuse;
  throw py::value_error(fmt::format("overlap is '{}'; it is 'temporary' or 'refuse'", name));
}

/// Lets Ctrl-C stop a long copy: signals are seen by the thread that called, which works on the copy as well.
bool keeps_going(std::thread::id caller) {
  if (std::this_thread::get_id() != caller) return true;
  py::gil_scoped_acquire const gil;
  return PyErr_CheckSignals() == 0;
}

template <class Copy>
void run_copy(std::int64_t bytes, copy_options options, Copy const& copy) {
  if (bytes < worth_releasing && options.stream == nullptr) return copy(options);
  bool const on_cpu = options.stream == nullptr && bytes >= worth_interrupting;
  if (on_cpu)
    options.progress = [caller = std::this_thread::get_id()](std::int64_t, std::int64_t) {
      return keeps_going(caller);
    };
  try {
    py::gil_scoped_release const free;
    copy(options);
  } catch (copy_error const& e) {
    if (e.code() == copy_errc::cancelled && PyErr_Occurred() != nullptr) throw py::error_already_set();
    throw;
  }
}

void copy_arrays(py::handle dst, py::handle src, int threads, std::string const& overlap, bool tune,
                 std::uintptr_t stream, reshaping const& to, reshaping const& from) {
  pair_of_tensors const p = read_pair(dst, src, stream, to, from);
  copy_options options;
  options.threads = threads;
  options.overlap = overlap_named(overlap);
  options.tune = tune;
  options.stream = p.stream;
  if (p.bytes == 0) return;
  run_copy(p.bytes, options, [&](copy_options const& o) { copy(p.src, p.dst, o); });
}

/// A plan with the arrays that it was made for, ready to run.
struct array_plan {
  pair_of_tensors of;
  std::shared_ptr<engine::ready_plan const> ready;
  int threads = 0;

  copy_plan const& plan() const { return ready->plan; }

  void run(std::uintptr_t stream) const {
    if (of.bytes == 0) return;
    copy_options options;
    options.threads = threads;
    if (of.dst.where.kind == device_kind::cuda) {
      if (stream == 0 && of.to.of_torch) stream = torch_stream(of.to.where.ordinal);
      options.stream = reinterpret_cast<void*>(stream);
      if (of.bytes < worth_releasing) return engine::run_ready(*ready, of.src.pointer, of.dst.pointer, options);
    }
    run_copy(of.bytes, options,
             [&](copy_options const& o) { engine::run_ready(*ready, of.src.pointer, of.dst.pointer, o); });
  }
};

/// error: CopyError where the two share memory: a plan reads while it writes
void refuse_overlap(engine::ready_plan const& ready, pair_of_tensors const& p) {
  bool const apart = p.bytes == 0 || engine::lie_apart(ready.reach, p.src.pointer, p.dst.pointer);
  if (!apart && engine::overlap_of(ready.plan.moves, p.src, p.dst) == engine::overlap::some)
    throw copy_error(copy_errc::overlapping,
                     fmt::format("the source at {} and the destination at {} share memory, so a plan would overwrite "
                                 "elements before they are read; copy_ copies through temporary memory",
                                 p.src.pointer, p.dst.pointer));
}

/// error: as refuse_overlap(), and those of a plan
array_plan plan_of(pair_of_tensors of, int threads) {
  array_plan out{std::move(of), {}, threads};
  copy_options options;
  options.threads = threads;
  out.ready = engine::make_ready(plan_for(out.of.src, out.of.dst, options), out.of.dst.where);
  refuse_overlap(*out.ready, out.of);
  return out;
}

/// Seconds of one copy of the plan's arrays by a loop of this library's own, which is what a caller in C++ or C has: by copy(), which
/// finds the plan, or by the plan itself.
double seconds_without_python(array_plan const& p, int rounds, bool by_plan) {
  if (rounds < 1 || p.of.dst.where.kind == device_kind::cuda)
    throw py::value_error("rounds of a loop on the CPU are 1 or more");
  copy_options options;
  options.threads = p.threads;
  auto const begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    if (by_plan) engine::run_ready(*p.ready, p.of.src.pointer, p.of.dst.pointer, options);
    else copy(p.of.src, p.of.dst, options);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds;
}

array_plan make_plan(py::handle dst, py::handle src, int threads, std::uintptr_t stream) {
  return plan_of(read_pair(dst, src, stream), threads);
}

/// A plan counts on the alignment of the arrays that it was made for, up to a cache line.
bool is_aligned_as(void const* p, void const* planned) {
  auto const lowest = [](void const* x) { return std::countr_zero(reinterpret_cast<std::uintptr_t>(x) | 64U); };
  return lowest(p) >= lowest(planned);
}

/// The same copy of other arrays.
/// cost: no new plan, unless an array is aligned less than the one that the plan was made for
/// error: TypeError for another number of arrays, ValueError for other layouts
void run_with(array_plan const& p, py::args const& arrays, std::uintptr_t stream) {
  if (arrays.empty()) return p.run(stream);
  if (arrays.size() != 2)
    throw py::type_error(
        fmt::format("run() takes no arrays, or a destination and a source, and {} are given", arrays.size()));
  pair_of_tensors other = read_pair(arrays[0], arrays[1], stream);
  auto const same = [](array_view const& a, array_view const& b) {
    return a.shape == b.shape && a.strides == b.strides && a.item_bytes == b.item_bytes && a.where.kind == b.where.kind;
  };
  if (!same(p.of.to, other.to) || !same(p.of.from, other.from))
    throw py::value_error(
        fmt::format("the plan is of {} into {} with their strides, and the arrays are {} and {}; make a plan for them",
                    describe(p.of.from), describe(p.of.to), describe(other.from), describe(other.to)));
  bool const fits = p.of.src.element == other.src.element && p.of.to.where.ordinal == other.to.where.ordinal &&
                    p.of.from.where.ordinal == other.from.where.ordinal &&
                    is_aligned_as(other.src.pointer, p.of.src.pointer) &&
                    is_aligned_as(other.dst.pointer, p.of.dst.pointer);
  if (!fits) return plan_of(std::move(other), p.threads).run(stream);
  refuse_overlap(*p.ready, other);
  array_plan{std::move(other), p.ready, p.threads}.run(stream);
}

}  // namespace

void bind_copies(py::module_& m) {
  m.def(
      "copy_",
      [](py::handle dst, py::handle src, int threads, std::string const& overlap, bool tune, std::uintptr_t stream) {
        copy_arrays(dst, src, threads, overlap, tune, stream, {}, {});
      },
      py::arg("dst"), py::arg("src"), py::kw_only(), py::arg("threads") = 0, py::arg("overlap") = "temporary",
      py::arg("tune") = false, py::arg("stream") = 0);
  m.def(
      "copy_strided",
      [](py::handle dst, py::handle src, std::vector<std::int64_t> shape, std::vector<std::int64_t> dst_strides,
         std::vector<std::int64_t> src_strides, int threads, std::uintptr_t stream) {
        copy_arrays(dst, src, threads, "temporary", false, stream, {shape, std::move(dst_strides)},
                    {shape, std::move(src_strides)});
      },
      py::arg("dst"), py::arg("src"), py::arg("shape"), py::arg("dst_strides"), py::arg("src_strides"), py::kw_only(),
      py::arg("threads") = 0, py::arg("stream") = 0);
  m.def("strides_of", [](py::handle array) {
    array_view const a = view_of(array, access::read);
    return py::make_tuple(a.shape, a.strides, a.item_bytes);
  });
  m.def("torch_stream", &torch_stream);
  // (address, shape, strides in bytes, bytes of an element, GPU's number or -1, what keeps the memory)
  m.def(
      "memory_of",
      [](py::handle array, std::uintptr_t stream) {
        array_view const a = view_of(array, access::read, stream);
        int const gpu = a.where.kind == device_kind::cuda ? a.where.ordinal : -1;
        return py::make_tuple(reinterpret_cast<std::uintptr_t>(a.data), a.shape, a.strides, a.item_bytes, gpu,
                              a.keeper);
      },
      py::arg("array"), py::arg("stream") = 0);

  py::class_<array_plan>(m, "Plan")
      .def("run", &run_with, py::kw_only(), py::arg("stream") = 0)
      .def("seconds_without_python", &seconds_without_python, py::arg("rounds"), py::kw_only(), py::arg("by_plan"))
      .def("explain", [](array_plan const& p) { return explain(p.plan()); })
      .def("json", [](array_plan const& p) { return to_json(p.plan()); })
      .def("proof", [](array_plan const& p) { return prove(p.plan()).failure; })
      .def("draw", [](array_plan const& p, std::string const& as) { return draw(render::plan_scene(p.plan()), as); })
      .def_property_readonly("bytes", [](array_plan const& p) { return p.plan().bytes; })
      .def_property_readonly("seconds", [](array_plan const& p) { return p.plan().seconds; })
      .def_property_readonly("reasons", [](array_plan const& p) { return p.plan().reasons; });
  m.def("plan", &make_plan, py::arg("dst"), py::arg("src"), py::kw_only(), py::arg("threads") = 0,
        py::arg("stream") = 0);
  m.def(
      "is_settled",
      [](py::handle dst, py::handle src, int threads, std::uintptr_t stream) {
        pair_of_tensors const p = read_pair(dst, src, stream, {}, {});
        copy_options options;
        options.threads = threads;
        options.stream = p.stream;
        return p.bytes == 0 || is_settled(p.src, p.dst, options);
      },
      py::arg("dst"), py::arg("src"), py::kw_only(), py::arg("threads") = 0, py::arg("stream") = 0);
}

}  // namespace tilewright::python
