#include "advisor/report/grid_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/escape.h"
#include "advisor/report/label_placer.h"
#include "advisor/report/svg_chart.h"

namespace rightsize::report {
namespace {

constexpr double font_size = 11;
constexpr double cell_height = 24;
constexpr double right_margin = 8;
constexpr double bottom_margin = 40;
constexpr double key_height = 22;
constexpr double title_height = 20;

class GridDrawing {
 public:
  explicit GridDrawing(const GridChart& chart) : chart_(chart), smallest_(smallest_value(chart)) {
    double label_width = 0;
    for (const auto& row : chart.rows) {
      label_width = std::max(label_width, text_width(row, font_size));
    }
    left_ = label_width + 14;
    top_ = key_height + title_height;
    cell_width_ = (chart.width - right_margin - left_) / static_cast<double>(chart.columns.size());
    bottom_ = top_ + cell_height * static_cast<double>(chart.rows.size());
  }

  [[nodiscard]] std::string draw() const {
    std::string out = svg_open(
        chart_.id, chart_.title, chart_.description, chart_.width, bottom_ + bottom_margin);
    out += key() + axes();
    for (const auto& cell : chart_.cells) {
      out += drawn(cell);
    }
    return out + "</svg>\n";
  }

 private:
  [[nodiscard]] std::string key() const {
    std::string out;
    double x = left_;
    for (std::size_t i = 0; i < grid_levels.size(); ++i) {
      out +=
          fmt::format(R"(<rect class="heat-{}" x="{:.1f}" y="4" width="14" height="10"/>)", i, x) +
          svg_text(x + 18, 13, "start", "key", grid_levels[i].name);
      x += 32 + text_width(grid_levels[i].name, font_size);
    }
    return out;
  }

  [[nodiscard]] std::string axes() const {
    std::string out = svg_text(4, top_ - 8, "start", "axis-title", chart_.y_title);
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      out += svg_text(left_ - 6, row_top(i) + cell_height / 2 + 4, "end", "tick", chart_.rows[i]);
    }
    for (std::size_t i = 0; i < chart_.columns.size(); ++i) {
      const double middle = left_ + cell_width_ * (static_cast<double>(i) + 0.5);
      out += svg_text(middle, bottom_ + 16, "middle", "tick", chart_.columns[i]);
    }
    return out + svg_text((left_ + chart_.width) / 2,
                          bottom_ + bottom_margin - 6,
                          "middle",
                          "axis-title",
                          chart_.x_title);
  }

  [[nodiscard]] double row_top(std::size_t row) const {
    return bottom_ - cell_height * static_cast<double>(row + 1);
  }

  [[nodiscard]] std::string drawn(const GridCell& cell) const {
    const auto level = grid_level(cell.value, smallest_);
    const double x = left_ + cell_width_ * static_cast<double>(cell.x);
    const double y = row_top(cell.y);
    std::string out = fmt::format(
        R"(<rect class="heat-{}{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}">)"
        R"(<title>{}</title></rect>)",
        level,
        cell.strong ? " chosen-cell" : "",
        x + 1,
        y + 1,
        cell_width_ - 2,
        cell_height - 2,
        escape_html(cell.hover));
    if (text_width(cell.text, font_size) < cell_width_) {
      out += svg_text(x + cell_width_ / 2,
                      y + cell_height / 2 + 4,
                      "middle",
                      fmt::format("on-heat-{}", level).c_str(),
                      cell.text);
    }
    return out;
  }

  const GridChart& chart_;
  double smallest_;
  double left_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double cell_width_ = 0;
};

}  // namespace

double smallest_value(const GridChart& chart) {
  double smallest = INFINITY;
  for (const auto& cell : chart.cells) {
    smallest = std::min(smallest, cell.value);
  }
  return smallest;
}

std::size_t grid_level(double value, double smallest) {
  const auto found = std::find_if(grid_levels.begin(), grid_levels.end(), [&](const auto& level) {
    return value <= smallest * level.up_to;
  });
  return static_cast<std::size_t>(std::min(found, grid_levels.end() - 1) - grid_levels.begin());
}

std::string svg(const GridChart& chart) {
  return chart.cells.empty() ? absent(chart.when_empty) : GridDrawing(chart).draw();
}

}  // namespace rightsize::report
