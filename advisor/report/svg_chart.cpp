#include "advisor/report/svg_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/chart_scale.h"
#include "advisor/report/escape.h"
#include "advisor/report/label_placer.h"
#include "advisor/report/svg_legend.h"
#include "advisor/report/svg_shape.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr double font_size = 11;
constexpr double left_margin = 58;
constexpr double right_margin = 14;
constexpr double bottom_margin = 40;
constexpr double title_height = 20;

class Drawing {
 public:
  explicit Drawing(const XyChart& chart) : chart_(chart) {
    legend_ = legend(chart.series, left_margin, title_height + 4, chart.width - right_margin);
    area_ = {left_margin,
             title_height + legend_.height + 10,
             chart.width - right_margin,
             chart.height - bottom_margin};
    x_ = {chart.x.scale, x_range(chart), {area_.left, area_.right}};
    y_ = {chart.y.scale, y_range(chart), {area_.bottom, area_.top}};
  }

  [[nodiscard]] std::string draw() const {
    return svg_open(chart_.id, chart_.title, chart_.description, chart_.width, chart_.height) +
           guides() + grid() + legend_.svg + all_series() + labels() + "</svg>\n";
  }

 private:
  [[nodiscard]] std::string grid() const {
    std::string out = svg_text(4, 13, "start", "axis-title", chart_.y.title);
    for (const double tick : axis_ticks(chart_.y, y_.data, area_.bottom - area_.top)) {
      const double y = y_.position(tick);
      out += fmt::format(
                 R"(<path class="grid" d="M{:.1f} {:.1f}H{:.1f}"/>)", area_.left, y, area_.right) +
             svg_text(area_.left - 6, y + 4, "end", "tick", axis_number(tick));
    }
    double free_from = -1e9;  // right end of the last label: ticks that crowd stay without one
    for (const double tick : axis_ticks(chart_.x, x_.data, area_.right - area_.left)) {
      const double x = x_.position(tick);
      out += fmt::format(
          R"(<path class="grid" d="M{:.1f} {:.1f}V{:.1f}"/>)", x, area_.top, area_.bottom + 4);
      const auto text = axis_number(tick);
      const double half = text_width(text, font_size) / 2;
      if (x - half > free_from) {
        out += svg_text(x, area_.bottom + 17, "middle", "tick", text);
        free_from = x + half + 4;
      }
    }
    out += fmt::format(R"(<path class="axis" d="M{:.1f} {:.1f}V{:.1f}H{:.1f}"/>)",
                       area_.left,
                       area_.top,
                       area_.bottom,
                       area_.right);
    return out + svg_text((area_.left + area_.right) / 2,
                          chart_.height - 6,
                          "middle",
                          "axis-title",
                          chart_.x.title);
  }

  [[nodiscard]] std::string guides() const {
    std::string out;
    for (const auto& guide : chart_.guides) {
      const double at = (guide.vertical ? x_ : y_).position(guide.at);
      const Box beyond = shaded(guide, at);
      out += fmt::format(R"(<rect class="infeasible" x="{:.1f}" y="{:.1f}" width="{:.1f}" )"
                         R"(height="{:.1f}"/>)",
                         beyond.left,
                         beyond.top,
                         std::max(0.0, beyond.right - beyond.left),
                         std::max(0.0, beyond.bottom - beyond.top));
      out += guide.vertical ? fmt::format(R"(<path class="guide" d="M{:.1f} {:.1f}V{:.1f}"/>)",
                                          at,
                                          area_.top,
                                          area_.bottom) +
                                  guide_text(guide, at)
                            : fmt::format(R"(<path class="guide" d="M{:.1f} {:.1f}H{:.1f}"/>)",
                                          area_.left,
                                          at,
                                          area_.right) +
                                  guide_text(guide, at);
    }
    return out;
  }

  // Where the words of a guide stand: at the foot of one that stands, on the side that has room for
  // them, and at the start of one that lies.
  [[nodiscard]] Box guide_box(const Guide& guide, double at) const {
    const double width = text_width(guide.text, font_size);
    const double left = !guide.vertical                  ? area_.left + 4
                        : at - 4 - width >= area_.left   ? at - 4 - width
                        : at + 4 + width <= chart_.width ? at + 4
                                                         : chart_.width - width;
    const double base = guide.vertical ? area_.bottom - 6 : at - 4;
    return {left, base - font_size, left + width, base + 3};
  }

  [[nodiscard]] std::string guide_text(const Guide& guide, double at) const {
    const auto box = guide_box(guide, at);
    return svg_text(box.left, box.bottom - 3, "start", "guide-text", guide.text);
  }

  [[nodiscard]] Box shaded(const Guide& guide, double at) const {
    if (guide.vertical) {
      const auto inside = [&](double x) { return std::clamp(x, area_.left, area_.right); };
      return guide.interval ? Box{inside(x_.position(guide.interval->low)),
                                  area_.top,
                                  inside(x_.position(guide.interval->high)),
                                  area_.bottom}
                            : Box{at, area_.top, area_.right, area_.bottom};
    }
    const auto inside = [&](double y) { return std::clamp(y, area_.top, area_.bottom); };
    return guide.interval ? Box{area_.left,
                                inside(y_.position(guide.interval->high)),
                                area_.right,
                                inside(y_.position(guide.interval->low))}
                          : Box{area_.left, area_.top, area_.right, at};
  }

