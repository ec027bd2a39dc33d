# Questions and answers by HTTP. Included by CMakeLists.txt of this folder.
rightsize_add_tests(http_test fast ALONE
  SOURCES
    http/asked_job_test.cpp
    http/door_test.cpp
    http/events_test.cpp
    http/measurements_test.cpp
    http/question_test.cpp
    ../support/running_server.cpp
    http/server_test.cpp
    http/site_test.cpp
    http/url_test.cpp
  LIBRARIES rightsize_app)
rightsize_add_tests(site_page_test slow ALONE
  SOURCES
    browser.cpp
    ../support/running_server.cpp
    http/site_page_test.cpp
  LIBRARIES rightsize_app)
