#include "advisor/cli/loader_option.h"

#include <string>

#include <fmt/format.h>

#include "advisor/candidate/own_loader.h"
#include "kernels/networks/program.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

void take_loader(const Values& values, std::string& loader) {
  if (values.count("loader") > 0) {
    const auto& said = values["loader"].as<std::string>();
    loader = bare_program(said);
  }
}

void refuse_misfit(const std::string& loader,
                   const std::string& network,
                   const std::string& why,
                   PreprocessChoice preprocess_on) {
  if (loader.empty()) {
    return;
  }
  if (program_named(network)) {
    throw UsageError(
        fmt::format("loader {}: a program of your own ({}) loads its items itself; leave it out",
                    loader,
                    network));
  }
  if (!why.empty()) {
    throw UsageError(fmt::format("loader {}: {}; leave it out", loader, why));
  }
  if (is_program_loader(loader) && preprocess_on != PreprocessChoice::cpu) {
    throw UsageError(fmt::format(
        "loader {}: a program of your own prepares all itself; leave --preprocess-on out", loader));
  }
}

}  // namespace

void add_loader_option(Options& options) {
  options.add_options()(
      "loader",
      po::value<std::string>(),
      "your own program that loads the items, as it was profiled here by itself "
      "(load.py), or \"rightsize\" for its own loader as measured, which those of "
      "frameworks take several times the CPU of; otherwise a framework's");
}

void read_loader(const Values& values, Query& query) {
  take_loader(values, query.loader);
  refuse_misfit(query.loader,
                query.network,
                why_no_loader(query.phase, query.format, query.serves()),
                query.preprocess_on);
}

void read_loader(const Values& values, Configuration& asked) {
  take_loader(values, asked.loader);
  const bool serves = asked.service || asked.tokens;
  refuse_misfit(asked.loader,
                asked.network,
                why_no_loader(asked.phase, asked.data, serves),
                asked.preprocess_on);
}

}  // namespace rightsize::cli
