#include "kernels/networks/program.h"

#include "kernels/networks/builder.h"

namespace rightsize {
namespace {

constexpr std::string_view prefix = "program:";

}  // namespace

std::optional<std::string> program_named(std::string_view network) {
  return network.starts_with(prefix) && network.size() > prefix.size()
             ? std::optional(std::string(network.substr(prefix.size())))
             : std::nullopt;
}

std::string bare_program(std::string_view network) {
  return program_named(network).value_or(std::string(network));
}

std::string as_network(std::string_view program) {
  return std::string(prefix) + std::string(program);
}

Network make_program(std::string_view program) {
  NetworkBuilder net(as_network(program), std::string(program), {1, 1, 1}, 1);
  return net.finish(net.input());
}

}  // namespace rightsize
