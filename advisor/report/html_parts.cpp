#include "advisor/report/html_parts.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/echarts_option.h"
#include "advisor/report/escape.h"
#include "advisor/report/grid_chart.h"
#include "advisor/report/row_chart.h"
#include "advisor/report/svg_chart.h"
#include "rightsize_page.h"

namespace rightsize::report {
namespace {

template <typename Chart>
std::string option_script(const Chart& chart) {
  const auto option = echarts_library().empty() ? std::nullopt : echarts_option(chart);
  return option ? "<script type=\"application/json\" class=\"option\">" +
                      escape_script(boost::json::serialize(*option)) + "</script>"
                : "";
}

template <typename Chart>
std::string any_figure(const Chart& chart, const char* css_class) {
  return fmt::format(
      "<figure class=\"{}\"><figcaption><strong>{}</strong> <span>{}</span></figcaption>"
      "<div class=\"scroll static\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">{}</div>{}"
      "</figure>\n",
      css_class,
      escape_html(chart.title),
      escape_html(chart.description),
      escape_html(chart.title),
      svg(chart),
      option_script(chart));
}

}  // namespace

std::string paragraph(const std::string& text) {
  return "<p>" + escape_html(text) + "</p>\n";
}

std::string list(const std::vector<std::string>& items, const char* css_class) {
  std::string out;
  for (const auto& item : items) {
    out += "<li>" + escape_html(item) + "</li>\n";
  }
  return out.empty() ? "" : fmt::format("<ul class=\"{}\">\n{}</ul>\n", css_class, out);
}

std::string folded(const std::string& summary, const std::string& content, Fold fold) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                     fold == Fold::open        ? " open"
                     : fold == Fold::long_list ? " class=\"long\""
                                               : "",
                     escape_html(summary),
                     content);
}

std::string figure(const XyChart& chart, const char* css_class) {
  return any_figure(chart, css_class);
}

std::string figure(const RowChart& chart, const char* css_class) {
  return any_figure(chart, css_class);
}

std::string figure(const GridChart& chart, const char* css_class) {
  return any_figure(chart, css_class);
}

// Base64 means nothing to HTML: it goes in as it is.
std::string chart_library() {
  return echarts_library().empty() ? ""
                                   : "<script type=\"application/octet-stream\" id=\"echarts\">" +
                                         std::string(echarts_library()) + "</script>\n<script>\n" +
                                         std::string(embedded::labels_js()) +
                                         std::string(embedded::draw_js()) + "</script>\n";
}

std::string colophon() {
  return echarts_notice().empty()
             ? paragraph("Charts are static: this rightsize was built without npm.")
             : paragraph("Charts: " + std::string(echarts_notice()) +
                         " Their licences are in full in the script of this file.");
}

}  // namespace rightsize::report
