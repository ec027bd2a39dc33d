#include "advisor/report/estimate_text.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/training_way.h"
#include "advisor/candidate/update_share.h"
#include "advisor/json_values.h"
#include "advisor/query/job_work.h"
#include "advisor/query/writing_words.h"
#include "advisor/report/units.h"
#include "advisor/tokens/weights_taken.h"
#include "kernels/gibibyte.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/program.h"
#include "models/laws/toolchain.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

std::string_view noun_of(const MachineSpec& machine) {
  return accelerator_noun(toolchain_of_any(machine.gpu));
}

// How much each sequence has in its cache, stated or as long as the network's own.
std::string cache_words(const Configuration& asked) {
  const auto network = make_network(asked.network, asked.sequence, asked.phase);
  return fmt::format(", {} tokens in the cache of each", network.input.positions());
}

std::string network_question(const Configuration& asked, const Answer& answer) {
  const auto each = asked.machine.gpus() <= 1      ? std::string()
                    : asked.phase == Phase::decode ? std::string(" a copy")
                                                   : fmt::format(" a {}", noun_of(asked.machine));
  const auto step = with_update_shared(asked, asked.machine.gpus(), answer.batch);
  const auto batch = step.copy_batch > 0 ? fmt::format(", batch {} a copy", step.copy_batch)
                     : answer.batch == 0 ? ""
                                         : fmt::format(", batch {}{}", answer.batch, each);
  const auto data = asked.phase != Phase::decode ? ", " + data_words(asked)
                    : asked.writing.of_texts()
                        ? fmt::format("{}, {}", narrowed_words(asked), text_lengths(asked.writing))
                    : asked.machine.gpu.empty() ? std::string()
                                                : narrowed_words(asked) + cache_words(asked);
  return fmt::format("{} {} {}{}{}, on {}",
                     asked.network,
                     to_string(asked.phase),
                     to_string(answer.precision),
                     batch,
                     data,
                     to_text(asked.machine));
}

std::string question(const Configuration& asked, const Answer& answer) {
  switch (work_of(asked)) {
    case JobWork::preprocessing:
      return fmt::format("preprocessing, {} to {}, on {}",
                         to_string(asked.data),
                         to_string(asked.writes),
                         to_text(asked.machine));
    case JobWork::program:
      return fmt::format("{}, in steps of {}, {}, on {}",
                         *program_named(asked.network),
                         answer.batch,
                         data_words(asked),
                         to_text(asked.machine));
    case JobWork::network:
      break;
  }
  return network_question(asked, answer);
}

// What whoever waits for one sequence sees of a rate that is all sequences' of all copies.
std::string each_sentence(const Configuration& asked, const Answer& answer) {
  if (asked.phase != Phase::decode || asked.writing.of_texts() || asked.machine.gpu.empty()) {
    return "";
  }
  const auto& split = answer.memory_way.parallel;
  const int copies = std::max(1, asked.machine.gpus() / (split.tensor * split.pipeline));
  const int sequences = copies * std::max(1, answer.batch);
  return sequences == 1 ? ""
                        : fmt::format("Each of the {} sequences{} is written at ~{} {}.\n",
                                      sequences,
                                      copies == 1 ? "" : fmt::format(" of {} copies", copies),
                                      digits(answer.throughput.value / sequences),
                                      answer.throughput.unit);
}

std::string cold_sentence(const Answer& answer) {
  const auto& prediction = answer.prediction;
  const bool credit = answer.job && answer.job->on_disk_credits;
  const bool colder = prediction.cold_items_per_s < 0.995 * prediction.items_per_s;
  return colder || credit ? fmt::format("First epoch ~{} {}{}; the page cache serves {} later.\n",
                                        digits(prediction.cold_items_per_s),
                                        answer.throughput.unit,
                                        credit ? ", on what the disk has saved up" : "",
                                        percent(prediction.hit_ratio))
                          : "";
}

std::string burst_sentence(const Answer& answer) {
  if (!answer.burst) {
    return "";
  }
  const auto& burst = *answer.burst;
  return fmt::format("That is for ever; on what the disk has saved up ~{} {}, {}.\n",
                     digits(burst.items_per_s),
                     answer.throughput.unit,
                     burst.seconds ? fmt::format("in a first epoch ~{} for {}",
                                                 digits(burst.cold_items_per_s),
                                                 duration(*burst.seconds))
                                   : "for as long as the job takes");
}

// The job's time, which the rates above give together.
std::string job_sentence(const Answer& answer) {
  if (!answer.job) {
    return "";
  }
  const auto& job = *answer.job;
  const auto moving = job.moving_s < 1
                          ? ""
                          : fmt::format(" and {} for the weights from the disk and the state to it",
                                        duration(job.moving_s));
  constexpr double short_h = 0.01;  // of which nobody reads hours
  const auto words = [&](double hours, const char* unit) {
    return job.hours.value < short_h ? duration(3600 * hours) : digits(hours) + unit;
  };
  return fmt::format("The job: {} epoch{} in ~{} ({} … {}), ~{} {} on average{}.\n",
                     axis_number(job.epochs),
                     job.epochs == 1 ? "" : "s",
                     words(job.hours.value, " h"),
                     words(job.hours.low, ""),
                     words(job.hours.high, ""),
                     digits(job.mean_items_per_s),
                     answer.throughput.unit,
                     moving);
}

