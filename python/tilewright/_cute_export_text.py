"""The C of exported functions (_cute_export.py); @name@ is put in."""

HEADER = """\
/* Kernels for @architecture@, compiled ahead. Extents and strides are those in the comments; a call gives addresses of the GPU's memory.
   Functions return a CUresult of CUDA's driver: 0, or the first error; 999 where there is no driver. */
#ifndef @guard@
#define @guard@
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

@structs@

typedef struct { void *modules[@count@]; void *functions[@count@]; } @prefix@_Kernel_Module_t;

/* Loads the kernels into the current context; without one, into the primary context of device 0, which becomes current. */
int32_t @prefix@_Kernel_Module_Load(@prefix@_Kernel_Module_t *module);
int32_t @prefix@_Kernel_Module_Unload(@prefix@_Kernel_Module_t *module);
/* pre: the module is loaded; a stream is a CUstream or cudaStream_t */
int32_t cute_dsl_@prefix@_wrapper(@prefix@_Kernel_Module_t *module@declared@);

#ifdef __cplusplus
}
#endif
#endif
"""

SOURCE = """\
#define _GNU_SOURCE
#include "@file@.h"
#include <dlfcn.h>

@images@
static void const *const images[] = {@list@};
static char const *const names[] = {@kernels@};
static unsigned const shared_bytes[] = {@shared@};
enum { count = @count@, no_driver = 999, max_dynamic_shared_bytes = 8 };

typedef int launch_function(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
typedef int launch_together(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **);

static struct {
  void *library;
  int (*cuInit)(unsigned), (*cuCtxGetCurrent)(void **), (*cuCtxSetCurrent)(void *), (*cuDeviceGet)(int *, int);
  int (*cuDevicePrimaryCtxRetain)(void **, int), (*cuModuleLoadData)(void **, void const *), (*cuModuleUnload)(void *);
  int (*cuModuleGetFunction)(void **, void *, char const *), (*cuFuncSetAttribute)(void *, int, int);
  int (*cuTensorMapEncodeTiled)(void *, int, uint32_t, void *, uint64_t const *, uint64_t const *, uint32_t const *, uint32_t const *, int, int, int, int);
  launch_function *cuLaunchKernel;
  launch_together *cuLaunchCooperativeKernel;
} api;

static int find(char const *name, void *to) {
  *(void **)to = dlsym(api.library, name);
  return *(void **)to == 0;
}

static int open_driver(void) {
  if (api.library != 0) return 0;
  api.library = dlopen("libcuda.so.1", RTLD_NOW);
  if (api.library == 0) return no_driver;
  if (find("cuInit", &api.cuInit) || find("cuCtxGetCurrent", &api.cuCtxGetCurrent) || find("cuCtxSetCurrent", &api.cuCtxSetCurrent) ||
      find("cuDeviceGet", &api.cuDeviceGet) || find("cuDevicePrimaryCtxRetain", &api.cuDevicePrimaryCtxRetain) ||
      find("cuModuleLoadData", &api.cuModuleLoadData) || find("cuModuleUnload", &api.cuModuleUnload) ||
      find("cuModuleGetFunction", &api.cuModuleGetFunction) || find("cuFuncSetAttribute", &api.cuFuncSetAttribute) ||
      find("cuTensorMapEncodeTiled", &api.cuTensorMapEncodeTiled) || find("cuLaunchKernel", &api.cuLaunchKernel) || find("cuLaunchCooperativeKernel", &api.cuLaunchCooperativeKernel))
    return no_driver;
  return 0;
}

static int have_context(void) {
  void *context = 0;
  int device = 0, result = api.cuInit(0);
  if (result == 0) result = api.cuCtxGetCurrent(&context);
  if (result != 0 || context != 0) return result;
  result = api.cuDeviceGet(&device, 0);
  if (result == 0) result = api.cuDevicePrimaryCtxRetain(&context, device);
  return result != 0 ? result : api.cuCtxSetCurrent(context);
}

int32_t @prefix@_Kernel_Module_Load(@prefix@_Kernel_Module_t *module) {
  int result = open_driver();
  if (result == 0) result = have_context();
  for (int i = 0; i < count && result == 0; ++i) {
    result = api.cuModuleLoadData(&module->modules[i], images[i]);
    if (result == 0) result = api.cuModuleGetFunction(&module->functions[i], module->modules[i], names[i]);
    if (result == 0 && shared_bytes[i] != 0)
      result = api.cuFuncSetAttribute(module->functions[i], max_dynamic_shared_bytes, (int)shared_bytes[i]);
  }
  return result;
}

int32_t @prefix@_Kernel_Module_Unload(@prefix@_Kernel_Module_t *module) {
  int first = 0;
  for (int i = 0; i < count; ++i) {
    int const result = api.cuModuleUnload(module->modules[i]);
    if (first == 0) first = result;
  }
  return first;
}

static int launch(@prefix@_Kernel_Module_t *module, int i, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void *stream, void **parameters, int together) {
  void *const f = module->functions[i];
  return together ? api.cuLaunchCooperativeKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters)
                  : api.cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, 0);
}

int32_t cute_dsl_@prefix@_wrapper(@prefix@_Kernel_Module_t *module@declared@) {
  int result = 0;
@body@
  return result;
}
"""
