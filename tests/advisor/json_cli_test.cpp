// The forms that programs read: the documents of -o json, what they promise and the published
// schemas, and what is for pipes.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/text_file.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

// Validates documents against the schemas of a folder, in which what is not described is refused:
// a published schema is open, for versions add to it, and has to be complete all the same.
constexpr const char* validator =
    "import glob,json,sys,jsonschema\n"
    "def read(path): return json.load(open(path))\n"
    "known={s['$id']: s for s in map(read, glob.glob(sys.argv[1]+'/*.schema.json'))}\n"
    "def inline(node, home):  # validators differ in how they follow a URN\n"
    "  if isinstance(node, list): return [inline(one, home) for one in node]\n"
    "  if not isinstance(node, dict): return node\n"
    "  if '$ref' in node:\n"
    "    name, _, path=node['$ref'].partition('#')\n"
    "    home=known[name] if name else home\n"
    "    target=home\n"
    "    for key in filter(None, path.split('/')): target=target[key]\n"
    "    return inline(target, home)\n"
    "  closed={'additionalProperties': False} if 'properties' in node and 'type' in node else {}\n"
    "  return closed | {k: inline(v, home) for k, v in node.items() if k not in ('$defs', '$id')}\n"
    "for path in sys.argv[2:]:\n"
    "  it=read(path)\n"
    "  schema=known['urn:'+it['schema'].replace('/',':')]\n"
    "  jsonschema.Draft202012Validator(inline(schema, schema)).validate(it)\n";

}  // namespace

TEST_CASE("cli: names and lines are for pipes: of what satisfies alone, an option each") {
  const ModelFile model;
  const auto advised = [&](const std::string& form, std::vector<std::string> more) {
    more.insert(more.begin(), {"advise", job, "-o", form, "--model", model.path()});
    return run(more);
  };
  const auto none = advised("names", {"--deadline", "1m"});
  CHECK(none.code == cli::exit_nothing_satisfies);
  CHECK(none.out.empty());
  CHECK_FALSE(advised("names", {}).out.empty());
  std::istringstream lines(advised("jsonl", {"--max-results", "3"}).out);
  std::size_t rank = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(boost::json::parse(line).at("rank") == ++rank);
  }
  CHECK(rank == 3);
}

TEST_CASE("cli: advise in JSON has what design.md promises") {
  const ModelFile model;
  const auto result = run({"advise", job, "--model", model.path(), "-o", "json"});
  const auto document = boost::json::parse(result.out).as_object();
  CHECK(document.at("schema").as_string() == "rightsize/recommendation/1");
  for (const auto* key : {"query", "chosen", "options", "rejected", "assumptions", "warnings"}) {
    CHECK(document.contains(key));
  }
  const auto& option = document.at("options").as_array().at(0).as_object();
  for (const auto* key : {"provider",
                          "instance",
                          "region",
                          "market",
                          "nodes",
                          "gpu",
                          "gpus",
                          "vcpus",
                          "memory_gib",
                          "disk",
                          "batch_per_gpu",
                          "throughput",
                          "hours",
                          "cost",
                          "currency",
                          "p_cheapest",
                          "bottleneck",
                          "utilization",
                          "bill"}) {
    CAPTURE(key);
    CHECK(option.contains(key));
  }
  for (const auto* key : {"throughput", "hours", "cost"}) {
    const auto& estimate = option.at(key).as_object();
    CHECK(estimate.at("low").to_number<double>() <= estimate.at("value").to_number<double>());
    CHECK(estimate.at("value").to_number<double>() <= estimate.at("high").to_number<double>());
    CHECK_FALSE(estimate.at("unit").as_string().empty());
    CHECK_FALSE(estimate.at("source").as_string().empty());
  }
}

TEST_CASE("cli: answers, suppositions and fleets are what their published schemas describe") {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    MESSAGE("skipped: python3-jsonschema is not installed (./dev setup installs it)");
    return;
  }
  const ModelFile model;
  const TemporaryFolder folder;
  const auto root = std::string(RIGHTSIZE_SOURCE_DIR);
  const auto service = root + "/examples/service/job.toml";
  const auto wrote = [&](std::vector<std::string> arguments, const std::string& file) {
    arguments.insert(arguments.end(),
                     {"--model", model.path(), "--infra", "aws/us-east-1", "-o", "json"});
    arguments.insert(arguments.end(), {"--out-file", folder / file});
    return run(arguments).code == cli::exit_ok ? folder / file : std::string();
  };
  std::ofstream(folder / "validate.py") << validator;
  const auto valid = [&](const std::string& file) {
    return !file.empty() &&
           std::system(fmt::format("/usr/bin/python3 -W ignore {} {} {} 2>/dev/null",
                                   folder / "validate.py",
                                   root + "/advisor/report",
                                   file)
                           .c_str()) == 0;
  };
  CHECK(valid(wrote({"advise", job}, "job.json")));
  CHECK(valid(wrote({"advise", job, "--current", "g5.xlarge", "--market", "spot"}, "now.json")));
  for (const auto* today : {"g5g.xlarge", "p3.8xlarge"}) {  // no rank: arm64, and on no list
    CHECK(valid(wrote({"advise", job, "--current", today, "--allow", "^g6"}, "today.json")));
  }
  std::ofstream(folder / "exchange.toml") << R"([job]
network = "alexnet"
phase = "train"
precision = "fp32"
batch_per_gpu = 16
epochs = 2

[data]
items = 1281167
format = "synthetic"
)";
  const auto bound = wrote({"advise", folder / "exchange.toml", "--exchange", "local"}, "x.json");
  CHECK(valid(bound));
  CHECK(read_text_file(bound).find(R"("bottleneck":"exchange")") != std::string::npos);
  CHECK(valid(wrote({"advise", service}, "service.json")));
  run({"advise",
       job,
       "--model",
       model.path(),
       "-o",
       "json",
       "--deadline",
       "9s",
       "--out-file",
       folder / "none.json"});
  CHECK(valid(folder / "none.json"));
  CHECK(valid(wrote({"advise", root + "/examples/llm/serve.toml"}, "tokens.json")));
  CHECK(valid(wrote({"what-if", job, "g6e.4xlarge", "vcpus=24"}, "vcpus.json")));
  CHECK(valid(wrote({"what-if", service, "g6.xlarge", "qps=x2"}, "load.json")));
  CHECK(valid(wrote({"advise", job, root + "/examples/fleet/vgg16.toml"}, "fleet.json")));
  CHECK(valid(
      wrote({"advise", root + "/examples/fleet/photos.toml", root + "/examples/fleet/api.toml"},
            "month.json")));
  // The schemas must be able to fail: of an answer without its options, and of a misspelt field.
  for (const auto* kind : {"what-if", "recommendation", "fleet"}) {
    std::ofstream(folder / "bad.json") << fmt::format(R"({{"schema": "rightsize/{}/1"}})", kind);
    CHECK_FALSE(valid(folder / "bad.json"));
  }
  std::ifstream in(folder / "job.json");
  std::string text(std::istreambuf_iterator<char>(in), {});
  const std::string field = R"("candidates":)";
  REQUIRE(text.find(field) != std::string::npos);
  text.replace(text.find(field), field.size(), R"("candidate":)");
  std::ofstream(folder / "misspelt.json") << text;
  CHECK_FALSE(valid(folder / "misspelt.json"));
}
