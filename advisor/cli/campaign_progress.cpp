#include "advisor/cli/campaign_progress.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

json::object event(std::string_view name, const CampaignProgress& progress) {
  return {{"event", name}, {"index", progress.index + 1}, {"total", progress.total}};
}

json::value rate_of(const Record& record) {
  const auto& rate = record.throughput;
  if (rate.samples == 0) {
    return nullptr;
  }
  return json::object{{"value", rate.median}, {"low", rate.low}, {"high", rate.high}};
}

json::object ended_event(const CampaignSummary& summary, const std::string& store) {
  json::object made;
  for (const auto& [status, count] : summary.by_status) {
    made[to_string(status)] = count;
  }
  return {{"event", "ended"},
          {"made", made},
          {"already_there", summary.skipped},
          {"left", summary.left},
          {"left_s", summary.left_s},
          {"interrupted", summary.interrupted},
          {"seconds", summary.seconds},
          {"store", store}};
}

std::string ended_line(const CampaignSummary& summary, const std::string& store) {
  std::string counts;
  for (const auto& [status, count] : summary.by_status) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, to_string(status));
  }
  if (counts.empty()) {
    counts = summary.left == 0 ? "nothing to run" : "nothing was run";
  }
  return fmt::format(
      "{}{}{}{} in {} -> {}\n",
      counts,
      summary.skipped > 0
          ? fmt::format(", {} already there (--fresh measures again)", summary.skipped)
          : "",
      summary.left > 0
          ? fmt::format(", {} left (about {})", summary.left, report::duration(summary.left_s))
          : "",
      summary.interrupted ? ", interrupted" : "",
      report::duration(summary.seconds),
      store);
}

}  // namespace

CampaignReporter::CampaignReporter(Context& context, const std::string& wish)
    : context_(context),
      plain_(wish == "plain" || (wish == "auto" && !context.err_is_terminal)),
      jsonl_(wish == "jsonl"),
      line_(context.err, wish == "auto" && context.err_is_terminal) {
  if (wish != "auto" && wish != "plain" && wish != "jsonl" && wish != "none") {
    throw UsageError(fmt::format("--progress {}: expected auto, plain, jsonl or none", wish));
  }
}

CampaignCallbacks CampaignReporter::callbacks() {
  CampaignCallbacks calls;
  calls.started = [this](const CampaignProgress& progress, const RunSpec& spec) {
    show_start(progress, spec);
  };
  calls.finished = [this](const CampaignProgress& progress, const Record& record) {
    show_end(progress, record);
  };
  return calls;
}

void CampaignReporter::show_start(const CampaignProgress& progress, const RunSpec& spec) {
  progress_ = progress;
  learns_ = !spec.command.empty() || has_backward(spec.workload.phase);
  unit_ = spec.command.empty() ? report::rate_unit(spec.workload) : "items/s";
  running_ = fmt::format(" [{:>{}}/{}] {}",
                         progress.index + 1,
                         std::to_string(progress.total).size(),
                         progress.total,
                         report::run_label(spec));
  line_.show(fmt::format("{}   eta {}", running_, report::duration(progress.eta_s)));
  if (jsonl_) {
    auto started = event("started", progress);
    started["id"] = run_id(spec);
    started["name"] = spec.name;
    started["eta_s"] = progress.eta_s;
    context_.err << json::serialize(started) << std::endl;
  }
}

void CampaignReporter::window(const RunWindow& window) {
  if (!(window.seconds > 0)) {
    return;
  }
  const double rate = static_cast<double>(window.items) / window.seconds;
  progress_.eta_s = std::max(0.0, progress_.eta_s - window.seconds);
  line_.show(fmt::format(
      "{}   {}now {} {}{}   eta {}",
      running_,
      window.warmup ? "warming up, " : "",
      report::digits(rate),
      unit_,
      learns_ && window.last_loss ? fmt::format(", loss {:.4g}", *window.last_loss) : "",
      report::duration(progress_.eta_s)));
  if (jsonl_) {
    auto seen = event("window", progress_);
    seen["items_per_s"] = rate;
    seen["loss"] = window.last_loss ? json::value(*window.last_loss) : json::value(nullptr);
    seen["warmup"] = window.warmup;
    context_.err << json::serialize(seen) << std::endl;
  }
}

void CampaignReporter::show_end(const CampaignProgress& progress, const Record& record) {
  if (plain_) {
    context_.err << fmt::format(
        "[{}/{}] {}\n", progress.index + 1, progress.total, report::run_sentence(record));
  }
  if (jsonl_) {
    auto finished = event("finished", progress);
    finished["id"] = record.id;
    finished["name"] = record.name;
    finished["status"] = to_string(record.status);
    finished["reason"] = record.reason;
    finished["items_per_s"] = rate_of(record);
    finished["eta_s"] = progress.eta_s;
    context_.err << json::serialize(finished) << std::endl;
  }
}

void CampaignReporter::ended(const CampaignSummary& summary, const std::string& store) {
  line_.clear();
  marked(summary.marked);
  if (jsonl_) {
    context_.err << json::serialize(ended_event(summary, store)) << std::endl;
  } else {
    context_.err << ended_line(summary, store);
  }
}

void CampaignReporter::marked(std::size_t records) {
  if (records > 0) {
    note(fmt::format(
        "hold_out has changed for {}: marked anew, nothing measured; rightsize fit again before "
        "rightsize validate",
        report::count_of(records, "record")));
  }
}

void CampaignReporter::note(const std::string& sentence) {
  line_.clear();
  if (jsonl_) {
    context_.err << json::serialize(json::object{{"event", "note"}, {"text", sentence}})
                 << std::endl;
  } else {
    context_.err << "note: " << sentence << std::endl;
  }
}

void CampaignReporter::say(const std::string& sentence) {
  if (!jsonl_) {
    context_.err << sentence << "\n";
  }
}

}  // namespace rightsize::cli
