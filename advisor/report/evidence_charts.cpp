#include "advisor/report/evidence_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "advisor/machine/loader_threads.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"
#include "models/predict.h"
#include "models/setting.h"

namespace rightsize::report {
namespace {

constexpr std::array<const char*, 4> roles{"one", "two", "three", "four"};
constexpr std::array<Shape, 4> shapes{
    Shape::circle, Shape::square, Shape::triangle, Shape::diamond};

// Everything of a run but its CPUs (and the loader threads that follow them).
auto sweep_key(const Record& record) {
  const auto& work = record.workload;
  return std::tuple(to_string(work.phase),
                    work.network,
                    to_string(work.engine),
                    work.batch,
                    work.replay_items_per_s,
                    to_string(work.data),
                    record.limits.memory_bytes,
                    record.limits.disk_read_bytes_per_s,
                    record.limits.disk_read_iops,
                    record.limits.isa,
                    record.dataset_items);
}

double cpus_of(const Record& record) {
  return setting_of(record).cpus;
}

std::size_t distinct_cpus(const std::vector<Record>& runs) {
  std::set<double> cpus;
  for (const auto& run : runs) {
    cpus.insert(cpus_of(run));
  }
  return cpus.size();
}

std::vector<double> sold_cpus(const Recommendation& answer, const std::vector<CpuSweep>& sweeps) {
  std::set<double> cpus;
  for (const auto& option : answer.options) {
    cpus.insert(option.vcpus);
  }
  for (const auto& sweep : sweeps) {
    for (const auto& run : sweep.runs) {
      cpus.insert(cpus_of(run));
    }
  }
  cpus.erase(0);
  return {cpus.begin(), cpus.end()};
}

Series measured_points(const CpuSweep& sweep, std::size_t index) {
  Series series{sweep.name + " measured", roles[index], Mark::dots, shapes[index], false, {}};
  for (const auto& run : sweep.runs) {
    series.points.push_back({cpus_of(run),
                             run.throughput.median,
                             {},
                             Range{run.throughput.low, run.throughput.high},
                             "",
                             fmt::format("{}: {} {} ({} … {}) on {}",
                                         run.name,
                                         digits(run.throughput.median),
                                         throughput_unit(run),
                                         digits(run.throughput.low),
                                         digits(run.throughput.high),
                                         number_of(cpus_of(run), "CPU"))});
  }
  return series;
}

// The model's line over [low, high] vCPUs for the sweep's own conditions.
Series fitted_line(const Predictor& predictor, const CpuSweep& sweep, Range cpus, Mark mark) {
  constexpr int steps = 40;
  Series series;
  series.mark = mark;
  auto setting = setting_of(sweep.runs.front());
  for (int i = 0; i <= steps; ++i) {
    setting.cpus = cpus.low * std::pow(cpus.high / cpus.low, static_cast<double>(i) / steps);
    if (sweep.runs.front().workload.loader_threads == 0) {
      setting.loader_threads = usual_loader_threads(setting.cpus);
    }
    const auto estimate = predictor.estimate(predictor.predict(setting), Source::fitted);
    series.points.push_back(
        {setting.cpus, estimate.value, {}, Range{estimate.low, estimate.high}, "", ""});
  }
  return series;
}

void add_fit(const ReportData& data,
             const CpuSweep& sweep,
             std::size_t index,
             double sold_most,
             XyChart& chart) {
  Range measured{INFINITY, 0};
  for (const auto& run : sweep.runs) {
    measured.low = std::min(measured.low, cpus_of(run));
    measured.high = std::max(measured.high, cpus_of(run));
  }
  try {
    const Predictor predictor(data.model, sweep.runs.front().workload);
    auto band = fitted_line(predictor, sweep, measured, Mark::band);
    auto line = fitted_line(predictor, sweep, measured, Mark::line);
    band.role = line.role = roles[index];
    line.name = sweep.name + " fitted";
    chart.series.push_back(std::move(band));
    chart.series.push_back(std::move(line));
    if (sold_most > measured.high) {
      const Range beyond{measured.high, sold_most};
      auto far = fitted_line(predictor, sweep, beyond, Mark::line);
      far.role = roles[index];
      far.dashed = true;
      chart.series.push_back(std::move(far));
    }
  } catch (const ModelError&) {
    // These runs are not in the model (an older fit): the points stand alone.
  }
}

// The line of exact predictions, and what lies within 10 % of it.
std::vector<Series> diagonals(Range range) {
  const auto at = [](double x) { return ChartPoint{x, x, {}, Range{0.9 * x, 1.1 * x}, "", ""}; };
  Series exact{"exact", "muted", Mark::line, {}, true, {at(range.low), at(range.high)}};
  Series within{"within ±10 %", "muted", Mark::band, {}, false, exact.points};
  return {std::move(within), std::move(exact)};
}

Series seen_runs(const FitSummary& summary) {
  Series series{"cross-validation", "one", Mark::dots, Shape::circle, false, {}};
  for (const auto& run : summary.runs) {
    if (run.predicted > 0) {
      series.points.push_back({run.measured,
                               run.predicted,
                               {},
                               {},
                               "",
                               fmt::format("{}: measured {}, predicted {} items/s",
                                           run.name,
                                           digits(run.measured),
                                           digits(run.predicted))});
    }
  }
  return series;
}

Series held_out_runs(const Validation& validation) {
  Series series{"held out", "chosen", Mark::dots, Shape::diamond, false, {}};
  for (const auto& row : validation.rows) {
    series.points.push_back({row.measured,
                             row.predicted.value,
                             {},
                             Range{row.predicted.low, row.predicted.high},
                             "",
                             fmt::format("{} (held out): measured {}, predicted {} items/s",
                                         row.name,
                                         digits(row.measured),
                                         digits(row.predicted.value))});
  }
  return series;
}

}  // namespace

std::vector<CpuSweep> cpu_sweeps(const std::vector<Record>& records) {
  std::map<decltype(sweep_key(Record{})), std::vector<Record>> groups;
  for (const auto& record : records) {
    if (is_usable(record) && record.workload.data != DataFormat::synthetic) {
      groups[sweep_key(record)].push_back(record);
    }
  }
  // Per format the widest sweep; of equal ones the fastest, which the CPUs limit the most.
  std::map<std::string, std::vector<Record>> widest;
  const auto rank = [](const std::vector<Record>& runs) {
    return std::pair(distinct_cpus(runs),
                     runs.empty() ? 0.0 : runs.front().workload.replay_items_per_s);
  };
  for (auto& [key, runs] : groups) {
    auto& best = widest[std::string(to_string(runs.front().workload.data))];
    if (rank(runs) > rank(best)) {
      best = std::move(runs);
    }
  }
  std::vector<CpuSweep> sweeps;
  for (auto& [name, runs] : widest) {
    if (distinct_cpus(runs) >= 2 && sweeps.size() < roles.size()) {
      std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return cpus_of(a) < cpus_of(b);
      });
      sweeps.push_back({name, std::move(runs)});
    }
  }
  return sweeps;
}

