#include "advisor/report/report_data.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "advisor/option_order.h"
#include "advisor/report/frontier.h"
#include "advisor/report/units.h"

namespace rightsize::report {

ReportData make_report_data(Recommendation answer,
                            Model model,
                            std::vector<Record> records,
                            std::string records_note,
                            std::string command) {
  ReportData data;
  data.answer = std::move(answer);
  data.model = std::move(model);
  data.records = std::move(records);
  data.records_note = std::move(records_note);
  data.command = std::move(command);
  try {
    data.fit = fit(data.records);
  } catch (const ModelError&) {
    // Too few records to fit here: the model alone is shown.
  }
  data.validation = validate_held_out(data.model, data.records);
  const auto latest =
      std::max_element(data.records.begin(), data.records.end(), [](const auto& a, const auto& b) {
        return a.started_at < b.started_at;
      });
  if (latest != data.records.end()) {
    data.machine = latest->machine;
  }
  return data;
}

Recommendation shortlisted(Recommendation answer, std::size_t keep) {
  auto kept = first_and_own(answer.options, keep);
  for (const auto index : frontier_of(answer)) {
    kept[index] = true;
  }
  keep_options(answer, kept);
  return answer;
}

std::string machine_sentence(const Machine& machine) {
  if (machine.cpu_model.empty()) {
    return "not known: no records";
  }
  std::string text = fmt::format("{}, {}, {}",
                                 machine.cpu_model,
                                 number_of(machine.cpus, "CPU"),
                                 bytes(static_cast<double>(machine.memory_bytes)));
  for (const auto& gpu : machine.gpus) {
    text += ", " + gpu.name;
  }
  if (!machine.hypervisor.empty()) {
    text += ", virtual (" + machine.hypervisor + ")";
  }
  return text + (machine.os.empty() ? "" : ", " + machine.os);
}

}  // namespace rightsize::report
