# The report: escaping, charts, page, Markdown. Included by CMakeLists.txt of this folder.
rightsize_add_tests(report_test fast
  SOURCES
    axis_test.cpp
    echarts_option_test.cpp
    moves_table_test.cpp
    option_words_test.cpp
    recommendation_file_test.cpp
    report_fixture.cpp
    report_outputs_test.cpp
    report_test.cpp
    svg_chart_test.cpp
    text_chart_test.cpp
  LIBRARIES rightsize_app)
rightsize_add_tests(report_page_test slow ALONE
  SOURCES
    browser.cpp
    report_fixture.cpp
    report_page_test.cpp
  LIBRARIES rightsize_app)
