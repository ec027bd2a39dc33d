#include "advisor/http/url.h"

#include <doctest/doctest.h>

using namespace rightsize::http;

TEST_CASE("url: words of the path and parameters are decoded, a plus is a blank") {
  const auto url =
      read_target("/prices/list?infra=aws%2Fus-*&supposed=vcpus%3D%2B4&name=a+b&help&e=");
  REQUIRE(url);
  CHECK(url->path == std::vector<std::string>{"prices", "list"});
  CHECK(url->parameters == std::vector<Parameter>{{"infra", "aws/us-*"},
                                                  {"supposed", "vcpus=+4"},
                                                  {"name", "a b"},
                                                  {"help", ""},
                                                  {"e", ""}});
  CHECK(read_target("/")->path.empty());
}

TEST_CASE("url: what is none is told") {
  for (const auto* bad : {"", "advise", "http://elsewhere/", "/%zz", "/a?b=%2", "/a b"}) {
    CAPTURE(bad);
    CHECK_FALSE(read_target(bad));
  }
}

TEST_CASE("url: whatever the words are, the way back gives them again and stays on this server") {
  const Url url{
      {"/elsewhere.example", "a b?c#d"},
      {{"toml", "[job]\nnetwork = \"r&d=1+1\"\n"}, {"ünï", "100%"}, {"supposed", "vcpus=+4"}}};
  const auto target = target_of(url);
  CHECK_FALSE(target.starts_with("//"));
  const auto again = read_target(target);
  REQUIRE(again);
  CHECK(again->path == url.path);
  CHECK(again->parameters == url.parameters);
}
