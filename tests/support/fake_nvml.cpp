// The part of NVIDIA's management library that profiler/nvml.cpp calls, for four made-up GPUs of
// one kind: the i-th uses i GiB, is busy for i percent of the time and takes i watts.
#include <cstdint>
#include <cstring>

namespace {

constexpr int success = 0;
constexpr int not_found = 6;
constexpr unsigned gpus = 4;

struct MemoryInfo {
  unsigned long long total, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};

unsigned index_of(const void* device) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device) - 1);
}

int say(const char* text, char* target, unsigned size) {
  std::strncpy(target, text, size);
  return success;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return success;
}

int nvmlShutdown() {
  return success;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = gpus;
  return success;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1);
  return index < gpus ? success : not_found;
}

int nvmlDeviceGetName(void*, char* name, unsigned size) {
  return say("Fake GPU", name, size);
}

int nvmlDeviceGetUUID(void* device, char* uuid, unsigned size) {
  constexpr const char* uuids[gpus] = {"GPU-aa01", "GPU-aa02", "GPU-bb03", "GPU-cc04"};
  return say(uuids[index_of(device)], uuid, size);
}

int nvmlDeviceGetMemoryInfo(void* device, MemoryInfo* memory) {
  const auto used = static_cast<unsigned long long>(index_of(device)) << 30U;
  *memory = {8ULL << 30U, (8ULL << 30U) - used, used};
  return success;
}

int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) {
  *major = 9;
  *minor = 0;
  return success;
}

int nvmlSystemGetDriverVersion(char* version, unsigned size) {
  return say("580.1", version, size);
}

int nvmlDeviceGetUtilizationRates(void* device, Utilization* utilization) {
  *utilization = {index_of(device), 0};
  return success;
}

int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  *milliwatts = 1000 * index_of(device);
  return success;
}
}
