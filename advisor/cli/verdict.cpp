#include "advisor/cli/verdict.h"

#include "advisor/cli/command.h"

namespace rightsize::cli {

int exit_of_run(const Record& record, bool believed, bool agrees) {
  switch (record.status) {
    case Status::measured:
    case Status::untrusted:
      return !believed ? exit_untrusted : agrees ? exit_ok : exit_check_failed;
    case Status::out_of_memory:  // of a machine that was said to have enough
      return exit_check_failed;
    case Status::timed_out:
    case Status::failed:
    case Status::unsupported:
      break;
  }
  return exit_failed;
}

std::string_view verdict_word(const Record& record, bool believed, bool agrees) {
  switch (exit_of_run(record, believed, agrees)) {
    case exit_ok:
      return "pass";
    case exit_untrusted:
      return "not believed";
    case exit_check_failed:
      return "fail";
    default:
      return "not measured";
  }
}

}  // namespace rightsize::cli
