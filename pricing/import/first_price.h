// One thing at two prices in a foreign table.
#pragma once

#include "pricing/import/import.h"

namespace rightsize {

// Of offers that sell the same (sold_as.h) the first is kept, as our own tables do; a second at
// another price is noted at the line of the one that is kept.
void keep_first_prices(ImportedTable& table);

}  // namespace rightsize
