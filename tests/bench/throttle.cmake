add_executable(bench_throttle bench_throttle.cpp)
target_link_libraries(bench_throttle PRIVATE rightsize_profiler)

add_executable(bench_throttle_accuracy throttle_accuracy.cpp)
target_link_libraries(bench_throttle_accuracy PRIVATE rightsize_profiler)

add_executable(bench_disk disk.cpp)
target_link_libraries(bench_disk PRIVATE rightsize_profiler)

find_library(TURBOJPEG_LIBRARY turbojpeg)
if(TURBOJPEG_LIBRARY)
  add_executable(bench_data_path data_path.cpp)
  target_link_libraries(bench_data_path PRIVATE rightsize_profiler ${TURBOJPEG_LIBRARY})
endif()
