// --machine, --gpu and --cpu as people give them: checked here, once, so that no command takes a
// name that nobody knows for the usual machine.
#pragma once

#include <string>

#include "advisor/machine/machine_spec.h"
#include "pricing/catalog.h"

namespace rightsize::cli {

// The offer that is meant by "provider/instance", or by an instance of one provider only; a region
// and a market may be named, and any does: the shape is the same. Throws UsageError naming
// `option`, with the nearest names, or with the two providers that sell what is called so.
[[nodiscard]] const Offer& offer_named(const Catalog& catalog,
                                       const std::string& asked,
                                       const std::string& option);

// A specification, a TOML file, or an instance that is sold, with keys that change it:
// "gpu=V100:8,vcpus=64", "machine.toml", "aws/g5.xlarge", "g5.xlarge,disk=gp3:500GiB". Throws
// UsageError, also for a GPU or CPU that is not known.
[[nodiscard]] MachineSpec machine_option(const std::string& text, const Catalog& catalog);

// Throw UsageError naming `option`, with the nearest names known. An empty name is none.
void check_gpu_name(const std::string& gpu, const std::string& option);
void check_cpu_name(const std::string& cpu, const std::string& option);

// The instance that is nearly called so, where `cpu` is one word that neither a CPU nor an instance
// is called; "" otherwise. In a table a CPU nobody knows is let pass, a mistyped instance is not.
[[nodiscard]] std::string mistyped_instance(const std::string& cpu);

}  // namespace rightsize::cli
