# The sources: a checkout named by TILEWRIGHT_SOURCE in the environment (VCPKG_KEEP_ENV_VARS must name it), else the tag of this
# version in the repository named by TILEWRIGHT_REPOSITORY.
if(DEFINED ENV{TILEWRIGHT_SOURCE})
  set(SOURCE_PATH "$ENV{TILEWRIGHT_SOURCE}")
elseif(DEFINED ENV{TILEWRIGHT_REPOSITORY})
  vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH URL "$ENV{TILEWRIGHT_REPOSITORY}" REF "v${VERSION}")
else()
  cmake_path(GET CURRENT_PORT_DIR PARENT_PATH SOURCE_PATH)  # this file lies in packaging/vcpkg/tilewright of a checkout
  cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)
  cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES engine TILEWRIGHT_BUILD_ENGINE tools TILEWRIGHT_BUILD_CLI)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${FEATURE_OPTIONS} -DTILEWRIGHT_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Tilewright CONFIG_PATH lib/cmake/Tilewright)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tilewright AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
