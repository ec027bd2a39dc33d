#include "advisor/export/server_script.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rightsize {
namespace {

// Between the ports of a machine's replicas: some take more, behind the one they are told.
constexpr int port_distance = 100;

std::string script_line(const ServerCommand& command, const std::string& indent) {
  return fmt::format("{}", fmt::join(command.line, " \\\n  " + indent));
}

std::string lines_before(const ServerCommand& command) {
  return command.longest + (command.before.empty() ? "" : command.before + "\n");
}

// Without buffers: a token is to be seen when it is written.
std::string balancer_file(const ServerCommand& command, int replicas) {
  // Of a caller and of a replica one each, and as many again that wait.
  const int connections = 4 * replicas * std::max(command.sequences, 128);
  std::string servers;
  for (int replica = 1; replica <= replicas; ++replica) {
    servers += fmt::format(" server 127.0.0.1:{};", command.port + port_distance * replica);
  }
  return fmt::format(
      "balancer=$(mktemp)\n"
      "cat > $balancer <<'END'\n"
      "pid /tmp/balancer.pid;\n"
      "error_log stderr;\n"
      "worker_rlimit_nofile {};\n"
      "events {{ worker_connections {}; }}\n"
      "http {{\n"
      "  access_log off;\n"
      "  upstream replicas {{ least_conn;{} }}\n"
      "  server {{\n"
      "    listen {};\n"
      "    client_max_body_size 0;\n"
      "    location / {{\n"
      "      proxy_pass http://replicas;\n"
      "      proxy_buffering off;\n"
      "      proxy_read_timeout 1h;\n"
      "    }}\n"
      "  }}\n"
      "}}\n"
      "END\n",
      connections + 64,  // and what it has open itself
      connections,
      servers,
      command.port);
}

std::string replicas_loop(const ServerCommand& command, const TokenServer& server) {
  return fmt::format(
      "for replica in {{1..{}}}; do\n"
      "  PORT=$(({} + {} * replica))\n"
      "  first=$(({} * (replica - 1)))\n"
      "  CUDA_VISIBLE_DEVICES=$(seq -s , $first $((first + {}))) \\\n"
      "    {} &\n"
      "done\n",
      server.replicas,
      command.port,
      port_distance,
      server.gpus_each(),
      server.gpus_each() - 1,
      script_line(command, "    "));
}

}  // namespace

std::string replica_script(const ServerCommand& command) {
  return lines_before(command) +
         fmt::format("PORT={}\nexec {}\n", command.port, script_line(command, ""));
}

std::string machine_script(const ServerCommand& command, const TokenServer& server) {
  if (server.replicas == 1) {
    return replica_script(command);
  }
  return lines_before(command) + balancer_file(command, server.replicas) +
         replicas_loop(command, server) +
         "nginx -c $balancer -g 'daemon off;' &\n"
         "wait -n  # all of them are to stay: the first to end is a failure\n"
         "exit 1\n";
}

}  // namespace rightsize
