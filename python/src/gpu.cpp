// Kernels for a GPU from source, and memory for what they print: what tilewright.cute needs to run traced kernels.
#include "python/src/module.hpp"

#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "engine/cuda/nvrtc.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::python {
namespace {

namespace py = pybind11;

/// A loaded kernel of one device.
class gpu_kernel {
 public:
  /// shared_bytes: dynamic shared memory of a block; needs_own_instructions: of the device's architecture alone
  /// error: CopyError without a GPU or a run-time compiler, or with the compiler's log
  gpu_kernel(std::string const& source, std::string name, int ordinal, unsigned shared_bytes,
             bool needs_own_instructions)
      : name_(std::move(name)),
        shared_bytes_(shared_bytes) {
    py::gil_scoped_release const free;
    gpu::gpu_engine& engine = gpu::engine_of(ordinal);
    device_ = &engine.device();
    gpu::kernel_spec spec;
    spec.source = source;
    spec.name = name_;
    spec.needs_own_instructions = needs_own_instructions;
    code_ = engine.kernel_of(spec);
    if (!code_)
      throw copy_error(
          copy_errc::device_failed,
          fmt::format("the kernel {} needs NVIDIA's run-time compiler, libnvrtc, of a release that the driver "
                      "of {} understands; install CUDA's, or set TILEWRIGHT_NVRTC to its file",
                      name_, device_->name));
    if (shared_bytes_ != 0) ask_for_shared_memory();
  }

  /// Starts the kernel; each argument is its bytes. `wait`: until it has ended. `together`: all blocks run at the same time.
  void launch(std::array<unsigned, 3> const& grid, std::array<unsigned, 3> const& block,
              std::vector<py::bytes> const& arguments, std::uintptr_t stream, bool wait, bool together) const {
    struct alignas(64) held_argument {
      char bytes[128];  // a tensor map is the largest
    };
    std::vector<held_argument> held(arguments.size());
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string const one = arguments[i];
      if (one.size() > sizeof held[i].bytes) throw py::value_error("an argument of a kernel has at most 128 bytes");
      std::memcpy(held[i].bytes, one.data(), one.size());
      pointers.push_back(held[i].bytes);
    }
    py::gil_scoped_release const free;
    gpu::driver_api const& api = *device_->api;
    gpu::current_context const scope(api, device_->primary);
    auto const in = reinterpret_cast<gpu::stream_handle>(stream);
    std::string const doing = fmt::format("launch {} with a grid of {} x {} x {} and blocks of {} x {} x {}", name_,
                                          grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    if (together)
      gpu::check(api,
                 api.cuLaunchCooperativeKernel(code_->kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                               shared_bytes_, in, pointers.data()),
                 "cuLaunchCooperativeKernel", doing);
    else
      gpu::check(api,
                 api.cuLaunchKernel(code_->kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                    shared_bytes_, in, pointers.data(), nullptr),
                 "cuLaunchKernel", doing);
    if (wait) gpu::check(api, api.cuStreamSynchronize(in), "cuStreamSynchronize", doing);
  }

 private:
  void ask_for_shared_memory() const {
    gpu::driver_api const& api = *device_->api;
    gpu::current_context const scope(api, device_->primary);
    gpu::check(api,
               api.cuKernelSetAttribute(gpu::kernel_attribute::max_dynamic_shared_bytes,
                                        static_cast<int>(shared_bytes_), code_->kernel, device_->handle),
               "cuKernelSetAttribute",
               fmt::format("give kernel {} {} bytes of shared memory on {}", name_, shared_bytes_, device_->name));
  }

  std::string name_;
  unsigned shared_bytes_ = 0;
  gpu::gpu_device const* device_ = nullptr;
  std::shared_ptr<gpu::loaded_kernel const> code_;
};

/// Machine code of a source for GPUs of one capability, 90 for sm_90, made without a GPU.
/// error: CopyError without a run-time compiler, or with its log
py::bytes machine_code(std::string const& source, std::string const& name, int capability,
                       bool needs_own_instructions) {
  constexpr int any_release = 1 << 30;  // the driver that loads it is another machine's
  std::string out;
  {
    py::gil_scoped_release const free;
    auto const compiler = gpu::find_nvrtc(any_release);
    if (!compiler)
      throw copy_error(copy_errc::device_failed,
                       fmt::format("the kernel {} needs NVIDIA's run-time compiler, libnvrtc; install CUDA's, or set "
                                   "TILEWRIGHT_NVRTC to its file",
                                   name));
    out = compiler->compile(source, name + ".cu",
                            gpu::compiler_options(compiler->facts(), capability, needs_own_instructions));
  }
  return py::bytes(out);
}

}  // namespace

void bind_gpu(py::module_& m) {
  m.def("machine_code", &machine_code, py::arg("source"), py::arg("name"), py::arg("capability"),
        py::arg("needs_own_instructions") = false);
  m.def("gpu_count", &gpu::cuda_device_count);
  // The GPU whose memory an address is in, or -1.
  m.def(
      "gpu_of",
      [](std::uintptr_t address) {
        if (gpu::cuda_device_count() == 0) return -1;
        auto const facts = gpu::facts_of(gpu::device_of(0), reinterpret_cast<void const*>(address));
        return facts.type == gpu::memory_type::device ? facts.ordinal : -1;
      },
      py::arg("address"));
  py::class_<gpu_kernel>(m, "GpuKernel")
      .def(py::init<std::string const&, std::string, int, unsigned, bool>(), py::arg("source"), py::arg("name"),
           py::arg("ordinal") = 0, py::arg("shared_bytes") = 0, py::arg("needs_own_instructions") = false)
      .def("launch", &gpu_kernel::launch, py::arg("grid"), py::arg("block"), py::arg("arguments"),
           py::arg("stream") = 0, py::arg("wait") = false, py::arg("together") = false);
  py::class_<gpu::device_memory>(m, "GpuMemory")
      .def(py::init([](std::size_t bytes, int ordinal) { return gpu::device_memory(gpu::device_of(ordinal), bytes); }),
           py::arg("bytes"), py::arg("ordinal") = 0)
      .def_property_readonly("address",
                             [](gpu::device_memory const& a) { return reinterpret_cast<std::uintptr_t>(a.data()); })
      .def("fill", &gpu::device_memory::fill)
      .def("download", [](gpu::device_memory const& a, std::size_t bytes) {
        std::string out(bytes, '\0');
        a.download(out.data(), bytes);
        return py::bytes(out);
      });
}

}  // namespace tilewright::python
