#include "advisor/http/measurements.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/http/measurements_page.h"
#include "advisor/http/question.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/record_columns.h"
#include "advisor/report/run_sheet.h"
#include "advisor/report/runs.h"
#include "profiler/store/recent_runs.h"

namespace rightsize::http {
namespace {

constexpr std::int64_t most_shown = 500;
constexpr std::size_t most_told = 50;  // between two looks at the other connections

std::int64_t number_of(const std::string& text, std::string_view name) {
  std::int64_t value = -1;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 0) {
    throw UsageError(fmt::format("{}={}: expected a whole number", name, text));
  }
  return value;
}

std::size_t number_shown(const std::string& text) {
  const auto value = number_of(text, "most");
  if (value < 1 || value > most_shown) {
    throw UsageError(fmt::format("most={}: expected a number from 1 to {}", text, most_shown));
  }
  return static_cast<std::size_t>(value);
}

struct Asked {
  RunsWanted wanted;
  std::int64_t before = 0;
  std::int64_t after = -1;  // -1: not said
};

Asked read_parameters(const std::vector<Parameter>& parameters) {
  Asked asked;
  for (const auto& [key, value] : parameters) {
    if (key == "token" || key == "o" || key == "output" || value.empty()) {
      continue;
    }
    if (key == "campaign") {
      asked.wanted.campaign = value;
    } else if (key == "before") {
      asked.before = number_of(value, key);
    } else if (key == "after") {
      asked.after = number_of(value, key);
    } else if (key == "most") {
      asked.wanted.most = number_shown(value);
    } else {
      throw UsageError(
          fmt::format("{}: of measurements there are campaign=, most=, before= and o=; of "
                      "/measurements/events campaign= and after=",
                      key));
    }
  }
  return asked;
}

bool of_documents(Form form) {
  return form == Form::json || form == Form::jsonl;
}

// Documents as they were stored, to the last digit; of a record that cannot be read there is none.
std::string documents_of(const std::vector<RecentRun>& runs, Form form) {
  std::string out;
  for (const auto& run : runs) {
    if (!run.document.empty()) {
      out += form == Form::jsonl ? run.document + "\n" : (out.empty() ? "" : ",") + run.document;
    }
  }
  return form == Form::jsonl ? out : "[" + out + "]\n";
}

// As `records list` writes them.
std::string rendered_runs(const std::vector<RecentRun>& runs, Form form) {
  if (of_documents(form)) {
    return documents_of(runs, form);
  }
  std::vector<Record> records;
  for (const auto& run : runs) {
    records.push_back(run.record);
  }
  const auto* name = form == Form::csv ? "csv" : form == Form::markdown ? "md" : "table";
  return report::rendered_records(records, name, {});
}

Response one_run(const std::string& id, Form form, const std::string& store) {
  const auto runs = RecentRuns(store).of_run(id, of_documents(form));
  if (runs.empty()) {
    throw NotFound(fmt::format("no run {} is in {}; /measurements lists them", id, store));
  }
  if (form != Form::page && form != Form::text) {
    return {200, media_type(form), rendered_runs(runs, form)};
  }
  std::string sheets;
  for (const auto& run : runs) {
    sheets += (sheets.empty() ? "" : "\n") + report::run_sheet(run.record);
  }
  return {200,
          media_type(form),
          form == Form::page ? run_page(runs.front().record.name, sheets, id) : sheets};
}

std::string address_of_older(const RunsShown& shown) {
  Url older{{"measurements"}, {{"before", std::to_string(shown.runs.back().sequence)}}};
  if (shown.most != RunsWanted{}.most) {
    older.parameters.push_back({"most", std::to_string(shown.most)});
  }
  if (!shown.campaign.empty()) {
    older.parameters.push_back({"campaign", shown.campaign});
  }
  return target_of(older);
}

std::string as_text(const RunsShown& shown) {
  if (shown.counts.empty()) {
    return nothing_measured(shown);
  }
  return fmt::format("{}: {}\n\n{}{}",
                     shown.store,
                     counts_text(shown.counts, shown.campaign),
                     rendered_runs(shown.runs, Form::text),
                     shown.older.empty() ? "" : "\nOlder ones: " + shown.older + "\n");
}

Response many_runs(const Asked& asked, Form form, const std::string& store) {
  const RecentRuns recent(store);
  auto wanted = asked.wanted;
  wanted.documents = of_documents(form);
  ++wanted.most;  // one more says whether there are older ones
  RunsShown shown{store, recent.has_store(), recent.newest(), {}};
  if (form == Form::page || form == Form::text) {
    shown.counts = recent.counts();
  }
  shown.runs = recent.before(asked.before, wanted);
  shown.campaign = wanted.campaign;
  shown.most = asked.wanted.most;
  shown.latest = asked.before == 0;
  if (shown.runs.size() > shown.most) {
    shown.runs.resize(shown.most);
    shown.older = address_of_older(shown);
  }
  Response response{200, media_type(form), ""};
  response.body = form == Form::page   ? measurements_page(shown)
                  : form == Form::text ? as_text(shown)
                                       : rendered_runs(shown.runs, form);
  if (!shown.older.empty()) {
    response.headers.emplace_back("Link", fmt::format("<{}>; rel=\"next\"", shown.older));
  }
  return response;
}

// What the page makes a row of, and numbers for who reads no pages.
std::string event_of(const RecentRun& run) {
  const auto& record = run.record;
  boost::json::object data{{"id", record.id},
                           {"name", record.name},
                           {"campaign", record.campaign},
                           {"status", to_string(record.status)},
                           {"reason", record.reason},
                           {"started_at", record.started_at},
                           {"work", report::work_text(record)},
                           {"limits", report::limits_text(record)}};
  if (record.throughput.samples > 0) {
    data["throughput"] = record.throughput.median;
    data["throughput_unit"] = report::throughput_unit(record);
  }
  data["row"] = run_row(record);
  return fmt::format(
      "event: run\nid: {}\ndata: {}\n\n", run.sequence, boost::json::serialize(data));
}

std::string event_of(const std::vector<RunCount>& counts, const std::string& campaign) {
  boost::json::array by_campaign;
  for (const auto& one : counts) {
    by_campaign.push_back(boost::json::object{
        {"campaign", one.campaign}, {"status", to_string(one.status)}, {"runs", one.runs}});
  }
  const boost::json::object data{{"counts", by_campaign},
                                 {"text", counts_text(counts, campaign)},
                                 {"table", counts_table(counts, campaign)}};
  return "event: counts\ndata: " + boost::json::serialize(data) + "\n\n";
}

}  // namespace

