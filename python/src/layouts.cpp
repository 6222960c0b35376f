// Layouts: evaluated by the expression language of the command, so that Python has every operation that it has, under
// the same names, with the same sentences. A result crosses as its text and, where it is constant, as a function.
#include "python/src/module.hpp"

#include "apps/cli/conditions.hpp"
#include "apps/cli/expression.hpp"
#include "apps/cli/operations.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/analysis/linear.hpp"
#include "tilewright/engine/tensor_view.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace tilewright::python {
namespace {

namespace py = pybind11;

/// Integers as numbers, `_` as None, what has names as text; nested as the tuple is.
py::object python_of(int_tree const& t, subtree w, bool strides, text_style const& style) {
  if (t.is_kept(w)) return py::none();
  if (t.is_leaf(w)) {
    leaf const x = strides ? t.stride[w.leaf] : t.shape[w.leaf];
    if (x.is_static() && x.basis().empty()) return py::int_(x.number);
    return py::str(cli::format(x, style));
  }
  py::tuple out(static_cast<std::size_t>(t.rank(w)));
  subtree p = t.first_mode(w);
  for (int i = 0; i < t.rank(w); ++i, p = t.next(p)) out[static_cast<std::size_t>(i)] = python_of(t, p, strides, style);
  return out;
}

bool is_constant(layout_value const& a) {
  for (int i = 0; i < a.leaves; ++i)
    if (!a.shape[i].is_static() || !a.stride[i].is_static() || !a.stride[i].basis().empty()) return false;
  return true;
}

/// A layout of constants, ready to be asked.
struct layout_function {
  composed_value map;
  long long size = 0;

