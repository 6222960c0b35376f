# tilewright::cute: the library under CuTe's header names and namespace. It is installed beside the library's headers,
# where it hides no CuTe that is installed as well.
add_library(tilewright_cute INTERFACE)
add_library(tilewright::cute ALIAS tilewright_cute)
set_target_properties(tilewright_cute PROPERTIES EXPORT_NAME cute)
target_link_libraries(tilewright_cute INTERFACE tilewright_core)

file(
  GLOB_RECURSE tilewright_cute_headers CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/compat/*.hpp"
  "${PROJECT_SOURCE_DIR}/compat/*.def"
  "${PROJECT_SOURCE_DIR}/compat/*.h"
  "${PROJECT_SOURCE_DIR}/compat/*.inl")
target_sources(
  tilewright_cute
  INTERFACE FILE_SET HEADERS
            BASE_DIRS "${PROJECT_SOURCE_DIR}/compat"
            FILES ${tilewright_cute_headers})
