// Rejected offers are counted by their words, and keep what they lack beside them.
#include "advisor/rejections.h"

#include <doctest/doctest.h>

using namespace rightsize;

namespace {

Offer offer_of(const char* instance) {
  Offer offer;
  offer.provider = "aws";
  offer.instance = instance;
  return offer;
}

}  // namespace

TEST_CASE("rejections: one for each reason, the most frequent first, with what lacks") {
  Rejections rejections;
  rejections.add({"on the deny list", Lacking::not_asked_for}, offer_of("a"));
  for (const auto* instance : {"a", "a", "b", "c", "d"}) {
    rejections.add({"GPU memory too small for the batch", Lacking::gpu_memory}, offer_of(instance));
  }
  const auto all = rejections.sorted();
  REQUIRE(all.size() == 2);
  CHECK(all[0].reason == "GPU memory too small for the batch");
  CHECK(all[0].lacking == Lacking::gpu_memory);
  CHECK(all[0].count == 5);
  CHECK(all[0].examples == std::vector<std::string>{"aws/a", "aws/b", "aws/c"});
  CHECK(all[1].lacking == Lacking::not_asked_for);
}
