#include "advisor/cli/simulate_decode.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/accelerator.h"
#include "advisor/cli/asked.h"
#include "advisor/query/load_range.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/decode_text.h"
#include "advisor/tokens/weights_taken.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_latency.h"
#include "models/laws/decode_software.h"
#include "models/laws/picture_prompts.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

double sequences_per_s(const Values& values) {
  const double rate = values.count("qps") > 0 ? values["qps"].as<double>() : 0;
  if (!sequence_loads.has(rate)) {
    throw UsageError("--serve --phase decode needs --qps: " + sequence_loads.words());
  }
  return rate;
}

int refuse(Context& context, const Values& values, bool as_json, const std::string& reason) {
  const json::object refusal{
      {"schema", "rightsize/decode/1"}, {"status", "unsupported"}, {"reason", reason}};
  emit(context,
       values,
       as_json ? json::serialize(refusal) + "\n" : fmt::format("Cannot: {}.\n", reason));
  return exit_nothing_satisfies;
}

// Of the usual lengths where none are said.
DecodeLoad load_of(const Writing& writing, double sequences_per_s) {
  DecodeLoad load{.sequences_per_s = sequences_per_s};
  if (writing.of_texts()) {
    load.prompt_tokens = writing.prompt_tokens;
    load.output_tokens = writing.output_tokens;
  }
  return load;
}

int replicas_option(const Values& values, const Configuration& asked) {
  const int replicas = values.count("replicas") > 0 ? values["replicas"].as<int>()
                                                    : std::max(1, asked.machine.gpus());
  if (replicas < 1 || replicas > 10'000) {
    throw UsageError("--replicas: expected a whole number from 1 to 10000");
  }
  return replicas;
}

// The closed form as expected and at both ends of the interval of the program's rates.
void answer(const GpuSpec& gpu,
            const DecodeForm& form,
            const std::string& software,
            report::DecodeReport& decode) {
  const auto replica = served_by(decode_gpu(gpu, form), gpu, software);
  decode.bandwidth_share = bandwidth_share_of(gpu);
  decode.matrix_share =
      product_flops_per_s(decode.work, replica) / (1e12 * peak_tflops(gpu, form.precision));
  const auto play = [&](double speed) {
    return serve_decode(decode.work, slowed(replica, 1 / speed), decode.load);
  };
  const double spread = std::exp(
      normal_90 *
      std::hypot(decode_log_sd(software, true, {gpu, decode.work.expert_bytes > 0, form.weights}),
                 decode.work.tower_flops > 0 ? pictures_log_sd : 0));
  decode.point = play(1);
  decode.fast = play(spread);
  decode.slow = play(1 / spread);
}

std::string too_small(const GpuSpec& gpu, const Configuration& asked) {
  return fmt::format(
      "{} does not hold the weights of {} and the cache of one sequence; a job file with phase = "
      "\"decode\" and [service] cuts it over the GPUs of a machine (examples/llm/serve-70b.toml)",
      gpu.name,
      asked.network);
}

// Has GPUs of a kind write; returns why they cannot, or "".
std::string write(const NetworkFacts& facts,
                  const Configuration& asked,
                  const GpuSpec& gpu,
                  report::DecodeReport& decode) {
  const auto precision = available_precision(gpu, asked.precision);
  const auto software = decode_software(asked.framework).value_or("");
  const auto form = decode_form(asked.writing, facts.published, precision, software);
  if (auto reason = why_unread(software, form.weights, gpu); !reason.empty()) {
    return reason;
  }
  decode.question = fmt::format("{} {}{} on {}",
                                asked.network,
                                to_string(precision),
                                narrowed_words(asked),
                                to_text(asked.machine));
  decode.work = decode_work(facts.network, form, decode.load);
  answer(gpu, form, software, decode);
  return decode.point.regime == DecodeRegime::too_small ? too_small(gpu, asked) : "";
}

}  // namespace

int run_simulate_decode(Context& context, const Values& values) {
  const bool as_json = output_format(values, {"table", "json"}) == "json";
  const double rate = sequences_per_s(values);
  const auto asked = configuration_from(values);
  if (asked.tensor_parallel > 1) {
    throw UsageError(
        "--tensor-parallel: a replica is one GPU here; a job file with phase = \"decode\" and "
        "[service] has GPUs share one (gpus_per_replica)");
  }
  const NetworkFacts facts(asked.network, asked.sequence);
  if (!can_generate(facts.network)) {
    return refuse(context,
                  values,
                  as_json,
                  asked.network + " cannot write token by token; try gpt2 or llama-8b");
  }
  const auto estimator = estimator_for(values, asked);
  const auto* gpu =
      asked.machine.gpu.empty() ? nullptr : estimator.gpu_rates().find(asked.machine.gpu);
  if (gpu == nullptr) {
    return refuse(
        context, values, as_json, "decoding is modelled on GPUs; add gpu=A100 to --machine");
  }
  report::DecodeReport decode;
  decode.replicas = replicas_option(values, asked);
  decode.load = load_of(asked.writing, rate / decode.replicas);
  if (const auto reason = write(facts, asked, *gpu, decode); !reason.empty()) {
    return refuse(context, values, as_json, reason);
  }
  emit(context,
       values,
       as_json ? json::serialize(report::decode_to_json(decode)) + "\n"
               : report::decode_text(decode, context.out_style));
  return decode.point.regime == DecodeRegime::saturated ? exit_nothing_satisfies : exit_ok;
}

}  // namespace rightsize::cli
