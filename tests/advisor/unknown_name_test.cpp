// One misspelt name beside good ones: the others would hide that it has no part in the answer.
#include "advisor/candidate/unknown_name.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/query/either_of.h"
#include "support/program.h"

using namespace rightsize;

namespace {

std::string of_places(const std::vector<std::string>& places, bool crossed = false) {
  Query query;
  query.infra = places;
  return unknown_name(query, crossed, shipped_catalog());
}

std::string of_instances(const std::vector<std::string>& patterns) {
  Query query;
  query.allow = either_of(patterns, "allow");
  return unknown_name(query, false, shipped_catalog());
}

}  // namespace

TEST_CASE("unknown name: a place that nothing is sold in is told with the nearest") {
  CHECK(of_places({"aws/us-east-1", "aws/us-esat-1"})
            .find("aws/us-esat-1: no table sells anything there, did you mean aws/us-east-1?") ==
        0);
  CHECK(of_places({"aws", "gpc"}).find("gpc: no table sells anything there, did you mean gcp?") ==
        0);
  CHECK(of_places({"aws/us-*", "gcp"}) == "");
  CHECK(of_places({"gpc"}) == "");  // the whole question hears of that
}

TEST_CASE("unknown name: each region of --region is of one of the providers") {
  const auto crossed = std::vector<std::string>{"aws/us-east-1", "gcp/us-east-1"};
  CHECK(of_places(crossed, true) == "");
  CHECK(of_places(crossed).find("gcp/us-east-1: no table sells anything there") == 0);
  CHECK(of_places({"*/us-east-1", "*/us-esat-1"}, true)
            .find("us-esat-1: no table sells anything there, did you mean us-east-1?") == 0);
}

TEST_CASE("unknown name: an instance that no table has is told with the nearest") {
  CHECK(of_instances({"g5.xlarge", "g6.xlrage"}) ==
        "allow g6.xlrage: no instance in the price tables is called so, did you mean g6.xlarge?");
  CHECK(of_instances({"g5", "g6"}) == "");
  CHECK(of_instances({"g6.xlrage"}) == "");
  CHECK(of_instances({"("}) == "");  // no expression: the search says so
}

TEST_CASE("unknown name: a number of machines, as tables write it, is no name") {
  const auto compared = test::run_without_model(
      {"compare", RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml", "g5.xlarge", "2 x g6.xlarge"});
  CHECK(compared.err.find("\"2 x g6.xlarge\": how many of them it takes is found for each; name "
                          "g6.xlarge alone") != std::string::npos);
}

TEST_CASE("unknown name: several patterns come apart again, one stays whole") {
  CHECK(each_of(either_of({"g5", "g(4|6)"}, "allow")) == std::vector<std::string>{"g5", "g(4|6)"});
  CHECK(each_of("(g5|g6)") == std::vector<std::string>{"(g5|g6)"});
  CHECK(each_of("(?:a(?:b)|(?:c))") == std::vector<std::string>{"(?:a(?:b)|(?:c))"});
  CHECK(each_of("").empty());
}

TEST_CASE("unknown name: advise refuses it rather than answer without it") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  for (const auto& flags :
       std::vector<std::vector<std::string>>{{"--infra", "aws", "--infra", "gpc"},
                                             {"--region", "us-east-1", "--region", "us-esat-1"},
                                             {"--allow", "g5", "--allow", "g6.xlrage"}}) {
    std::vector<std::string> arguments{"advise", job};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto result = test::run_without_model(arguments);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("did you mean") != std::string::npos);
  }
  const auto sized =
      test::run_without_model({"size", job, "--gpu", "T4", "--infra", "aws", "--infra", "gpc"});
  CHECK(sized.code == cli::exit_usage);
  CHECK(sized.err.find("did you mean gcp?") != std::string::npos);
}

TEST_CASE("unknown name: a known place where nothing is sold so is said to be left out") {
  const auto said = [](const char* market) {
    const auto result = test::run_without_model({"advise",
                                                 RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml",
                                                 "--infra",
                                                 "aws",
                                                 "--infra",
                                                 "alibaba",
                                                 "--market",
                                                 market});
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_ok);
    return result.out + result.err;
  };
  const auto* left_out = "nothing of alibaba is compared: no offer there is on-demand";
  CHECK(said("on-demand").find(left_out) != std::string::npos);
  CHECK(said("spot").find("is compared: no offer there") == std::string::npos);
}

TEST_CASE("unknown name: a book that no table is in is told with the nearest") {
  const auto of_books = [](const char* books) {
    Query query;
    query.book = books;
    return unknown_name(query, false, shipped_catalog());
  };
  CHECK(of_books("current,curent") ==
        "book curent: no price table is in it, did you mean current?");
  CHECK(of_books("current,nosuch").find("book nosuch: no price table is in it") == 0);
  CHECK(of_books(" era-2017 , current") == "");  // blanks are none of a name
  CHECK(of_books("nosuch") == "");               // the whole question hears of that
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  CHECK(test::run_without_model({"advise", job, "--book", "current,nosuch"}).code ==
        cli::exit_usage);
  const auto named = [&](const char* books) {
    return test::run_without_model({"advise", job, "--book", books, "-o", "names"}).out;
  };
  CHECK(named("era-2017, current") == named("era-2017,current"));
}
