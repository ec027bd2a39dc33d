#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/constraint.h"
#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/scope.h"
#include "advisor/candidate/unknown_name.h"
#include "advisor/cli/asked.h"
#include "advisor/cli/custom_tables.h"
#include "advisor/cli/global_batch.h"
#include "advisor/cli/machine_option.h"
#include "advisor/cli/service_commands.h"
#include "advisor/cli/setting_options.h"
#include "advisor/cli/tables.h"
#include "advisor/cli/token_commands.h"
#include "advisor/machine/sizing_price.h"
#include "advisor/query/amount_words.h"
#include "advisor/query/job_work.h"
#include "advisor/query/place_words.h"
#include "advisor/query/query.h"
#include "advisor/query/words.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/sizing_price_text.h"
#include "advisor/report/sizing_text.h"
#include "advisor/report/text_chart.h"
#include "advisor/today.h"
#include "pricing/book_name.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

double target_from(const Values& values) {
  const auto said = values["utilisation"].as<std::string>();
  const auto share = parse_share(said.ends_with('%') ? said : said + "%");
  if (!share || *share <= 0 || *share >= 1) {
    throw UsageError(
        fmt::format("--utilisation {}: expected per cent between 0 and 100, such as 95", said));
  }
  return *share;
}

Options size_options() {
  Options options("options");
  add_work_options(options, phases_played);
  add_asked_work_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("gpu",
                        po::value<std::string>()->default_value("A100"),
                        "the accelerator, NAME or NAME:COUNT; rightsize gpus lists them")(
      "utilisation",
      po::value<std::string>()->default_value("95"),
      "per cent of the time that the accelerator is to be busy")(
      "cpu", po::value<std::string>()->default_value(""), "the host's CPU, or an EC2 type")(
      "chart", "draw how busy the accelerator is by vCPUs")(
      "infra",
      po::value<std::vector<std::string>>(),
      "what it costs there: provider/region pattern; repeatable")(
      "book",
      po::value<std::string>(),
      "at the prices of these books, by comma: current, era-2017")(
      "retired", "also instances that their provider no longer rents");
  add_price_files_option(options);
  add_custom_prices_option(options);
  return options;
}

void refuse_idle_gpu(const Configuration& asked) {
  switch (work_of(asked)) {
    case JobWork::preprocessing:
      throw UsageError(
          "phase preprocess: size looks for what keeps a GPU busy, and there is none; advise finds "
          "the cheapest machine");
    case JobWork::program:
      throw UsageError(fmt::format("network {}: {}; advise finds the cheapest machine",
                                   asked.network,
                                   program_leaves_gpu_idle));
    case JobWork::network:
      break;
  }
}

// The work, and of the machine only its GPU and CPU.
Configuration asked_from(const Values& values) {
  auto asked = work_from(values);
  refuse_idle_gpu(asked);
  const auto gpu = values["gpu"].as<std::string>();
  asked.machine = parse_machine_spec("gpu=" + gpu, "--gpu");
  if (asked.machine.gpu.empty()) {
    throw UsageError(
        fmt::format("--gpu {}: expected a GPU; size looks for what keeps one busy", gpu));
  }
  asked.machine.cpu = values["cpu"].as<std::string>();
  check_gpu_name(asked.machine.gpu, "--gpu");
  check_cpu_name(asked.machine.cpu, "--cpu");
  read_global_batch(values, asked);
  return asked;
}

// The job's limits; without one there are none.
Query limits_of(const Values& values) {
  return values.count("job") > 0 ? load_query(values["job"].as<std::string>()) : Query();
}

// On demand, of what flags or the job file ask for, and of the user's tables where he names some;
// his own prices by the unit come on top.
Query scope_of(const Values& values,
               Query scope,
               std::span<const CustomFamily> families,
               Catalog& catalog) {
  scope.markets = {Market::on_demand};
  scope.currency = "USD";  // as it prices them, whatever the job counts in
  if (values.count("infra") > 0) {
    scope.infra = checked_places(values["infra"].as<std::vector<std::string>>(), "--infra");
  }
  if (values.count("book") > 0) {
    scope.book = values["book"].as<std::string>();
  }
  add_price_files(values, {&scope, 1}, catalog);
  if (values.count("book") == 0) {
    for (const auto& family : families.subspan(shipped_custom_families().size())) {
      scope.book += names_book(scope.book, family.book) ? "" : "," + family.book;
    }
  }
  return scope;
}

// Whether something is cut to measure there.
bool cuts_there(std::span<const CustomFamily> families, const Query& scope) {
  const OfferConstraints constraints(scope);
  return std::any_of(families.begin(), families.end(), [&](const CustomFamily& family) {
    return constraints.in_scope(family);
  });
}

// Where something is sold, whole or cut; also of each of several places.
void require_place(std::span<const CustomFamily> families, const Query& scope, Catalog catalog) {
  if (!cuts_there(families, scope) && !names_something(scope, catalog)) {
    throw UsageError(nothing_in_scope(scope, catalog));
  }
  for (const auto& family : families) {
    catalog.add(smallest_custom_offer(family));
  }
  if (const auto words = unknown_name(scope, false, catalog); !words.empty()) {
    throw UsageError(words);
  }
}