  long long operator()(long long index) const {
    if (index < 0 || index >= size)
      throw py::index_error(fmt::format("the index {} is outside of [0, {}), the indices of {}", index, size,
                                        map.swizzle.bits != 0 ? format_composed(map) : format_layout(map.layout)));
    return map.swizzle(map.offset.number + map.layout(index));
  }
  /// An integer of 0 or more: Python's, or another library's such as NumPy's. False for anything else.
  static bool read_index(py::handle x, long long& index) {
    py::object held;
    if (PyLong_CheckExact(x.ptr()) == 0) {
      if (PyBool_Check(x.ptr()) || PyIndex_Check(x.ptr()) == 0) return false;
      held = py::reinterpret_steal<py::object>(PyNumber_Index(x.ptr()));
      if (!held) {  // a number that is not known yet
        PyErr_Clear();
        return false;
      }
      x = held;
    }
    int overflows = 0;
    index = PyLong_AsLongLongAndOverflow(x.ptr(), &overflows);
    return overflows == 0 && index >= 0;
  }
  /// The offset of a coordinate of integers within the extents; None for any other, which the expression language answers.
  py::object at(py::tuple const& coordinate) const {
    long long offset = map.offset.number;
    layout_value const& a = map.layout;
    if (!a.is_tuple(a.root()) || !add_offset(coordinate, a.root(), offset)) return py::none();
    return py::int_(map.swizzle(offset));
  }
  bool add_offset(py::handle x, subtree w, long long& offset) const {
    layout_value const& a = map.layout;
    if (PyTuple_CheckExact(x.ptr()) != 0) {
      if (!a.is_tuple(w) || PyTuple_GET_SIZE(x.ptr()) != a.rank(w)) return false;
      subtree mode = a.first_mode(w);
      for (int i = 0, n = a.rank(w); i < n; ++i, mode = a.next(mode))
        if (!add_offset(PyTuple_GET_ITEM(x.ptr(), i), mode, offset)) return false;
      return true;
    }
    long long index = 0;
    if (!read_index(x, index)) return false;
    for (int i = w.leaf; i < w.leaf_end; index /= a.shape[i].number, ++i) {
      if (a.shape[i].number == 0) return false;
      offset += index % a.shape[i].number * a.stride[i].number;
    }
    return index == 0;  // what is left over is beyond the extents
  }
  std::vector<long long> offsets() const {
    constexpr long long largest = 1LL << 28;
    if (size > largest)
      throw layout_refusal(fmt::format("a list of {} offsets; offsets() gives up to {}", size, largest));
    std::vector<long long> out(static_cast<std::size_t>(size));
    for (long long i = 0; i < size; ++i) out[static_cast<std::size_t>(i)] = (*this)(i);
    return out;
  }
};

/// (kind, text, shape, stride, value, condition): shape and stride of layouts, value of integers, tuples and answers.
py::tuple answer(cli::operand const& result, cli::symbols& names) {
  text_style const style = names.style(false);
  py::object shape = py::none(), stride = py::none(), value = py::none();
  std::string kind = "tuple";
  auto const describe_layout = [&](layout_value const& a) {
    kind = "layout";
    shape = python_of(a, a.root(), false, style);
    stride = python_of(a, a.root(), true, style);
  };
  if (auto const* a = std::get_if<cli::layout_operand>(&result)) {
    describe_layout(a->layout);
    if (is_constant(a->layout)) value = py::cast(layout_function{composed(a->layout), size(a->layout).value()});
  } else if (auto const* s = std::get_if<composed_value>(&result)) {
    describe_layout(s->layout);
    if (is_constant(s->layout) && s->offset.is_static()) value = py::cast(layout_function{*s, size(s->layout).value()});
  } else if (std::holds_alternative<swizzle_value>(result)) {
    kind = "swizzle";
  } else if (bool const* b = std::get_if<bool>(&result)) {
    kind = "answer";
    value = py::bool_(*b);
  } else if (auto const* t = std::get_if<cli::tuple_operand>(&result); t->layout_at == cli::nowhere) {
    value = python_of(t->tree, t->tree.root(), false, style);
  }
  return py::make_tuple(kind, cli::format(result, style), shape, stride, value, cli::conditions(style));
}

template <class Read>
py::tuple evaluate(std::vector<std::string> const& stated, Read const& read) {
  try {
    cli::facts known;
    for (std::string const& fact : stated) known.read(fact);
    cli::symbols names(known);
    return answer(read(names), names);
  } catch (py::error_already_set const&) {
    throw;
  } catch (py::builtin_exception const&) {
    throw;
  } catch (std::exception const& e) {
    throw layout_refusal(e.what());
  }
}

/// The columns of the layout over GF(2): offset(i) = xor of columns[k] for each bit k of i.
/// error: LayoutError where the layout is not linear
std::vector<long long> to_linear(layout_function const& f) {
  constexpr long long largest = 1LL << 24;
  if (f.size > largest)
    throw layout_refusal(fmt::format("a layout of {} coordinates; to_linear takes up to {}", f.size, largest));
  std::vector<long long> const table = f.offsets();
  auto const map = analysis::affine_over_f2(table);
  if (!map || map->origin != 0)
    throw layout_refusal(
        fmt::format("{} is not linear over GF(2): its size must be a power of two, its offset 0, and offset(i xor j) = "
                    "offset(i) xor "
                    "offset(j)",
                    f.map.swizzle.bits != 0 ? format_composed(f.map) : format_layout(f.map.layout)));
  return {map->column.begin(), map->column.begin() + map->bits};
}

}  // namespace

void bind_layouts(py::module_& m) {
  py::register_exception<layout_refusal>(m, "LayoutError", PyExc_ValueError);
  py::class_<layout_function>(m, "Function")
      .def("__call__", &layout_function::operator())
      .def("at", &layout_function::at)
      .def("offsets", &layout_function::offsets)
      .def("to_linear", &to_linear)
      .def_readonly("size", &layout_function::size);
  m.def("evaluate", [](std::string const& text, std::vector<std::string> const& facts) {
    return evaluate(facts, [&](cli::symbols& names) { return cli::expression_reader(text, names).read(); });
  });
  m.def("operations", [] {
    py::list out;
    for (cli::operation_group const& group : cli::operation_groups())
      for (cli::operation const& op : group.operations)
        out.append(py::make_tuple(std::string(op.name), std::string(op.parameters), std::string(op.purpose),
                                  std::string(group.title)));
    return out;
  });
}

}  // namespace tilewright::python
