#include "models/laws/interconnect_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "models/laws/link_speed.h"

namespace rightsize {
namespace {

struct Speed {
  std::string_view word;
  double gbit_per_s;
};

// InfiniBand's names for four lanes.
constexpr std::array<Speed, 5> infiniband_rates{
    {{"qdr", 40}, {"fdr", 56}, {"edr", 100}, {"hdr", 200}, {"ndr", 400}}};

constexpr double most_gbit_of_sockets = 100;

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

bool is_letter(std::string_view text, std::size_t at) {
  return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
}

// Where `word` stands as a word of its own: digits may touch it ("100gbps", "8xhdr", "sxm2") and a
// version may follow ("rocev2"), other letters may not ("default" has no EFA in it). npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool counted = at >= 2 && text[at - 1] == 'x' && is_digit(text, at - 2);
    const bool versioned = end < text.size() && text[end] == 'v' && is_digit(text, end + 1);
    if ((at == 0 || !is_letter(text, at - 1) || counted) && (!is_letter(text, end) || versioned)) {
      return at;
    }
  }
  return std::string_view::npos;
}

bool has(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return find_word(text, word) != std::string_view::npos;
  });
}

double number_at(std::string_view text, std::size_t at) {
  return is_digit(text, at) ? std::atof(std::string(text.substr(at)).c_str()) : 0;
}

// The 8 of "x8", "4.0 x8" or "3x8"; 0 when no number of lanes is named.
double lanes_in_pcie(std::string_view rest) {
  for (std::size_t at = 0; at < rest.size(); ++at) {
    if (rest[at] == 'x' && is_digit(rest, at + 1) && (at == 0 || !is_letter(rest, at - 1))) {
      return number_at(rest, at + 1);
    }
  }
  return 0;
}

// "pcie 4.0 x8", "pcie3", "pcie gen5 x16"; 15.75 GB/s for 3.0 x16, twice that a generation. Digits
// that belong to other words ("p2.16xlarge") are not read. The rate is left open where neither
// generation nor lanes are said.
void read_pcie(std::string_view part, InterconnectWords& words) {
  double rate = pcie3_x16_bytes_per_s;
  auto rest = part.substr(part.find("pci") + 3);
  for (const std::string_view word : {"-", "e", "xpress", " ", "express", " ", "v", "gen", " "}) {
    rest.remove_prefix(rest.starts_with(word) ? word.size() : 0);
  }
  const double generation = number_at(rest, 0);
  const bool stated = generation >= 1 && generation < 7;
  if (stated) {
    words.pcie_generation = static_cast<int>(generation);
    rate *= static_cast<double>(1 << words.pcie_generation) / 8.0;
  }
  const double lanes = lanes_in_pcie(rest);
  if (!stated && lanes < 1) {
    return;
  }
  words.link_bytes_per_s = lanes >= 1 && lanes <= 16 ? rate * lanes / 16.0 : rate;
}

bool names_pcie(std::string_view part) {
  return has(part, {"pci", "pcie", "pciexpress"});
}

bool read_link(std::string_view part, InterconnectWords& words) {
  const bool switched = has(part, {"nvswitch", "nvswitches"});
  if (switched || has(part, {"nvlink", "nvlinks", "sxm"})) {
    words.link = NodeLink::nvlink;
    words.switched = switched;
    return true;
  }
  if (has(part, {"xgmi", "infinity fabric", "infinity-fabric", "infinityfabric"})) {
    words.link = NodeLink::xgmi;
    return true;
  }
  if (names_pcie(part)) {
    const bool peer = has(part, {"p2p", "peer", "switch", "switches", "switched"});
    words.link = peer ? NodeLink::peer : NodeLink::host;
    read_pcie(part, words);
    return true;
  }
  return false;
}

