#include "kernels/gpu/plugin_library.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

namespace rightsize::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "librightsize_gpu.so";
constexpr const char* cudnn_name = "libcudnn.so.9";

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string loader_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

fs::path executable_folder() {
  std::error_code error;
  const auto path = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path(".") : path.parent_path();
}

// cuDNN from a configured folder, visible to the plugin, which asks for it by its bare name.
bool open_configured_cudnn(std::string& reason) {
  const auto folder = environment("RIGHTSIZE_CUDNN_LIB_DIR");
  if (folder.empty()) {
    return true;
  }
  const auto path = fs::path(folder) / cudnn_name;
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) != nullptr) {
    return true;
  }
  reason = fmt::format(
      "cannot open {} from RIGHTSIZE_CUDNN_LIB_DIR ({}); set it to the folder "
      "that holds {}, or unset it",
      path.string(),
      loader_error(),
      cudnn_name);
  return false;
}

// The loader's words are exact but offer no way out.
std::string explained(const std::string& path, const std::string& error) {
  const auto mentions = [&](std::string_view text) {
    return error.find(text) != std::string::npos;
  };
  // "libcudnn.so.9: cannot open shared object file: No such file or directory"
  if (error.starts_with("libcudnn") && mentions("cannot open shared object file")) {
    return fmt::format(
        "{} not found: set RIGHTSIZE_CUDNN_LIB_DIR to its folder, e.g. "
        "$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])')/lib, "
        "or install cuDNN 9",
        error.substr(0, error.find(':')));
  }
  if (error.starts_with("libcublas") && mentions("cannot open shared object file")) {
    return fmt::format(
        "a CUDA library is missing ({}): add the folder of the CUDA toolkit's "
        "libraries to LD_LIBRARY_PATH, e.g. /usr/local/cuda/lib64",
        error);
  }
  return fmt::format(
      "cannot open the GPU plugin {}: {}; rebuild it on this machine with nvcc on "
      "the PATH, or use engine = \"cpu\"",
      path,
      error);
}

const abi::Plugin* functions_of(void* library, const std::string& path, std::string& reason) {
  const auto entry = reinterpret_cast<abi::EntryPoint>(dlsym(library, abi::entry_point));
  if (entry == nullptr) {
    reason = fmt::format(
        "{} is not a rightsize plugin: it exports no {}; point "
        "RIGHTSIZE_GPU_PLUGIN at {}",
        path,
        abi::entry_point,
        file_name);
    return nullptr;
  }
  const auto* const functions = entry();
  if (functions->version != abi::version || functions->bytes != sizeof(abi::Plugin)) {
    reason = fmt::format(
        "{} speaks plugin ABI {} ({} bytes), this program speaks {} ({} bytes); "
        "rebuild both from one source tree",
        path,
        functions->version,
        functions->bytes,
        abi::version,
        sizeof(abi::Plugin));
    return nullptr;
  }
  return functions;
}

std::vector<std::string> candidates() {
  const auto configured = environment("RIGHTSIZE_GPU_PLUGIN");
  if (!configured.empty()) {
    return {configured};
  }
  std::vector<std::string> paths;
  const auto beside = executable_folder() / file_name;
  if (fs::exists(beside)) {
    paths.push_back(beside.string());
  }
  paths.emplace_back(file_name);
  return paths;
}

std::string not_found(const std::string& path) {
  if (path != file_name) {
    return fmt::format(
        "RIGHTSIZE_GPU_PLUGIN names {}, which does not exist; point it at {}, or "
        "unset it",
        path,
        file_name);
  }
  return fmt::format(
      "no {} beside the program in {} nor on the loader's path: this build has no "
      "GPU support. Build with nvcc on the PATH, set RIGHTSIZE_GPU_PLUGIN to the "
      "plugin, or use engine = \"cpu\"",
      file_name,
      executable_folder().string());
}

bool is_missing(const std::string& path, const std::string& error) {
  const auto prefix = path + ": cannot open shared object file: No such file";
  return error.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

std::optional<PluginLibrary> PluginLibrary::open(std::string& reason) {
  if (!open_configured_cudnn(reason)) {
    return std::nullopt;
  }
  for (const auto& path : candidates()) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
      const auto error = loader_error();
      reason = is_missing(path, error) ? not_found(path) : explained(path, error);
      if (!is_missing(path, error)) {
        return std::nullopt;  // it is there, and this is what it lacks
      }
      continue;
    }
    const auto* const functions = functions_of(library, path, reason);
    if (functions == nullptr) {
      return std::nullopt;
    }
    return PluginLibrary(functions, path);
  }
  return std::nullopt;
}

}  // namespace rightsize::gpu
