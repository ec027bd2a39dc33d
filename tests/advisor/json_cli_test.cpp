// The documents of -o json: what they promise, and the published schemas.
#include <cstdlib>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

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

TEST_CASE("cli: the JSON answer validates against the published schema") {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    MESSAGE("skipped: python3-jsonschema is not installed (./dev setup installs it)");
    return;
  }
  const ModelFile model;
  const TemporaryFolder folder;
  const auto good = folder / "answer.json";
  const auto none = folder / "none.json";
  run({"advise", job, "--model", model.path(), "-o", "json", "--out-file", good});
  run({"advise",
       job,
       "--model",
       model.path(),
       "-o",
       "json",
       "--deadline",
       "9s",
       "--out-file",
       none});
  const std::string script =
      "import json,sys,jsonschema\n"
      "schema=json.load(open(sys.argv[1]))\n"
      "for path in sys.argv[2:]: jsonschema.Draft202012Validator(schema).validate("
      "json.load(open(path)))\n";
  std::ofstream(folder / "validate.py") << script;
  const auto command = "/usr/bin/python3 " + (folder / "validate.py") + " " + RIGHTSIZE_SOURCE_DIR +
                       "/advisor/report/recommendation.schema.json " + good + " " + none;
  CHECK(std::system(command.c_str()) == 0);
  // The schema must be able to fail: an answer without its options is refused.
  std::ofstream(folder / "bad.json") << "{\"schema\": \"rightsize/recommendation/1\"}";
  const auto bad = "/usr/bin/python3 " + (folder / "validate.py") + " " + RIGHTSIZE_SOURCE_DIR +
                   "/advisor/report/recommendation.schema.json " + (folder / "bad.json") +
                   " 2>/dev/null";
  CHECK(std::system(bad.c_str()) != 0);
}

TEST_CASE("cli: services, suppositions and fleets validate against their published schemas") {
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
  std::ofstream(folder / "validate.py")
      << "import glob,json,sys,jsonschema\n"
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
         "  return {k: inline(v, home) for k, v in node.items() if k not in ('$defs', '$id')}\n"
         "for path in sys.argv[2:]:\n"
         "  it=read(path)\n"
         "  schema=known['urn:'+it['schema'].replace('/',':')]\n"
         "  jsonschema.Draft202012Validator(inline(schema, schema)).validate(it)\n";
  const auto valid = [&](const std::string& file) {
    return !file.empty() &&
           std::system(fmt::format("/usr/bin/python3 -W ignore {} {} {} 2>/dev/null",
                                   folder / "validate.py",
                                   root + "/advisor/report",
                                   file)
                           .c_str()) == 0;
  };
  CHECK(valid(wrote({"advise", service}, "service.json")));
  CHECK(valid(wrote({"advise", root + "/examples/llm/serve.toml"}, "tokens.json")));
  CHECK(valid(wrote({"what-if", job, "g6e.4xlarge", "vcpus=24"}, "vcpus.json")));
  CHECK(valid(wrote({"what-if", service, "g6.xlarge", "qps=x2"}, "load.json")));
  CHECK(valid(wrote({"advise", job, root + "/examples/fleet/vgg16.toml"}, "fleet.json")));
  std::ofstream(folder / "bad.json") << R"({"schema": "rightsize/what-if/1", "supposed": []})";
  CHECK_FALSE(valid(folder / "bad.json"));
}