// A speed alone is a network's, unless the part has named a link: "NVLink 600GB/s" is all NVLink.
bool read_fabric(std::string_view part, bool names_link, InterconnectWords& words) {
  if (has(part, {"infiniband", "ib"})) {
    words.fabric = Fabric::infiniband;
  }
  for (const auto& [word, rate] : infiniband_rates) {
    if (has(part, {word})) {
      words.fabric = Fabric::infiniband;
      words.fabric_gbit_per_s = rate * lines_in(part);
    }
  }
  if (has(part, {"roce", "rdma"})) {
    words.fabric = Fabric::roce;
  }
  if (has(part, {"efa"})) {
    words.fabric = Fabric::efa;
  }
  if (has(part, {"tcpx", "tcpxo"})) {
    words.fabric = Fabric::tcpx;
  }
  if (!words.fabric && has(part, {"eth", "ethernet", "gbe", "gige", "tcp"})) {
    words.fabric = Fabric::ethernet;
  }
  const auto speed = link_speed(part);
  const bool said = speed.has_unit && !names_link;
  if (!words.fabric && (has(part, {"network", "networking"}) || said)) {
    // Nobody exchanges gradients by sockets over a line of 200 Gb/s and more.
    words.fabric = speed.gbit_per_s > most_gbit_of_sockets ? Fabric::roce : Fabric::ethernet;
  }
  // A rate by name, HDR, counts before a number that has no unit.
  const bool better = speed.has_unit || words.fabric_gbit_per_s == 0;
  if (words.fabric && speed.gbit_per_s > 0 && better && !names_pcie(part)) {
    words.fabric_gbit_per_s = speed.gbit_per_s;
  }
  return words.fabric.has_value();
}

bool read_part(std::string_view part, InterconnectWords& words) {
  const bool link = read_link(part, words);
  const bool networked = !names_pcie(part) || part.find("gb") != std::string_view::npos;
  return (networked && read_fabric(part, link, words)) || link;
}

// There is no such speed, or no so wide PCI Express.
bool impossible(std::string_view part) {
  return has_impossible_speed(part) ||
         (names_pcie(part) && lanes_in_pcie(part.substr(part.find("pci"))) > 16);
}

// "GB/s", "MBps", "TB/s"
bool is_bytes_per_s(std::string_view text) {
  const auto rest = text.substr(text.empty() ? 0 : 1);
  return text.find_first_of("MGT") == 0 && (rest.starts_with("B/s") || rest.starts_with("Bps"));
}

// "a; b", "a + b", "a, b", "a and b": one thing each.
std::vector<std::string> parts_of(std::string_view text) {
  std::string lower;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_bytes_per_s(text.substr(i))) {
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
      lower += "byte/s";  // once all are lower case a byte is a bit
      i += 3;
      continue;
    }
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (std::string_view(";,+&").find(lower[i]) != std::string_view::npos) {
      parts.emplace_back();
    } else if (lower.compare(i, 5, " and ") == 0) {
      parts.emplace_back();
      i += 4;
    } else if (!(parts.back().empty() && lower[i] == ' ')) {
      parts.back() += lower[i];
    }
  }
  return parts;
}

}  // namespace

std::string_view to_string(NodeLink link) {
  switch (link) {
    case NodeLink::host:
      return "PCIe through the host";
    case NodeLink::peer:
      return "PCIe, peer to peer";
    case NodeLink::nvlink:
      return "NVLink";
    case NodeLink::xgmi:
      return "Infinity Fabric";
  }
  return "?";
}

std::string_view to_string(Fabric fabric) {
  switch (fabric) {
    case Fabric::ethernet:
      return "ethernet";
    case Fabric::roce:
      return "RoCE";
    case Fabric::efa:
      return "EFA";
    case Fabric::tcpx:
      return "GPUDirect-TCPX";
    case Fabric::infiniband:
      return "InfiniBand";
  }
  return "?";
}

std::optional<InterconnectWords> parse_interconnect(std::string_view text) {
  InterconnectWords words;
  bool understood = text.find_first_not_of(' ') == std::string_view::npos;
  for (const auto& part : parts_of(text)) {
    if (impossible(part)) {
      return std::nullopt;
    }
    understood = read_part(part, words) || understood;
  }
  return understood ? std::optional(words) : std::nullopt;
}

std::string unread_interconnect(std::string_view text) {
  std::string unread;
  for (const auto& part : parts_of(text)) {
    InterconnectWords words;
    if (!part.empty() && !read_part(part, words)) {
      unread += (unread.empty() ? "" : "; ") + part.substr(0, part.find_last_not_of(' ') + 1);
    }
  }
  return unread;
}

}  // namespace rightsize
