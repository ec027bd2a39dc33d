#include "advisor/named_disk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query.h"
#include "advisor/words.h"
#include "models/laws/spelling.h"
#include "profiler/campaign/units.h"

namespace rightsize {
namespace {

constexpr double gib = 0x1p30;
constexpr double least_gib = 20;
constexpr double class_log_sd = 0.05;

// Words without a provider. NVMe and local disks: 2 GB/s (AlibabaCloudDocs/ecs, local disks); a
// SATA SSD's interface gives 550 MB/s; one spindle of 7200 rpm about 150 MB/s and 120 seeks/s.
struct UsualDisk {
  std::string_view word;
  DiskSpeed speed;
  double log_sd;
};

constexpr std::array usual_disks{
    UsualDisk{"nvme", {2e9, 240e3, 1e-4, 0}, 0.3},
    UsualDisk{"local", {2e9, 240e3, 1e-4, 0}, 0.3},
    UsualDisk{"instancestore", {2e9, 240e3, 1e-4, 0}, 0.3},
    UsualDisk{"ramdisk", {10e9, 0, 0, 0}, 0.3},
    UsualDisk{"tmpfs", {10e9, 0, 0, 0}, 0.3},
    UsualDisk{"sata", {500e6, 80e3, 1e-4, 0}, 0.3},
    UsualDisk{"ssd", {500e6, 80e3, 1e-4, 0}, 0.4},
    UsualDisk{"hdd", {150e6, 120, 8e-3, 0}, 0.4},
    UsualDisk{"spinning", {150e6, 120, 8e-3, 0}, 0.4},
};

// Classes people name without their provider's word; the founding reports' own "SSD".
std::string class_word(const std::string& word) {
  const auto plain = bare(word);
  return plain == "ssd" || plain == "clouddisk"    ? "cloud_ssd"
         : plain == "efficiency" || plain == "eff" ? "cloud_efficiency"
         : plain == "pd"                           ? "pd-standard"
                                                   : word;
}

const VolumeClass* class_named(const Catalog& catalog,
                               const std::string& word,
                               std::string_view book) {
  const auto wanted = bare(class_word(word));
  const VolumeClass* found = nullptr;
  for (const auto& volume : catalog.volumes()) {
    const bool called = wanted.find(bare(volume.name)) != std::string::npos;  // "EBS gp2"
    if (called && (found == nullptr || (found->book != book && volume.book == book))) {
      found = &volume;
    }
  }
  return found;
}

DiskChoice of_rate(double bytes_per_s, const std::string& label) {
  return {nullptr, 0, {bytes_per_s, 0, 0, 0}, 0, label, Source::assumed};  // as its user says
}

// What disks are called beside the word that says which: nothing of their speed is in these.
constexpr std::array plain_words{
    "alibaba", "aliyun",  "amazon",     "and",     "attached", "aws",     "azure",    "balanced",
    "block",   "cloud",   "disk",       "drive",   "ebs",      "essd",    "flash",    "gce",
    "gcp",     "general", "google",     "hdd",     "instance", "local",   "magnetic", "managed",
    "nvme",    "pd",      "persistent", "premium", "purpose",  "raid",    "raid0",    "sata",
    "scratch", "ssd",     "standard",   "storage", "store",    "striped", "volume",   "x"};

// "500 GB SSD", "ssd:500GiB", "gp3:1TiB", "gp3 151 GiB 250 MB/s": the words, and what among them is
// a size or a speed; a number without a unit that is known goes with the word behind it.
struct Words {
  std::vector<std::string> names;
  double size_gib = 0;
  double mbps = 0;
  double iops = 0;

  [[nodiscard]] std::string name() const { return fmt::format("{}", fmt::join(names, " ")); }
};

Words words_of(const std::string& text) {
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ':', ' ');
  std::istringstream in(spaced);
  Words words;
  std::string number;
  for (std::string word; in >> word;) {
    const auto joined = number + word;
    number.clear();
    const auto bytes = parse_bytes(joined);
    const auto rate = word.ends_with("B/s") ? parse_bytes_per_s(joined) : std::nullopt;
    if (bytes && joined.back() == 'B') {
      words.size_gib = static_cast<double>(*bytes) / gib;
    } else if (rate) {
      words.mbps = *rate / 1e6;
    } else if (bare(word) == "iops" && joined != word) {
      words.iops = std::strtod(joined.c_str(), nullptr);
    } else if (joined == word && word.find_first_not_of("0123456789.") == std::string::npos) {
      number = word;
    } else {
      words.names.push_back(joined);
    }
  }
  if (!number.empty()) {
    words.names.push_back(number);
  }
  return words;
}

// A word that neither names the disk nor is what disks are called, as "250MBps" or "fast": passed
// over it would be taken for understood. `known` is the name, bare.
void check_understood(const Words& words,
                      std::string_view known,
                      const std::string& text,
                      const std::string& place) {
  for (const auto& word : words.names) {
    const auto plain = bare(word);
    const auto letters = plain.find_first_not_of("0123456789");
    const bool counts = plain.ends_with('x') && letters == plain.size() - 1;  // "2x NVMe"
    const bool names_it =
        letters != std::string::npos &&
        (known.find(plain) != std::string_view::npos || plain.find(known) != std::string::npos ||
         bare(class_word(word)).find(known) != std::string::npos);
    if (counts || names_it || plain.empty() ||
        std::find(plain_words.begin(), plain_words.end(), plain) != plain_words.end()) {
      continue;
    }
    throw UsageError(fmt::format(
        "{} = {}: \"{}\" says nothing of a disk that is known here; a disk is its class "
        "with a size in GiB and, where it sells them, MB/s and IOPS, such as \"gp3 500 "
        "GiB 250 MB/s 4000 IOPS\"",
        place,
        text,
        word));
  }
}

// What follows a colon is a size, and not a word to be passed over.
void check_size(const std::string& text, const std::string& place) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    return;
  }
  auto size = text.substr(colon + 1);
  std::erase(size, ' ');
  const auto bytes = parse_bytes(size);
  if (!bytes || *bytes == 0 || !size.ends_with('B')) {
    throw UsageError(fmt::format(
        "{} = {}: expected a size above 0 after the colon, such as {}:500GiB, saw \"{}\"",
        place,
        text,
        text.substr(0, colon),
        text.substr(colon + 1)));
  }
}

