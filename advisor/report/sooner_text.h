// The options that money would buy time with (advisor/sooner.h), in a sentence.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::report {

// "Sooner: n3-RTX-A4000x8 (8x RTX-A4000, hyperstack/NORWAY-1) takes ~7.66 h for ~$4.53 more, 4.3
// times as fast.", and after a semicolon the same of the fastest; empty where there is none.
[[nodiscard]] std::string sooner_line(const Recommendation& answer);

}  // namespace rightsize::report