  [[nodiscard]] std::string all_series() const {
    std::string out;
    for (const auto& series : chart_.series) {
      out += fmt::format(R"(<g class="role-{}">)", series.role);
      out += series.mark == Mark::dots   ? dots(series)
             : series.mark == Mark::band ? band(series)
                                         : line(series);
      out += "</g>";
    }
    return out;
  }

  [[nodiscard]] std::string line(const Series& series) const {
    std::string path;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const auto& point = series.points[i];
      const double x = x_.position(point.x);
      const double y = y_.position(point.y);
      if (i == 0) {
        path += fmt::format("M{:.1f} {:.1f}", x, y);
      } else if (series.mark == Mark::step) {
        path += fmt::format("H{:.1f}V{:.1f}", x, y);
      } else {
        path += fmt::format("L{:.1f} {:.1f}", x, y);
      }
    }
    return fmt::format(R"(<path class="line{}" d="{}"/>)", series.dashed ? " dashed" : "", path);
  }

  [[nodiscard]] std::string band(const Series& series) const {
    std::string there;
    std::string back;
    for (const auto& point : series.points) {
      const auto range = point.y_range.value_or(Range{point.y, point.y});
      const double x = x_.position(point.x);
      there +=
          fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", x, y_.position(range.high));
      back.insert(0, fmt::format("L{:.1f} {:.1f}", x, y_.position(range.low)));
    }
    return fmt::format(R"(<path class="band" d="{}{}Z"/>)", there, back);
  }

  [[nodiscard]] std::string dots(const Series& series) const {
    std::string out;
    for (const auto& point : series.points) {
      const double x = x_.position(point.x);
      const double y = y_.position(point.y);
      if (point.x_range) {
        out += fmt::format(R"(<path class="error" d="M{:.1f} {:.1f}H{:.1f}"/>)",
                           x_.position(point.x_range->low),
                           y,
                           x_.position(point.x_range->high));
      }
      if (point.y_range) {
        out += fmt::format(R"(<path class="error" d="M{:.1f} {:.1f}V{:.1f}"/>)",
                           x,
                           y_.position(point.y_range->low),
                           y_.position(point.y_range->high));
      }
      out += svg_shape(series.shape, x, y, 4, point.hover);
    }
    return out;
  }

  [[nodiscard]] std::string labels() const {
    LabelPlacer placer({area_.left, area_.top, chart_.width, area_.bottom}, font_size);
    for (const auto& guide : chart_.guides) {
      placer.block(guide_box(guide, (guide.vertical ? x_ : y_).position(guide.at)));
    }
    std::vector<const ChartPoint*> labelled;
    for (const auto& series : chart_.series) {
      for (const auto& point : series.points) {
        if (!point.label.empty()) {
          labelled.push_back(&point);
          const double x = x_.position(point.x);
          const double y = y_.position(point.y);
          placer.block({x - 5, y - 5, x + 5, y + 5});
        }
      }
    }
    std::string out;
    // Drawn last = on top = most important: it chooses first.
    for (auto point = labelled.rbegin(); point != labelled.rend(); ++point) {
      out += label(**point, placer);
    }
    return out;
  }

  // A point's label where it finds a place, or else its number.
  [[nodiscard]] std::string label(const ChartPoint& point, LabelPlacer& placer) const {
    const double x = x_.position(point.x);
    const double y = y_.position(point.y);
    for (const auto& text : {point.label, point.number}) {
      const auto box = text.empty() ? std::nullopt : placer.place(text, x, y);
      if (!box) {
        continue;
      }
      const double near_x = std::clamp(x, box->left, box->right);
      const double near_y = std::clamp(y, box->top, box->bottom);
      return (std::hypot(near_x - x, near_y - y) > 12
                  ? fmt::format(R"(<path class="leader" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)",
                                x,
                                y,
                                near_x,
                                near_y)
                  : "") +
             svg_text(box->left, box->bottom - 3, "start", "label", text);
    }
    return "";
  }

  const XyChart& chart_;
  Legend legend_;
  Box area_;
  Axis x_;
  Axis y_;
};

}  // namespace

std::string svg_open(const std::string& id,
                     const std::string& title,
                     const std::string& description,
                     double width,
                     double height) {
  return fmt::format(
      "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\" aria-labelledby=\"{}-title {}-desc\">"
      "<title id=\"{}-title\">{}</title><desc id=\"{}-desc\">{}</desc>",
      width,
      height,
      escape_html(id),
      escape_html(id),
      escape_html(id),
      escape_html(title),
      escape_html(id),
      escape_html(description));
}

std::string svg_text(
    double x, double y, const char* anchor, const char* css_class, std::string_view text) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" class="{}">{}</text>)",
                     x,
                     y,
                     anchor,
                     css_class,
                     escape_html(text));
}

std::string absent(const std::string& sentence) {
  return "<p class=\"absent\">" + escape_html(sentence) + "</p>\n";
}

std::string svg(const XyChart& chart) {
  const auto clean = cleaned(chart);
  return clean.series.empty() ? absent(chart.when_empty) : Drawing(clean).draw();
}

}  // namespace rightsize::report
