// tilewright._mpi: redistribution over MPI for communicators of mpi4py. Separate from _core, which needs no MPI. Every
// function here is collective; what one rank finds wrong in Python is given as text, and all ranks raise it.
#include "distributed/mpi/agree.hpp"
#include "python/src/distributed.hpp"
#include "tilewright/distributed/mpi.hpp"

#include <mpi.h>
#include <memory>
#include <optional>
#include <string>

namespace tilewright::python {
namespace {

MPI_Comm comm_at(std::uintptr_t address) { return *reinterpret_cast<MPI_Comm const*>(address); }

/// error: copy_error bad_option on every rank, where one gives a text
void agree_on(std::string const& wrong, MPI_Comm comm) {
  std::optional<copy_error> mine;
  if (!wrong.empty()) mine = copy_error(copy_errc::bad_option, wrong);
  mpi::agree(mine, comm);
}

/// A prepared redistribution, and the communicator that its ranks agree over.
class job {
 public:
  job(std::string const& src, std::string const& dst, std::int64_t item_bytes, std::uintptr_t comm,
      std::string const& wrong, std::int64_t staging_bytes, int threads, bool shared_memory)
      : comm_(comm_at(comm)) {
    agree_on(wrong, comm_);
    items const of = items_of(item_bytes);
    mpi::options how;
    how.staging_bytes = staging_bytes;
    how.threads = threads;
    how.shared_memory = shared_memory;
    how.overlap = on_overlap::through_temporary;
    how.progress = [](std::int64_t, std::int64_t) {  // Ctrl-C
      py::gil_scoped_acquire const held;
      return PyErr_CheckSignals() == 0;
    };
    // The layouts were read in Python before; a rank that cannot split its elements says so to the others.
    distributed_layout from, to;
    mpi::agree(error_of([&] {
                 from = in_items(parse_distributed(src), of);
                 to = in_items(parse_distributed(dst), of);
               }),
               comm_);
    run_ = std::make_unique<mpi::redistribution>(from, to, of.type, comm_, how);
  }

  void run(std::uintptr_t src, std::uintptr_t dst, std::string const& wrong) {
    try {
      py::gil_scoped_release const free;
      agree_on(wrong, comm_);
      run_->run(reinterpret_cast<void const*>(src), reinterpret_cast<void*>(dst));
    } catch (copy_error const&) {
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      throw;
    }
  }

  std::int64_t sent_bytes() const { return run_->sent_bytes(); }
  std::int64_t staging_bytes() const { return run_->staging_bytes(); }

 private:
  MPI_Comm comm_;
  std::unique_ptr<mpi::redistribution> run_;
};

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace
}  // namespace tilewright::python

PYBIND11_MODULE(_mpi, m) {
  namespace py = pybind11;
  using tilewright::python::job;
  // The exception that the package has already.
  py::object const error = py::module_::import("tilewright._core").attr("CopyError");
  static py::handle const copy_error_class = error.inc_ref();
  py::register_local_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (tilewright::copy_error const& e) {
      PyErr_SetString(copy_error_class.ptr(), e.what());
    }
  });
  m.def("library_version", &tilewright::python::library_version);
  m.attr("handle_bytes") = sizeof(MPI_Comm);
  py::class_<job>(m, "Redistribution")
      .def(py::init([](std::string const& src, std::string const& dst, std::int64_t item, std::uintptr_t comm,
                       std::string const& wrong, std::int64_t staging, int threads, bool shared) {
        py::gil_scoped_release const free;
        return std::make_unique<job>(src, dst, item, comm, wrong, staging, threads, shared);
      }))
      .def("run", &job::run)
      .def_property_readonly("sent_bytes", &job::sent_bytes)
      .def_property_readonly("staging_bytes", &job::staging_bytes);
}
