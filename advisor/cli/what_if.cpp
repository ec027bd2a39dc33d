#include "advisor/suppose/what_if.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/report/pair_data.h"
#include "advisor/report/what_if_text.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// "g6e.4xlarge vcpus=24": words with "=" are supposed, the one without is the instance.
struct Asked {
  std::string instance;
  std::vector<std::string> supposed;
};

Asked asked_from(const Values& values) {
  Asked asked;
  if (values.count("supposed") > 0) {
    for (const auto& word : values["supposed"].as<std::vector<std::string>>()) {
      if (word.find('=') != std::string::npos) {
        asked.supposed.push_back(word);
      } else if (asked.instance.empty()) {
        asked.instance = word;
      } else {
        throw UsageError(
            fmt::format("{} and {}: one instance at a time; rightsize compare takes two",
                        asked.instance,
                        word));
      }
    }
  }
  if (asked.supposed.empty()) {
    throw UsageError("what if what? e.g. rightsize what-if JOB.toml g6e.4xlarge vcpus=24");
  }
  return asked;
}

// Without rows where the machine could not do the job now, or so: stderr says why.
report::Table what_if_data(const WhatIf& what_if) {
  return what_if.does_both()
             ? report::pair_data(*what_if.now, *what_if.supposed, what_if.ratios, {"now", "then"})
             : report::Table({{"reason"}});
}

}  // namespace

int run_what_if(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  options.add_options()(
      "supposed",
      po::value<std::vector<std::string>>(),
      "an instance, as explain takes it (the one advise takes), and vcpus=24, memory=+64, "
      "disk=gp3:500GiB, batch=x2, "
      "gpu=H100:8, price=-20%, gpu-speed=x1.3, cpu-speed=+10%; of the work items=x2, epochs=30, "
      "precision=bf16, preprocess-on=gpu, "
      "sequence=x2, global-batch=1024, of a mixture expert-tensor-parallel=1, and of what makes "
      "pictures or texts, or finds objects, "
      "tokens=200, beams=1, "
      "steps=20, "
      "size=768x768, guidance=no, weights=int8; of a service qps=200, p99=100ms, "
      "machines=+1; of one that writes tokens first-token=2s, token=30ms, prompt-tokens=x2, "
      "output-tokens=256, weights=int4, gpus-per-replica=2; repeatable. Exit code 3: so it could "
      "not do the job, or does not meet the constraints");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  const auto values = parse(context, "what-if", options, {"job", "supposed..."}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  auto query = query_from(values, "what-if");
  const auto asked = asked_from(values);
  const auto supposition = parse_supposition(asked.supposed);
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  const auto result = what_if(query, knowledge.evidence(), asked.instance, supposition);
  if (format == "csv" && !result.does_both()) {
    context.err << context.err_style.bold("note: ") << report::what_if_sentence(result) << "\n";
  }
  emit(context,
       values,
       format == "json"  ? boost::json::serialize(to_json(result)) + "\n"
       : format == "csv" ? what_if_data(result).csv()
       : format == "md"  ? report::what_if_markdown(result)
                         : report::what_if_text(result, context.out_style));
  // What others could do is no answer to what this one would.
  return result.supposed && result.supposed->satisfies ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
