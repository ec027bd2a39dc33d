// The words of a disk as people write it: its name, and what among them is a size or a speed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

// "500 GB SSD", "ssd:500GiB", "gp3:1TiB", "gp3 151 GiB 250 MB/s 4000 IOPS".
struct DiskWords {
  std::vector<std::string>
      names;            // a number without a unit that is known is one, with what follows
  double size_gib = 0;  // 0: not said, here and below
  double mbps = 0;
  double iops = 0;

  [[nodiscard]] std::string name() const;  // with blanks
};

[[nodiscard]] DiskWords disk_words(const std::string& text);

// Refuses a word that neither is part of the name (`known`, bare of all but letters and digits) nor
// what disks are called, as in "gp3 500 GiB fast": passed over it would be taken for understood.
// Throws UsageError that begins with `place` = `text`.
void check_understood(const DiskWords& words,
                      std::string_view known,
                      const std::string& text,
                      const std::string& place);

}  // namespace rightsize
