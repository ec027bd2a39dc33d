#include "advisor/cli/simulate_spot.h"

#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/cli/asked.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/simulated_work.h"
#include "advisor/judge/interruption.h"
#include "advisor/query/query.h"
#include "advisor/report/spot_text.h"
#include "advisor/report/units.h"
#include "profiler/campaign/units.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

constexpr int runs = 10'000;
constexpr double most_hours = 100'000;

double duration_option(const Values& values, const char* option) {
  const auto& text = values[option].as<std::string>();
  return text == "0" ? 0 : parse_duration(text, fmt::format("--{}", option));
}

double write_rate(const Values& values) {
  const auto& text = values["disk-write"].as<std::string>();
  const auto rate = parse_bytes_per_s(text);
  if (!rate || *rate <= 0 || text.find('B') == std::string::npos) {
    throw UsageError(fmt::format("--disk-write {}: expected a rate such as 200MB/s", text));
  }
  return *rate;
}

// What the job's file says of its interruptions, [spot].
Interruptions of_job(const Values& values) {
  return values.count("job") > 0 ? load_query(values["job"].as<std::string>()).interruptions
                                 : Interruptions{};
}

// Of the network, at the disk's speed, where the times are not stated: to write a checkpoint, and
// to read it back at a new start, with the weights that adapters leave as they are.
void read_files(const Values& values, const Interruptions& job, report::SpotReport& spot) {
  const bool writing_stated = values.count("checkpoint") > 0 || job.checkpoint_s;
  const bool restart_stated = given(values, "restart") || job.restart_stated;
  if (writing_stated) {
    spot.terms.checkpoint_s =
        values.count("checkpoint") > 0 ? duration_option(values, "checkpoint") : *job.checkpoint_s;
  }
  if (writing_stated && (restart_stated || values.count("checkpoint") > 0)) {
    return;  // of a checkpoint that is told by its time alone no bytes are known
  }
  const auto work = work_from(values);
  const NetworkFacts facts(work.network, work.sequence, work.tuning, work.phase);
  const double frozen =
      work.tuning.adapters.any() ? model_files(facts, work).weights_bytes : 0;
  const auto files = spot_files(checkpoint_bytes(facts.network), frozen, 1);
  const double rate = write_rate(values);
  const auto at_rate = fmt::format("{} [{}]",
                                   report::bytes_per_s(rate),
                                   values["disk-write"].defaulted()
                                       ? "assumed; advise takes the disk's that it rents"
                                       : "given");
  if (!writing_stated) {
    spot.terms.checkpoint_s = files.written / rate;
    spot.checkpoint_note =
        fmt::format(" ({} of {} at {})",
                    report::bytes(files.written),
                    work.network + (work.tuning.adapters.any() ? " with adapters" : ""),
                    at_rate);
  }
  if (!restart_stated) {
    spot.terms.restart_s += files.read_back / rate;
    spot.restart_note = fmt::format(", {} read back", report::bytes(files.read_back));
  }
}

double given_interval(const Values& values, double useful_s) {
  const double interval_s = duration_option(values, "checkpoint-every");
  if (!(interval_s >= 1)) {
    throw UsageError("--checkpoint-every: expected a second of work or more, as 30m");
  }
  if (const double parts = std::ceil(useful_s / interval_s); parts > most_spot_parts) {
    throw UsageError(fmt::format(
        "--checkpoint-every {}: --hours {} would be cut into {} parts, at most {} are played; give "
        "--checkpoint-every {:.0f}s or more",
        values["checkpoint-every"].as<std::string>(),
        values["hours"].as<std::string>(),
        report::count(static_cast<std::uint64_t>(parts)),
        report::count(static_cast<std::uint64_t>(most_spot_parts)),
        std::ceil(useful_s / most_spot_parts)));
  }
  return interval_s;
}

