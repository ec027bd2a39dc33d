#include "advisor/report/study_charts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "pricing/bill.h"

namespace rightsize::report {
namespace {

// Marks of a tornado further away than this say nothing about the cost as it is.
constexpr double farthest_mark = 2;

std::string name_of_chosen(const Recommendation& answer) {
  return answer.chosen ? option_name(*answer.chosen) : "the chosen option";
}

std::string number_of(const Response& response, double amount) {
  return response.unit == "vCPU" ? axis_number(amount) : digits(amount);
}

std::string amount_of(const Response& response, double amount) {
  return number_of(response, amount) + " " + response.unit;
}

Series piece(const Response& response, Mark mark, double low, double high) {
  Series series;
  series.mark = mark;
  for (const auto& point : response.points) {
    if (point.amount >= low && point.amount <= high) {
      const auto& value = point.throughput;
      series.points.push_back(
          {point.amount, value.value, {}, Range{value.low, value.high}, "", ""});
    }
  }
  return series;
}

// The measured amounts, widened to points of the curve so that its pieces meet.
Range pieces_meet(const Response& response, Range measured) {
  Range met = measured;
  for (const auto& point : response.points) {
    if (point.amount >= measured.low) {
      met.low = point.amount;
      break;
    }
  }
  for (const auto& point : response.points) {
    if (point.amount <= measured.high) {
      met.high = std::max(met.low, point.amount);
    }
  }
  return met;
}

const ResponsePoint& nearest(const Response& response, double amount) {
  return *std::min_element(response.points.begin(),
                           response.points.end(),
                           [&](const ResponsePoint& a, const ResponsePoint& b) {
                             return std::abs(std::log(a.amount / amount)) <
                                    std::abs(std::log(b.amount / amount));
                           });
}

Series own_amount(const Response& response, const std::string& name) {
  const auto& value = nearest(response, response.now).throughput;
  Series series{"this option", "chosen", Mark::dots, Shape::diamond, false, {}};
  series.points.push_back({response.now,
                           value.value,
                           {},
                           Range{value.low, value.high},
                           amount_of(response, response.now),
                           fmt::format("{} with {}: ~{} {} ({} … {}), {}",
                                       name,
                                       amount_of(response, response.now),
                                       digits(value.value),
                                       value.unit,
                                       digits(value.low),
                                       digits(value.high),
                                       to_string(value.source))});
  return series;
}

std::vector<double> sold_sizes(const Recommendation& answer, const Response& response) {
  std::set<double> sizes;
  for (const auto& option : answer.options) {
    if (response.resource == "vCPUs") {
      sizes.insert(option.vcpus);
    } else if (response.resource == "memory") {
      sizes.insert(option.memory_gib);
    }
  }
  return {sizes.begin(), sizes.end()};
}

std::string knee_words(const Response& response) {
  return fmt::format("knee {} ({} … {})",
                     amount_of(response, response.knee),
                     number_of(response, response.knee_low),
                     number_of(response, response.knee_high));
}

ChartRow tornado_row(const Swing& swing, const Option& option) {
  const auto amount = [&](double cost) { return money(cost, option.cost.unit); };
  ChartRow row;
  row.label = swing.input;
  row.note = fmt::format("x{:.2f} … x{:.2f}, {}", swing.low, swing.high, swing.range);
  row.dot = option.cost.value;
  row.interval = Range{std::min(swing.cost_at_low, swing.cost_at_high),
                       std::max(swing.cost_at_low, swing.cost_at_high)};
  row.hover = fmt::format("{} x{:.2f}: {}; x{:.2f}: {}",
                          swing.input,
                          swing.low,
                          amount(swing.cost_at_low),
                          swing.high,
                          amount(swing.cost_at_high));
  for (const auto& flip : swing.flips) {
    if (flip.cost < farthest_mark * option.cost.value &&
        flip.cost * farthest_mark > option.cost.value) {
      row.marks.push_back({flip.cost,
                           fmt::format("{} x{:.3g}: {} is taken instead",
                                       swing.input,
                                       flip.factor,
                                       flip.taken.empty() ? "nothing" : flip.taken)});
    }
  }
  return row;
}

// The model with its interval, dashed where nothing was measured, and the option itself.
std::vector<Series> response_series(const Response& response,
                                    std::optional<Range> measured,
                                    const std::string& name) {
  auto band = piece(response, Mark::band, 0, INFINITY);
  const Range met = measured ? pieces_meet(response, *measured) : Range{INFINITY, INFINITY};
  auto inside = piece(response, Mark::line, met.low, met.high);
  auto below = piece(response, Mark::line, 0, met.low);
  auto beyond = piece(response, Mark::line, met.high, INFINITY);
  band.name = "90% interval";
  inside.name = "model";
  below.dashed = beyond.dashed = true;
  (below.points.size() < 2 ? beyond : below).name = "model, not measured there";
  return {std::move(band),
          std::move(inside),
          std::move(below),
          std::move(beyond),
          own_amount(response, name)};
}

ChartPoint scaling_point(const ScalingStep& step) {
  const auto share = [](double value) { return 100 * value; };
  const auto cost = cost_per_million(step);
  const auto text = cost ? "~" + fine_money(*cost, step.currency) : std::string("not sold");
  return {static_cast<double>(step.gpus),
          share(step.efficiency.value),
          {},
          Range{share(step.efficiency.low), share(step.efficiency.high)},
          text,
          fmt::format("{} GPUs: {} of ideal ({} … {}), ~{} {}, {}",
                      step.gpus,
                      percent(step.efficiency.value),
                      percent(step.efficiency.low),
                      percent(step.efficiency.high),
                      digits(step.throughput.value),
                      step.throughput.unit,
                      cost ? text + " a million items on " + step.machine : text)};
}

}  // namespace

XyChart response_chart(const Recommendation& answer,
                       const Response& response,
                       std::optional<Range> measured) {
  const auto name = name_of_chosen(answer);
  XyChart chart;
  chart.id = "chart-response-" + response.resource;
  chart.title = fmt::format("Throughput against {}, all else as in {}", response.resource, name);
  chart.description = fmt::format(
      "The line is the model, the band its 90% interval; from the knee on, {} of the most that "
      "more of it brings is reached. {} {}",
      percent(knee_share),
      measured ? fmt::format("Measured: {} … {} {}; the line is dashed beyond.",
                             digits(measured->low),
                             digits(measured->high),
                             response.unit)
               : "Nothing was measured at other amounts: the whole line is dashed.",
      sold_sizes(answer, response).empty() ? "" : "Ticks are sizes that are sold.");
  chart.x = {response.resource + (response.unit == "vCPU" ? "" : ", " + response.unit) + " (log)",
             Scale::logarithmic,
             sold_sizes(answer, response),
             false};
  chart.y = {
      std::string(words_of(answer.query).per_s) + (answer.query.serves() ? " of one machine" : ""),
      Scale::linear,
      {},
      true};
  chart.when_empty = "The job does not wait for this resource.";
  if (response.points.empty()) {
    return chart;
  }
  chart.series = response_series(response, measured, name);
  chart.guides = {
      {true, response.knee, knee_words(response), Range{response.knee_low, response.knee_high}}};
  return chart;
}

RowChart tornado_chart(const Recommendation& answer, const Study& study) {
  RowChart chart;
  chart.id = "chart-tornado";
  chart.title = fmt::format("What moves the cost of {}", name_of_chosen(answer));
  chart.description =
      "Each input moved to both ends of its range while the others stay, and the option judged "
      "again. Triangles stand where the choice would change.";
  if (answer.query.serves()) {
    chart.description += fmt::format(
        " Dots are the fleet for {} confidence, whose margin covers all the intervals together; an "
        "interval's ends are the fleets that would then be enough.",
        percent(answer.query.confidence));
  }
  chart.x = {(answer.query.serves() ? "cost of a month, " : "cost of the whole job, ") +
                 answer.query.currency,
             Scale::linear,
             {},
             false};
  chart.note_title = "range of the input";
  chart.when_empty = "There is no chosen option, or nothing of its inputs is uncertain.";
  for (const auto& swing : study.swings) {
    chart.rows.push_back(tornado_row(swing, *answer.chosen));
  }
  return chart;
}

XyChart scaling_chart(const Recommendation& answer, const Study& study) {
  XyChart chart;
  chart.id = "chart-scaling";
  chart.title = fmt::format("Scaling over {} GPUs of one machine",
                            answer.chosen ? answer.chosen->gpu : "more");
  chart.description =
      "Throughput a GPU as a share of the first point's, by the law of gradient exchange with its "
      "90% interval, the data already in memory; where memory is spared otherwise from one point "
      "to the next, the table says how. Written beside: what a million items cost on the cheapest "
      "machine that is sold with so many, or that none is.";
  chart.x = {"GPUs (log)", Scale::logarithmic, {1, 2, 4, 8}, false};
  chart.y = {"share of ideal, %", Scale::linear, {}, true};
  chart.when_empty = "There is no chosen option with a GPU, or nothing is known of its scaling.";
  Series line{"", "one", Mark::line, {}, false, {}};
  Series dots{"by the law", "one", Mark::dots, Shape::circle, false, {}};
  for (const auto& step : study.scaling) {
    dots.points.push_back(scaling_point(step));
  }
  line.points = dots.points;
  for (auto& point : line.points) {
    point.label.clear();
  }
  chart.series = {std::move(line), std::move(dots)};
  return chart;
}

std::optional<double> cost_per_million(const ScalingStep& step) {
  constexpr double seconds_per_hour = 3600;
  return step.price_per_hour && step.throughput.value > 0
             ? std::optional(*step.price_per_hour * step.hours_paid / seconds_per_hour /
                             step.throughput.value * 1e6)
             : std::nullopt;
}

}  // namespace rightsize::report
