#include "advisor/machine/named_disk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/machine/disk_words.h"
#include "advisor/query/usage_error.h"
#include "advisor/query/words.h"
#include "kernels/gibibyte.h"
#include "models/laws/spelling.h"
#include "pricing/attaches.h"
#include "profiler/campaign/units.h"

namespace rightsize {
namespace {

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
    UsualDisk{"hdd", {150e6, 120, 8e-3, 0}, 0.4},  // first: also "local hdd" and "sata hdd"
    UsualDisk{"spinning", {150e6, 120, 8e-3, 0}, 0.4},
    UsualDisk{"nvme", {2e9, 240e3, 1e-4, 0}, 0.3},
    UsualDisk{"local", {2e9, 240e3, 1e-4, 0}, 0.3},
    UsualDisk{"instancestore", {2e9, 240e3, 1e-4, 0}, 0.3},
    UsualDisk{"ramdisk", {10e9, 0, 0, 0}, 0.3},
    UsualDisk{"tmpfs", {10e9, 0, 0, 0}, 0.3},
    UsualDisk{"sata", {500e6, 80e3, 1e-4, 0}, 0.3},
    UsualDisk{"ssd", {500e6, 80e3, 1e-4, 0}, 0.4},
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
        "{} = {}: expected a size above 0 after the colon, such as {}:500GiB, saw \"{}\"{}",
        place,
        text,
        text.substr(0, colon),
        text.substr(colon + 1),
        size.find(':') == std::string::npos
            ? ""
            : fmt::format("; speed that is bought goes in words, as in \"{} 500 GiB 4000 IOPS 250 "
                          "MB/s\"",
                          text.substr(0, colon))));
  }
}

