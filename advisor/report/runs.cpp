#include "advisor/report/runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "kernels/network.h"
#include "profiler/command/user_command.h"

namespace rightsize::report {
namespace {

std::string limits_text(const Limits& limits) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (limits.cpus > 0) {
    add(fmt::format("{} cpu{}", digits(limits.cpus), limits.cpus == 1 ? "" : "s"));
  }
  if (limits.memory_bytes > 0) {
    add(bytes(static_cast<double>(limits.memory_bytes)));
  }
  if (limits.disk_read_bytes_per_s > 0) {
    add("read " + bytes_per_s(limits.disk_read_bytes_per_s));
  }
  if (limits.disk_write_bytes_per_s > 0) {
    add("write " + bytes_per_s(limits.disk_write_bytes_per_s));
  }
  if (limits.disk_read_iops > 0) {
    add(digits(limits.disk_read_iops) + " IOPS");
  }
  if (!limits.isa.empty()) {
    add(limits.isa);
  }
  if (limits.gpu_memory_bytes > 0) {
    add(bytes(static_cast<double>(limits.gpu_memory_bytes)) + " of GPU memory");
  }
  if (limits.gpu_share > 0) {
    add(digits(100 * limits.gpu_share) + " % of the GPU");
  }
  return out.empty() ? "unlimited" : out;
}

// A command may be of any length; records show has all of it.
std::string shortened(const std::string& work) {
  constexpr std::size_t most = 72;
  if (work.size() <= most) {
    return work;
  }
  auto end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(work[end]) & 0xC0U) == 0x80U) {
    --end;  // not inside a letter of several bytes
  }
  return work.substr(0, end) + "…";
}

// "20 requests/s, up to 8 together within 5 ms"
std::string load_text(const Workload& work) {
  const auto& load = *work.requests;
  const bool usual = load.arrivals == Requests{}.arrivals;
  auto text =
      load.per_s > 0
          ? fmt::format("{}{} requests/s", usual ? "" : load.arrivals + " ", digits(load.per_s))
          : "requests of " + load.arrivals;
  text += work.batch > 1 ? fmt::format(", up to {} together", work.batch) : ", one by one";
  if (load.max_delay_s > 0) {
    text += fmt::format(" within {}", duration(load.max_delay_s));
  }
  return text;
}

// Of a server too: a replayed GPU works through what the network reads, not through requests.
std::string_view replayed_unit(Workload work) {
  work.requests.reset();
  return words_by_name(work).per_s;
}

std::string work_text(const Workload& work) {
  if (work.phase == Phase::preprocess) {
    return fmt::format("preprocess {} -> {}", to_string(work.data), to_string(work.output));
  }
  const std::string engine =
      work.engine == EngineKind::replay
          ? fmt::format("replay {} {}", digits(work.replay_items_per_s), replayed_unit(work))
          : std::string(to_string(work.engine));
  auto text = work.requests
                  ? fmt::format("{} served on {}, {}", work.network, engine, load_text(work))
                  : fmt::format("{} {} on {}, batch {}, {}",
                                work.network,
                                to_string(work.phase),
                                engine,
                                work.batch,
                                to_string(work.data));
  if (work.precision != Precision::fp32 && work.engine != EngineKind::replay) {
    text += fmt::format(", {}", to_string(work.precision));
  }
  if (work.sequence > 0) {
    text += fmt::format(", {} tokens", work.sequence);
  }
  if (work.prompt > 0) {
    text += fmt::format(" after {}", work.prompt);
  }
  if (work.preprocess_on == PreprocessOn::gpu) {
    text += ", preprocessed on the GPU";
  }
  if (work.ranks > 1) {
    text += fmt::format(", {} ranks by {}{}",
                        work.ranks,
                        to_string(work.exchange),
                        work.compression == Compression::none ? "" : ", 2bit");
  }
  return text;
}

// One for all, or the word that fits all.
std::string common_unit(const std::vector<Record>& records) {
  std::string unit = records.empty() ? "img/s" : throughput_unit(records.front());
  for (const auto& record : records) {
    unit = throughput_unit(record) == unit ? unit : "items/s";
  }
  return unit;
}

