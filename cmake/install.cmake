# Installs the libraries, the command, and the package that find_package(Tilewright CONFIG) reads.
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
if(TARGET tilewright_c)
  install(TARGETS tilewright_c EXPORT TilewrightC FILE_SET HEADERS)
  install(
    EXPORT TilewrightC
    NAMESPACE tilewright::
    DESTINATION "${package_dir}")
  # For builds without CMake: cc $(pkg-config --cflags --libs tilewright)
  file(RELATIVE_PATH pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/tilewright.pc.in" "${PROJECT_BINARY_DIR}/tilewright.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/tilewright.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
if(TARGET tilewright)
  install(TARGETS tilewright)
  get_property(pages TARGET tilewright PROPERTY TILEWRIGHT_PAGES)
  if(pages)
    install(DIRECTORY "${pages}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
    install(FILES "${pages}/tilewright" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" OPTIONAL)
    install(FILES "${pages}/_tilewright" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" OPTIONAL)
    install(FILES "${pages}/tilewright.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" OPTIONAL)
  endif()
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
