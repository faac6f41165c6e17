# reprise_embed(TARGET FILE SYMBOL): makes FILE's text available as
#   namespace reprise::embedded { extern const std::string_view SYMBOL; }
# declared in core/base/embedded.h. Raw literals are cut into pieces because compilers limit their length.
function(reprise_embed target file symbol)
  set(input ${PROJECT_SOURCE_DIR}/${file})
  set(output ${CMAKE_BINARY_DIR}/embedded/${symbol}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DSYMBOL=${symbol}
            -P ${PROJECT_SOURCE_DIR}/resources/embed-file.cmake
    DEPENDS ${input} ${PROJECT_SOURCE_DIR}/resources/embed-file.cmake
    COMMENT "Embedding ${file}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
