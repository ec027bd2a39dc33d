// What to do about the machine a job runs on today: one rule for a plan's rows, for those of saved
// answers, and for the sentences below them.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::report {

struct TodaysAdvice {
  // unable: today's machine cannot do the job, and nothing else satisfies; misses: it misses the
  // constraints, and nothing else satisfies.
  enum class Kind { move, fewer, more, stay, misses, unable, not_judged };
  Kind kind = Kind::stay;
  const Option* take = nullptr;  // of the answer: what to run on; null of the last three

  // As many more, or fewer, of what runs today.
  [[nodiscard]] bool resizes() const { return kind == Kind::fewer || kind == Kind::more; }
  [[nodiscard]] bool leaves() const { return kind == Kind::move || resizes(); }
};

// Requires answer.current. Borrows from the answer.
[[nodiscard]] TodaysAdvice todays_advice(const Recommendation& answer);

// "move", "stay", "keep 3", "grow to 5", "misses", "cannot do it", "not judged".
[[nodiscard]] std::string advice_words(const Recommendation& answer);

// Whether the advice leaves what was signed for: it is paid until that ends, used or not.
[[nodiscard]] bool leaves_signed_for(const Recommendation& answer);

// Of such machines: "Of today's ~$1,931 a month are of machines that were signed for, ...".
// `paid`: "~$1,931 a month"; `who`: what saves, "the plan".
[[nodiscard]] std::string signed_sentence(const std::string& paid, const std::string& who);

}  // namespace rightsize::report