// What is bought beyond what comes with the class, as advise's own names of disks state the sum;
// of a class without any speed of its own all that can be.
BoughtSpeed bought_speed(const VolumeClass& volume,
                         double size_gib,
                         const DiskWords& words,
                         const std::string& text) {
  if (words.mbps <= 0 && words.iops <= 0) {
    return volume.mbps_base > 0 ? BoughtSpeed{}
                                : speed_to_buy(volume, size_gib, volume.mbps_max * 1e6);
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
                 sells_speed(volume) ? most_iops(volume, size_gib) : volume.iops_max,
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

std::optional<DiskChoice> usual_disk(const DiskWords& words,
                                     const std::string& text,
                                     const std::string& place) {
  for (const auto& usual : usual_disks) {
    if (bare(words.name()).find(usual.word) != std::string::npos) {
      check_understood(words, usual.word, text, place);
      auto speed = usual.speed;
      speed.bytes_per_s = words.mbps > 0 ? words.mbps * 1e6 : speed.bytes_per_s;
      speed.iops = words.iops > 0 ? words.iops : speed.iops;
      const bool stated = words.mbps > 0;
      const auto* figure = stated               ? ""
                           : words.size_gib > 0 ? " (usual figure, whatever its size)"
                                                : " (usual figure)";
      return DiskChoice{nullptr,
                        static_cast<std::int64_t>(words.size_gib),
                        speed,
                        stated ? 0 : usual.log_sd,
                        text + figure,
                        Source::assumed};
    }
  }
  return std::nullopt;
}

// Data that is streamed while the job runs, by S3's, GCS's or Azure's own words.
bool means_object_storage(const std::string& text) {
  const auto word = bare(text);
  constexpr std::array words{"s3",
                             "gs",
                             "gcs",
                             "blob",
                             "object",
                             "objectstorage",
                             "webdataset",
                             "streaming",
                             "stream",
                             "r2",
                             "minio"};
  return std::find(words.begin(), words.end(), word) != words.end() ||
         text.find("://") != std::string::npos;
}

void refuse_object_storage(const std::string& text, const std::string& place) {
  if (means_object_storage(text)) {
    throw UsageError(
        fmt::format("{} = {}: data that is streamed from object storage is said as the rate at "
                    "which the machine gets it, such as disk=1.2GB/s; measure that with the "
                    "program that streams, as it goes by its connections and the machine's network",
                    place,
                    text));
  }
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

std::string_view book_of(std::optional<Stack> stack) {
  return stack == Stack::era ? "era-2017" : "current";
}

DiskChoice disk_named(const std::string& text,
                      const Catalog& catalog,
                      const DiskContents& held,
                      const std::string& place,
                      std::string_view book) {
  const auto rate = text.ends_with("B/s") ? parse_bytes_per_s(text) : std::nullopt;
  if (rate && *rate > 0) {  // "500GB" is a size
    return of_rate(*rate, text);
  }
  refuse_object_storage(text, place);
  check_size(text, place);
  const auto words = disk_words(text);
  const bool sized = words.size_gib > 0;
  const double own_gib = std::ceil(held.bytes() / bytes_per_gib);
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
    const double bought_gib = std::max(size_gib, volume->min_gib);
    return of_class(*volume, bought_gib, bought_speed(*volume, bought_gib, words, text));
  }
  if (bare(words.name()).starts_with("unlisted")) {  // as answers show it
    auto shown = words;
    std::erase_if(shown.names, [](const std::string& word) {
      return bare(word) == "price" || bare(word) == "assumed" || bare(word) == "notbilled" ||
             bare(word) == "not" || bare(word) == "billed";
    });
    check_understood(shown, "unlisted", text, place);
    return unlisted_disk(static_cast<std::int64_t>(sized ? size_gib : 0));
  }
  if (auto usual = usual_disk(words, text, place)) {
    return *usual;
  }
  refuse_unknown(text, catalog, place);
}

std::string sold_elsewhere(const std::string& text,
                           const Catalog& catalog,
                           std::string_view provider,
                           std::string_view instance) {
  const auto name = disk_words(text).name();
  const auto wanted = bare(name) == "ssd" ? "" : bare(class_word(name));  // nobody's in particular
  const VolumeClass* other = nullptr;
  std::set<std::string> own;
  for (const auto& volume : catalog.volumes()) {
    const bool called = wanted.find(bare(volume.name)) != std::string::npos;
    const bool attached = attaches(provider, instance, volume.name);
    if (volume.provider == provider && is_offered_with(provider, instance, volume.name)) {
      own.insert(volume.name);
    }
    if (called && volume.provider == provider && attached) {
      return "";
    }
    other = called ? &volume : other;
  }
  if (other != nullptr && other->provider == provider) {
    return fmt::format("{} attaches no {}; it takes {}, or say the disk's speed, as 250MB/s",
                       instance,
                       other->name,
                       fmt::join(own, ", "));
  }
  return other == nullptr ? ""
                          : fmt::format("{} is a disk of {}; {}",
                                        other->name,
                                        other->provider,
                                        own.empty() ? fmt::format("of {} none is known here, say "
                                                                  "its speed, as 250MB/s",
                                                                  provider)
                                                    : fmt::format("{} has {}, or say its speed, as "
                                                                  "250MB/s",
                                                                  provider,
                                                                  fmt::join(own, ", ")));
}

std::string too_small(const DiskChoice& disk, const DiskContents& held) {
  const auto bytes = held.bytes();
  const auto size = static_cast<double>(disk.gib) * bytes_per_gib;
  const auto* what = held.model <= 0  ? "data"
                     : held.data == 0 ? "the model's files"
                                      : "data and the model's files";
  return disk.gib == 0 || size >= bytes
             ? ""
             : fmt::format(
                   "the disk is too small: {} holds {:.0f} GB of the {:.0f} GB of {}; {} GiB are "
                   "enough",
                   disk.label,
                   size / 1e9,
                   bytes / 1e9,
                   what,
                   std::ceil(bytes / bytes_per_gib));
}

}  // namespace rightsize
