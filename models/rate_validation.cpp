#include "models/rate_validation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "models/laws/framework_habits.h"
#include "models/laws/normal_quantile.h"

namespace rightsize {
namespace {

// What runs where, whatever the minibatch and whoever published it.
auto work_of(const PublishedRate& figure) {
  return std::tie(
      figure.network, figure.sequence, figure.gpu, figure.phase, figure.precision, figure.stack);
}

auto curve_of(const PublishedRate& figure) {
  return std::tuple_cat(work_of(figure), std::tie(figure.framework));
}

auto setting_of(const PublishedRate& figure) {
  return std::tuple_cat(work_of(figure), std::tie(figure.batch));
}

RateQuery query_of(const PublishedRate& figure, LeaveOut left_out, bool framework_known) {
  RateQuery query;
  query.network = figure.network;
  query.sequence = figure.sequence;
  query.phase = figure.phase;
  query.precision = figure.precision;
  query.gpu = figure.gpu;
  query.batch = figure.batch;
  query.stack = figure.stack;
  if (framework_known) {
    query.framework =
        left_out == LeaveOut::publisher ? unpublished_name(figure.framework) : figure.framework;
  }
  if (left_out == LeaveOut::gpu || left_out == LeaveOut::both) {
    query.excluding_gpu = figure.gpu;
  }
  if (left_out == LeaveOut::network || left_out == LeaveOut::both) {
    query.excluding_network = figure.network;
  }
  return query;
}

void check(const GpuRates& rates,
           const PublishedRate& figure,
           const RateQuery& query,
           std::vector<RateCheck>& checks) {
  if (is_engine(figure.framework) && query.framework.empty()) {
    return;  // asked for by name or not at all
  }
  const auto rate = rates.rate(query);
  if (rate && rate->precision == figure.precision) {
    const double error = std::log(rate->items_per_s / figure.items_per_s);
    checks.push_back({figure, *rate, error, std::abs(error) < normal_90 * rate->log_sd});
  }
}

// Without the figures for which `left` holds, each of the held-out ones.
template <typename Left>
void check_without(const RateTables& tables,
                   Left left,
                   LeaveOut left_out,
                   bool framework_known,
                   std::vector<RateCheck>& checks) {
  auto kept = tables.figures;
  std::erase_if(kept, left);
  const GpuRates rates(tables.gpus, std::move(kept), tables.step_csv, tables.effects);
  for (const auto& figure : tables.figures) {
    if (left(figure)) {
      check(rates, figure, query_of(figure, left_out, framework_known), checks);
    }
  }
}

// A user's figures of one job, by GPU.
auto job_of(const PublishedRate& figure) {
  return std::tie(figure.framework,
                  figure.network,
                  figure.sequence,
                  figure.phase,
                  figure.precision,
                  figure.stack);
}

using Figures = std::vector<const PublishedRate*>;

// Of one job and on more than one GPU, in the order of the GPUs' names.
std::vector<std::map<std::string_view, Figures>> jobs_on_several_gpus(
    std::span<const PublishedRate> figures, std::string_view framework) {
  std::map<decltype(job_of(figures.front())), std::map<std::string_view, Figures>> jobs;
  for (const auto& figure : figures) {
    if (figure.framework == framework) {
      jobs[job_of(figure)][figure.gpu].push_back(&figure);
    }
  }
  std::vector<std::map<std::string_view, Figures>> several;
  for (auto& [job, gpus] : jobs) {
    if (gpus.size() > 1) {
      several.push_back(std::move(gpus));
    }
  }
  return several;
}

const PublishedRate& nearest_batch(const Figures& figures, int batch) {
  const auto far = [batch](const PublishedRate* figure) {
    return std::abs(std::log(static_cast<double>(figure->batch) / batch));
  };
  return **std::min_element(figures.begin(), figures.end(), [&](const auto* a, const auto* b) {
    return far(a) < far(b);
  });
}

MeasuredRate told_of(const PublishedRate& figure) {
  MeasuredRate told;
  told.network = figure.network;
  told.phase = figure.phase;
  told.precision = figure.precision;
  told.gpu = figure.gpu;
  told.batch = figure.batch;
  told.items_per_s = figure.items_per_s;
  told.sequence = figure.sequence;
  told.stack = figure.stack;
  told.said_by = "its user";
  return told;
}

// `rates` without the publisher's figures.
void check_jobs(const GpuRates& rates,
                const std::vector<std::map<std::string_view, Figures>>& jobs,
                bool tell,
                std::vector<RateCheck>& checks) {
  for (const auto& gpus : jobs) {
    for (auto asked = gpus.begin(); asked != gpus.end(); ++asked) {
      const auto next = std::next(asked) == gpus.end() ? gpus.begin() : std::next(asked);
      for (const auto* figure : asked->second) {
        auto informed = rates;
        if (tell) {
          informed.add_measured(std::vector{told_of(nearest_batch(next->second, figure->batch))});
        }
        check(informed, *figure, query_of(*figure, LeaveOut::publisher, false), checks);
      }
    }
  }
}

std::set<std::string_view> publishers_of(std::span<const PublishedRate> figures) {
  std::set<std::string_view> publishers;
  for (const auto& figure : figures) {
    publishers.insert(figure.framework);
  }
  return publishers;
}

GpuRates rates_without(const RateTables& tables, std::string_view publisher) {
  auto kept = tables.figures;
  std::erase_if(kept, [&](const PublishedRate& figure) { return figure.framework == publisher; });
  return {tables.gpus, std::move(kept), tables.step_csv, tables.effects};
}

std::vector<RateCheck> check_users(const RateTables& tables, bool tell) {
  std::vector<RateCheck> checks;
  for (const auto publisher : publishers_of(tables.figures)) {
    if (!is_engine(publisher)) {
      const auto jobs = jobs_on_several_gpus(tables.figures, publisher);
      check_jobs(rates_without(tables, publisher), jobs, tell, checks);
    }
  }
  return checks;
}

// Every stride-th curve left out in turn.
std::vector<RateCheck> check_curves(const RateTables& tables,
                                    bool framework_known,
                                    std::size_t stride) {
  std::set<decltype(curve_of(tables.figures.front()))> curves;
  for (const auto& figure : tables.figures) {
    curves.insert(curve_of(figure));
  }
  std::vector<RateCheck> checks;
  std::size_t number = 0;
  for (const auto& curve : curves) {
    if (number++ % stride == 0) {
      const auto left = [&](const PublishedRate& other) { return curve_of(other) == curve; };
      check_without(tables, left, LeaveOut::curve, framework_known, checks);
    }
  }
  return checks;
}

// Likewise every figure, with those of its curve at its batch.
std::vector<RateCheck> check_figures(const RateTables& tables,
                                     bool framework_known,
                                     std::size_t stride) {
  std::vector<RateCheck> checks;
  for (std::size_t i = 0; i < tables.figures.size(); i += stride) {
    const auto& figure = tables.figures[i];
    const auto left = [&](const PublishedRate& other) {
      return other.batch == figure.batch && curve_of(other) == curve_of(figure);
    };
    check_without(tables, left, LeaveOut::figure, framework_known, checks);
  }
  return checks;
}

std::vector<RateCheck> check_without_publishers(const RateTables& tables, bool framework_known) {
  std::vector<RateCheck> checks;
  for (const auto framework : publishers_of(tables.figures)) {
    const auto left = [&](const PublishedRate& other) { return other.framework == framework; };
    check_without(tables, left, LeaveOut::publisher, framework_known, checks);
  }
  return checks;
}

}  // namespace

std::vector<RateCheck> check_as_users(const RateTables& tables, bool framework_known) {
  std::vector<RateCheck> checks;
  for (const auto publisher : publishers_of(tables.figures)) {
    const auto rates = rates_without(tables, publisher);
    for (const auto& figure : tables.figures) {
      if (figure.framework != publisher) {
        continue;
      }
      auto query = query_of(figure, LeaveOut::publisher, framework_known);
      for (const auto gpu : {std::string_view(), std::string_view(figure.gpu)}) {
        for (const auto network : {std::string_view(), std::string_view(figure.network)}) {
          query.excluding_gpu = gpu;
          query.excluding_network = network;
          check(rates, figure, query, checks);
        }
      }
    }
  }
  return checks;
}

std::vector<RateCheck> check_carried(const RateTables& tables) {
  return check_users(tables, true);
}

std::vector<RateCheck> check_not_carried(const RateTables& tables) {
  return check_users(tables, false);
}

std::vector<RateCheck> check_rates(const RateTables& tables,
                                   LeaveOut left_out,
                                   bool framework_known,
                                   std::size_t stride) {
  switch (left_out) {
    case LeaveOut::curve:
      return check_curves(tables, framework_known, stride);
    case LeaveOut::figure:
      return check_figures(tables, framework_known, stride);
    case LeaveOut::publisher:
      return check_without_publishers(tables, framework_known);
    default:
      break;
  }
  std::vector<RateCheck> checks;
  const GpuRates rates(tables.gpus, tables.figures, tables.step_csv, tables.effects);
  for (const auto& figure : tables.figures) {
    check(rates, figure, query_of(figure, left_out, framework_known), checks);
  }
  return checks;
}

std::vector<RateCheck> check_publishers(std::span<const PublishedRate> figures) {
  std::vector<RateCheck> checks;
  for (const auto& figure : figures) {
    double sum = 0;
    int others = 0;
    for (const auto& other : figures) {
      if (setting_of(other) == setting_of(figure) && other.framework != figure.framework &&
          !is_engine(other.framework)) {
        sum += std::log(other.items_per_s);
        ++others;
      }
    }
    if (others > 0 && !is_engine(figure.framework)) {
      const double error = sum / others - std::log(figure.items_per_s);
      checks.push_back({figure, {}, error, false});
    }
  }
  return checks;
}

}  // namespace rightsize
