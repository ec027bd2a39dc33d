#include <fmt/format.h>

#include "advisor/cli/asked.h"
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

void refuse_stray_options(const Values& values) {
  if (values.count("trace") > 0 && values["trace"].as<std::string>() == "-" && to_stdout(values)) {
    throw UsageError("--trace -: the result goes to stdout too; --out-file FILE takes it");
  }
  for (const auto* option : {"qps", "replicas", "p99"}) {
    if (values.count(option) > 0) {
      throw UsageError(fmt::format("--{} belongs to --serve; add it", option));
    }
  }
  for (const auto* option : {"hours", "price", "checkpoint", "checkpoint-every"}) {
    if (values.count(option) > 0) {
      throw UsageError(fmt::format("--{} belongs to --spot; add it", option));
    }
  }
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
  add_setting_options(options);
  add_asked_options(options);
  add_model_option(options);
  add_output_options(options);
  add_serving_options(options);
  add_decode_options(options);
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
    return run_simulate_spot(context, values);
  }
  if (tokens) {
    return simulate_tokens(context, values);
  }
  if (asks_serving(values)) {
    return values["phase"].as<std::string>() == "decode" ? run_simulate_decode(context, values)
                                                         : run_simulate_serving(context, values);
  }
  refuse_stray_options(values);
  return run_simulate_pipeline(context, values);
}

}  // namespace rightsize::cli
