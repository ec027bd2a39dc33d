// Runs made from known laws, with known noise: what a fit finds in them is what was put in.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/observation.h"
#include "models/predict.h"

namespace rightsize::test {

inline Laws true_laws() {
  Laws laws;
  laws.compute = {0.8, 0.05};
  laws.data_cpu_s = 1.4e-3;
  laws.scaling = {0.05, 0};
  laws.disk = {0.97, 3e-4};
  laws.native_disk.bytes_per_s = 2e9;
  laws.cache.protection = 0.45;
  laws.sharpness = 8;
  return laws;
}

inline Record record_under(double cpus, std::uint64_t memory, double disk_read, Workload workload) {
  Record record;
  record.campaign = "synthetic";
  record.name = std::to_string(cpus) + "/" + std::to_string(memory) + "/" +
                std::to_string(disk_read) + "/" + std::to_string(workload.batch) +
                std::string(to_string(workload.engine));
  record.id = record.name;
  record.workload = workload;
  record.limits.cpus = cpus;
  record.limits.memory_bytes = memory;
  record.limits.disk_read_bytes_per_s = disk_read;
  record.machine.cpus = 16;
  record.machine.memory_bytes = 64ULL << 30;
  record.dataset_items = 2000;
  record.dataset_bytes = 2000 * 110'000ULL;
  record.loader_threads = static_cast<int>(std::ceil(cpus));
  record.peak_anonymous_bytes = 50ULL << 20;
  record.status = Status::measured;
  record.reason.clear();
  return record;
}

// A grid of runs whose throughput is the truth times exp(normal noise).
inline std::vector<Record> made_records(double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  const Laws truth = true_laws();
  std::vector<Record> records;
  const auto add = [&](Record record) {
    const auto setting = setting_of(record);
    Laws laws = truth;
    if (record.workload.data == DataFormat::synthetic) {
      laws.data_cpu_s = 0;
    }
    record.throughput.median = predicted_items_per_s(laws, setting) * std::exp(normal(random));
    record.throughput.samples = 20;
    record.cpu_s_per_item = laws.data_cpu_s * std::exp(normal(random));
    records.push_back(record);
  };
  Workload replay;
  replay.engine = EngineKind::replay;
  replay.data = DataFormat::recordio;
  for (const double rate : {400.0, 2500.0}) {
    replay.replay_items_per_s = rate;
    for (const double cpus : {1.0, 2.0, 4.0, 8.0}) {
      for (const std::uint64_t memory : {100ULL << 20, 200ULL << 20, 600ULL << 20}) {
        for (const double disk : {0.0, 20e6, 80e6}) {
          add(record_under(cpus, memory, disk, replay));
        }
      }
    }
  }
  Workload compute;
  compute.engine = EngineKind::cpu;
  for (const int batch : {1, 8, 32}) {
    for (const double cpus : {1.0, 2.0, 4.0}) {
      compute.batch = batch;
      add(record_under(cpus, 0, 0, compute));
    }
  }
  return records;
}

}  // namespace rightsize::test
