# Installs both libraries, the command, and the package that find_package(Tilewright CONFIG) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Tilewright")

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
  install(TARGETS tilewright_engine EXPORT TilewrightEngine)
  install(
    EXPORT TilewrightEngine
    NAMESPACE tilewright::
    DESTINATION "${package_dir}")
endif()
if(TARGET tilewright)
  install(TARGETS tilewright)
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/TilewrightConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/TilewrightConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/TilewrightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/TilewrightConfig.cmake" "${PROJECT_BINARY_DIR}/TilewrightConfigVersion.cmake"
  DESTINATION "${package_dir}")