std::variant<Response, Listening> measurements(const Url& url,
                                               Form form,
                                               const std::string& last_event_id,
                                               const std::string& store) {
  const auto asked = read_parameters(url.parameters);
  if (url.path.size() == 1) {
    return many_runs(asked, form, store);
  }
  if (url.path.size() > 2) {
    throw NotFound(
        "of measurements there are /measurements, /measurements/ID and "
        "/measurements/events");
  }
  if (url.path[1] != "events") {
    return one_run(url.path[1], form, store);
  }
  if (!last_event_id.empty()) {
    return Listening{number_of(last_event_id, "Last-Event-ID"), asked.wanted.campaign};
  }
  return Listening{asked.after >= 0 ? asked.after : RecentRuns(store).newest(),
                   asked.wanted.campaign};
}

std::string events_since(const std::string& store, Listening& listening) {
  const RecentRuns recent(store);
  const auto newest = recent.newest();
  if (newest == listening.after) {
    return "";
  }
  if (newest < listening.after) {  // another store lies there now: what is shown is of the old one
    listening.after = newest;
    return fmt::format("event: anew\nid: {}\ndata: {{}}\n\n", newest);
  }
  const auto runs = recent.after(listening.after, {listening.campaign, most_told, false});
  std::string events;
  for (const auto& run : runs) {
    events += event_of(run);
  }
  const auto last = runs.empty() ? newest : runs.back().sequence;
  listening.after = runs.size() < most_told ? std::max(newest, last) : last;
  return events + event_of(recent.counts(), listening.campaign);
}

}  // namespace rightsize::http
