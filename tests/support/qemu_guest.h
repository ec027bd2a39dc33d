// A small Linux of its own inside qemu, for what this machine's kernel does not have: cgroup v2
// with all controllers. The kernel is Debian's cloud image (`./dev` unpacks it below the build
// folder), the rest a RAM disk with busybox and one of our programs.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>

#include "support/temporary_folder.h"

namespace rightsize::test {

class QemuGuest {
 public:
  // Why there can be no guest here; empty: there can.
  static std::string reason_against(const std::string& kernel_folder) {
    for (const auto* tool : {"qemu-system-x86_64", "busybox", "cpio", "mke2fs", "ldd"}) {
      if (std::system(fmt::format("command -v {} > /dev/null 2>&1", tool).c_str()) != 0) {
        return fmt::format("{} is not installed", tool);
      }
    }
    return kernel_in(kernel_folder).empty()
               ? fmt::format("no guest kernel in {}; ./dev test fetches it", kernel_folder)
               : "";
  }

  // Everything but the run: `program` with its libraries, a disk of `disk_mib` mounted at /data.
  QemuGuest(const std::string& kernel_folder, const std::string& program, int disk_mib)
      : kernel_(kernel_in(kernel_folder)) {
    shell(fmt::format("mkdir -p {0}/bin {0}/proc {0}/sys {0}/dev {0}/tmp {0}/data {0}/modules",
                      root()));
    shell(fmt::format("cp \"$(command -v busybox)\" {}/bin/busybox", root()));
    shell(fmt::format("cp {} {}/program", program, root()));
    shell(
        fmt::format("for f in $(ldd {0} | grep -o '/[^ ]*'); do "
                    "mkdir -p {1}/$(dirname $f) && cp -L $f {1}/$f; done",
                    program,
                    root()));
    shell(fmt::format(
        "find {} -name 'virtio*.ko' -exec cp {{}} {}/modules \\;", kernel_folder, root()));
    shell(fmt::format("truncate -s {}M {}/disk && mke2fs -q -t ext4 -F {}/disk",
                      disk_mib,
                      folder_.path(),
                      folder_.path()));
  }

  // Boots, runs `program` with `arguments` in the root group, and returns all that came over the
  // console. Without KVM, whose guests die on some hosts, and without a network card, whose
  // firmware once hung before the kernel.
  std::string run(const std::string& arguments, int timeout_s) {
    write_init(arguments);
    shell(fmt::format(
        "cd {} && find . | cpio -o -H newc --quiet > {}/initrd", root(), folder_.path()));
    return shell(fmt::format(
        "timeout -k 5 {} qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 1024 -nographic "
        "-nic none -no-reboot -kernel {} -initrd {}/initrd -append 'console=ttyS0 quiet panic=-1 "
        "psi=1' "
        "-drive file={}/disk,format=raw,if=virtio,cache=unsafe < /dev/null 2>&1",
        timeout_s,
        kernel_,
        folder_.path(),
        folder_.path()));
  }

 private:
  [[nodiscard]] std::string root() const { return folder_.path() + "/root"; }

  static std::string kernel_in(const std::string& folder) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/boot", none)) {
      if (entry.path().filename().string().starts_with("vmlinuz")) {
        return entry.path().string();
      }
    }
    return {};
  }

  void write_init(const std::string& arguments) const {
    const auto path = root() + "/init";
    std::ofstream(path) << "#!/bin/busybox sh\n"
                           "/bin/busybox --install -s /bin\n"
                           "mount -t proc proc /proc\nmount -t sysfs sys /sys\n"
                           "mount -t devtmpfs dev /dev\n"
                           // In no order: each needs others, which are there by the third time.
                           "for i in 1 2 3; do for m in /modules/*.ko; do\n"
                           "  insmod $m 2> /dev/null\ndone; done\n"
                           "mount -t cgroup2 cgroup2 /sys/fs/cgroup\n"
                           "mount -t ext4 /dev/vda /data\n"
                           "/program "
                        << arguments << "\necho the program ended with code $?\npoweroff -f\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  static std::string shell(const std::string& line) {
    FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) {
      throw std::runtime_error("cannot run " + line);
    }
    std::string said;
    std::array<char, 4096> piece{};
    for (std::size_t count = 0; (count = fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
      said.append(piece.data(), count);
    }
    if (const int status = pclose(pipe); status != 0) {
      throw std::runtime_error(
          fmt::format("ended with code {}: {}\n{}", WEXITSTATUS(status), line, said));
    }
    return said;
  }

  TemporaryFolder folder_;
  std::string kernel_;
};

}  // namespace rightsize::test
