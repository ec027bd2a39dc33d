#include "advisor/http/question.h"

#include <doctest/doctest.h>

#include "advisor/query/usage_error.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::http;

namespace {

using Words = std::vector<std::string>;

Question asked(const std::string& target,
               const std::string& accept = "*/*",
               const std::string& body = "",
               const Premises& premises = {}) {
  Request request;
  request.target = target;
  request.accept = accept;
  request.body = body;
  return question_of(request, *read_target(target), premises);
}

std::string refused(const std::string& target, const std::string& body = "") {
  try {
    (void)asked(target, "*/*", body);
  } catch (const UsageError& error) {
    return error.what();
  } catch (const NotFound& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("question: an address is a command line") {
  const auto question = asked(
      "/advise?job=demo/"
      "job.toml&infra=aws&infra=gcp&deadline=12h&custom-shapes&retired=false&budget=");
  CHECK(question.command == "advise");
  CHECK(question.words == Words{"--job=demo/job.toml",
                                "--infra=aws",
                                "--infra=gcp",
                                "--deadline=12h",
                                "--custom-shapes"});
  CHECK(question.job.empty());
  CHECK(question.form == Form::text);
  CHECK(
      asked("/what-if?job=a.toml&supposed=g6e.xlarge&supposed.vcpus=%2B8&supposed.price=").words ==
      Words{"--job=a.toml", "--supposed=g6e.xlarge", "--supposed=vcpus=+8"});
  CHECK(asked("/gpus/A100").words == Words{"A100"});
  CHECK(asked("/prices/show?gpu=L4").words == Words{"show", "--gpu=L4"});
  CHECK(asked("/prices").words == Words{"list"});
}

TEST_CASE("question: the form is what -o says, else what is accepted") {
  CHECK(asked("/explain?job=a.toml", "application/json").words.back() == "--output=json");
  CHECK(asked("/explain?job=a.toml&o=json").form == Form::json);
  CHECK(asked("/advise?job=a.toml&o=wide", "application/json").words.back() == "--output=wide");
  CHECK(asked("/advise?job=a.toml&o=wide", "application/json").form == Form::text);
  CHECK(asked("/advise?job=a.toml", "text/csv").form == Form::csv);
  const auto page = asked("/advise?job=a.toml", "text/html,*/*;q=0.8");
  CHECK(page.form == Form::page);  // that of report
  CHECK(page.command == "report");
  CHECK(page.asked == "advise");
  CHECK(page.words.back() == "--output=html");
  // What report does not take is answered as a text on a page.
  const auto sorted = asked("/advise?job=a.toml&sort=time", "text/html");
  CHECK(sorted.form == Form::text_page);
  CHECK(sorted.command == "advise");
  CHECK(asked("/explain?job=a.toml", "text/html").form == Form::text_page);
  CHECK(asked("/report?job=a.toml").form == Form::markdown);
  CHECK(media_type(Form::csv) == "text/csv; charset=utf-8");
  CHECK(media_type(Form::text_page) == "text/html; charset=utf-8");
}

TEST_CASE("question: a job is sent, described, or one of the folder's with something on top") {
  const std::string job = "[job]\nnetwork = \"vgg16\"\n[data]\nitems = 7\n";
  CHECK(asked("/advise?infra=aws", "*/*", job).job == job);
  CHECK(asked("/advise", "*/*", "toml=%5Bjob%5D%0Anetwork+%3D+%22vgg16%22&infra=aws").job ==
        "[job]\nnetwork = \"vgg16\"");
  const auto described = asked("/advise?job.network=resnet50&data.items=9");
  CHECK(says(described.job, "network = 'resnet50'"));
  CHECK(described.words.empty());

  const TemporaryFolder folder;
  folder.write("mine/a.toml", job);
  const Premises premises{folder.path(), {}};
  const auto changed = asked("/advise?job=mine/a.toml&data.items=9", "*/*", "", premises);
  CHECK(says(changed.job, "network = 'vgg16'"));
  CHECK(says(changed.job, "items = 9"));
  CHECK(changed.job_name == "mine/a.toml");
  CHECK(changed.words.empty());
}

TEST_CASE("question: what the server was started with is asked of commands that take it") {
  const Premises premises{".", {"--prices=/etc/acme.csv", "--db=/var/runs.db"}};
  CHECK(asked("/advise?job=a.toml", "*/*", "", premises).words ==
        Words{"--job=a.toml", "--prices=/etc/acme.csv"});
  CHECK(asked("/gpus", "*/*", "", premises).words.empty());
}

TEST_CASE("question: nothing is written, and nothing outside the folder is read") {
  CHECK(says(refused("/advise?job=a.toml&out-file=x"), "writes no files"));
  CHECK(says(refused("/simulate?job=a.toml&trace=x"), "writes no files"));
  CHECK(says(refused("/report?job=a.toml&html=x"), "writes no files"));
  for (const auto* path : {"/advise?job=/etc/passwd",
                           "/advise?job=../a.toml",
                           "/advise?job=b/../../a.toml",
                           "/advise?job=a.toml&prices=~/x.csv",
                           "/advise?job=a.toml&model=/x.json",
                           "/advise?job=/etc/passwd&data.items=3",
                           "/advise?job.network=/etc/config.json",
                           "/advise?job.network=../config.json",
                           "/networks/%2Fetc%2Fpasswd",
                           "/networks?onnx=../m.onnx",
                           "/predict?network=/m.onnx&machine=gpu=L4",
                           "/what-if?job=a.toml&supposed=disk=/x"}) {
    CAPTURE(path);
    CHECK(says(refused(path), "outside the folder"));
  }
  CHECK(says(refused("/advise", "[job]\nnetwork = \"/etc/config.json\"\n"), "outside the folder"));
  // Names with a slash that are none.
  CHECK(refused("/advise?job=a.toml&infra=aws/us-*&current=aws/us-east-1/g5.xlarge").empty());
  CHECK(refused("/advise?job.network=Qwen/Qwen2.5-7B-Instruct&job.phase=decode").empty());
}

TEST_CASE("question: commands that measure are not here, and a slip of the pen is told its fix") {
  for (const auto* command :
       {"/profile", "/campaign", "/verify", "/worker", "/shell", "/serve", "/nothing"}) {
    CAPTURE(command);
    CHECK(says(refused(command), "there are advise, explain"));
  }
  CHECK(says(refused("/prices/import"), "/prices/list"));
  CHECK(says(refused("/advise/more?job=a.toml"), "takes parameters"));
  CHECK(says(refused("/advise?dedline=12h"), "did you mean deadline?"));
  CHECK(says(refused("/advise?data.item=12"), "did you mean data.items?"));
  CHECK(says(refused("/gpus/--help"), "?help="));
  CHECK(says(refused("/gpus/-"), "flags are parameters"));
  CHECK(says(refused("/advise?job=a.toml&toml=%5Bjob%5D"), "leave one of them out"));
  CHECK(says(refused("/gpus?data.items=3"), "neither a flag of gpus"));
}

TEST_CASE(
    "question: a flag of the command is that, whatever a job file calls so, and help is a text") {
  CHECK(asked("/gpus?name=A100").words == Words{"--name=A100"});
  CHECK(says(asked("/advise?name=mine&job.network=vgg16").job, "name = 'mine'"));
  for (const auto* command : {"/advise?help", "/report?help", "/explain?help"}) {
    const auto help = asked(command, "text/html");
    CHECK(help.command == std::string(command).substr(1, std::string(command).find('?') - 1));
    CHECK(help.form == Form::text_page);
    CHECK(asked(command, "application/json").words == Words{"--help"});
  }
}