report::SpotReport asked(const Values& values) {
  if (values.count("hours") == 0) {
    throw UsageError("--spot needs --hours, the length of the job on a machine that stays");
  }
  report::SpotReport spot;
  spot.useful_h = duration_option(values, "hours") / 3600;
  if (!(spot.useful_h > 0) || spot.useful_h > most_hours) {
    throw UsageError("--hours: expected a time above 0 and of at most 100,000 hours, as 40h");
  }
  auto& terms = spot.terms;
  const auto job = of_job(values);
  terms.interruptions_per_hour =
      given(values, "interruptions") ? values["interruptions"].as<double>() : job.per_hour;
  spot.hazard_given = given(values, "interruptions") || job.hazard_stated;
  if (!(terms.interruptions_per_hour >= 0) || terms.interruptions_per_hour > 1000) {
    throw UsageError("--interruptions: expected how many an hour, from 0 to 1000, as 0.05");
  }
  terms.restart_s = given(values, "restart") ? duration_option(values, "restart") : job.restart_s;
  terms.longest_life_h = given(values, "longest-life")
                             ? duration_option(values, "longest-life") / 3600
                             : job.longest_life_h.value_or(0);
  if (values.count("checkpoint-every") > 0) {
    terms.interval_s = given_interval(values, spot.useful_h * 3600);
  }
  read_files(values, job, spot);
  if (values.count("price") > 0) {
    spot.usd_per_hour = values["price"].as<double>();
    if (!(*spot.usd_per_hour > 0) || *spot.usd_per_hour > 1e6) {
      throw UsageError("--price: expected USD per hour, above 0");
    }
  }
  return spot;
}

// Each run is played interruption by interruption.
void refuse_endless_play(const report::SpotReport& spot) {
  constexpr double most = most_simulated_steps / runs;
  if (spot.law.interruptions > most) {
    throw UsageError(fmt::format(
        "--spot: ~{} interruptions a run, by the law, which says ~{} h for the job; {} runs of at "
        "most {} are played: ask with fewer --hours or --interruptions, or a longer --longest-life",
        report::count(static_cast<std::uint64_t>(spot.law.interruptions)),
        report::digits(spot.law.mean_h),
        report::count(runs),
        report::count(static_cast<std::uint64_t>(most))));
  }
}

}  // namespace

void add_spot_options(Options& options) {
  const Interruptions assumed;
  options.add_options()("spot", "a job on machines that may be taken away")(
      "hours", po::value<std::string>(), "of work on a machine that stays, as 40h")(
      "interruptions",
      po::value<double>()->default_value(assumed.per_hour, fmt::format("{:g}", assumed.per_hour)),
      "per hour; else the job file's [spot], else assumed")(
      "checkpoint",
      po::value<std::string>(),
      "to write one, as 60s; else the job file's [spot], else by the network's size")(
      "checkpoint-every",
      po::value<std::string>(),
      "of work, as 30m; default: the interval that costs least")(
      "disk-write",
      po::value<std::string>()->default_value(
          fmt::format("{:g}MB/s", checkpoint_bytes_per_s / 1e6)),
      "and read, for the checkpoint")(
      "restart",
      po::value<std::string>()->default_value("5m"),
      "on a new machine; else the job file's [spot], else this and reading the checkpoint back")(
      "longest-life",
      po::value<std::string>()->default_value("0"),
      "of a machine, as 24h; 0: any; else the job file's [spot]")(
      "price", po::value<double>(), "USD per hour, for the cost");
}

int run_simulate_spot(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json"});
  auto spot = asked(values);
  spot.law = spot_time(spot.terms, spot.useful_h);
  if (!spot.law.possible) {
    const std::string reason =
        "no machine is likely to live until the next checkpoint; restart faster, write smaller "
        "checkpoints, or rent machines that stay";
    const json::object refusal{
        {"schema", "rightsize/spot/1"}, {"status", "impossible"}, {"reason", reason}};
    emit(context,
         values,
         format == "json" ? json::serialize(refusal) + "\n" : fmt::format("Cannot: {}.\n", reason));
    return exit_nothing_satisfies;
  }
  refuse_endless_play(spot);
  spot.played = simulate_spot(spot.terms, spot.useful_h, runs, values["seed"].as<std::uint64_t>());
  emit(context,
       values,
       format == "json" ? json::serialize(report::spot_to_json(spot)) + "\n"
                        : report::spot_text(spot, context.out_style));
  return exit_ok;
}

}  // namespace rightsize::cli
