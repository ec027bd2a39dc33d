#include "profiler/campaign/combinations.h"

#include <fmt/format.h>

namespace rightsize {
namespace {

bool holds_encoded_pictures(DataFormat format) {
  return format == DataFormat::jpeg || format == DataFormat::recordio ||
         format == DataFormat::lmdb || format == DataFormat::tfrecord;
}

std::optional<std::string> contradiction_in_ranks(const Workload& work) {
  if (work.exchange == Exchange::sharded) {
    return "exchange = \"sharded\": is predicted, not run: every rank here holds all parameters; "
           "expected local, device or nccl; rightsize predict --exchange sharded answers for it";
  }
  if (work.ranks > 1 && work.engine == EngineKind::replay) {
    return fmt::format("ranks = {}: expected engine = cpu or gpu, saw replay", work.ranks);
  }
  if (work.ranks > 1 && work.engine == EngineKind::gpu &&
      (work.exchange == Exchange::local || work.preprocess_on == PreprocessOn::gpu)) {
    return fmt::format(
        "ranks = {} with engine = \"gpu\": expected exchange = device or nccl and preprocess_on = "
        "cpu, saw {} and {}",
        work.ranks,
        to_string(work.exchange),
        to_string(work.preprocess_on));
  }
  if (work.compression != Compression::none &&
      (work.ranks < 2 || work.exchange != Exchange::device)) {
    return fmt::format(
        "compression = \"2bit\": expected exchange = \"device\" and ranks of at "
        "least 2, saw {} and {}",
        to_string(work.exchange),
        work.ranks);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> contradiction_in(const Workload& work) {
  if (work.phase == Phase::preprocess) {
    return holds_encoded_pictures(work.data)
               ? std::nullopt
               : std::optional<std::string>(
                     "phase = \"preprocess\": expected data = jpeg, recordio, lmdb or tfrecord");
  }
  if (work.engine == EngineKind::replay && work.replay_items_per_s <= 0) {
    return "engine = \"replay\": expected replay_items_per_s beside it, saw none";
  }
  if (work.phase == Phase::decode && work.data != DataFormat::synthetic) {
    return fmt::format(
        "phase = \"decode\": expected data = synthetic, as it makes its own tokens, "
        "saw {}",
        to_string(work.data));
  }
  if (work.preprocess_on == PreprocessOn::gpu &&
      (work.engine != EngineKind::gpu || work.data == DataFormat::synthetic ||
       work.data == DataFormat::tokens)) {
    return fmt::format(
        "preprocess_on = \"gpu\": expected engine = gpu and data that holds pictures, saw {} and "
        "{}",
        to_string(work.engine),
        to_string(work.data));
  }
  if (work.prompt > 0 && work.phase != Phase::decode) {
    return fmt::format("prompt = {}: expected phase = \"decode\" beside it, saw {}",
                       work.prompt,
                       to_string(work.phase));
  }
  if (work.requests && (work.data != DataFormat::synthetic || work.ranks > 1)) {
    return fmt::format(
        "serve: requests bring their own data to one server; expected data = synthetic and ranks = "
        "1, saw {} and {}",
        to_string(work.data),
        work.ranks);
  }
  return contradiction_in_ranks(work);
}

std::optional<std::string> contradiction_in(const RunSpec& spec) {
  const UserCommand none;
  const bool own = !spec.command.empty();
  const auto& stop = spec.stop;
  if (stop.max_warmup_s >= stop.max_s && stop.max_warmup_s != StopOptions{}.max_warmup_s) {
    return fmt::format(
        "warmup = {:g} s: expected less than the {:g} s of the whole run (seconds), or nothing is "
        "measured",
        stop.max_warmup_s,
        stop.max_s);
  }
  if (!own &&
      (spec.command.steps != none.steps || spec.command.items_per_step != none.items_per_step)) {
    return "steps and items_per_step go with command, or with a program after --";
  }
  if (own && spec.command.items_per_step != 1 &&
      (spec.command.steps.source == StepSource::io ||
       spec.command.steps.source == StepSource::cpu)) {
    return fmt::format("items_per_step: expected 1 beside steps = {}, which counts no items",
                       to_string(spec.command.steps));
  }
  if (spec.limits.gpu_memory_bytes > 0 && (own || spec.workload.engine != EngineKind::gpu)) {
    return fmt::format("gpu_memory: expected engine = gpu beside it, saw {}",
                       own ? "a program" : to_string(spec.workload.engine));
  }
  if (spec.limits.gpu_share > 0 && (own || spec.workload.engine != EngineKind::gpu)) {
    return fmt::format("gpu_share: expected engine = gpu beside it, saw {}",
                       own ? "a program" : to_string(spec.workload.engine));
  }
  return own ? std::nullopt : contradiction_in(spec.workload);
}

}  // namespace rightsize