// One step against so many alone: in the same way of sharing memory and layers, for another has
// another step alone.
std::string scaling_sentence(const Configuration& asked, const Answer& answer) {
  const auto words = asked.phase == Phase::decode ? "" : words_of(answer.memory_way);
  const auto split = words.empty() ? "" : ", " + words;
  return fmt::format("scaling efficiency over {} {}s: {} of so many that exchange nothing{}{}\n",
                     asked.machine.gpus(),
                     noun_of(asked.machine),
                     percent(answer.scaling_efficiency),
                     split,
                     split.empty() ? "" : "; other splits are compared by their rates");
}

// Of a resource that the job does not use, or that nobody stated and that is taken to be enough:
// its figure would say nothing but how much "enough" was taken to be.
bool is_no_limit(const Prediction& prediction, double bound) {
  constexpr double beyond = 1000;
  return std::isinf(bound) || bound > beyond * prediction.items_per_s;
}

}  // namespace

std::string_view status_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::out_of_memory:
      return "out_of_memory";
    case Verdict::unsupported:
      return "unsupported";
  }
  return "?";
}

Table bounds_table(const Prediction& prediction, const std::string& unit) {
  Table table({{"resource"}, {"bound", Align::right}, {"busy", Align::right}});
  for (std::size_t i = 0; i < bound_count; ++i) {
    const double value = prediction.bounds.items_per_s[i];
    const bool unused = is_no_limit(prediction, value);
    table.add({std::string(to_string(static_cast<Bound>(i))),
               unused ? "—" : digits(value) + " " + unit,
               unused ? "—" : percent(prediction.busy[i])});
  }
  return table;
}

json::object bounds_to_json(const Prediction& prediction) {
  json::object bounds;
  for (std::size_t i = 0; i < bound_count; ++i) {
    const double value = prediction.bounds.items_per_s[i];
    bounds[to_string(static_cast<Bound>(i))] =
        is_no_limit(prediction, value) ? json::value(nullptr) : json::value(value);
  }
  return bounds;
}

Table refusal_table(const Answer& answer) {
  Table table({{"status"}, {"reason"}});
  table.add({std::string(status_word(answer.verdict)), answer.reason});
  return table;
}

std::string way_out_line(const std::vector<std::string>& ways_out) {
  return ways_out.empty() ? "" : fmt::format("Next: {}\n", fmt::join(ways_out, "; or "));
}

namespace {

std::string refusal_sentence(const Answer& answer) {
  return fmt::format("Cannot: {}{}", answer.reason, answer.reason.ends_with('.') ? "" : ".");
}

}  // namespace

std::string refusal_text(const Answer& answer) {
  return refusal_sentence(answer) + "\n" + way_out_line(answer.ways_out);
}

// Of what hears, how much faster than it is spoken; nothing of others.
std::string sound_sentence(const Configuration& asked, const Answer& answer) {
  return hears(asked.network) ? fmt::format("A clip is {} s of sound: {} s of sound a second.\n",
                                            clip_seconds,
                                            digits(clip_seconds * answer.throughput.value))
                              : "";
}

// Of each GPU, by what takes it; nothing without one.
std::string memory_sentence(const Configuration& asked, const Answer& answer) {
  const auto& need = answer.gpu_memory;
  return need.total() <= 0
             ? ""
             : fmt::format(
                   "{} memory ~{:.1f} GiB{}: {:.1f} of {}, {:.1f} of {}, {:.1f} of libraries\n",
                   noun_of(asked.machine) == "chip" ? "Chip" : "GPU",
                   need.total() / bytes_per_gib,
                   asked.machine.gpus() > 1 ? " each" : "",
                   need.parameters_bytes / bytes_per_gib,
                   asked.phase == Phase::train ? "parameters and their state" : "parameters",
                   need.activations_bytes / bytes_per_gib,
                   asked.phase == Phase::decode ? "keys and values" : "activations",
                   (need.workspace_bytes + need.overhead_bytes) / bytes_per_gib);
}

std::string data_words(const Configuration& asked) {
  return reads_prompts(asked.network) ? "prompts" : fmt::format("{} data", to_string(asked.data));
}

std::string estimate_text(const Configuration& asked, const Answer& answer, const Style& style) {
  if (answer.verdict != Verdict::ok) {
    return style.bold(refusal_sentence(answer)) + "\n" +
           fmt::format("{} ({})\n", question(asked, answer), status_word(answer.verdict)) +
           way_out_line(answer.ways_out);
  }
  const auto& value = answer.throughput;
  std::string text = style.bold(fmt::format("~{} {} ({} … {}), limited by {} [{}]",
                                            digits(value.value),
                                            value.unit,
                                            digits(value.low),
                                            digits(value.high),
                                            answer.bottleneck,
                                            to_string(value.source))) +
                     "\n" + question(asked, answer) + "\n" + sound_sentence(asked, answer) +
                     each_sentence(asked, answer) + cold_sentence(answer) + burst_sentence(answer) +
                     job_sentence(answer) + "\n" +
                     bounds_table(answer.prediction, value.unit).text(style) + "\n";
  if (asked.machine.gpus() > 1 && asked.phase != Phase::decode) {
    text += scaling_sentence(asked, answer);
  }
  text += memory_sentence(asked, answer);
  if (answer.energy) {
    text += fmt::format("GPU power ~{} W, ~{} {} ({} … {}) [{}: TDP and utilisation]\n",
                        digits(answer.energy->watts.value),
                        digits(answer.energy->items_per_joule.value),
                        answer.energy->items_per_joule.unit,
                        digits(answer.energy->items_per_joule.low),
                        digits(answer.energy->items_per_joule.high),
                        to_string(answer.energy->items_per_joule.source));
  }
  for (const auto& note : answer.notes) {
    text += "- " + note + "\n";
  }
  return text;
}

}  // namespace rightsize::report
