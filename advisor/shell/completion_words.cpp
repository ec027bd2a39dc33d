#include "advisor/shell/completion_words.h"

#include <filesystem>
#include <set>
#include <utility>

#include "advisor/knowledge.h"
#include "advisor/suppose/supposition.h"

namespace rightsize::shell {
namespace {

using Row = std::pair<std::string_view, std::vector<std::string>>;

// Words of flags that take one of a few.
const std::vector<Row>& few_words() {
  static const std::vector<Row> rows = {
      {"market", {"on-demand", "spot", "reserved-1y", "reserved-3y"}},
      {"objective", {"cost", "time", "cost*0.7+time*0.3"}},
      {"exchange", {"local", "device", "nccl", "sharded"}},
      {"recompute", {"true", "false"}},
      {"adapter", {"lora:16", "qlora:16", "lora:8:q_proj+v_proj"}},
      {"optimizer", {"adamw", "adamw-8bit", "adafactor", "sgd"}},
      {"master-weights", {"fp32", "none"}},
      {"accumulate", {"2", "4", "8", "16"}},
      {"expert-parallel", {"2", "4", "8", "16"}},
      {"expert-tensor-parallel", {"1", "2"}},
      {"context-parallel", {"2", "4", "8"}},
      {"virtual-pipeline", {"1", "2", "5", "10"}},
      {"weights", {"fp8", "int8", "int4", "nvfp4", "mxfp4"}},
      {"caches", {"fp8"}},
      {"stack", {"era", "current"}},
      {"preprocess-on", {"cpu", "gpu", "either"}},
      {"net", {"ib:100", "ethernet:25", "roce:100", "efa:400"}},
      {"slo", {"p99=50ms", "p99=100ms", "p99=200ms", "ttft=1s,tpot=50ms"}},
      {"ttft", {"500ms", "1s", "2s"}},
      {"tpot", {"30ms", "50ms", "100ms"}},
      {"max-delay", {"0", "2ms", "5ms", "10ms"}},
      {"deadline", {"1h", "12h", "1d", "2d"}},
      {"confidence", {"0.5", "0.9", "0.95", "0.99"}},
  };
  return rows;
}

}  // namespace

void CatalogNames::read() {
  if (std::exchange(was_read_, true)) {
    return;
  }
  std::set<std::string> instances;
  std::set<std::string> places;
  std::set<std::string> books;
  const auto catalog = shipped_catalog();
  for (const auto& offer : catalog.offers()) {
    instances.insert(offer.instance);
    places.insert(offer.provider);
    if (!offer.region.empty()) {
      places.insert(offer.provider + "/" + offer.region);
    }
    books.insert(offer.book);
  }
  instances_.assign(instances.begin(), instances.end());
  places_.assign(places.begin(), places.end());
  books_.assign(books.begin(), books.end());
}

const std::vector<std::string>& CatalogNames::instances() {
  read();
  return instances_;
}

const std::vector<std::string>& CatalogNames::places() {
  read();
  return places_;
}

const std::vector<std::string>& CatalogNames::books() {
  read();
  return books_;
}

std::vector<std::string> paths_from(std::string_view start, std::string_view ending) {
  namespace fs = std::filesystem;
  const auto slash = start.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : start.substr(0, slash + 1));
  const bool hidden = start.substr(folder.size()).starts_with('.');
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
       at.increment(error)) {
    const auto name = at->path().filename().string();
    std::error_code unknown;
    if (name.starts_with('.') && !hidden) {
      continue;
    }
    if (at->is_directory(unknown)) {
      found.push_back(folder + name + "/");
    } else if (name.ends_with(ending)) {
      found.push_back(folder + name);
    }
  }
  return found;
}

std::vector<std::string> values_of_setting(std::string_view setting, CatalogNames& names) {
  if (setting == "infra") {
    return names.places();
  }
  if (setting == "book") {
    return names.books();
  }
  for (const auto& [name, words] : few_words()) {
    if (name == setting) {
      return words;
    }
  }
  return {};
}

std::vector<std::string> suppositions() {
  auto words = supposition_keys();
  for (auto& word : words) {
    word += '=';
  }
  return words;
}

}  // namespace rightsize::shell
