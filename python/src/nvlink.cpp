// Redistribution between GPUs for Python. What gathers bytes of all ranks is a function of Python's: mpi4py's or PyTorch's.
#include "tilewright/distributed/nvlink.hpp"
#include "python/src/distributed.hpp"
#include "python/src/module.hpp"

#include <pybind11/functional.h>
#include <pybind11/stl.h>
#include <cstring>
#include <optional>
#include <string>

namespace tilewright::python {
namespace {

nvlink::group group_of(int rank, int size, py::function const& gather) {
  nvlink::group out{rank, size, {}};
  out.all_gather = [gather](void const* mine, void* all, std::size_t bytes) {
    py::gil_scoped_acquire const held;
    py::list const answers(gather(py::bytes(static_cast<char const*>(mine), bytes)));
    auto* to = static_cast<char*>(all);
    for (py::handle const one : answers) {
      std::string const text = one.cast<py::bytes>();
      if (text.size() != bytes)
        throw copy_error(copy_errc::device_failed,
                         "ranks gathered other bytes than they gave; give each rank one group");
      std::memcpy(to, text.data(), bytes);
      to += bytes;
    }
  };
  return out;
}

class gpu_job {
 public:
  gpu_job(std::string const& src, std::string const& dst, std::int64_t item_bytes, int rank, int size,
          py::function const& gather, int ordinal, std::int64_t staging_bytes, std::string const& by, double timeout) {
    items const of = items_of(item_bytes);
    nvlink::options how;
    how.staging_bytes = staging_bytes;
    how.timeout_seconds = timeout;
    how.by = by == "peers"  ? nvlink::transport::peers
             : by == "nccl" ? nvlink::transport::nccl
                            : nvlink::transport::automatic;
    run_.emplace(in_items(parse_distributed(src), of), in_items(parse_distributed(dst), of), of.type,
                 group_of(rank, size, gather), ordinal, how);
  }

  void run(std::uintptr_t src, std::uintptr_t dst, std::uintptr_t stream, std::string const& wrong) {
    py::gil_scoped_release const free;
    if (!wrong.empty()) return run_->refuse(wrong);
    run_->run(reinterpret_cast<void const*>(src), reinterpret_cast<void*>(dst), reinterpret_cast<void*>(stream));
  }
  std::int64_t sent_bytes() const { return run_->sent_bytes(); }
  std::int64_t staging_bytes() const { return run_->staging_bytes() + run_->table_bytes(); }
  std::string used() const { return run_->used() == nvlink::transport::peers ? "peers" : "nccl"; }

 private:
  std::optional<nvlink::redistribution> run_;
};

}  // namespace

void bind_nvlink(py::module_& m) {
  m.def("device_of", [](py::handle array) {
    array_view const view = view_of(array, access::read);
    return view.where.kind == device_kind::cpu ? -1 : view.where.ordinal;
  });
  py::class_<gpu_job>(m, "GpuExchange")
      .def(py::init<std::string const&, std::string const&, std::int64_t, int, int, py::function const&, int,
                    std::int64_t, std::string const&, double>())
      .def("run", &gpu_job::run)
      .def_property_readonly("sent_bytes", &gpu_job::sent_bytes)
      .def_property_readonly("staging_bytes", &gpu_job::staging_bytes)
      .def_property_readonly("transport", &gpu_job::used);
}

}  // namespace tilewright::python