std::string plain_rate(const Record& record) {
  if (record.throughput.samples < 2) {  // one window has no spread; "± 0" would claim certainty
    return digits(record.throughput.median) + " (one window)";
  }
  const auto& rate = record.throughput;
  const double half = (rate.high - rate.low) / 2;
  const double off_centre = std::abs(rate.median - rate.low - half);
  constexpr double symmetric = 0.3;  // of half the interval: "±" says that it is
  return off_centre <= symmetric * half
             ? fmt::format("{} ± {}", digits(rate.median), digits(half))
             : fmt::format(
                   "{} ({} … {})", digits(rate.median), digits(rate.low), digits(rate.high));
}

bool has_rate(const Record& record) {
  return record.throughput.samples > 0;
}

}  // namespace

std::string work_text(const Record& record) {
  return record.command.empty() ? work_text(record.workload) : record.command;
}

std::string short_work_text(const Record& record) {
  return shortened(work_text(record));
}

std::string limits_text(const Record& record) {
  const bool known = !record.throttle.empty() || record.limits != Limits{};  // imports do not say
  return known ? limits_text(record.limits) : "—";
}

std::string_view rate_unit(const Workload& work) {
  return work.phase == Phase::preprocess ? "img/s" : words_of(work).per_s;
}

std::string run_label(const RunSpec& spec) {
  const auto work =
      spec.command.empty() ? work_text(spec.workload) : shortened(shell_line(spec.command.words));
  return fmt::format("{}: {}, {}", spec.name, work, limits_text(spec.limits));
}

std::string run_sentence(const Record& record) {
  const auto label = fmt::format("{}: {}, {}", record.name, work_text(record), limits_text(record));
  if (record.status == Status::measured) {
    const bool learns = !record.command.empty() || has_backward(record.workload.phase);
    const auto loss =
        learns && record.first_loss && record.last_loss
            ? fmt::format(", loss {:.4g} to {:.4g}", *record.first_loss, *record.last_loss)
            : "";
    return fmt::format("{}   {}{}", label, rate_text(record), loss);
  }
  return fmt::format("{}   {}: {}", label, to_string(record.status), record.reason);
}

std::string throughput_unit(const Record& record) {
  if (record.command.empty()) {
    return std::string(record.workload.phase == Phase::preprocess ? "img/s"
                                                                  : words_of(record).per_s);
  }
  const auto said = record.software.find("steps");
  const auto rule = said == record.software.end() ? std::nullopt : parse_step_rule(said->second);
  const bool several = record.workload.batch > 1;  // of each step, as --items-per-step says
  return fmt::format("{}/s", rule && !several ? item_name(rule->source) : "items");
}

std::string rate_text(const Record& record) {
  return has_rate(record) ? fmt::format("{} {}", plain_rate(record), throughput_unit(record)) : "—";
}

std::string latency_text(const Record& record) {
  if (!record.served || !has_rate(record)) {
    return "—";
  }
  return fmt::format("{}{} / {}",
                     record.served->saturated ? "saturated, " : "",
                     duration(record.served->p50_s),
                     duration(record.served->p99_s));
}

Table run_table(const std::vector<Record>& records) {
  const bool served = std::any_of(
      records.begin(), records.end(), [](const Record& record) { return record.served; });
  std::vector<Column> columns({{"run"},
                               {"work"},
                               {"limits"},
                               {common_unit(records), Align::right},
                               {served ? "p50 / p99" : "first epoch", Align::right},
                               {"cpus used", Align::right},
                               {"disk", Align::right},
                               {"memory", Align::right},
                               {"status"}});
  Table table(std::move(columns));
  for (const auto& record : records) {
    const double disk_rate =
        record.seconds > 0 ? static_cast<double>(record.disk_read_bytes) / record.seconds : 0;
    const auto memory =
        record.peak_memory_bytes > 0 ? record.peak_memory_bytes : record.peak_rss_bytes;
    const bool disk_known = has_rate(record) && (record.command.empty() || disk_rate > 0);
    table.add({record.name + (record.hold_out ? " (held out)" : ""),
               short_work_text(record),
               limits_text(record),
               has_rate(record) ? plain_rate(record) : "—",
               served                    ? latency_text(record)
               : record.cold_items_per_s ? digits(*record.cold_items_per_s)
                                         : "—",
               has_rate(record) ? digits(record.achieved_cpus) : "—",
               disk_known ? bytes_per_s(disk_rate) : "—",
               memory > 0 ? bytes(static_cast<double>(memory)) : "—",
               std::string(to_string(record.status)) +
                   (record.status == Status::measured ? "" : ": " + record.reason)});
  }
  return table;
}

}  // namespace rightsize::report
