// What a question counts in, and what other currencies are worth in that.
#pragma once

#include <span>

#include "advisor/cli/command.h"
#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize::cli {

// --currency, --fx and --runs-per-month.
void add_money_options(Options& options);

// Where they are given, on top of the job file, whose rates are into its own currency: another one
// leaves them out, and its budget, which --budget then has to stand in for. To be read before
// --budget. Throws UsageError naming the flag.
void read_money_options(const Values& values, Query& query);

// A question that names neither currency nor budget, nor any rate, counts in the currency of the
// offers it asks about where all of them are in the same: GN5 in CNY needs no rate. Several are
// jobs of one plan: where they would not all come to the same currency so, each keeps its own, the
// default where it names none. Throws UsageError where nothing that any of them asks about is in a
// currency with a rate: none of it could be an answer.
void count_in_their_currency(std::span<Query> queries, const Catalog& catalog);

}  // namespace rightsize::cli
