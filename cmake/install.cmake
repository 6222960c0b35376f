# Installs the libraries, the command, the documentation, and what find_package(Tilewright CONFIG) and pkg-config read.
# The target tilewright_installable builds all of it and nothing else.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Tilewright")
set(doc_dir "${CMAKE_INSTALL_DATAROOTDIR}/doc/tilewright")
add_custom_target(tilewright_installable)

# Each library has its export file of its own, so that core alone asks for nothing.
install(TARGETS tilewright_core EXPORT TilewrightCore FILE_SET HEADERS)
install(
  TARGETS tilewright_cute
  EXPORT TilewrightCore
  FILE_SET HEADERS
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tilewright/compat")
install(
  EXPORT TilewrightCore
  NAMESPACE tilewright::
  DESTINATION "${package_dir}")

if(TARGET tilewright_engine)
  add_dependencies(tilewright_installable tilewright_engine)
  add_dependencies(tilewright_installable tilewright_distributed)
  install(TARGETS tilewright_engine tilewright_distributed EXPORT TilewrightEngine)
  install(
    EXPORT TilewrightEngine
    NAMESPACE tilewright::
    DESTINATION "${package_dir}")
endif()
if(TARGET tilewright_mpi)
  add_dependencies(tilewright_installable tilewright_mpi)
  install(TARGETS tilewright_mpi EXPORT TilewrightMpi FILE_SET HEADERS)
  install(
    EXPORT TilewrightMpi
    NAMESPACE tilewright::
    DESTINATION "${package_dir}")
endif()
if(TARGET tilewright_c)
  add_dependencies(tilewright_installable tilewright_c)
  install(TARGETS tilewright_c EXPORT TilewrightC FILE_SET HEADERS)
  install(
    EXPORT TilewrightC
    NAMESPACE tilewright::
    DESTINATION "${package_dir}")
endif()
if(TARGET tilewright)
  add_dependencies(tilewright_installable tilewright)
  install(TARGETS tilewright)
  get_property(pages TARGET tilewright PROPERTY TILEWRIGHT_PAGES)
  if(pages)
    add_dependencies(tilewright_installable tilewright_pages)
    install(DIRECTORY "${pages}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
    install(FILES "${pages}/tilewright" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" OPTIONAL)
    install(FILES "${pages}/_tilewright" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" OPTIONAL)
    install(FILES "${pages}/tilewright.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" OPTIONAL)
  endif()
endif()

# For builds without CMake: pkg-config --cflags --libs tilewright (the C interface), tilewright-core (the C++ headers) or
# tilewright-engine (headers and the compiled library, which is static, so that what it needs is linked with it).
file(RELATIVE_PATH pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(pc_names tilewright-core)
if(TARGET tilewright_c)
  list(APPEND pc_names tilewright)
endif()
if(TARGET tilewright_engine)
  list(APPEND pc_names tilewright-engine)
  tilewright_link_words(engine_libraries TBB::tbb Boost::context hwy::hwy)
  foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND engine_libraries " -l${library}")
  endforeach()
endif()
foreach(name IN LISTS pc_names)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# The header-only floors as one file, where Python is at hand to join them.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(TARGET Python3::Interpreter)
  set(single_header "${PROJECT_BINARY_DIR}/single_header/tilewright.hpp")
  add_custom_command(
    OUTPUT "${single_header}"
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/make_single_header" "${single_header}"
    DEPENDS ${tilewright_headers} "${PROJECT_SOURCE_DIR}/tools/make_single_header"
    COMMENT "Joining the headers in one file"
    VERBATIM)
  add_custom_target(tilewright_single_header ALL DEPENDS "${single_header}")
  add_dependencies(tilewright_installable tilewright_single_header)
  install(FILES "${single_header}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tilewright/single_header" OPTIONAL)
endif()

# The pages keep their places beside each other, so that their links work and "docs/errors.md" in a message names the file.
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${doc_dir}")
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples"
  DESTINATION "${doc_dir}"
  PATTERN site EXCLUDE
  PATTERN __pycache__ EXCLUDE
  PATTERN make_pictures EXCLUDE
  PATTERN "Doxyfile" EXCLUDE
  PATTERN "doxygen_filter.sed" EXCLUDE)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/TilewrightConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/TilewrightConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/TilewrightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/TilewrightConfig.cmake" "${PROJECT_BINARY_DIR}/TilewrightConfigVersion.cmake"
  DESTINATION "${package_dir}")
