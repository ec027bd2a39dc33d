#include "advisor/query/own_rate.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/machine/configuration.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/job_keys.h"
#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"
#include "models/laws/gpu_name.h"
#include "models/laws/step_phase.h"

namespace rightsize {
namespace {

constexpr double most_items_per_s = 1e9;

bool is_rate(double items_per_s) {
  return items_per_s > 0 && items_per_s < most_items_per_s;
}

template <typename Number>
bool read_whole(std::string_view text, Number& number) {
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

int batch_of(const OwnRate& own, const MeasuredWork& work) {
  if (own.batch) {
    return *own.batch;
  }
  if (work.batches.size() == 1) {
    return work.batches.front();
  }
  throw UsageError(fmt::format(
      "{}: at which batch did one {} do {:g} a second{}? [[measured]] has batch_per_gpu = 64, "
      "--measured {}:64={:g}",
      own.said_by,
      own.gpu,
      own.items_per_s,
      work.batches.empty() ? "" : fmt::format(", {}", fmt::join(work.batches, " or ")),
      own.gpu,
      own.items_per_s));
}

MeasuredRate rate_of(const OwnRate& own, const MeasuredWork& work) {
  const auto& step = work.step;
  if (!has_steps(step.phase)) {
    throw UsageError(
        fmt::format("{}: phase {} has no steps of a GPU whose rate could be told: leave what was "
                    "measured out",
                    own.said_by,
                    to_string(step.phase)));
  }
  MeasuredRate rate;
  rate.network = step.network;
  rate.phase = step.phase;
  rate.precision = own.precision.value_or(step.precision);
  rate.gpu = own.gpu;
  // What a GPU is given in an update passes through stages in portions: it is no batch of a step.
  rate.of_stages = has_backward(step.phase) && step.pipeline_parallel > 1;
  rate.batch = rate.of_stages ? own.batch.value_or(0) : batch_of(own, work);
  rate.items_per_s = own.items_per_s;
  rate.sequence = step.sequence;
  rate.stack = step.stack.value_or(Stack::current);
  rate.framework = step.framework;
  rate.said_by = own.said_by;
  rate.step = {step.tuning,
               step.accumulate,
               step.recompute.value_or(false),
               step.exchange == Exchange::sharded};
  rate.recompute_known = step.recompute.has_value();
  rate.gpu_memory_gb = own.gpu_memory_gb;
  return rate;
}

void refuse_second(const MeasuredRate& rate, const std::vector<MeasuredRate>& before) {
  for (const auto& other : before) {
    if (other.gpu == rate.gpu && other.batch == rate.batch && other.precision == rate.precision) {
      throw UsageError(
          fmt::format("{}: {:g} a second of one {} at batch {} in {}, and {:g} by {}: which? Leave "
                      "one out, or give their mean once",
                      rate.said_by,
                      rate.items_per_s,
                      rate.gpu,
                      rate.batch,
                      to_string(rate.precision),
                      other.items_per_s,
                      other.said_by));
    }
  }
}

std::vector<MeasuredRate> rates_of(const std::vector<OwnRate>& own, const MeasuredWork& asked) {
  std::vector<MeasuredRate> rates;
  for (const auto& one : own) {
    auto rate = rate_of(one, one.work ? *one.work : asked);
    refuse_second(rate, rates);
    rates.push_back(std::move(rate));
  }
  return rates;
}

MeasuredWork work_of(const Query& query) {
  return {query, query.batches};
}

// Its name as the tables have it; "" of "T4 x 4", whose rate would be taken for one T4's.
std::string one_gpu(const std::string& name) {
  return unread_in_gpu_name(name).value_or("").empty() ? canonical_gpu_name(name) : "";
}

}  // namespace

OwnRate parse_own_rate(const std::string& text) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  const auto colon = name.find(':');
  OwnRate own;
  own.gpu = one_gpu(name.substr(0, colon));
  own.gpu_memory_gb = memory_in_gpu_name(name.substr(0, colon)).value_or(0);
  own.said_by = "--measured";
  int batch = 0;
  const bool said = colon != std::string::npos;
  const bool fine =
      equals != std::string::npos && !own.gpu.empty() &&
      read_whole(std::string_view(text).substr(equals + 1), own.items_per_s) &&
      is_rate(own.items_per_s) &&
      (!said || (read_whole(std::string_view(name).substr(colon + 1), batch) && is_batch(batch)));
  if (!fine) {
    throw UsageError(fmt::format(
        "--measured {}: expected a GPU and the items (images, sequences) a second that one of them "
        "did, A10G=412, or with the batch it did them at, A10G:64=412",
        text));
  }
  own.batch = said ? std::optional(batch) : std::nullopt;
  return own;
}

std::vector<OwnRate> read_own_rates(TomlFields& top, const std::string& file) {
  std::vector<OwnRate> rates;
  for (const auto* table : top.tables("measured")) {
    TomlFields fields(table, file, "measured");
    fields.expect({"gpu", "items_per_s", "batch_per_gpu", "precision"});
    fields.reject_unknown(where_key_belongs);
    OwnRate own;
    const auto name = fields.text("gpu").value_or("");
    own.gpu = one_gpu(name);
    own.gpu_memory_gb = memory_in_gpu_name(name).value_or(0);
    if (own.gpu.empty()) {
      fields.fail("gpu", "the one GPU it ran on, such as \"A10G\"");
    }
    own.items_per_s = fields.number("items_per_s").value_or(0);
    if (!is_rate(own.items_per_s)) {
      fields.fail("items_per_s", "the images or sequences a second that one GPU did, above 0");
    }
    if (const auto batch = fields.integer("batch_per_gpu")) {
      if (*batch < 1 || *batch > most_items_in_batch) {
        fields.fail("batch_per_gpu", std::string(batch_grammar));
      }
      own.batch = static_cast<int>(*batch);
    }
    if (const auto precision = fields.text("precision")) {
      own.precision = parse_precision(*precision);
      if (!own.precision) {
        fields.fail("precision", precision_grammar);
      }
    }
    own.said_by = fmt::format("{}:{}", file, table->source().begin.line);
    rates.push_back(std::move(own));
  }
  return rates;
}

void bind_own_rates(Query& query) {
  for (auto& own : query.measured) {
    own.work = work_of(query);
    own.precision = own.precision.value_or(query.precision);
    if (!own.batch && query.batches.size() == 1 && query.pipeline_parallel == 1) {
      own.batch = query.batches.front();
    }
  }
}

std::vector<MeasuredRate> measured_rates(const Query& query) {
  return rates_of(query.measured, work_of(query));
}

std::vector<MeasuredRate> measured_rates(const Configuration& asked) {
  return rates_of(asked.measured, {asked, asked.batch ? std::vector{*asked.batch} : asked.batches});
}

}  // namespace rightsize
