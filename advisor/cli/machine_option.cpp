#include "advisor/cli/machine_option.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/constraint.h"
#include "advisor/candidate/cpu_law.h"
#include "advisor/cli/table_gpu.h"
#include "advisor/knowledge.h"
#include "advisor/machine/gpu_words.h"
#include "advisor/machine/named_disk.h"
#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"
#include "advisor/suppose/offer_name.h"
#include "pricing/book_name.h"
#include "pricing/on_prem.h"

namespace rightsize::cli {
namespace {

std::string hint(const std::string& near) {
  return near.empty() ? "" : fmt::format(", did you mean {}?", near);
}

// "gpu=A10G-24GB:1,vcpus=4,memory=16GiB,cpu=g5.xlarge"
std::string specification(const Offer& offer) {
  if (offer.gpus != std::floor(offer.gpus)) {
    throw UsageError(
        fmt::format("--machine {}/{}: a fraction of a GPU is not modelled; describe the machine by "
                    "its parts, as gpu=T4:1,vcpus=4,memory=16GiB",
                    offer.provider,
                    offer.instance));
  }
  // A V100 is sold with 16 and with 32 GB.
  const auto memory = offer.gpu_memory_gib && !memory_in_gpu_name(offer.gpu)
                          ? fmt::format("-{:g}GB", *offer.gpu_memory_gib)
                          : "";
  const auto gpu =
      offer.gpu.empty() ? "" : fmt::format("gpu={}{}:{:g},", offer.gpu, memory, offer.gpus);
  // Of a machine of one's own that may be open, and does not limit then.
  return fmt::format("{}{}{}cpu={}{}",
                     gpu,
                     offer.vcpus ? fmt::format("vcpus={:g},", *offer.vcpus) : "",
                     offer.memory_gib ? fmt::format("memory={:g}GiB,", *offer.memory_gib) : "",
                     cpu_words(shipped_cpu_speeds(), offer),
                     offer.network.empty() ? "" : ",net=" + offer.network);
}

// "/tmp", "machines/": a path where a file of another ending, or an instance, was expected.
void refuse_path(const std::string& name) {
  std::error_code unknown;
  const auto kind = std::filesystem::status(name, unknown).type();
  const bool folder = kind == std::filesystem::file_type::directory;
  if (folder || kind == std::filesystem::file_type::regular || name.find_first_of("/.") == 0) {
    throw UsageError(fmt::format(
        "--machine {}: {}; expected gpu=V100:8,vcpus=64,..., an instance such as aws/g5.xlarge, or "
        "the path of a TOML file, which ends in .toml",
        name,
        folder                                        ? "is a folder"
        : kind == std::filesystem::file_type::regular ? "is a file, but not called .toml"
                                                      : "there is no such file"));
  }
}

// Those of `parts`, divided by commas, that `stated` does not set anew.
std::string not_stated_anew(const std::string& parts, const std::string& stated) {
  std::string kept;
  for (std::size_t begin = 0; begin < parts.size();) {
    const auto end = std::min(parts.find(',', begin), parts.size());
    const auto part = parts.substr(begin, end - begin);
    const std::regex anew(fmt::format(",\\s*{}\\s*=", part.substr(0, part.find('='))));
    kept += std::regex_search(stated, anew) ? "" : (kept.empty() ? "" : ",") + part;
    begin = end + 1;
  }
  return kept;
}

// Where the name of an instance begins the text: one that there is, one that is built as they are,
// or a word alone, which says nothing of a machine's parts.
std::optional<std::string> instance_in(const std::string& text, const Catalog& catalog) {
  const auto name = text.substr(0, text.find(','));
  if (name.ends_with(".toml") || name.find('=') != std::string::npos) {
    return std::nullopt;
  }
  const bool instance = name.find_first_of("./-0123456789") != std::string::npos ||
                        text.find('=') == std::string::npos || !offers_named(catalog, name).empty();
  return instance ? std::optional(name) : std::nullopt;
}

// "8xA100", "A100:8", "H100": GPUs where an instance was expected, of which none is called so.
void refuse_bare_gpu(const std::string& name, const Catalog& catalog) {
  const auto words = gpu_words(name);
  if (words.expected.empty() && !words.gpu.empty() && offers_named(catalog, name).empty() &&
      shipped_gpu_rates().find(words.gpu) != nullptr) {
    throw UsageError(
        fmt::format("--machine {}: no instance is called so; a machine is described by its parts: "
                    "gpu={}:{}, with vcpus=, memory= and disk= beside it where they may limit",
                    name,
                    words.gpu,
                    words.count.value_or(1)));
  }
}

// `name`, and what is stated beside it: what is not stated anew is the instance's.
MachineSpec instance_option(const std::string& name,
                            const std::string& stated,
                            const Catalog& catalog) {
  refuse_path(name);
  refuse_bare_gpu(name, catalog);
  const auto& offer = offer_named(catalog, name, "--machine");
  const auto kept = not_stated_anew(specification(offer), stated);
  auto machine =
      parse_machine_spec(kept.empty() && !stated.empty() ? stated.substr(1) : kept + stated);
  if (const auto why = sold_elsewhere(machine.disk, catalog, offer.provider, offer.instance);
      !why.empty()) {
    throw UsageError(fmt::format("--machine {}: disk = {}: {}", name, machine.disk, why));
  }
  machine.provider = offer.provider;
  machine.instance = offer.instance;
  if (offer.count && machine.nodes > *offer.count) {
    throw UsageError(
        fmt::format("--machine {}: nodes = {}: of your own there {} {} (count= of "
                    "--on-prem)",
                    name,
                    machine.nodes,
                    *offer.count == 1 ? "is" : "are",
                    *offer.count));
  }
  return machine;
}

std::set<std::string> instance_names(const Catalog& catalog) {
  std::set<std::string> names;
  for (const auto& offer : catalog.offers()) {
    names.insert(offer.instance);
  }
  return names;
}

// Two providers may sell the same name; their machines differ.
void check_one_provider(const Offer& found, const Offer& other, const std::string& option) {
  if (found.provider != other.provider) {
    throw UsageError(
        fmt::format("{0} {1}: both {2} and {3} sell one; say which, as {2}/{1} or {3}/{1}",
                    option,
                    found.instance,
                    found.provider,
                    other.provider));
  }
}

// In the place and market that the name says, whatever they are to what it does.
void require_sold(const Catalog& catalog,
                  const OfferName& name,
                  const std::string& asked,
                  const std::string& option) {
  const auto offers = offers_named(catalog, name.instance);
  Query scope;
  for (const auto* offer : offers) {
    scope.book += names_book(scope.book, offer->book) ? "" : "," + offer->book;
  }
  scope.markets.assign(std::begin(all_markets), std::end(all_markets));
  if (name.market) {
    scope.markets = {*name.market};
  }
  if (!name.place.empty()) {
    scope.infra = {name.place};
  }
  if (in_scope(offers, scope, name.by_month).empty()) {
    throw UsageError(
        fmt::format("{} {}: not sold so; {}", option, asked, sold_otherwise(offers, scope)));
  }
}

// The places of the provider that is named, or else of who sells what the name is nearest to.
std::string where_to_look(const Catalog& catalog,
                          const std::string& text,
                          const std::string& near) {
  const auto slash = text.find('/');
  for (const auto& offer : catalog.offers()) {
    const bool named = slash != std::string::npos && offer.provider == text.substr(0, slash);
    const bool sells = slash == std::string::npos && !near.empty() && offer.instance == near;
    if (named || sells) {
      return fmt::format("'{}/*'", offer.provider);
    }
  }
  return "PROVIDER, of those that rightsize prices list names";
}

}  // namespace

const Offer& offer_named(const Catalog& catalog,
                         const std::string& asked,
                         const std::string& option) {
  // As tables show it: where and how it is rented is nothing to what it does.
  const auto named = read_offer_name(catalog, asked, option + " ");
  const auto& text = named.instance;
  std::set<std::string> names;
  const bool with_provider = text.find('/') != std::string::npos;
  const Offer* found = nullptr;
  for (const auto& offer : catalog.offers()) {
    const auto name = offer.provider + "/" + offer.instance;
    names.insert(with_provider ? name : offer.instance);
    const bool known = (offer.vcpus && offer.memory_gib) || is_own(offer);
    if (has_name(offer, text) && known) {
      check_one_provider(found == nullptr ? offer : *found, offer, option);
      found = found == nullptr || offer.book == "current" ? &offer : found;
    }
  }
  if (found == nullptr) {
    const auto near = nearest_word(text, {names.begin(), names.end()});
    throw UsageError(fmt::format(
        "{} {}: no such instance in the price tables{}{}; see rightsize prices show --infra {}",
        option,
        text,
        hint(near),
        own_machines(catalog),
        where_to_look(catalog, text, near)));
  }
  require_sold(catalog, named, asked, option);
  return *found;
}

void check_gpu_name(const std::string& gpu, const std::string& option) {
  if (auto words = gpu.empty() ? "" : gpu_doubt()(gpu); !words.empty()) {
    throw UsageError(fmt::format("{}: {}", option, words));
  }
}

std::string mistyped_instance(const std::string& cpu) {
  // "p3.16xlarg", "n1-standard-8": a CPU's own name, such as "E5-2682v4", is not built so.
  static const std::regex like_an_instance(
      "[a-z][a-z0-9-]*\\.[a-z0-9.]*[a-z][a-z0-9.]*|"
      "[a-z][a-z0-9]*-[a-z]+-[a-z0-9-]+");
  // Of a family that is known by its CPU alone, as c4 is, any size that EC2 has.
  static const std::regex size_of_ec2(
      ".*\\.(nano|micro|small|medium|large|[0-9]*xlarge|metal(-[0-9]+xl)?)");
  const bool sizeless = cpu.find('.') == std::string::npos;
  const bool known =
      (sizeless || std::regex_match(cpu, size_of_ec2)) && knows_cpu(shipped_cpu_speeds(), cpu);
  if (!std::regex_match(cpu, like_an_instance) || known) {
    return "";
  }
  const auto names = instance_names(shipped_catalog());
  return names.contains(cpu) ? "" : nearest_word(cpu, {names.begin(), names.end()});
}

namespace {

void check_cpu_name(const std::string& cpu, const std::string& option, const Catalog& catalog) {
  if (cpu.empty() || knows_cpu(shipped_cpu_speeds(), cpu)) {
    return;
  }
  auto names = instance_names(catalog);
  if (names.contains(cpu)) {
    return;  // of a cloud whose CPUs were not published: the median host stands in, and it is said
  }
  names.insert({"Skylake", "Cascade Lake", "Ice Lake", "Broadwell", "EPYC 7R13"});
  throw UsageError(
      fmt::format("{}: no CPU or instance is called \"{}\"{}; expected a CPU's name such as "
                  "Skylake or \"EPYC 7R13\", or an instance such as p3.16xlarge",
                  option,
                  cpu,
                  hint(nearest_word(cpu, {names.begin(), names.end()}))));
}

}  // namespace

void check_cpu_name(const std::string& cpu, const std::string& option) {
  check_cpu_name(cpu, option, shipped_catalog());
}

MachineSpec machine_option(const std::string& text, const Catalog& catalog) {
  const auto instance = instance_in(text, catalog);
  auto machine = instance ? instance_option(*instance, text.substr(instance->size()), catalog)
                          : parse_machine_spec(text);
  check_gpu_name(machine.gpu, "--machine gpu");
  check_cpu_name(machine.cpu, "--machine cpu", catalog);
  return machine;
}

}  // namespace rightsize::cli
