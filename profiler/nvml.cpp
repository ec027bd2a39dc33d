#include "profiler/nvml.h"

#include <array>
#include <memory>
#include <string>

#include <dlfcn.h>
#include <fmt/format.h>

#include "profiler/visible_gpu.h"

namespace rightsize {
namespace {

// Own prototypes, after NVIDIA's published NVML API reference: nvml.h is not part of every toolkit,
// and the library must not be linked where there is no driver.
using Device = void*;
struct MemoryInfo {
  unsigned long long total = 0;
  unsigned long long free = 0;
  unsigned long long used = 0;
};
struct Utilization {  // percent of the last sampling period
  unsigned gpu = 0;
  unsigned memory = 0;
};
constexpr int success = 0;
constexpr unsigned text_size = 96;

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <typename Function>
Function find(const Library& library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library.get(), name));
}

class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) {
      return;
    }
    const auto init = find<int (*)()>(library_, "nvmlInit_v2");
    shutdown_ = find<int (*)()>(library_, "nvmlShutdown");
    count_ = find<int (*)(unsigned*)>(library_, "nvmlDeviceGetCount_v2");
    device_ = find<int (*)(unsigned, Device*)>(library_, "nvmlDeviceGetHandleByIndex_v2");
    name_ = find<int (*)(Device, char*, unsigned)>(library_, "nvmlDeviceGetName");
    uuid_ = find<int (*)(Device, char*, unsigned)>(library_, "nvmlDeviceGetUUID");
    memory_ = find<int (*)(Device, MemoryInfo*)>(library_, "nvmlDeviceGetMemoryInfo");
    capability_ = find<int (*)(Device, int*, int*)>(library_, "nvmlDeviceGetCudaComputeCapability");
    driver_ = find<int (*)(char*, unsigned)>(library_, "nvmlSystemGetDriverVersion");
    utilization_ = find<int (*)(Device, Utilization*)>(library_, "nvmlDeviceGetUtilizationRates");
    power_ = find<int (*)(Device, unsigned*)>(library_, "nvmlDeviceGetPowerUsage");
    ready_ = init != nullptr && shutdown_ != nullptr && count_ != nullptr && device_ != nullptr &&
             name_ != nullptr && memory_ != nullptr && capability_ != nullptr &&
             driver_ != nullptr && init() == success;
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (ready_) {
      shutdown_();
    }
  }

  [[nodiscard]] std::vector<Gpu> gpus() const {
    std::vector<Gpu> found;
    for (unsigned index = 0; index < count(); ++index) {
      Device device = nullptr;
      if (device_(index, &device) == success) {
        found.push_back(describe(device));
      }
    }
    return found;
  }

  // A GPU that a control group keeps from us is counted, and not to be had.
  [[nodiscard]] std::vector<GpuIdentity> identities() const {
    std::vector<GpuIdentity> found;
    for (unsigned index = 0; index < count(); ++index) {
      Device device = nullptr;
      if (device_(index, &device) == success) {
        found.push_back({index, text_of(name_, device), text_of(uuid_, device)});
      }
    }
    return found;
  }

  [[nodiscard]] GpuReading read(unsigned index) const {
    GpuReading reading;
    Device device = nullptr;
    if (!ready_ || device_(index, &device) != success) {
      return reading;
    }
    MemoryInfo memory;
    if (memory_(device, &memory) == success) {
      reading.memory_bytes = memory.used;
    }
    Utilization utilization;
    if (utilization_ != nullptr && utilization_(device, &utilization) == success) {
      reading.busy = utilization.gpu / 100.0;
    }
    unsigned milliwatts = 0;
    if (power_ != nullptr && power_(device, &milliwatts) == success) {
      reading.watts = milliwatts / 1e3;
    }
    return reading;
  }

 private:
  [[nodiscard]] unsigned count() const {
    unsigned count = 0;
    return ready_ && count_(&count) == success ? count : 0;
  }

  static std::string text_of(int (*property)(Device, char*, unsigned), Device device) {
    std::array<char, text_size> text{};
    const bool known = property != nullptr && property(device, text.data(), text_size) == success;
    return known ? text.data() : "";
  }

  [[nodiscard]] Gpu describe(Device device) const {
    Gpu gpu;
    gpu.name = text_of(name_, device);
    std::array<char, text_size> text{};
    if (driver_(text.data(), text_size) == success) {
      gpu.driver = text.data();
    }
    MemoryInfo memory;
    if (memory_(device, &memory) == success) {
      gpu.memory_bytes = memory.total;
    }
    int major = 0;
    int minor = 0;
    if (capability_(device, &major, &minor) == success) {
      gpu.compute_capability = fmt::format("{}.{}", major, minor);
    }
    return gpu;
  }

  Library library_;
  bool ready_ = false;
  int (*shutdown_)() = nullptr;
  int (*count_)(unsigned*) = nullptr;
  int (*device_)(unsigned, Device*) = nullptr;
  int (*name_)(Device, char*, unsigned) = nullptr;
  int (*memory_)(Device, MemoryInfo*) = nullptr;
  int (*capability_)(Device, int*, int*) = nullptr;
  int (*driver_)(char*, unsigned) = nullptr;
  int (*utilization_)(Device, Utilization*) = nullptr;  // these three may be missing
  int (*power_)(Device, unsigned*) = nullptr;
  int (*uuid_)(Device, char*, unsigned) = nullptr;
};

}  // namespace

std::vector<Gpu> list_gpus() {
  return Nvml().gpus();
}

struct GpuWatch::State {
  Nvml library;
  std::optional<unsigned> device = first_visible_gpu(cuda_environment_here(), library.identities());
};

GpuWatch::GpuWatch() : state_(std::make_unique<State>()) {}
GpuWatch::~GpuWatch() = default;

GpuReading GpuWatch::read() const {
  return state_->device ? state_->library.read(*state_->device) : GpuReading{};
}

}  // namespace rightsize
