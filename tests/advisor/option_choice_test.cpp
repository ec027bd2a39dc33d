// Which option a number or a machine's name means.
#include "advisor/cli/option_choice.h"

#include <doctest/doctest.h>

#include "made_option.h"

using namespace rightsize;
using cli::option_meant;

namespace {

Recommendation with_three() {
  Recommendation answer;
  answer.query.file = "job.toml";
  answer.options = {test::made_option("g5.xlarge", "A10G", 4, 16),
                    test::made_option("p5.48xlarge", "H100", 192, 2048),
                    test::made_option("g5.xlarge", "A10G", 4, 16)};
  answer.options[2].market = Market::spot;
  answer.options[2].region = "us-west-2";
  return answer;
}

std::string refusal(const Recommendation& answer, const std::string& text) {
  try {
    static_cast<void>(option_meant(answer, text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("option: by number, from 1, of all there are") {
  const auto answer = with_three();
  CHECK(&option_meant(answer, "1") == &answer.options[0]);
  CHECK(&option_meant(answer, "3") == &answer.options[2]);
  for (const auto* text : {"0", "4", "99999999999999999999999"}) {
    CHECK(refusal(answer, text).find("there are 3 options, counted from 1") != std::string::npos);
  }
}

TEST_CASE("option: by a name that one has") {
  const auto answer = with_three();
  for (const auto* text : {"p5.48xlarge",
                           "aws/p5.48xlarge",
                           "aws/us-east-1/p5.48xlarge",
                           "aws/p5.48xlarge/us-east-1",
                           "AWS/p5.48xlarge [on-demand]"}) {
    CAPTURE(text);
    CHECK(&option_meant(answer, text) == &answer.options[1]);
  }
  CHECK(&option_meant(answer, "g5.xlarge [Spot]") == &answer.options[2]);
  CHECK(&option_meant(answer, "g5.xlarge [on-demand]") == &answer.options[0]);
  CHECK(&option_meant(answer, "aws/g5.xlarge/us-west-2") == &answer.options[2]);
}

TEST_CASE("option: a name that several have, or none, is refused with names that one has") {
  const auto answer = with_three();
  const auto several = refusal(answer, "g5.xlarge");
  CHECK(several ==
        "--option g5.xlarge: 2 options are called so: \"aws/us-east-1/g5.xlarge [on-demand]\", "
        "\"aws/us-west-2/g5.xlarge [Spot]\"");
  CHECK(&option_meant(answer, "aws/us-west-2/g5.xlarge [Spot]") == &answer.options[2]);
  const auto none = refusal(answer, "p5.48xlrge");
  CHECK(none.find("none of 3 options is called so; did you mean p5.48xlarge?") !=
        std::string::npos);
  CHECK(refusal(answer, "").find("none of 3 options") != std::string::npos);
}
