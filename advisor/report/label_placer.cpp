#include "advisor/report/label_placer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "advisor/report/table.h"

namespace rightsize::report {

double text_width(std::string_view text, double font_size) {
  constexpr double advance = 0.6;  // of the font size, for the wide fonts that Linux has
  constexpr double more_of_capital = 0.12;
  const auto capitals = std::count_if(
      text.begin(), text.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
  return (static_cast<double>(display_width(text)) * advance +
          static_cast<double>(capitals) * more_of_capital) *
         font_size;
}

bool LabelPlacer::is_free(const Box& box) const {
  const bool inside = box.left >= area_.left && box.right <= area_.right && box.top >= area_.top &&
                      box.bottom <= area_.bottom;
  return inside && std::none_of(taken_.begin(), taken_.end(), [&](const auto& other) {
           return box.overlaps(other);
         });
}

std::optional<Box> LabelPlacer::place(std::string_view text, double x, double y) {
  // Horizontal and vertical direction of the label from its point.
  constexpr std::array<std::pair<int, int>, 8> directions{
      {{1, 0}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {0, -1}, {0, 1}}};
  const double width = text_width(text, font_size_);
  const double height = font_size_ * 1.15;
  for (const double distance : {7.0, 16.0, 28.0, 42.0, 58.0, 76.0}) {
    for (const auto& [right, down] : directions) {
      const double shift = right == 0 ? -width / 2 : right > 0 ? distance : -distance - width;
      const double left = x + shift;
      const double top = y - height / 2 + down * (distance + (right == 0 ? height / 2 : 0));
      const Box box{left, top, left + width, top + height};
      if (is_free(box)) {
        block(box);
        return box;
      }
    }
  }
  return std::nullopt;
}

}  // namespace rightsize::report
