// What a described machine is to a service, as people and programs read it: predict's and size's
// answers for a job file with [service].
#pragma once

#include <string>

#include <boost/json/fwd.hpp>

#include "advisor/report/style.h"
#include "advisor/report/table.h"
#include "advisor/service/service_answer.h"

namespace rightsize::report {

// One machine at the most it answers in time, and the fleet at its share of the load.
[[nodiscard]] Table service_answer_table(const Configuration& asked, const ServiceAnswer& answer);

// What one of them answers in time comes first, then how many the load takes.
[[nodiscard]] std::string service_answer_text(const Configuration& asked,
                                              const ServiceAnswer& answer,
                                              const Style& style);

// The object "service" of rightsize/estimate/1 and rightsize/size/1.
[[nodiscard]] boost::json::object service_answer_to_json(const Configuration& asked,
                                                         const ServiceAnswer& answer);

// "3 x A10G answer 1500 requests/s of resnet50, ...": of size, machines of so many GPUs.
[[nodiscard]] std::string fleet_sentence(const Configuration& asked, const ServiceAnswer& answer);

// "resnet50 infer fp16 on 1 x L4, 4 vCPU; minibatches of at most 32, ..., arrivals bursty:2".
[[nodiscard]] std::string service_question(const Configuration& asked, const ServiceAnswer& answer);

}  // namespace rightsize::report
