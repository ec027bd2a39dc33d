#include "advisor/report/row_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/chart_scale.h"
#include "advisor/report/escape.h"
#include "advisor/report/label_placer.h"
#include "advisor/report/svg_chart.h"
#include "advisor/report/svg_legend.h"
#include "advisor/report/svg_shape.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr double font_size = 11;
constexpr double bar_height = 7;
constexpr double bar_pitch = 8;
constexpr double row_gap = 10;
constexpr double dot_row_height = 22;
constexpr double bottom_margin = 40;

class RowDrawing {
 public:
  explicit RowDrawing(const RowChart& chart) : chart_(chart) {
    double label_width = 0;
    double note_width = text_width(chart.note_title, font_size);
    for (const auto& row : chart.rows) {
      const double bold = row.strong ? 1.1 : 1;
      label_width = std::max(label_width, bold * text_width(row.label, font_size));
      note_width = std::max(note_width, text_width(row.note, font_size));
    }
    left_ = std::min(label_width + 16, chart.width * 0.4);
    right_ = chart.width - note_width - 16;
    legend_ = legend(chart.key, left_, 2, chart.width);
    top_ = legend_.height + (chart.note_title.empty() ? 8 : 22);
    double height = 0;
    for (const auto& row : chart.rows) {
      height += row_height(row);
    }
    bottom_ = top_ + height;
    x_ = {chart.x.scale, x_range(chart), {left_, right_}};
  }

  [[nodiscard]] std::string draw() const {
    std::string out = svg_open(
        chart_.id, chart_.title, chart_.description, chart_.width, bottom_ + bottom_margin);
    out += legend_.svg + grid();
    double y = top_;
    for (const auto& row : chart_.rows) {
      out += drawn(row, y);
      y += row_height(row);
    }
    return out + "</svg>\n";
  }

 private:
  [[nodiscard]] double row_height(const ChartRow& row) const {
    const double bars = static_cast<double>(row.bars.size()) * bar_pitch;
    return row.bars.empty() || chart_.stacked ? dot_row_height : bars + row_gap;
  }

  [[nodiscard]] std::string grid() const {
    std::string out;
    const auto ticks =
        chart_.x.scale == Scale::logarithmic ? log_ticks(x_.data) : nice_ticks(x_.data, 6);
    double free_from = -1e9;
    for (const double tick : ticks) {
      const double x = x_.position(tick);
      out += fmt::format(R"(<path class="grid" d="M{:.1f} {:.1f}V{:.1f}"/>)", x, top_, bottom_);
      const auto text = axis_number(tick);
      if (x - text_width(text, font_size) / 2 > free_from) {
        out += svg_text(x, bottom_ + 16, "middle", "tick", text);
        free_from = x + text_width(text, font_size) / 2 + 4;
      }
    }
    if (!chart_.note_title.empty()) {
      out += svg_text(chart_.width - 4, top_ - 6, "end", "axis-title", chart_.note_title);
    }
    return out + svg_text((left_ + right_) / 2,
                          bottom_ + bottom_margin - 6,
                          "middle",
                          "axis-title",
                          chart_.x.title);
  }

  [[nodiscard]] std::string drawn(const ChartRow& row, double top) const {
    const bool one_line = row.bars.empty() || chart_.stacked;
    const double middle = top + (row_height(row) - (one_line ? 0 : row_gap)) / 2;
    const char* label_class = row.strong ? "label strong" : "label";
    std::string out = svg_text(left_ - 8, middle + 4, "end", label_class, row.label);
    out += chart_.stacked ? stack(row, top) : bars(row, top);
    if (row.dot && std::isfinite(*row.dot)) {
      out += dot(row, middle);
    }
    return out + svg_text(chart_.width - 4, middle + 4, "end", label_class, row.note);
  }

  [[nodiscard]] static std::string bar(
      const Bar& bar, double left, double right, double y, double height) {
    return fmt::format(
        R"(<g class="role-{}"><rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" )"
        R"(height="{:.1f}"><title>{}</title></rect></g>)",
        bar.role,
        left,
        y,
        std::max(0.5, right - left),
        height,
        escape_html(bar.hover));
  }

  [[nodiscard]] std::string bars(const ChartRow& row, double y) const {
    std::string out;
    for (const auto& one : row.bars) {
      const double end = x_.position(std::clamp(one.value, x_.data.low, x_.data.high));
      out += bar(one, left_, end, y, bar_height);
      y += bar_pitch;
    }
    return out;
  }

  [[nodiscard]] std::string stack(const ChartRow& row, double top) const {
    std::string out;
    double from = x_.data.low;
    for (const auto& one : row.bars) {
      if (one.value > 0) {
        const double to = std::min(from + one.value, x_.data.high);
        out += bar(one, x_.position(from), x_.position(to), top + 3, dot_row_height - 6);
        from = to;
      }
    }
    return out;
  }

  [[nodiscard]] std::string interval(const char* css_class, const Range& range, double y) const {
    return fmt::format(R"(<path class="{}" d="M{:.1f} {:.1f}H{:.1f}"/>)",
                       css_class,
                       x_.position(range.low),
                       y,
                       x_.position(range.high));
  }

  [[nodiscard]] std::string dot(const ChartRow& row, double y) const {
    std::string out = row.strong ? R"(<g class="role-chosen">)" : R"(<g class="role-one">)";
    out += row.interval ? interval("interval", *row.interval, y) : "";
    out += row.inner ? interval("interval inner", *row.inner, y) : "";
    const auto shape = row.strong ? Shape::diamond : Shape::circle;
    out += svg_shape(shape, x_.position(*row.dot), y, 4.5, row.hover) + "</g>";
    for (const auto& mark : row.marks) {
      out += R"(<g class="role-four">)" +
             svg_shape(Shape::triangle, x_.position(mark.at), y, 4.5, mark.hover) + "</g>";
    }
    return out;
  }

  const RowChart& chart_;
  Legend legend_;
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  Axis x_;
};

}  // namespace

std::string svg(const RowChart& chart) {
  return chart.rows.empty() ? absent(chart.when_empty) : RowDrawing(chart).draw();
}

}  // namespace rightsize::report
