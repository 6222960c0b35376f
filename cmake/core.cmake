# tilewright::core: the headers, without any dependency.
add_library(tilewright_core INTERFACE)
add_library(tilewright::core ALIAS tilewright_core)
set_target_properties(tilewright_core PROPERTIES EXPORT_NAME core)
target_compile_features(tilewright_core INTERFACE cxx_std_20)

file(
  GLOB_RECURSE tilewright_headers CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/tilewright/*.hpp"
  "${PROJECT_SOURCE_DIR}/include/tilewright/*.def")
target_sources(
  tilewright_core
  INTERFACE FILE_SET HEADERS
            BASE_DIRS "${PROJECT_SOURCE_DIR}/include"
            FILES ${tilewright_headers})
