// The part of an Estimator's plan that the host decides: vCPUs, memory and disk of one node, and
// the data path that they serve.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/gpu_preprocessing.h"
#include "advisor/candidate/host_memory.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/machine/estimator.h"
#include "advisor/machine/extrapolated_cpus.h"
#include "advisor/machine/loader_threads.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/query.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/program.h"
#include "kernels/work.h"
#include "models/carry.h"
#include "models/program_work.h"

namespace rightsize {
namespace {

// Assumptions; each shows in the answer's notes where it counts.
constexpr double unlimited_speed = 1e9;  // a host nobody described does not limit
constexpr int unlimited_threads = 100'000;
constexpr double unstated_cpu_log_sd = 0.25;
constexpr const char* usual_era_host =
    "p3.16xlarge";  // Broadwell, as most GPU hosts of those years

void note_if_any(std::string words, Answer& answer) {
  if (!words.empty()) {
    answer.notes.push_back(std::move(words));
  }
}

// Where advise would leave the machine out for its CPU.
void note_architecture(const Catalog& catalog, const MachineSpec& machine, Answer& answer) {
  const auto& offers = catalog.offers();
  if (machine.vcpus && std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
        return offer.instance == machine.cpu && offer.arch == "arm64";
      })) {
    answer.notes.push_back(fmt::format(
        "{} has an arm64 CPU, and what a data path costs was measured on x86-64: advise leaves it "
        "out",
        machine.cpu));
  }
}

// A row of a table may name any CPU; --machine, which is typed, is held to those that are known.
void note_unknown_cpu(const CpuSpeeds& cpu_speeds,
                      const Catalog& catalog,
                      const Configuration& asked,
                      Answer& answer) {
  const auto& cpu = asked.machine.cpu;
  const bool matters = asked.machine.gpu.empty() || asked.data != DataFormat::synthetic;
  const auto offers = catalog.offers();
  const auto sold = [&](const Offer& offer) { return offer.instance == cpu; };
  if (matters && !cpu.empty() && !knows_cpu(cpu_speeds, cpu) &&
      std::none_of(offers.begin(), offers.end(), sold)) {
    answer.warn(unknown_cpu_words(cpu, "the usual host of the years"));
  }
}

}  // namespace

// vCPUs, their speed, memory and disk of one node.
void Estimator::plan_host(const Configuration& asked, Plan& plan, Answer& answer) {
  Setting& setting = plan.setting;
  const auto& machine = asked.machine;
  const bool of_the_era = machine.cpu.empty() && asked.stack == Stack::era;
  const auto speed = cpu_speeds_.of_words(of_the_era ? usual_era_host : machine.cpu, model_.cpu());
  setting.cpu_speed = speed.factor;
  plan.sources.cpu_speed = speed.source;
  plan.uncertainty.cpu_speed = std::max(speed.log_sd, of_the_era ? unstated_cpu_log_sd : 0.0);
  setting.cpus = machine.vcpus.value_or(1);
  setting.loader_threads = usual_loader_threads(setting.cpus);
  if (!machine.vcpus) {
    setting.cpu_speed = unlimited_speed;
    setting.loader_threads = unlimited_threads;
    plan.uncertainty.cpu_speed = 0;
  }
  if (program_reads(asked, asked.loader)) {
    setting.loader_threads = threads_of_program;
  } else if (asked.loader_threads > 0) {
    setting.loader_threads = asked.loader_threads;
  }
  note_architecture(catalog_, machine, answer);
  note_unknown_cpu(cpu_speeds_, catalog_, asked, answer);
  // Memory that is not stated caches nothing, where a disk is.
  setting.memory_bytes = static_cast<std::uint64_t>(machine.memory_gib.value_or(0) * bytes_per_gib);
  plan_disk(asked, plan, answer);
}

namespace {

// Whose loader decodes the pictures: a framework's, or rightsize's own.
void take_loader(const Configuration& asked,
                 const Model& model,
                 Estimator::Plan& plan,
                 Answer& answer) {
  const auto stack = loader_stack(asked.loader, asked.phase, asked.stack, asked.framework);
  if (!stack) {
    answer.notes.push_back(fmt::format(
        "the loader is rightsize's own, as measured; frameworks' take some {:g} times its CPU",
        loader_cost(Stack::current)));
    return;
  }
  plan.model = with_loader_of(model, plan.setting.workload, *stack);
  plan.sources.model = asked.stack ? Source::assumed : Source::scaled;
  answer.notes.push_back(fmt::format(
      "frameworks' loaders of the {} stack take {:g} times the CPU of the one measured, "
      "by published rates (--loader {} counts that one)",
      to_string(*stack),
      loader_cost(*stack),
      measured_loader));
}

// A program of the user's in its place.
void take_program(const Configuration& asked,
                  const Model& measured,
                  const Model& model,
                  Estimator::Plan& plan,
                  Answer& answer) {
  const int processes = asked.machine.gpu.empty() ? 1 : asked.machine.gpus_per_node;
  plan.model = with_program_loader(model, plan.setting.workload, asked.loader, processes);
  answer.notes.push_back(loader_words(measured, asked.loader));
}

}  // namespace

