// A catalogue of a few offers by hand, all of the provider "acme" unless a row says otherwise.
#pragma once

#include <string>

#include "advisor/knowledge.h"
#include "support/made_model.h"

namespace rightsize::test {

// `columns` are those of SkyPilot's catalogue and ours; `rows` end in a line break each. Billed by
// the second.
inline Knowledge knowledge_of(const std::string& columns, const std::string& rows) {
  auto knowledge = knowledge_with(made_model());
  knowledge.catalog = Catalog();
  knowledge.catalog.add_offers(columns + "\n" + rows, "acme.csv");
  knowledge.catalog.add_billing(
      "Provider,Book,GranularityS,MinimumS,Basis,Source\n*,*,1,1,assumed,test\n", "billing.csv");
  return knowledge;
}

// ImageNet, ten times, in FP16.
inline Query imagenet_job() {
  Query query;
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 10;
  query.dataset_bytes = 140'000'000'000;
  return query;
}

}  // namespace rightsize::test
