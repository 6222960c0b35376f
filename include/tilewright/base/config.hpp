// Every macro of the library, and nothing else: where code runs (host, device), how it is inlined and unrolled, and
// whether the build checks its preconditions at run time. Other headers use these names and define none.
#pragma once

// A compiler that starts in C++17 (nvcc, g++ 12) gets one sentence. The file that does not exist ends the compilation: #error
// alone would let it go on to thousands of lines.
#if __cplusplus < 202002L
#error "Tilewright needs C++20: compile with -std=c++20"
#define TILEWRIGHT_STOP "compile with -std=c++20"
#include TILEWRIGHT_STOP
#endif

// The version, as CMake has it; the build defines the text for its own sources.
#define TILEWRIGHT_VERSION_MAJOR 0
#define TILEWRIGHT_VERSION_MINOR 2
#define TILEWRIGHT_VERSION_PATCH 0
#define TILEWRIGHT_VERSION_NUMBER 200  // major * 10000 + minor * 100 + patch
#if !defined(TILEWRIGHT_VERSION)
#define TILEWRIGHT_VERSION "0.2.0"
#endif

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define TILEWRIGHT_HOST_DEVICE __host__ __device__
#define TILEWRIGHT_DEVICE __device__
#define TILEWRIGHT_INLINE __forceinline__
#else
#define TILEWRIGHT_HOST_DEVICE
#define TILEWRIGHT_DEVICE
#define TILEWRIGHT_INLINE inline
#endif

// Ahead of a host-device function (before its `template`) that host-only code may be reached through: nvcc, which would
// warn of a call it cannot rule out on the device, takes the caller's word.
#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define TILEWRIGHT_NO_EXEC_CHECK _Pragma("nv_exec_check_disable")
#else
#define TILEWRIGHT_NO_EXEC_CHECK
#endif

// One word for "callable from a kernel": the typed face marks every function with it.
#define TILEWRIGHT_FN TILEWRIGHT_HOST_DEVICE TILEWRIGHT_INLINE

// `constexpr` of the functions that types are computed with: no kernel calls them, but NVRTC refuses functions that do not
// say where they run.
#if defined(__CUDACC_RTC__)
#define TILEWRIGHT_CONSTEXPR __device__ constexpr
#else
#define TILEWRIGHT_CONSTEXPR constexpr
#endif

#if defined(__CUDA_ARCH__)
#define TILEWRIGHT_ON_DEVICE 1
#else
#define TILEWRIGHT_ON_DEVICE 0
#endif

// A constant object that may be named in device code (a host constexpr variable may not be odr-used there).
#if TILEWRIGHT_ON_DEVICE
#define TILEWRIGHT_CONSTANT_OBJECT static const __device__
#else
#define TILEWRIGHT_CONSTANT_OBJECT inline constexpr
#endif

// In front of an anonymous struct in a union, which is an extension of the language. NVRTC has it without the word.
#if defined(__CUDACC_RTC__)
#define TILEWRIGHT_EXTENSION
#else
#define TILEWRIGHT_EXTENSION __extension__
#endif

// Loops over static extents must unroll on a GPU for their accesses to stay in registers; a CPU's compiler decides.
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define TILEWRIGHT_UNROLL _Pragma("unroll")
#define TILEWRIGHT_PRAGMA(text) _Pragma(#text)
#define TILEWRIGHT_UNROLL_BY(count) TILEWRIGHT_PRAGMA(unroll count)
#else
#define TILEWRIGHT_UNROLL
#define TILEWRIGHT_UNROLL_BY(count)
#endif

// What the device's compiler may take for granted.
#if TILEWRIGHT_ON_DEVICE
#define TILEWRIGHT_ASSUME(condition) __builtin_assume(condition)
#else
#define TILEWRIGHT_ASSUME(condition) static_cast<void>(0)
#endif

// A checked build verifies coordinates, alignments and divisibility at run time. It is the default unless NDEBUG is
// set; device code is checked only when TILEWRIGHT_CHECKED is set to 1 by hand.
#if !defined(TILEWRIGHT_CHECKED)
#if defined(NDEBUG) || TILEWRIGHT_ON_DEVICE
#define TILEWRIGHT_CHECKED 0
#else
#define TILEWRIGHT_CHECKED 1
#endif
#endif

// On a type whose objects name the bytes of others. NVRTC has no other spelling, clang no other place.
#if defined(__CUDACC_RTC__)
#define TILEWRIGHT_MAY_ALIAS __attribute__((may_alias))
#else
#define TILEWRIGHT_MAY_ALIAS [[gnu::may_alias]]
#endif

// On a type that CUTLASS declares in its own namespace (numbers narrower than a float, words of 128 bits): the word is in the
// type's mangled name, and in the name of every kernel that takes the type, as with CUTLASS's headers. ptxas reads it: it keeps
// the instructions of a kernel whose name contains "cutlass" in the order of the source (docs/adr/0021-names-of-kernels.md).
#if defined(__CUDACC_RTC__)
#define TILEWRIGHT_CUTLASS_NAME __attribute__((abi_tag("cutlass")))
#else
#define TILEWRIGHT_CUTLASS_NAME [[gnu::abi_tag("cutlass")]]
#endif

// NVRTC compiles without a standard library; a host build formats errors and throws.
#if defined(__CUDACC_RTC__)
#define TILEWRIGHT_HOSTED 0
#else
#define TILEWRIGHT_HOSTED 1
#endif

// Without exceptions (-fno-exceptions) an error prints its sentence and ends the program.
#if defined(__cpp_exceptions) || defined(__CUDACC_RTC__)
#define TILEWRIGHT_EXCEPTIONS 1
#else
#define TILEWRIGHT_EXCEPTIONS 0
#endif

// Ends a kernel whose arguments contradict one another.
#if TILEWRIGHT_ON_DEVICE
#define TILEWRIGHT_TRAP() __trap()
#else
#define TILEWRIGHT_TRAP() static_cast<void>(0)
#endif
