// Why offers are not options, counted: a rejected candidate never vanishes without its reason.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "advisor/candidate/refusal.h"
#include "advisor/recommendation.h"
#include "pricing/offer.h"

namespace rightsize {

class Rejections {
 public:
  void add(const Refusal& refusal, const Offer& offer) {
    auto& rejection = by_reason_[refusal.reason];
    rejection.reason = refusal.reason;
    rejection.lacking = refusal.lacking;
    ++rejection.count;
    const auto name = offer.provider + "/" + offer.instance;
    if (rejection.examples.size() < 3 &&
        std::find(rejection.examples.begin(), rejection.examples.end(), name) ==
            rejection.examples.end()) {
      rejection.examples.push_back(name);
    }
  }

  [[nodiscard]] std::vector<Rejection> sorted() const {
    std::vector<Rejection> all;
    for (const auto& [reason, rejection] : by_reason_) {
      all.push_back(rejection);
    }
    std::stable_sort(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    return all;
  }

 private:
  std::map<std::string, Rejection> by_reason_;
};

}  // namespace rightsize
