// Where a fit starts, and how far it may stray: what the runs say directly, before any law is
// fitted.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "models/observation.h"

namespace rightsize {

// The middle value; `values` must not be empty.
[[nodiscard]] double median_of(std::vector<double> values);

class Priors {
 public:
  // `disk_bytes_per_s`: of the machine's own disk, where its baseline is known; else 0.
  explicit Priors(std::span<const Observation> observations, double disk_bytes_per_s = 0);

  // One parameter per law that the observations can say something of.
  [[nodiscard]] std::vector<Parameter> parameters() const;

 private:
  std::map<std::string, std::vector<double>> compute_;
  // What a run says of its data path, per item.
  struct DataCost {
    double cpu_s = 0;
    double read_bytes = 0;  // from the disk
    double bytes = 0;       // of an item
  };
  [[nodiscard]] static Parameter reading_cost(const std::string& key,
                                              const std::vector<DataCost>& runs);

  std::map<std::string, std::vector<DataCost>> data_;
  std::set<std::string> data_with_compute_;
  std::map<std::string, std::vector<double>> serial_;
  std::vector<double> copy_;
  std::map<std::string, double> amplification_;
  void note_wait(const Record& record);

  double fastest_disk_ = 0;
  double least_wait_s_ = 0;  // for an item of waited_bytes_ that the disk had to give; 0: not seen
  double waited_bytes_ = 0;
  double known_disk_;
};

}  // namespace rightsize
