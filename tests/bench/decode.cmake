# The decode path against OpenCV's, where libopencv-imgcodecs-dev is installed. By name, as Debian
# keeps OpenCVConfig.cmake in libopencv-dev, which drags in all of OpenCV.
find_path(OPENCV_INCLUDE opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
find_library(OPENCV_CORE opencv_core)
find_library(OPENCV_IMGPROC opencv_imgproc)
find_library(OPENCV_IMGCODECS opencv_imgcodecs)
if(OPENCV_INCLUDE AND OPENCV_CORE AND OPENCV_IMGPROC AND OPENCV_IMGCODECS)
  add_executable(bench_decode bench_decode.cpp)
  target_include_directories(bench_decode SYSTEM PRIVATE ${OPENCV_INCLUDE})
  target_link_libraries(bench_decode PRIVATE
    rightsize_data ${OPENCV_IMGCODECS} ${OPENCV_IMGPROC} ${OPENCV_CORE})
endif()
