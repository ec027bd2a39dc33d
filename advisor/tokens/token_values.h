// A token service and its fleet as the fields that documents share.
#pragma once

#include <boost/json/fwd.hpp>

#include "advisor/tokens/token_service.h"

namespace rightsize {

// The object "tokens" of a query.
[[nodiscard]] boost::json::object token_query_to_json(const TokenService& service,
                                                      std::string_view network);

// The object "tokens" of an option, but for its costs. Requires machines > 0.
[[nodiscard]] boost::json::object token_fleet_to_json(const TokenFleet& fleet);

}  // namespace rightsize
