#include "advisor/machine/batch_gpus.h"

#include <fmt/format.h>

#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

constexpr int usual_gpus = 8;  // of a node

// Published tables name the GPUs and the network, and seldom the nodes.
void assume_nodes(int gpus, BatchDraft& draft) {
  auto& machine = draft.asked.machine;
  const bool network = machine.interconnect.fabric.has_value();
  const bool one_slice = toolchain_of_any(machine.gpu) == Toolchain::xla;
  if (!draft.nodes_said && !one_slice && gpus % usual_gpus == 0 &&
      (gpus > largest_gpus || (network && gpus > usual_gpus))) {
    machine.nodes = gpus / usual_gpus;
    machine.nodes_assumed = true;
  }
}

// "gpu = T4 and gpus = 0", "8 GPUs with the name, 2 in a column of its own": who says both means
// one.
std::string contradiction(const BatchDraft& draft) {
  const auto& machine = draft.asked.machine;
  if (!draft.gpus) {
    return "";
  }
  if (machine.gpu.empty()) {
    return *draft.gpus > 0 ? fmt::format("gpus = {} but no gpu is named", *draft.gpus) : "";
  }
  if (*draft.gpus == 0) {
    return fmt::format(
        "gpus = 0 but gpu = {}: leave gpus out to ask for that GPU, or say gpu = none to compute "
        "on the CPU",
        machine.gpu);
  }
  const int of_name = draft.gpus_of_node.value_or(0) * machine.nodes;
  return of_name == 0 || of_name == *draft.gpus
             ? ""
             : fmt::format("gpus = {} but gpu names {} of {}{}: gpus counts those of all nodes",
                           *draft.gpus,
                           of_name,
                           machine.gpu,
                           machine.nodes > 1 ? fmt::format(" on {} nodes", machine.nodes) : "");
}

}  // namespace

std::string share_gpus(BatchDraft& draft) {
  auto& machine = draft.asked.machine;
  if (auto mistake = contradiction(draft); !mistake.empty() || machine.gpu.empty()) {
    return mistake;
  }
  const int gpus = draft.gpus.value_or(draft.gpus_of_node.value_or(1) * machine.nodes);
  assume_nodes(gpus, draft);
  if (gpus % machine.nodes != 0) {
    return fmt::format(
        "gpus = {}: the GPUs of all nodes together cannot be shared evenly by {} "
        "nodes",
        gpus,
        machine.nodes);
  }
  machine.gpus_per_node = gpus / machine.nodes;
  return "";
}

}  // namespace rightsize
