// The facts of one option: the other half of report_tables.h.
#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/price_warnings.h"
#include "advisor/report/option_text.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "pricing/place.h"

namespace rightsize::report {
namespace {

std::string exact(const Money& amount) {
  return amount.decimal() + " " + amount.currency();
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "—" : text;
}

std::string with_interval(const Estimate& estimate) {
  return fmt::format("~{} {} ({} … {}), {}",
                     digits(estimate.value),
                     estimate.unit,
                     digits(estimate.low),
                     digits(estimate.high),
                     to_string(estimate.source));
}

std::string cost_with_interval(const Option& option) {
  return fmt::format("~{} ({} … {}), {}",
                     money(option.cost.value, option.cost.unit),
                     money(option.cost.low, option.cost.unit),
                     money(option.cost.high, option.cost.unit),
                     to_string(option.cost.source));
}

std::string gpu_text(const Option& option) {
  return option.gpu.empty() ? "none" : fmt::format("{} x {}", axis_number(option.gpus), option.gpu);
}

void add_service_facts(Table& table, const Option& option) {
  const auto& fleet = *option.service;
  table.add({"Machines", machines_text(fleet)});
  table.add({"99th percentile",
             latency_text(option.p99) + ", " + std::string(to_string(option.p99.source))});
  table.add({"Median, 95th percentile",
             "~" + latency(fleet.point.p50_s) + ", ~" + latency(fleet.point.p95_s)});
  table.add({"Load",
             fmt::format("{} of ~{} requests/s{}; mean minibatch {}",
                         percent(fleet.point.utilisation),
                         digits(fleet.point.saturation_per_s),
                         fleet.point.regime == ServingRegime::knee ? ", near the knee" : "",
                         digits(fleet.point.mean_batch))});
  table.add({"A million requests", "~" + per_million(option)});
}

void add_token_facts(Table& table, const Option& option) {
  const auto& fleet = *option.tokens;
  const auto wait = [&](const char* name, double DecodeLatency::*which) {
    table.add(
        {name,
         latency_text(waiting_of(fleet, which, option.cost.confidence, option.throughput.source))});
  };
  table.add({"Machines", machines_text(fleet) + ", " + replicas_text(fleet.server) + " each"});
  table.add({"Precision", form_words(fleet.server)});
  wait("First token, median", &DecodeLatency::first_token_p50_s);
  wait("First token, 99th percentile", &DecodeLatency::first_token_p99_s);
  wait("A token, median", &DecodeLatency::token_p50_s);
  wait("A token, 99th percentile", &DecodeLatency::token_p99_s);
  table.add({"Load",
             fmt::format("{} of what they can write; {} of {} sequences in flight a replica",
                         percent(fleet.utilisation),
                         digits(fleet.expected.point.sequences),
                         fleet.expected.point.most_sequences)});
  table.add({"Weights on a GPU", bytes(fleet.server.work.weight_bytes)});
  table.add({"A million tokens written", "~" + per_million(option)});
}

// What is rented, and what runs on it.
void add_machine_facts(Table& table, const Option& option, const Query& query) {
  table.add({"Shape",
             fmt::format("{}{}, {} GiB, GPU: {}",
                         number_of(option.vcpus, "vCPU"),
                         option.cpu.empty() ? "" : " of " + option.cpu,
                         axis_number(option.memory_gib),
                         gpu_text(option))});
  table.add(
      {"Where",
       fmt::format("{} {}, {}", option.provider, region_name(option.region), market_text(option))});
  if (option.nodes > 1 && !option.service && !option.tokens) {
    table.add({"Machines", fmt::format("{} that do the job together", option.nodes)});
  }
  table.add({"Disk", or_dash(option.disk)});
  if (!option.tokens) {
    table.add({"Batch, precision",
               fmt::format("{} per {}, {}",
                           option.batch_per_gpu,
                           batch_owner(option, query.phase),
                           to_string(option.precision))});
  }
  if (const auto split = split_words(option); !split.empty()) {
    table.add({"Its GPUs", split});
  }
}

void add_sources(Table& table, const Option& option) {
  table.add({"Machine price",
             fmt::format("{}, {}",
                         option.price_per_month ? exact(*option.price_per_month) + " per month"
                                                : exact(option.price_per_hour) + " per hour",
                         dated(option.price_as_of))});
  table.add({"Price from", or_dash(option.price_source)});
  table.add({"GPU speed from", or_dash(option.rate_provenance)});
  table.add({"CPU speed from", or_dash(option.cpu_provenance)});
}

}  // namespace

Table facts_table(const Option& option, const Query& query) {
  Table table({{"fact"}, {"value"}});
  add_machine_facts(table, option, query);
  table.add({"Throughput", with_interval(option.throughput)});
  if (option.tokens) {
    add_token_facts(table, option);
  } else if (option.service) {
    add_service_facts(table, option);
  } else {
    table.add({"Time", with_interval(option.hours)});
  }
  table.add({"Cost", cost_with_interval(option)});
  if (query.writing.of_texts()) {
    table.add({"A million tokens written", "~" + per_million_tokens(option)});
  }
  table.add({"Meets the constraints",
             fmt::format("{} probable{}",
                         chance(option.p_deadline),
                         option.satisfies ? "" : "; " + option.shortfall)});
  table.add({option.tokens || option.service ? "Cheapest if resized" : "Cheapest of all",
             option.satisfies ? chance(option.p_cheapest) : "—"});
  if (!option.tokens) {
    table.add({"Limited by", std::string(bottleneck_of(option))});
  }
  if (query.format != DataFormat::synthetic) {
    table.add({"Page cache serves",
               query.epochs > 1 ? percent(option.hit_ratio) + " of the reads after one epoch"
                                : "nothing: all is read once"});
  }
  add_sources(table, option);
  return table;
}

}  // namespace rightsize::report
