// Today's machine against another: whether it is the same one, and how likely the better.
#pragma once

#include <optional>
#include <string>

#include "advisor/query/query.h"
#include "advisor/suppose/appraisal.h"

namespace rightsize {

// Each as its own query asks: how many machines of a service is another question of today's.
// P(today's machine is the better by the objective): what search() asks of an option for its "=".
[[nodiscard]] double chance_of_today(const Query& query,
                                     const Appraisal& now,
                                     const Query& chosen_by,
                                     const Appraisal& chosen);

// By which query `chosen` is held against today's machine: as many of the same elsewhere are held
// to that number too, for any other could be chosen here as well.
[[nodiscard]] const Query& judged_by(const Query& query,
                                     const Option& now,
                                     const Query& chosen_by,
                                     const Option& chosen);

// By instance, CPU and market; `place` is where today's is said to run, "" anywhere.
[[nodiscard]] bool is_same_machine(const Option& a, const Option& b, const std::string& place);

// Of a service: how many of it were asked about; nullopt: as many as it takes.
[[nodiscard]] std::optional<int>& machines_of(Query& query);
[[nodiscard]] std::optional<int> machines_of(const Query& query);

}  // namespace rightsize
