# heddle in a CMake build:
#
#     find_package(heddle REQUIRED)
#     enable_testing()
#     heddle_add_test(NAME queue SOURCES queue_test.c queue.c OPTIONS --time 60s)
#
# heddle_add_test(NAME name SOURCES file... [INCLUDES folder...] [DEFINITIONS X=1...] [FLAGS flag...]
#                 [LIBRARIES name...] [OPTIONS option...] [ARGS argument...] [REPORTS folder])
#
# builds the sources with `heddle cc` (or `heddle c++`) as part of the build, and adds a test that passes when `heddle
# check` has explored every behaviour and found no failure.  A test that was stopped at a limit is skipped (exit status
# 4), never passed.  REPORTS: where name.html and name.junit.xml are written.

find_program(HEDDLE_EXECUTABLE heddle
        HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../build")
if(NOT HEDDLE_EXECUTABLE)
        set(heddle_FOUND FALSE)
        set(heddle_NOT_FOUND_MESSAGE "the program heddle was not found; set HEDDLE_EXECUTABLE")
        return()
endif()

# One object.  CMake before 3.20 cannot read what the compiler says about headers: there they are all those beside the source.
function(heddle_object object source compiler)
        if(CMAKE_VERSION VERSION_LESS 3.20)
                get_filename_component(folder "${source}" DIRECTORY)
                file(GLOB headers CONFIGURE_DEPENDS "${folder}/*.h" "${folder}/*.hpp" "${folder}/*.hh")
                set(headers DEPENDS ${headers})
        else()
                cmake_policy(SET CMP0116 NEW)
                set(headers DEPFILE "${object}.d")
        endif()
        if(source MATCHES "\\.c$")
                set(compiler cc)
        endif()
        add_custom_command(OUTPUT "${object}"
                COMMAND "${HEDDLE_EXECUTABLE}" ${compiler} ${ARGN} -MD -MF "${object}.d" -MT "${object}" -c -o "${object}" "${source}"
                DEPENDS "${source}" "${HEDDLE_EXECUTABLE}"
                ${headers}
                COMMENT "Building ${object} with heddle ${compiler}"
                VERBATIM)
endfunction()

function(heddle_add_test)
        cmake_parse_arguments(PARSE_ARGV 0 T "" "NAME;REPORTS" "SOURCES;INCLUDES;DEFINITIONS;FLAGS;LIBRARIES;OPTIONS;ARGS")
        if(NOT T_NAME OR NOT T_SOURCES)
                message(FATAL_ERROR "heddle_add_test needs NAME and SOURCES")
        endif()
        if(T_UNPARSED_ARGUMENTS)
                message(FATAL_ERROR "heddle_add_test: unknown argument '${T_UNPARSED_ARGUMENTS}'")
        endif()

        set(compiler cc)
        set(sources)
        foreach(source IN LISTS T_SOURCES)
                get_filename_component(path "${source}" ABSOLUTE)
                list(APPEND sources "${path}")
                if(source MATCHES "\\.(cc|cpp|cxx|C|c\\+\\+)$")
                        set(compiler c++)
                endif()
        endforeach()
        set(flags -g -pthread ${T_FLAGS})
        foreach(folder IN LISTS T_INCLUDES)
                get_filename_component(path "${folder}" ABSOLUTE)
                list(APPEND flags "-I${path}")
        endforeach()
        foreach(definition IN LISTS T_DEFINITIONS)
                list(APPEND flags "-D${definition}")
        endforeach()
        set(libraries)
        foreach(library IN LISTS T_LIBRARIES)
                list(APPEND libraries "-l${library}")
        endforeach()

        # An object for each source, which depends on the headers that the compiler saw: a test must never be of old text.
        set(program "${CMAKE_CURRENT_BINARY_DIR}/${T_NAME}.heddle")
        set(objects)
        foreach(source IN LISTS sources)
                list(LENGTH objects number)
                set(object "${program}.${number}.o")
                heddle_object("${object}" "${source}" ${compiler} ${flags})
                list(APPEND objects "${object}")
        endforeach()
        add_custom_command(OUTPUT "${program}"
                COMMAND "${HEDDLE_EXECUTABLE}" ${compiler} ${flags} -o "${program}" ${objects} ${libraries}
                DEPENDS ${objects} "${HEDDLE_EXECUTABLE}"
                COMMENT "Linking ${T_NAME} with heddle ${compiler}"
                VERBATIM)
        add_custom_target("${T_NAME}_heddle" ALL DEPENDS "${program}")

        set(options ${T_OPTIONS})
        if(T_REPORTS)
                get_filename_component(folder "${T_REPORTS}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
                file(MAKE_DIRECTORY "${folder}")
                list(APPEND options --html "${folder}/${T_NAME}.html" --junit "${folder}/${T_NAME}.junit.xml")
        endif()
        add_test(NAME "${T_NAME}" COMMAND "${HEDDLE_EXECUTABLE}" check ${options} "${program}" ${T_ARGS})
        set_tests_properties("${T_NAME}" PROPERTIES SKIP_RETURN_CODE 4)
endfunction()
