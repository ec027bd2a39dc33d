# What transformers cost beside bare oneDNN products, and decoding beside a plain read of memory.
add_executable(bench_transformer transformer.cpp)
target_include_directories(bench_transformer PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_include_directories(bench_transformer SYSTEM PRIVATE ${DNNL_INCLUDE})
target_link_libraries(bench_transformer PRIVATE rightsize_cpu ${DNNL_LIBRARY} OpenMP::OpenMP_CXX)
