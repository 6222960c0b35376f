# Larger translation units: several sources compiled as one, so that what they share (headers, templates, inline functions)
# is compiled once. CMake's own unity builds join sources as they are, and helpers of the same name in the anonymous
# namespaces of two sources then collide. Here each anonymous namespace gets a named one around it (make_unit.cmake).
option(TILEWRIGHT_LARGE_UNITS "Compile the sources of a target in few, larger translation units" OFF)

# tilewright_units(VARIABLE NAME SOURCE...): what a target is made from instead of these sources, which are absolute paths.
# Without TILEWRIGHT_LARGE_UNITS: the sources. A source stays alone if it defines a macro or has compile options of its own.
# NAME is the first part of the units' file names. Units hold about 100,000 characters each.
function(tilewright_units variable name)
  set(largest 100000)
  if(NOT TILEWRIGHT_LARGE_UNITS)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(result "")
  set(unit "")
  set(characters 0)
  set(count 0)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" macros REGEX "^# *define")
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    if(macros OR options)
      list(APPEND result "${source}")
      continue()
    endif()
    file(SIZE "${source}" size)
    math(EXPR together "${characters} + ${size}")
    if(unit AND together GREATER largest)
      tilewright_unit(path "${name}_${count}" ${unit})
      list(APPEND result "${path}")
      math(EXPR count "${count} + 1")
      set(unit "")
      set(together ${size})
    endif()
    list(APPEND unit "${source}")
    set(characters ${together})
  endforeach()
  if(unit)
    tilewright_unit(path "${name}_${count}" ${unit})
    list(APPEND result "${path}")
  endif()
  set(${variable} ${result} PARENT_SCOPE)
endfunction()

function(tilewright_unit variable name)
  set(path "${CMAKE_CURRENT_BINARY_DIR}/units/${name}.cpp")
  list(JOIN ARGN "|" sources)
  add_custom_command(
    OUTPUT "${path}"
    COMMAND "${CMAKE_COMMAND}" -D "OUTPUT=${path}" -D "ROOT=${PROJECT_SOURCE_DIR}" -D "SOURCES=${sources}" -P
            "${PROJECT_SOURCE_DIR}/cmake/make_unit.cmake"
    DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/make_unit.cmake"
    COMMENT "Joining the sources of ${name}"
    VERBATIM)
  # Includes that name a file beside a source are found; a header's names may be older here than the header expects.
  set(options -Wno-shadow)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    list(APPEND options "-iquote${folder}")
  endforeach()
  list(REMOVE_DUPLICATES options)
  set_source_files_properties("${path}" PROPERTIES SKIP_LINTING ON COMPILE_OPTIONS "${options}")
  set(${variable} "${path}" PARENT_SCOPE)
endfunction()
