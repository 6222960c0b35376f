# Joins SOURCES (paths separated by |) in OUTPUT, one translation unit. Compilers and debuggers see the sources' own names and
# lines. An anonymous namespace
#     namespace {                        becomes   namespace in_tests_plan_hash_test { namespace {
#     }  // namespace                    becomes   } } using namespace in_tests_plan_hash_test;
# so that each source finds its own helpers first; where a test's source has no other namespace, its tests and
# using-directives become part of it. Functions outside of it must not call a helper that an earlier source of the unit has
# too: that call is ambiguous, and the remedy is another name. Only `introduction`, which each verb of the command has, is
# renamed here.
string(REPLACE "|" ";" sources "${SOURCES}")
set(unit "")
foreach(source IN LISTS sources)
  file(READ "${source}" text)
  string(PREPEND text "\n")  # a namespace may open in the first line
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${ROOT}" OUTPUT_VARIABLE name)
  cmake_path(REMOVE_EXTENSION name)
  string(MAKE_C_IDENTIFIER "in_${name}" name)
  string(REGEX MATCHALL "\nnamespace [a-z][a-z0-9_:]* {\n" named "${text}")
  string(REGEX MATCHALL "\nnamespace {\n" anonymous "${text}")
  string(REPLACE "\nnamespace {\n" "\nnamespace ${name} { namespace {\n" text "${text}")
  if(name MATCHES "_test$" AND NOT named)
    string(REPLACE "\n}  // namespace\n" "\n\n" text "${text}")
    string(REGEX REPLACE "\n(using namespace [a-z0-9_:]+;)" "\nnamespace ${name} { namespace { \\1 } }" text "${text}")
    list(LENGTH anonymous count)
    string(REPEAT "} } " ${count} ends)
    string(APPEND text "${ends}\n")
  else()
    string(REPLACE "\n}  // namespace\n" "\n} } using namespace ${name};\n" text "${text}")
  endif()
  string(REGEX REPLACE "([ (])introduction([ ,])" "\\1${name}_introduction\\2" text "${text}")
  string(APPEND unit "#line 1 \"${source}\"${text}\n")
endforeach()
file(WRITE "${OUTPUT}" "${unit}")
