# Finds what the engine and the command need, and decides whether they are built: tilewright_with_engine,
# tilewright_with_cli. What is left out is said once, with the packages that would bring it.

# tilewright_find(VARIABLE TARGET PACKAGE DEBIAN ...): the Debian names of those packages whose target is not found.
macro(tilewright_find variable)
  set(${variable} "")
  set(tilewright_wanted ${ARGN})
  while(tilewright_wanted)
    list(POP_FRONT tilewright_wanted tilewright_target tilewright_package tilewright_debian)
    if(tilewright_package STREQUAL "Boost")
      find_package(Boost CONFIG QUIET COMPONENTS context)
      if(NOT TARGET Boost::context) # a Boost without CMake's files; CMake 4 no longer looks for one by itself
        find_package(Boost QUIET COMPONENTS context)
      endif()
    else()
      find_package(${tilewright_package} CONFIG QUIET)
    endif()
    if(NOT TARGET ${tilewright_target})
      list(APPEND ${variable} ${tilewright_debian})
    endif()
  endwhile()
endmacro()

# tilewright_decide(VARIABLE OPTION WHAT MISSING...): whether to build WHAT, where these Debian packages are missing.
function(tilewright_decide variable option what)
  list(JOIN ARGN " " missing)
  string(TOUPPER "${${option}}" wish)
  set(decision OFF)
  if(wish STREQUAL "AUTO")
    if(missing)
      message(STATUS "Tilewright: ${what} is not built; it needs ${missing} (Debian's names). ${option}=OFF hides this.")
    else()
      set(decision ON)
    endif()
  elseif(${option})
    if(missing)
      message(FATAL_ERROR "Tilewright: ${what} cannot be built: ${missing} (Debian's names) must be installed. "
                          "${option}=OFF builds without it; tilewright::core needs no package.")
    endif()
    set(decision ON)
  endif()
  set(${variable} ${decision} PARENT_SCOPE)
endfunction()

set(tilewright_with_engine OFF)
set(tilewright_with_cli OFF)
if(NOT TILEWRIGHT_BUILD_ENGINE STREQUAL "OFF")
  tilewright_find(
    tilewright_engine_lacks
    TBB::tbb TBB libtbb-dev
    Boost::context Boost libboost-context-dev
    hwy::hwy hwy libhwy-dev
    fmt::fmt-header-only fmt libfmt-dev
    nlohmann_json::nlohmann_json nlohmann_json nlohmann-json3-dev)
  tilewright_decide(tilewright_with_engine TILEWRIGHT_BUILD_ENGINE "tilewright::engine" ${tilewright_engine_lacks})
endif()
if(NOT TILEWRIGHT_BUILD_CLI STREQUAL "OFF")
  tilewright_find(
    tilewright_cli_lacks
    CLI11::CLI11 CLI11 libcli11-dev
    fmt::fmt fmt libfmt-dev
    nlohmann_json::nlohmann_json nlohmann_json nlohmann-json3-dev)
  if(TILEWRIGHT_BUILD_CLI STREQUAL "AUTO" AND NOT tilewright_with_engine)
    list(APPEND tilewright_cli_lacks tilewright::engine)
  endif()
  tilewright_decide(tilewright_with_cli TILEWRIGHT_BUILD_CLI "the command" ${tilewright_cli_lacks})
endif()

# tilewright_link_words(VARIABLE TARGET...): how a linker is told of these imported libraries: -lNAME, with -L where the
# linker does not look by itself. Dependencies of the targets are not followed.
function(tilewright_link_words variable)
  set(words "")
  foreach(target IN LISTS ARGN)
    get_target_property(path ${target} LOCATION)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path FILENAME name)
    string(REGEX REPLACE "^lib|\\.(so|a|dylib)(\\..*)?$" "" name "${name}")
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND words "-L${folder}")
    endif()
    list(APPEND words "-l${name}")
  endforeach()
  list(REMOVE_DUPLICATES words)
  list(JOIN words " " words)
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()