// What is bought beyond what comes with the class, as advise's own names of disks state the sum;
// of a class without any speed of its own all that can be.
BoughtSpeed bought_speed(const VolumeClass& volume, const Words& words, const std::string& text) {
  if (words.mbps <= 0 && words.iops <= 0) {
    return volume.mbps_base > 0 ? BoughtSpeed{} : speed_to_buy(volume, volume.mbps_max * 1e6);
  }
  const auto beyond = [&](double asked, double base, double most, bool sold, const char* unit) {
    if (asked > 0 && !sold) {
      throw UsageError(fmt::format(
          "{}: the {} of {} come with its size: leave them out", text, unit, volume.name));
    }
    if (most > 0 && asked > most) {
      throw UsageError(fmt::format("{}: {} gives {:g} {} at most", text, volume.name, most, unit));
    }
    return static_cast<std::int64_t>(std::max(0.0, std::ceil(asked - base)));
  };
  return {beyond(words.iops,
                 volume.iops_base,
                 volume.iops_max,
                 volume.price_per_iops_month.has_value(),
                 "IOPS"),
          beyond(words.mbps,
                 volume.mbps_base,
                 volume.mbps_max,
                 volume.price_per_mbps_month.has_value(),
                 "MB/s")};
}

DiskChoice of_class(const VolumeClass& volume, double size_gib, const BoughtSpeed& bought) {
  const auto whole_gib = static_cast<std::int64_t>(size_gib);
  return {&volume,
          whole_gib,
          disk_speed(performance(volume, size_gib, bought)),
          class_log_sd,
          volume_label(volume, whole_gib, bought),
          Source::published,
          bought};
}

std::optional<DiskChoice> usual_disk(const Words& words,
                                     const std::string& text,
                                     const std::string& place) {
  for (const auto& usual : usual_disks) {
    if (bare(words.name()).find(usual.word) != std::string::npos) {
      check_understood(words, usual.word, text, place);
      const auto* figure =
          words.size_gib > 0 ? " (usual figure, whatever its size)" : " (usual figure)";
      return DiskChoice{nullptr,
                        static_cast<std::int64_t>(words.size_gib),
                        usual.speed,
                        usual.log_sd,
                        text + figure,
                        Source::assumed};
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse_unknown(const std::string& text,
                                 const Catalog& catalog,
                                 const std::string& place) {
  std::set<std::string> classes;
  for (const auto& volume : catalog.volumes()) {
    classes.insert(volume.name);
  }
  throw UsageError(
      fmt::format("{} = {}: expected a rate such as 80MB/s, or nvme, ssd, sata, hdd or a class "
                  "with its size such as gp3:500GiB; the classes are {}",
                  place,
                  text,
                  fmt::join(classes, ", ")));
}

}  // namespace

DiskChoice disk_named(const std::string& text,
                      const Catalog& catalog,
                      std::uint64_t dataset_bytes,
                      const std::string& place,
                      std::string_view book) {
  const auto rate = text.ends_with("B/s") ? parse_bytes_per_s(text) : std::nullopt;
  if (rate && *rate > 0) {  // "500GB" is a size
    return of_rate(*rate, text);
  }
  check_size(text, place);
  const auto words = words_of(text);
  const bool sized = words.size_gib > 0;
  const double own_gib = std::ceil(static_cast<double>(dataset_bytes) / gib);
  const double size_gib = sized ? words.size_gib : std::max(least_gib, own_gib);
  const bool any_ssd = bare(words.name()) == "ssd" && !sized;  // nobody's class in particular
  if (const auto* volume = any_ssd ? nullptr : class_named(catalog, words.name(), book)) {
    check_understood(words, bare(volume->name), text, place);
    if (size_gib > volume->max_gib || (sized && size_gib < volume->min_gib)) {
      throw UsageError(fmt::format("{} = {}: {} comes in {:g} to {:g} GiB",
                                   place,
                                   text,
                                   volume->name,
                                   volume->min_gib,
                                   volume->max_gib));
    }
    return of_class(*volume, size_gib, bought_speed(*volume, words, text));
  }
  if (auto usual = usual_disk(words, text, place)) {
    return *usual;
  }
  refuse_unknown(text, catalog, place);
}

std::string too_small(const DiskChoice& disk, std::uint64_t dataset_bytes) {
  const auto bytes = static_cast<double>(dataset_bytes);
  const auto size = static_cast<double>(disk.gib) * gib;
  return disk.gib == 0 || size >= bytes
             ? ""
             : fmt::format(
                   "the disk is too small: {} holds {:.0f} GB of the {:.0f} GB of data; {} "
                   "GiB are enough",
                   disk.label,
                   size / 1e9,
                   bytes / 1e9,
                   std::ceil(bytes / gib));
}

}  // namespace rightsize
