// What a run that emulates a machine comes to, as scripts see it.
#include "advisor/cli/verdict.h"

#include <doctest/doctest.h>

#include "advisor/cli/command.h"

using namespace rightsize;

TEST_CASE("verdict: agreement, disagreement, mistrust and no measurement have codes of their own") {
  Record record;
  const auto code = [&](Status status, bool believed, bool agrees) {
    record.status = status;
    return cli::exit_of_run(record, believed, agrees);
  };
  CHECK(code(Status::measured, true, true) == cli::exit_ok);
  CHECK(code(Status::measured, true, false) == cli::exit_check_failed);
  CHECK(code(Status::untrusted, false, true) == cli::exit_untrusted);
  CHECK(code(Status::untrusted, false, false) == cli::exit_untrusted);
  CHECK(code(Status::out_of_memory, false, false) == cli::exit_check_failed);
  CHECK(code(Status::failed, false, false) == cli::exit_failed);
  CHECK(code(Status::timed_out, false, false) == cli::exit_failed);
  CHECK(cli::verdict_word(record, false, false) == "not measured");
  record.status = Status::untrusted;
  CHECK(cli::verdict_word(record, false, true) == "not believed");
}
