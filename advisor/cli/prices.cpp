#include <algorithm>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/constraint.h"
#include "advisor/query.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "pricing/catalog.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

report::Table table_list(const Catalog& catalog) {
  report::Table table({{"table"}, {"provider"}, {"offers", report::Align::right}, {"as of"}});
  for (const auto& info : catalog.tables()) {
    table.add({info.name, info.provider, report::count(info.offers), info.as_of});
  }
  return table;
}

std::string known(const std::optional<double>& value) {
  return value ? report::digits(*value) : "—";
}

report::Table offer_list(const Catalog& catalog,
                         const Values& values,
                         std::size_t limit,
                         std::size_t& left) {
  report::Table table({{"instance"},
                       {"where"},
                       {"gpu"},
                       {"qty", report::Align::right},
                       {"vcpus", report::Align::right},
                       {"GiB", report::Align::right},
                       {"market"},
                       {"price/h", report::Align::right},
                       {"book"},
                       {"as of"}});
  const auto infra = values["infra"].as<std::string>();
  const auto gpu = values["gpu"].as<std::string>();
  left = 0;
  for (const auto& offer : catalog.offers()) {
    if ((!infra.empty() && !matches_infra(infra, offer)) || (!gpu.empty() && offer.gpu != gpu)) {
      continue;
    }
    if (limit > 0 && table.rows().size() >= limit) {
      ++left;
      continue;
    }
    table.add({offer.instance,
               offer.provider + "/" + offer.region,
               offer.gpu.empty() ? "—" : offer.gpu,
               offer.gpus > 0 ? report::digits(offer.gpus) : "—",
               known(offer.vcpus),
               known(offer.memory_gib),
               std::string(to_string(offer.market)),
               offer.price_per_hour.decimal() + " " + offer.price_per_hour.currency(),
               offer.book,
               offer.as_of});
  }
  return table;
}

int check(Context& context, const Values& values, const std::string& format) {
  Catalog catalog;
  if (values.count("file") > 0) {
    const auto path = values["file"].as<std::string>();
    catalog.add_offers(read_file(path), path);
  } else {
    catalog = shipped_catalog();
  }
  report::Table table({{"table"}, {"line", report::Align::right}, {"field"}, {"what"}});
  for (const auto& issue : catalog.issues()) {
    table.add({issue.table, std::to_string(issue.line), issue.field, issue.text});
  }
  if (!table.empty()) {
    emit(context, values, report::rendered(table, format, context.out_style));
  }
  context.err << fmt::format("{} offers, {} rows with a price nobody pays\n",
                             report::count(catalog.offers().size()),
                             catalog.issues().size());
  return table.empty() ? exit_ok : exit_check_failed;
}

}  // namespace

int run_prices(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  options.add_options()(
      "what", po::value<std::string>()->default_value("list"), "list, show or check")(
      "file", po::value<std::string>(), "check: a table of yours")(
      "infra", po::value<std::string>()->default_value(""), "show: provider/region pattern")(
      "gpu", po::value<std::string>()->default_value(""), "show: this GPU only")(
      "max-results", po::value<std::size_t>()->default_value(20), "show: rows, 0 = all");
  const auto values = parse(context, "prices", options, {"what", "file"}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  const auto what = values["what"].as<std::string>();
  if (what == "check") {
    return check(context, values, format);
  }
  const auto catalog = shipped_catalog();
  if (what == "list") {
    emit(context, values, report::rendered(table_list(catalog), format, context.out_style));
    return exit_ok;
  }
  if (what != "show") {
    throw UsageError(fmt::format("prices {}: expected list, show or check", what));
  }
  std::size_t left = 0;
  const auto table = offer_list(catalog, values, values["max-results"].as<std::size_t>(), left);
  emit(context, values, report::rendered(table, format, context.out_style));
  if (left > 0) {
    context.err << fmt::format("NOTE: {} more, --max-results 0 shows them\n", left);
  }
  return exit_ok;
}

}  // namespace rightsize::cli
