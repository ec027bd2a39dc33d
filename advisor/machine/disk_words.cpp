#include "advisor/machine/disk_words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/usage_error.h"
#include "kernels/gibibyte.h"
#include "models/laws/spelling.h"
#include "profiler/campaign/units.h"

namespace rightsize {
namespace {

constexpr std::string_view digits = "0123456789";

// What disks are called beside the word that says which: nothing of their speed is in these.
constexpr std::array plain_words{
    "alibaba",  "aliyun",  "amazon",    "and",     "attached", "aws",     "azure",
    "balanced", "block",   "clouddisk", "cloud",   "disk",     "drive",   "ebs",
    "essd",     "flash",   "gce",       "gcp",     "google",   "general", "hdd",
    "instance", "local",   "magnetic",  "managed", "nvme",     "pd",      "persistent",
    "premium",  "purpose", "raid",      "raid0",   "sata",     "scratch", "ssd",
    "standard", "storage", "store",     "striped", "volume",   "x"};

std::optional<double> bytes_per_s(const std::string& written) {
  if (written.ends_with("Bps")) {
    return parse_bytes_per_s(written.substr(0, written.size() - 2) + "/s");
  }
  return written.ends_with("B/s") ? parse_bytes_per_s(written) : std::nullopt;
}

std::optional<double> requests_per_s(const std::string& written) {
  constexpr std::string_view unit = "iops";
  const auto plain = bare(written);
  const bool is_rate = plain.size() > unit.size() && plain.ends_with(unit) &&
                       plain.find_first_not_of(digits) == plain.size() - unit.size();
  return is_rate ? std::optional(std::strtod(written.c_str(), nullptr)) : std::nullopt;
}

// One amount, whether it was written with a blank or without: false where it is none.
bool read_amount(const std::string& written, DiskWords& words) {
  const auto bytes = written.ends_with('B') ? parse_bytes(written).value_or(0) : 0;
  const auto rate = bytes_per_s(written);
  const auto requests = requests_per_s(written);
  if (bytes > 0) {
    words.size_gib = static_cast<double>(bytes) / bytes_per_gib;
  } else if (rate.value_or(0) > 0) {
    words.mbps = *rate / 1e6;
  } else if (requests.value_or(0) > 0) {
    words.iops = *requests;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string DiskWords::name() const {
  return fmt::format("{}", fmt::join(names, " "));
}

DiskWords disk_words(const std::string& text) {
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ':', ' ');
  std::istringstream in(spaced);
  DiskWords words;
  std::string number;
  for (std::string word; in >> word;) {
    const bool starts =
        number.empty() && word.find_first_not_of("0123456789.") == std::string::npos;
    if (starts) {
      number = word;
    } else if (!read_amount(number + word, words)) {
      words.names.push_back(number + word);
      number.clear();
    } else {
      number.clear();
    }
  }
  if (!number.empty()) {
    words.names.push_back(number);
  }
  return words;
}

void check_understood(const DiskWords& words,
                      std::string_view known,
                      const std::string& text,
                      const std::string& place) {
  for (const auto& word : words.names) {
    const auto plain = bare(word);
    const auto letter = plain.find_first_not_of(digits);
    const bool counts = plain.ends_with('x') && letter == plain.size() - 1;  // "2x NVMe"
    const bool names_it =
        letter != std::string::npos &&
        (known.find(plain) != std::string_view::npos || plain.find(known) != std::string::npos);
    if (!counts && !names_it && !plain.empty() &&
        std::find(plain_words.begin(), plain_words.end(), plain) == plain_words.end()) {
      throw UsageError(fmt::format(
          "{} = {}: \"{}\" says nothing of a disk that is known here; a disk is its class with a "
          "size and, where it sells them, a speed and IOPS, such as \"gp3 500GiB 250MB/s 4000 "
          "IOPS\"",
          place,
          text,
          word));
    }
  }
}

}  // namespace rightsize
