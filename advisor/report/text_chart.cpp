#include "advisor/report/text_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "advisor/report/chart_scale.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t plot_height = 14;
constexpr std::size_t usual_width = 80;
constexpr std::size_t narrowest_plot = 20;
constexpr std::size_t label_room = 8;  // of the numbers beside the y axis
constexpr double columns_per_tick = 12;
constexpr double pixels_per_tick = 60;  // of axis_ticks()

struct Marks {
  const char* circle;
  const char* diamond;
  const char* square;
  const char* triangle;
  const char* muted;
  std::array<const char*, 4> lines;  // of one series after the other
  const char* guide;
  const char* side;
  const char* floor;
  const char* corner;
};
constexpr Marks plain{"o", "*", "#", "^", ".", {"-", "=", "~", "x"}, ":", "|", "-", "+"};
constexpr Marks drawn{"●", "◆", "■", "▲", "·", {"─", "═", "╍", "∙"}, "┊", "│", "─", "└"};

class Canvas {
 public:
  Canvas(const XyChart& chart, std::size_t width, const Marks& marks)
      : chart_(chart), marks_(marks), width_(width), cells_(plot_height, Row(width, " ")) {
    x_ = {chart.x.scale, x_range(chart), {0, static_cast<double>(width - 1)}};
    y_ = {chart.y.scale, y_range(chart), {static_cast<double>(plot_height - 1), 0}};
  }

  [[nodiscard]] std::string draw() {
    for (const auto& guide : chart_.guides) {
      draw_guide(guide);
    }
    for (const auto& series : chart_.series) {
      if (is_line(series)) {
        draw_line(series);
      }
    }
    for (const auto& series : chart_.series) {
      if (series.mark == Mark::dots) {
        draw_dots(series);
      }
    }
    write_labels();
    return key() + "  " + chart_.y.title + "\n" + plot() + floor() + numbers();
  }

 private:
  using Row = std::vector<std::string>;

  [[nodiscard]] std::size_t column(double x) const {
    return static_cast<std::size_t>(
        std::clamp(std::lround(x_.position(x)), 0L, static_cast<long>(width_) - 1));
  }
  [[nodiscard]] std::size_t row(double y) const {
    return static_cast<std::size_t>(
        std::clamp(std::lround(y_.position(y)), 0L, static_cast<long>(plot_height) - 1));
  }

  [[nodiscard]] const char* mark_of(const Series& series) const {
    if (series.role == "muted") {
      return marks_.muted;
    }
    switch (series.shape) {
      case Shape::diamond:
        return marks_.diamond;
      case Shape::square:
        return marks_.square;
      case Shape::triangle:
        return marks_.triangle;
      case Shape::circle:
        break;
    }
    return marks_.circle;
  }

  static bool is_line(const Series& series) {
    return series.mark == Mark::line || series.mark == Mark::step;
  }

  // Without colours lines are told apart by what they are drawn with.
  [[nodiscard]] const char* line_of(const Series& series) const {
    const auto before = std::count_if(chart_.series.data(), &series, is_line);
    return marks_.lines.at(static_cast<std::size_t>(before) % marks_.lines.size());
  }

  [[nodiscard]] bool is_line_mark(const std::string& cell) const {
    return std::find(marks_.lines.begin(), marks_.lines.end(), cell) != marks_.lines.end();
  }

  void draw_guide(const Guide& guide) {
    for (std::size_t i = 0; i < (guide.vertical ? plot_height : width_); ++i) {
      (guide.vertical ? cells_[i][column(guide.at)] : cells_[row(guide.at)][i]) = marks_.guide;
    }
  }

  // Column by column between two points, along the axes' own scales.
  void draw_line(const Series& series) {
    for (std::size_t i = 1; i < series.points.size(); ++i) {
      const auto& from = series.points[i - 1];
      const auto& to = series.points[i];
      const double left = x_.position(from.x);
      const double right = x_.position(to.x);
      for (double at = std::ceil(left); at <= right; at += 1) {
        const double share = right > left ? (at - left) / (right - left) : 0;
        const double height =
            series.mark == Mark::step
                ? y_.position(from.y)
                : y_.position(from.y) + share * (y_.position(to.y) - y_.position(from.y));
        const auto line = static_cast<std::size_t>(
            std::clamp(std::lround(height), 0L, static_cast<long>(plot_height) - 1));
        const auto place = static_cast<std::size_t>(
            std::clamp(std::lround(at), 0L, static_cast<long>(width_) - 1));
        cells_[line][place] = series.dashed && place % 2 == 1 ? " " : line_of(series);
      }
    }
  }

