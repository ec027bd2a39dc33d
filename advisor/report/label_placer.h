// Puts a few words beside a few points so that none lies on another.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rightsize::report {

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  [[nodiscard]] bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Estimated, with the average advance of system sans-serif fonts: no font is measured here.
[[nodiscard]] double text_width(std::string_view text, double font_size);

class LabelPlacer {
 public:
  LabelPlacer(Box area, double font_size) : area_(area), font_size_(font_size) {}

  void block(const Box& box) { taken_.push_back(box); }

  // The box of the text near the point, nearest free place first; nullopt when all are taken.
  [[nodiscard]] std::optional<Box> place(std::string_view text, double x, double y);

 private:
  [[nodiscard]] bool is_free(const Box& box) const;

  Box area_;
  double font_size_;
  std::vector<Box> taken_;
};

}  // namespace rightsize::report
