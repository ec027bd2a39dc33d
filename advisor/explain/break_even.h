// Rent or buy: from how much work a month on a machine of one's own costs less than renting for
// the same work.
#pragma once

#include <optional>
#include <string>

#include "advisor/suppose/appraisal.h"

namespace rightsize {

// A month of a machine costs its purchase's part whatever it does, an hour of work its power beside
// that, and the same work elsewhere what is rented for it:
//   hours = purchase / (rented - power)
// Money in the query's currency, of all machines that the job takes together.
struct BreakEven {
  std::string rented;  // the cheapest that does the job: "aws/p4d.24xlarge [Spot]"
  std::string currency;
  double purchase_per_month = 0;  // of 730 h
  double power_per_hour = 0;
  double rented_per_hour = 0;  // of what the own machine does in an hour
  // Of what is rented, or reserved, for whole months, worked or not: a further one begins wherever
  // the work is more than fills those before.
  std::optional<double> rented_per_month;
  Estimate hours_per_month;  // infinite: renting costs no more than the power, or than a month
  Estimate runs_per_month;   // of the job, likewise
};

// Of a job's appraisal on a machine of one's own; nullopt of others, of services (whose machines
// work all month), and where nothing that is rented does the job. Costs a search.
[[nodiscard]] std::optional<BreakEven> break_even(const Query& query,
                                                  const Evidence& evidence,
                                                  const Appraisal& own);

}  // namespace rightsize
