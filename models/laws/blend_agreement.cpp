#include "models/laws/blend_agreement.h"

#include <algorithm>

namespace rightsize {

Agreements::Agreements(const std::vector<const BlendFigure*>& figures)
    : agreements_(figures.size()) {
  for (std::size_t i = 0; i < respect_count; ++i) {
    numbers_[i].reserve(figures.size());
    for (const auto* figure : figures) {
      numbers_[i].push_back(compared[i].number(figure->at));
    }
  }
}

const std::vector<unsigned>& Agreements::those_of(const BlendPoint& point, std::size_t first) {
  std::fill(agreements_.begin() + static_cast<std::ptrdiff_t>(first), agreements_.end(), 0U);
  unsigned* const sum = agreements_.data();
  const std::size_t end = agreements_.size();
  for (std::size_t i = 0; i < respect_count; ++i) {
    const int number = compared[i].number(point);
    if (compared[i].is_unknown(number)) {
      continue;
    }
    const unsigned bit = compared[i].respect;
    const int* const of = numbers_[i].data();
    for (std::size_t k = first; k < end; ++k) {
      sum[k] |= of[k] == number ? bit : 0U;
    }
  }
  return agreements_;
}

BatchesOf::BatchesOf(const std::vector<const BlendFigure*>& figures) {
  std::vector<const BlendPoint*> sizes;
  for (const auto* figure : figures) {
    const auto known = std::find_if(sizes.begin(), sizes.end(), [&](const BlendPoint* size) {
      return size->log_batch == figure->at.log_batch;
    });
    size_.push_back(static_cast<std::size_t>(known - sizes.begin()));
    if (known == sizes.end()) {
      sizes.push_back(&figure->at);
    }
  }
  sizes_ = sizes.size();
  near_.reserve(sizes_ * sizes_);
  for (const auto* a : sizes) {
    for (const auto* b : sizes) {
      near_.push_back(nearness(*a, *b));
    }
  }
}

}  // namespace rightsize