// The data path, or none.
void Estimator::plan_data(const Configuration& asked, Plan& plan, Answer& answer) {
  Setting& setting = plan.setting;
  const bool host_stated = asked.machine.vcpus || !asked.machine.disk.empty();
  plan.host_matters = setting.workload.data != DataFormat::synthetic && host_stated;
  if (setting.workload.data == DataFormat::synthetic) {
    return;
  }
  if (!host_stated) {
    setting.workload.data = DataFormat::synthetic;
    answer.notes.emplace_back("vCPUs and disk are not stated: the host is taken not to limit");
    return;
  }
  if (!asked.machine.vcpus) {
    answer.notes.emplace_back("vCPUs are not stated: they are taken not to limit");
  }
  if (program_named(asked.network)) {
    plan.model = with_program_reading(model_of(plan), setting.workload);
  } else if (is_program_loader(asked.loader)) {
    take_program(asked, measured_, model_of(plan), plan, answer);
  } else if (decodes_pictures(setting.workload.data, asked.network, asked.sequence, asked.phase)) {
    take_loader(asked, model_of(plan), plan, answer);
  }
  Workload nothing;
  nothing.engine = EngineKind::replay;
  if (!asked.machine.looked_for) {
    note_if_any(extrapolated_cpus_words(
                    laws_of(model_, nothing).scaling, model_.measured_cpus, setting.cpus),
                answer);
  }
  const auto nodes = static_cast<std::uint64_t>(plan.nodes);  // each reads its share
  setting.dataset_items = std::max<std::uint64_t>(1, asked.items / nodes);
  setting.dataset_bytes = asked.bytes / nodes;
  if (!model_note_.empty()) {
    answer.notes.push_back(model_note_);
  }
  plan.source = weaker(plan.source, Source::scaled);
}

// On the vCPUs, or the part of it that a GPU can do there: as the job says.
void Estimator::place_preprocessing(const Configuration& asked,
                                    DataFormat pictures,
                                    const NetworkFacts& facts,
                                    Plan& plan,
                                    Answer& answer) const {
  const auto* gpu = gpu_rates_.find(asked.machine.gpu);
  const bool free = asked.preprocess_on == PreprocessChoice::either;
  if (asked.preprocess_on == PreprocessChoice::cpu || gpu == nullptr ||
      !gpu_preprocesses(pictures)) {
    return;
  }
  auto moved = plan.setting;
  preprocess_on_gpu(moved, pictures, facts.input_bytes, *gpu, asked.machine.gpus_per_node);
  const bool faster =
      predicted_items_per_s(plan.laws, moved) > predicted_items_per_s(plan.laws, plan.setting);
  const bool on_gpu = faster || !free;
  plan.setting = on_gpu ? moved : plan.setting;
  answer.notes.push_back(fmt::format(
      "pictures are resized and normalised on the {}{}",
      on_gpu ? "GPU, at 0.6 of its memory's bandwidth (assumed): the training program has to do so"
             : "vCPUs",
      free ? ", which is the faster here" : ""));
}

bool Estimator::memory_suffices(const Configuration& asked,
                                const NetworkFacts& facts,
                                Plan& plan,
                                Answer& answer) const {
  const bool on_gpu = !asked.machine.gpu.empty();
  const double network_bytes =
      on_gpu ? 0
             : static_cast<double>(
                   device_memory_bytes(facts.network, asked.phase, answer.precision, answer.batch));
  const double needed = host_memory_bytes(plan.setting,
                                          answer.batch * facts.input_bytes,
                                          on_gpu ? asked.machine.gpus_per_node : 0,
                                          network_bytes);
  return memory_holds(needed, asked, plan, answer);
}

// What the processes hold, of memory that may not be stated, and the weights of GPUs pass through.
bool Estimator::memory_holds(double needed,
                             const Configuration& asked,
                             Plan& plan,
                             Answer& answer) {
  plan.setting.resident_bytes = static_cast<std::uint64_t>(needed);
  const double passing =
      asked.machine.gpu.empty() ? 0 : weights_on_their_way(plan.model_files.weights_bytes);
  auto shortage = host_memory_shortage(needed + passing, asked.machine.memory_gib);
  if (shortage.empty()) {
    return true;
  }
  answer.verdict = Verdict::out_of_memory;
  answer.reason = std::move(shortage);
  return false;
}

}  // namespace rightsize
