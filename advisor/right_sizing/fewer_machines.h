// Of today's machines of a service: whether some of them could be given back.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/right_sizing/current_machine.h"
#include "advisor/search.h"

namespace rightsize {

// Notes it in `result` where fewer are enough, and stays on them where they are better than all
// that could be moved to, or as good; nothing of a machine that is `to_be_left` all the same.
void judge_fewer(const Recommendation& answer,
                 const CurrentMachine& today,
                 const Evidence& evidence,
                 bool to_be_left,
                 RightSizing& result);

}  // namespace rightsize
