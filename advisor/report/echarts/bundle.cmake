# The chart library of reports, from npm, as two files to embed: echarts.b64 (gzip, base64) and
# echarts_notice.txt. Both are empty where npm is not there or cannot reach its registry: reports
# then keep their static charts. Included by advisor/CMakeLists.txt, and run by it as a script.
if(CMAKE_SCRIPT_MODE_FILE)
  function(give_up reason)
    message("-- reports will have static charts only: ${reason}")
    message("   to try again: rm ${OUT}/echarts.b64, then build")
    file(WRITE ${OUT}/echarts.b64 "")
    file(WRITE ${OUT}/echarts_notice.txt "")
  endfunction()
  if(NOT NPM)
    give_up("npm is not installed")
    return()
  endif()
  set(work ${OUT}/echarts)
  foreach(file package.json package-lock.json entry.js bundle.mjs)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${file} ${work}/${file} COPYONLY)
  endforeach()
  # Scripts of packages are not run: esbuild's own only checks what is there.
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=20000
    WORKING_DIRECTORY ${work} TIMEOUT 180 RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
  if(failed)
    string(REGEX MATCH "npm error [^\n]*" why "${why}")
    give_up("npm ci failed (${failed}) ${why}")
    return()
  endif()
  execute_process(
    COMMAND node bundle.mjs ${OUT}/echarts.b64 ${OUT}/echarts_notice.txt
    WORKING_DIRECTORY ${work} TIMEOUT 120 RESULT_VARIABLE failed ERROR_VARIABLE why)
  if(failed)
    give_up("esbuild failed (${failed}): ${why}")
  endif()
else()
  option(RIGHTSIZE_ECHARTS "Interactive charts in reports, from npm where it is found" ON)
  if(RIGHTSIZE_ECHARTS)
    find_program(NPM npm)
  endif()
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/echarts.b64 ${CMAKE_CURRENT_BINARY_DIR}/echarts_notice.txt
    COMMAND ${CMAKE_COMMAND} -DNPM=$<$<BOOL:${RIGHTSIZE_ECHARTS}>:${NPM}>
            -DOUT=${CMAKE_CURRENT_BINARY_DIR} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${CMAKE_CURRENT_LIST_FILE} ${CMAKE_CURRENT_LIST_DIR}/package.json
            ${CMAKE_CURRENT_LIST_DIR}/package-lock.json ${CMAKE_CURRENT_LIST_DIR}/entry.js
            ${CMAKE_CURRENT_LIST_DIR}/bundle.mjs
    COMMENT "Chart library of reports (npm)")
endif()