XyChart throughput_chart(const ReportData& data) {
  const auto sweeps = cpu_sweeps(data.records);
  XyChart chart;
  chart.id = "chart-throughput";
  chart.title = "Throughput of the data path against vCPUs";
  chart.description =
      "Points are runs on the measured machine with their intervals, lines the fitted model with "
      "its band; dashed lines go beyond what was measured. The vCPU ticks are sizes that are sold.";
  chart.x = {"vCPUs (log)", Scale::logarithmic, sold_cpus(data.answer, sweeps), false};
  chart.y = {"items/s (log)", Scale::logarithmic, {}, false};
  chart.width = 760;
  chart.height = 400;
  chart.when_empty = data.records.empty()
                         ? "No runs are here to draw. " + data.records_note
                         : "No runs that differ in their CPUs only: a campaign with a cpus axis "
                           "would fill this chart.";
  const double sold_most = chart.x.ticks.empty() ? 0 : chart.x.ticks.back();
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    add_fit(data, sweeps[i], i, sold_most, chart);
    chart.series.push_back(measured_points(sweeps[i], i));
  }
  return chart;
}

XyChart validation_chart(const ReportData& data) {
  XyChart chart;
  chart.id = "chart-validation";
  chart.title = "Predicted against measured throughput";
  chart.description =
      "On the dashed line a prediction is exact; in the band it is within 10 %. Circles were "
      "predicted by "
      "a model fitted without their cell, diamonds were held out of the fit altogether.";
  chart.x = {"measured, items/s (log)", Scale::logarithmic, {}, false};
  chart.y = {"predicted, items/s (log)", Scale::logarithmic, {}, false};
  chart.when_empty = "No run to compare with: the records are not here, or too few for a fit.";
  auto seen = data.fit ? seen_runs(*data.fit) : Series{};
  auto held_out = held_out_runs(data.validation);
  std::vector<double> measured;
  for (const auto* series : {&seen, &held_out}) {
    for (const auto& point : series->points) {
      measured.push_back(point.x);
    }
  }
  if (measured.empty()) {
    return chart;
  }
  chart.series = diagonals(range_of(measured, Scale::logarithmic));
  chart.series.push_back(std::move(seen));
  chart.series.push_back(std::move(held_out));
  return chart;
}

}  // namespace rightsize::report
