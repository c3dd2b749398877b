# The simulator SDK's libraries as CMake targets, under the names that link lines use:
#
#   find_package(opspec-sdk REQUIRED)
#   target_link_libraries(program ascendcl nnopbase opapi_math opapi_nn)
#
# opspec-sdk_INCLUDE_DIRS and opspec-sdk_LIBRARY_DIR are set for build files that name folders.
get_filename_component(_opspec_sdk "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(opspec-sdk_INCLUDE_DIRS "${_opspec_sdk}/include" "${_opspec_sdk}/include/aclnnop")
set(opspec-sdk_LIBRARY_DIR "${_opspec_sdk}/lib64")
set(opspec-sdk_LIBRARIES)

foreach(_opspec_library IN ITEMS
    opspec_sim ascendcl acl_rt nnopbase opapi opapi_math opapi_nn opapi_cv opapi_transformer hccl hccl_fwk c_sec)
  set(_opspec_file "${opspec-sdk_LIBRARY_DIR}/lib${_opspec_library}.so")
  if(NOT EXISTS "${_opspec_file}")
    set(opspec-sdk_FOUND FALSE)
    set(opspec-sdk_NOT_FOUND_MESSAGE "there is no ${_opspec_file}")
    return()
  endif()
  if(NOT TARGET ${_opspec_library})
    add_library(${_opspec_library} SHARED IMPORTED)
    set_target_properties(${_opspec_library} PROPERTIES
      IMPORTED_LOCATION "${_opspec_file}"
      INTERFACE_INCLUDE_DIRECTORIES "${opspec-sdk_INCLUDE_DIRS}")
    if(NOT _opspec_library STREQUAL "opspec_sim")
      set_property(TARGET ${_opspec_library} PROPERTY IMPORTED_LINK_DEPENDENT_LIBRARIES opspec_sim)
    endif()
  endif()
  list(APPEND opspec-sdk_LIBRARIES ${_opspec_library})
endforeach()
list(REMOVE_ITEM opspec-sdk_LIBRARIES opspec_sim)
set(opspec-sdk_FOUND TRUE)
unset(_opspec_sdk)
unset(_opspec_library)
unset(_opspec_file)
