// The parts of the command `prices`, one file each.
#pragma once

#include <span>

#include "advisor/cli/command.h"
#include "advisor/report/table.h"
#include "pricing/offer.h"

namespace rightsize::cli {

// Whether it is of the place, GPU and market that are asked for.
[[nodiscard]] bool wanted(const Offer& offer, const Values& values);

// How many rows are shown; 0 = all.
[[nodiscard]] std::size_t rows_wanted(const Values& values);

// Those wanted, as many as rows_wanted(); `left` counts the others.
[[nodiscard]] report::Table offer_table(std::span<const Offer> offers,
                                        const Values& values,
                                        std::size_t& left);

void add_import_options(Options& options);
int import_tables(Context& context, const Values& values, const std::string& format);
int export_tables(Context& context, const Values& values);
int check_tables(Context& context, const Values& values, const std::string& format);

}  // namespace rightsize::cli
