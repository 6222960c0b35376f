// Copies of the tensor memory accelerator for kernels in Python: the plan of a copy, by the same rules as make_tma_copy; what a box
// of a map covers on the host, as the library's host bodies see it; and the driver's encoding of a map for a GPU.
#include "python/src/module.hpp"

#include "apps/cli/conditions.hpp"
#include "apps/cli/expression.hpp"
#include "apps/cli/symbols.hpp"
#include "engine/cuda/device.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/machine/tma_tensor.hpp"
#include "tilewright/tiled/tma_plan.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::python {
namespace {

namespace py = pybind11;

template <class Answer>
auto refusing(Answer const& answer) {
  try {
    return answer();
  } catch (layout_refusal const&) {
    throw;
  } catch (std::exception const& e) {
    throw layout_refusal(e.what());
  }
}

int_tree tree_of(std::string const& text, cli::symbols& names) {
  cli::operand const x = cli::expression_reader(text, names).read();
  if (auto const* a = std::get_if<cli::layout_operand>(&x)) return a->layout;
  if (auto const* t = std::get_if<cli::tuple_operand>(&x)) return t->tree;
  throw layout_refusal(fmt::format("{} is no plain layout and no tuple of extents", text));
}

/// ((block, (elements of one copy, copies)) -> index in the tile, extents of the box in each mode of the map, the mode of the map and
/// the step in it for each leaf of the tensor).
/// error: LayoutError with the rule of make_tma_copy that is broken
py::tuple plan(std::string const& tensor, std::string const& smem, std::string const& tiler, int element_bits,
               int unit_bits, int blocks, int span) {
  return refusing([&] {
    cli::facts known;
    cli::symbols names(known);
    arithmetic& c = names.pool();
    int_tree const given = tree_of(tensor, names), shared = tree_of(smem, names), tile = tree_of(tiler, names);
    algebra::tma_plan const p = algebra::plan_tma(c, given, shared, tile, element_bits, unit_bits, blocks, span);
    int_tree tv{}, steps{};
    if (!c.failed()) tv = algebra::tma_thread_value(c, p, blocks);
    if (!c.failed()) steps = algebra::tma_coordinates(c, p, given);
    if (c.failed()) raise(c.error);
    std::vector<long long> box;
    for (int i = 0; i < p.rank; ++i) box.push_back(i < p.box_rank ? p.box[i] : 1);
    std::vector<std::array<long long, 2>> leaves;
    for (int i = 0; i < given.leaves; ++i) leaves.push_back({p.mode_of_leaf[i], steps.stride[i].number});
    return py::make_tuple(format_layout(layout_value(tv)), box, leaves);
  });
}

/// A map of a tensor in memory.
struct tma_map {
  tma_tensor tensor;

  tma_map(std::uintptr_t address, std::vector<long long> const& extents, std::vector<long long> const& strides,
          std::vector<int> const& box, int element, int element_bytes, int swizzle, bool writes) {
    refusing([&] {
      tma_tensor& t = tensor;
      t.address = reinterpret_cast<void*>(address);
      t.rank = static_cast<int>(extents.size());
      if (t.rank > tma_tensor::max_rank) raise({errc::tma_rank, t.rank, tma_tensor::max_rank});
      if (strides.size() != extents.size() || box.size() != extents.size())
        throw py::value_error(
            fmt::format("a map has a stride and an extent of the box for each extent; there are {}, {} and {}",
                        strides.size(), box.size(), extents.size()));
      for (std::size_t i = 0; i < extents.size(); ++i)
        t.extent[i] = extents[i], t.stride[i] = strides[i], t.box[i] = box[i];
      t.element = static_cast<tma_element>(element);
      t.element_bytes = element_bytes;
      t.swizzle = static_cast<tma_swizzle>(swizzle);
      if (error const e = writes ? broken_rule_of_store(t) : broken_rule(t)) raise(e);
      return 0;
    });
  }

  /// For each element of the box at a coordinate: its address in the tensor, 0 outside of it, and the one in shared memory. Two
  /// rows of 64-bit integers.
  py::bytes elements(std::vector<int> const& at, std::uintptr_t smem) const {
    int coordinate[tma_tensor::max_rank]{};
    for (std::size_t i = 0; i < at.size() && i < tma_tensor::max_rank; ++i) coordinate[i] = at[i];
    auto const count = static_cast<std::size_t>(tensor.box_elements());
    std::vector<std::int64_t> out(2 * count);
    std::size_t i = 0;
    for_each_of_box(tensor, coordinate, reinterpret_cast<void*>(smem),
                    [&](unsigned char const* in_tensor, unsigned char const* in_shared) {
                      out[i] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(in_tensor));
                      out[count + i++] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(in_shared));
                    });
    return {reinterpret_cast<char const*>(out.data()), 8 * out.size()};
  }

  /// (address, element, extents, strides in bytes, box, swizzle) as cuTensorMapEncodeTiled takes them; the stride of mode 0 is left out.
  py::tuple described() const {
    std::vector<long long> extents, strides, box;
    for (int i = 0; i < tensor.rank; ++i) {
      extents.push_back(tensor.extent[i]);
      if (i > 0) strides.push_back(tensor.stride[i]);
      box.push_back(tensor.box[i]);
    }
    return py::make_tuple(reinterpret_cast<std::uintptr_t>(tensor.address), static_cast<int>(tensor.element), extents,
                          strides, box, static_cast<int>(tensor.swizzle));
  }

  /// The 128 bytes that the hardware reads.
  /// error: CopyError without a driver, or where the driver refuses the map
  py::bytes encoded(int ordinal) const {
    gpu::driver_api const& api = *gpu::device_of(ordinal).api;
    std::uint64_t extent[tma_tensor::max_rank]{}, stride[tma_tensor::max_rank]{};
    std::uint32_t box[tma_tensor::max_rank]{}, step[tma_tensor::max_rank]{};
    for (int i = 0; i < tensor.rank; ++i) {
      extent[i] = static_cast<std::uint64_t>(tensor.extent[i]);
      if (i > 0) stride[i - 1] = static_cast<std::uint64_t>(tensor.stride[i]);
      box[i] = static_cast<std::uint32_t>(tensor.box[i]);
      step[i] = 1;
    }
    constexpr int no_interleave = 0, promote_to_128_bytes = 2, zeros_beyond = 0;
    alignas(64) char map[128];
    gpu::check(
        api,
        api.cuTensorMapEncodeTiled(map, static_cast<int>(tensor.element), static_cast<std::uint32_t>(tensor.rank),
                                   tensor.address, extent, stride, box, step, no_interleave,
                                   static_cast<int>(tensor.swizzle), promote_to_128_bytes, zeros_beyond),
        "cuTensorMapEncodeTiled", "describe a tensor to TMA");
    return {map, sizeof map};
  }
};

}  // namespace

void bind_tma(py::module_& m) {
  m.def("plan_tma", &plan, py::arg("tensor"), py::arg("smem"), py::arg("tiler"), py::arg("element_bits"),
        py::arg("unit_bits"), py::arg("blocks"), py::arg("span"));
  py::class_<tma_map>(m, "TmaMap")
      .def(py::init<std::uintptr_t, std::vector<long long> const&, std::vector<long long> const&,
                    std::vector<int> const&, int, int, int, bool>(),
           py::arg("address"), py::arg("extents"), py::arg("strides"), py::arg("box"), py::arg("element"),
           py::arg("element_bytes"), py::arg("swizzle"), py::arg("writes"))
      .def("elements", &tma_map::elements)
      .def("described", &tma_map::described)
      .def("encoded", &tma_map::encoded);
}

}  // namespace tilewright::python