  void draw_dots(const Series& series) {
    for (const auto& point : series.points) {
      cells_[row(point.y)][column(point.x)] = mark_of(series);
    }
  }

  // To the right of its point where nothing is written yet, else to the left, else not at all.
  void write_labels() {
    for (auto series = chart_.series.rbegin(); series != chart_.series.rend(); ++series) {
      for (const auto& point : series->points) {
        const auto length = display_width(point.label);
        const auto at = column(point.x);
        if (length == 0 || length != point.label.size()) {
          continue;  // characters of one byte each, as the cells are
        }
        if (!write(point.label, at + 2, row(point.y)) && at >= length + 1) {
          (void)write(point.label, at - length - 1, row(point.y));
        }
      }
    }
  }

  [[nodiscard]] bool write(const std::string& text, std::size_t at, std::size_t line) {
    auto& cells = cells_[line];
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool free = at + i < width_ && (cells[at + i] == " " || is_line_mark(cells[at + i]));
      if (!free) {
        return false;
      }
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      cells[at + i] = std::string(1, text[i]);
    }
    return true;
  }

  [[nodiscard]] std::string key() const {
    std::string out;
    const auto add = [&](const std::string& text) { out += (out.empty() ? "  " : "   ") + text; };
    for (const auto& series : chart_.series) {
      if (!series.name.empty() && series.mark != Mark::band) {
        add(std::string(series.mark == Mark::dots ? mark_of(series) : line_of(series)) + " " +
            series.name);
      }
    }
    for (const auto& guide : chart_.guides) {
      add(std::string(marks_.guide) + " " + guide.text);
    }
    return out.empty() ? "" : out + "\n";
  }

  [[nodiscard]] std::string plot() const {
    std::vector<std::string> names(plot_height);
    for (const double tick : axis_ticks(chart_.y, y_.data, 5 * pixels_per_tick)) {
      names[row(tick)] = axis_number(tick);
    }
    std::string out;
    for (std::size_t i = 0; i < plot_height; ++i) {
      std::string line;
      for (const auto& cell : cells_[i]) {
        line += cell;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += fmt::format("{:>{}} {}{}\n", names[i], label_room, marks_.side, line);
    }
    return out;
  }

  [[nodiscard]] std::string floor() const {
    std::string out(label_room + 1, ' ');
    out += marks_.corner;
    for (std::size_t i = 0; i < width_; ++i) {
      out += marks_.floor;
    }
    return out + "\n";
  }

  [[nodiscard]] std::string numbers() const {
    std::string line(label_room + 2 + width_ + label_room, ' ');
    std::size_t free_from = 0;
    const double length = static_cast<double>(width_) / columns_per_tick * pixels_per_tick;
    for (const double tick : axis_ticks(chart_.x, x_.data, length)) {
      const auto text = axis_number(tick);
      const auto at = label_room + 2 + column(tick) - std::min(column(tick), text.size() / 2);
      if (at >= free_from) {
        line.replace(at, text.size(), text);
        free_from = at + text.size() + 1;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n" + std::string(label_room + 2, ' ') + chart_.x.title + "\n";
  }

  const XyChart& chart_;
  const Marks& marks_;
  std::size_t width_;
  std::vector<Row> cells_;
  Axis x_;
  Axis y_;
};

}  // namespace

std::string text_chart(const XyChart& given, const Style& style, Letters letters) {
  const auto chart = cleaned(given);
  if (chart.series.empty()) {
    return "";
  }
  const auto width = (style.width == 0 ? usual_width : style.width);
  const auto room = std::max(narrowest_plot, width - std::min(width, label_room + 3));
  return style.bold(chart.title) + "\n" +
         Canvas(chart, room, letters == Letters::utf8 ? drawn : plain).draw();
}

}  // namespace rightsize::report
