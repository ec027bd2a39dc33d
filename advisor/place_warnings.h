// Places that a question names beside others and in which nothing is sold as it asks.
#pragma once

#include "advisor/recommendation.h"
#include "pricing/catalog.h"

namespace rightsize {

// Adds to the warnings: without one it would look as if they had been compared.
void warn_of_places(const Catalog& catalog, Recommendation& answer);

}  // namespace rightsize
