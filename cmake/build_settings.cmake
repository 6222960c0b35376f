# How this project's own targets are compiled: language level, warnings, sanitizers, compiler cache. Nothing here
# reaches a project that consumes the libraries.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(TILEWRIGHT_CCACHE ccache)
  if(TILEWRIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${TILEWRIGHT_CCACHE}")
  endif()
endif()

# The flags are kept in a list as well, for the consumer test: what links a sanitized engine must be sanitized too.
set(tilewright_sanitize_flags "")
if(TILEWRIGHT_SANITIZE)
  list(JOIN TILEWRIGHT_SANITIZE "," sanitizers)
  set(tilewright_sanitize_flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if("address" IN_LIST TILEWRIGHT_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes 1.2 times as long as without sanitizers, in place of 2.2, where accesses are checked by calls, undefined
    # behaviour traps (with handle_sigill=1 in ASAN_OPTIONS the trace of calls is printed), and null pointers are left to the
    # address sanitizer, which reports their use.
    add_compile_options(--param=asan-instrumentation-with-call-threshold=0)
    if("undefined" IN_LIST TILEWRIGHT_SANITIZE)
      list(APPEND tilewright_sanitize_flags -fsanitize-undefined-trap-on-error
           -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute,object-size,vptr)
    endif()
    # Programs at fixed addresses start faster, and tests start thousands.
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
  add_compile_options(${tilewright_sanitize_flags})
  add_link_options(${tilewright_sanitize_flags})
endif()

# Large units fill g++'s memory to gigabytes, of which it looks for garbage again and again: with more to begin with, compiling
# takes a tenth less time.
if(TILEWRIGHT_LARGE_UNITS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=800000)
endif()

# Strict warnings for the project's own targets; the presets make them errors.
add_library(tilewright_warnings INTERFACE)
target_compile_options(
  tilewright_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wdouble-promotion
            -Wcast-align
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wextra-semi)
# Where it optimises, g++ 12 takes the parts of a joined std::string for overlapping copies (GCC's bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tilewright_warnings INTERFACE $<$<NOT:$<CONFIG:Debug>>:-Wno-restrict>)
endif()