// Of the shipped tables, less what is no longer sold, and the user's own of prices by the unit.
std::optional<SizingPrice> price_of(const Values& values,
                                    const Query& limits,
                                    const Configuration& asked,
                                    const Sizing& sizing,
                                    Estimator& estimator) {
  auto catalog = shipped_catalog();
  const auto families = custom_families(values);
  const auto scope = scope_of(values, limits, families, catalog);
  require_place(families, scope, catalog);
  if (values.count("retired") == 0) {
    catalog.note_retired(today());
  }
  const auto cpu_speeds = shipped_cpu_speeds();
  const auto on_machine = [&](const Offer& offer, const DiskChoice& disk) {
    Configuration real = asked;
    auto& machine = real.machine;
    machine.looked_for = false;
    machine.vcpus = offer.vcpus;
    machine.memory_gib = offer.memory_gib;
    machine.gpus_per_node = static_cast<int>(offer.gpus);
    if (machine.cpu.empty()) {
      machine.cpu = cpu_words(cpu_speeds, offer);
    }
    // As predict and advise would have it: its own memory and number of GPUs, and the batch and the
    // way to share them that are best there, unless they were asked for.
    machine.gpu_memory_gib = offer.gpu_memory_gib;
    return estimator.estimate(real, disk);
  };
  return price_sizing(sizing, asked, catalog, families, scope, on_machine);
}

std::string sizing_in(const std::string& format,
                      const Configuration& asked,
                      const Sizing& sizing,
                      const std::optional<SizingPrice>& price,
                      bool draw,
                      const report::Style& style) {
  if (format == "json") {
    auto document = report::sizing_to_json(sizing);
    document["price"] = price ? boost::json::value(report::sizing_price_to_json(*price)) : nullptr;
    return boost::json::serialize(document) + "\n";
  }
  if (format != "table") {
    if (sizing.needs.empty()) {
      return report::rendered(report::refusal_table(sizing.answer), format, style);
    }
    auto table = report::needs_table(sizing);
    for (auto& row : price ? report::price_rows(*price) : report::Rows()) {
      table.add(std::move(row));
    }
    return report::rendered(table, format, style);
  }
  const auto letters = report::locale_is_utf8() ? report::Letters::utf8 : report::Letters::ascii;
  return report::sizing_text(asked, sizing, style) +
         (price ? report::sizing_price_text(*price, style) : "") +
         (draw ? "\n" + report::text_chart(report::sizing_chart(sizing), style, letters) : "");
}

// How machines that write tokens are fed is nobody's law here: their host is not sized.
void refuse_prices(const Values& values) {
  for (const auto* option : {"prices", "custom-prices", "infra", "book", "retired"}) {
    if (values.count(option) > 0) {
      throw UsageError(fmt::format(
          "--{}: GPUs that write tokens are sized without prices; leave it out, or ask advise, "
          "which has the flag too and finds the cheapest fleet",
          option));
    }
  }
}

void note_limits(Context& context, const Query& job) {
  if (job.deadline_s || job.budget) {
    context.err << fmt::format("note: the job's {} not size's: advise judges by {}\n",
                               job.deadline_s && job.budget ? "deadline and budget are"
                               : job.budget                 ? "budget is"
                                                            : "deadline is",
                               job.deadline_s && job.budget ? "them" : "it");
  }
  if (job.markets != std::vector{Market::on_demand}) {
    context.err << "note: size prices machines on demand, in whatever market the job asks\n";
  }
}

}  // namespace

int run_size(Context& context, const std::vector<std::string>& arguments) {
  auto options = size_options();
  const auto values = parse(context, "size", options, {"job"}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  const double target = target_from(values);
  const auto asked = asked_from(values);
  const auto limits = limits_of(values);
  note_limits(context, limits);
  if (values["gpu"].defaulted()) {
    context.err << context.err_style.bad("note:") << " no GPU is named: one " << asked.machine.gpu
                << " is taken; --gpu NAME:COUNT says another\n";
  }
  if (asked.tokens && !asked.service) {
    refuse_prices(values);
    return size_tokens(context, values, asked);
  }
  note_unread_columns(context, values);
  if (asked.service) {
    return size_service(
        context, values, asked, [&](const auto& one, const auto& sizing, auto& estimator) {
          return price_of(values, limits, one, sizing, estimator);
        });
  }
  auto estimator = estimator_for(values, asked);
  const auto sizing = size_machine(estimator, asked, target);
  const auto price = price_of(values, limits, asked, sizing, estimator);
  const bool draw = values.count("chart") > 0;
  emit(context, values, sizing_in(format, asked, sizing, price, draw, context.out_style));
  if (format == "csv" || format == "md") {
    context.err << (sizing.shortfall.empty() ? "" : sizing.shortfall + "\n");
  }
  const bool fine = !sizing.needs.empty() && sizing.shortfall.empty();
  return fine ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
