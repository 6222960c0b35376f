# cmake -D OUTPUT=FILE.cpp -D INCLUDE=FOLDER -D FLOORS=base,ints,… -D ROOT=FOLDER -P embed_sources.cmake
#
# Writes FILE.cpp, which holds the headers of those floors of INCLUDE/tilewright, the bodies of the kernels
# (ROOT/engine/kernels/cuda/NAME/body*.hpp) and the PTX of ROOT/engine/cuda as string literals
# (embedded_headers.hpp declares what it defines). Raw literals compile fast and can be read.
cmake_policy(VERSION 3.25)
string(REPLACE "," ";" floors "${FLOORS}")
set(names "")
foreach(floor IN LISTS floors)
  file(GLOB_RECURSE found RELATIVE "${INCLUDE}" "${INCLUDE}/tilewright/${floor}/*.hpp" "${INCLUDE}/tilewright/${floor}/*.def")
  list(APPEND names ${found})
endforeach()
file(GLOB umbrella RELATIVE "${INCLUDE}" "${INCLUDE}/tilewright/*.hpp")
list(APPEND names ${umbrella})
file(GLOB bodies RELATIVE "${ROOT}" "${ROOT}/engine/kernels/cuda/*/body*.hpp")
list(APPEND names ${bodies})
list(SORT names)

set(tag "tilewright_text")
set(rows "")
set(all "")
foreach(name IN LISTS names)
  if(name MATCHES "^engine/")
    file(READ "${ROOT}/${name}" text)
  else()
    file(READ "${INCLUDE}/${name}" text)
  endif()
  string(APPEND all "${name}\n${text}")
  string(APPEND rows "    {\"${name}\", R\"${tag}(${text})${tag}\"},\n")
endforeach()
string(SHA256 digest "${all}")
file(READ "${ROOT}/engine/cuda/generic_copy.ptx" ptx)
file(READ "${ROOT}/engine/cuda/few_bytes.ptx" ptx_of_few_bytes)

file(WRITE "${OUTPUT}.new" "// Made by engine/cuda/embed_sources.cmake; do not edit.
#include \"engine/cuda/embedded_headers.hpp\"

namespace tilewright::gpu {
namespace {

constexpr embedded_header headers[] = {
${rows}};

}  // namespace

std::span<embedded_header const> embedded_headers() { return headers; }
char const* embedded_headers_digest() { return \"${digest}\"; }
char const* embedded_generic_kernel() { return R\"${tag}(${ptx})${tag}\"; }
char const* embedded_kernel_for_few_bytes() { return R\"${tag}(${ptx_of_few_bytes})${tag}\"; }

}  // namespace tilewright::gpu
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
