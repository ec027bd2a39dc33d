// The command of a language model's server as bash: one replica by itself, or all of a machine,
// each on GPUs and a port of its own. Lines end with a newline.
#pragma once

#include <string>

#include "advisor/export/server_command.h"

namespace rightsize {

// Listens on the command's port.
[[nodiscard]] std::string replica_script(const ServerCommand& command);

// Where there are several nginx, which has to be installed, listens on that port and hands what
// comes to the replica that has the least under way; it ends when any of them ends.
[[nodiscard]] std::string machine_script(const ServerCommand& command, const TokenServer& server);

// What installs nginx in Debian's and Ubuntu's images, those of all servers known here.
constexpr std::string_view install_balancer =
    "$(command -v sudo) apt-get update && $(command -v sudo) apt-get install -y nginx\n";

}  // namespace rightsize
