#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/out_file.h"
#include "advisor/cli/setting_options.h"
#include "advisor/cli/simulate_decode.h"
#include "advisor/cli/simulate_pipeline.h"
#include "advisor/cli/simulate_serving.h"
#include "advisor/cli/simulate_spot.h"
#include "advisor/cli/token_commands.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

using Flags = std::span<const char* const>;

// What each kind of simulation is asked by: of another kind they would be passed over.
constexpr std::array of_serving{
    "qps", "replicas", "p99", "arrivals", "max-batch", "max-delay", "routing"};
constexpr std::array of_decoding{"prompt-tokens", "output-tokens"};
constexpr std::array of_spot{"hours",
                             "price",
                             "checkpoint",
                             "checkpoint-every",
                             "interruptions",
                             "restart",
                             "longest-life",
                             "disk-write"};
constexpr std::array of_batches{"arrivals", "max-batch", "max-delay", "routing", "p99"};
constexpr std::array of_drawing{"seed", "simulated-items"};
constexpr std::array of_parts{
    "cpus", "cpu-speed", "memory", "resident", "disk-read", "disk-iops", "gpu-rate"};

void refuse(const Values& values, Flags flags, std::string_view why) {
  for (const auto* flag : flags) {
    if (given(values, flag)) {
      throw UsageError(fmt::format("--{} {}", flag, why));
    }
  }
}

void refuse_stray_options(const Values& values) {
  if (values.count("trace") > 0 && values["trace"].as<std::string>() == "-" && to_stdout(values)) {
    throw UsageError("--trace -: the result goes to stdout too; --out-file FILE takes it");
  }
  refuse(values, of_serving, "belongs to --serve; add it");
  refuse(values, of_decoding, "belongs to --serve --phase decode; add them");
  refuse(values, of_spot, "belongs to --spot; add it");
}

int simulate_spot(Context& context, const Values& values) {
  constexpr std::array serve{"serve"};
  refuse(values, serve, "and --spot are two questions: of a service, and of a job; leave one out");
  refuse(values, of_serving, "belongs to --serve; leave it or --spot out");
  refuse(values, of_decoding, "belongs to --serve --phase decode; leave it or --spot out");
  refuse(
      values, of_parts, "is of a data path; --spot has the job's length by --hours; leave it out");
  return run_simulate_spot(context, values);
}

int simulate_service(Context& context, const Values& values) {
  refuse(values, of_spot, "belongs to --spot; leave it or --serve out");
  if (values["phase"].as<std::string>() == "decode") {
    refuse(
        values,
        of_batches,
        "has no meaning where tokens are written: sequences join what is under way; leave it out");
    refuse(values, of_drawing, "is of what is played; this answer is a closed form; leave it out");
    return run_simulate_decode(context, values);
  }
  refuse(values, of_decoding, "belongs to --phase decode; add it");
  constexpr std::array batch{"batch"};
  if (values.count("job") == 0) {
    refuse(values, batch, "is of training steps; of servers --max-batch is the most together");
  }
  return run_simulate_serving(context, values);
}

void refuse_trace(const Values& values) {
  if (values.count("trace") > 0) {
    throw UsageError(
        "--trace: what is drawn is the data path of a job; servers, language models token by token "
        "and --spot have no trace; leave it out");
  }
}

}  // namespace

int run_simulate(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_setting_options(options, phases_played);
  add_asked_options(options);
  add_model_option(options);
  add_output_options(options);
  add_serving_options(options);
  add_spot_options(options);
  options.add_options()(
      "simulated-items",
      po::value<std::uint64_t>()->default_value(20000),
      "items, or requests with --serve; at most 10,000,000, fewer where each takes "
      "longer to play: many replicas, many tokens; more are played where many loader threads begin "
      "at once")(
      "seed", po::value<std::uint64_t>()->default_value(1), "the same seed, the same bytes")(
      "trace",
      po::value<std::string>(),
      "write what everybody did there, for chrome://tracing or ui.perfetto.dev");
  const auto values = parse(context, "simulate", options, {"job"}, arguments);
  const bool tokens = asks_tokens(values);
  if (values.count("spot") > 0 || tokens || asks_serving(values)) {
    refuse_trace(values);
  }
  if (values.count("spot") > 0) {
    return simulate_spot(context, values);
  }
  if (tokens) {
    return simulate_tokens(context, values);
  }
  if (asks_serving(values)) {
    return simulate_service(context, values);
  }
  refuse_stray_options(values);
  return run_simulate_pipeline(context, values);
}

}  // namespace rightsize::cli
