#include "support/running_server.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rightsize::test {
namespace {

std::string line_from(int descriptor) {
  std::string line;
  for (char c = 0; read(descriptor, &c, 1) == 1 && c != '\n';) {
    line += c;
  }
  return line;
}

std::string all_from(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (ssize_t n = 0; (n = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment,
                         int out,
                         int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const auto& one : environment) {
    putenv(const_cast<char*>(one.c_str()));
  }
  std::vector<std::string> words = {RIGHTSIZE_BINARY, "serve", "--port", "0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

OpenConnection::~OpenConnection() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

const std::string& OpenConnection::until(const std::string& part) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(10);
  while (text_.find(part) == std::string::npos && !ended_ && Clock::now() < end) {
    pollfd there{descriptor_, POLLIN, 0};
    if (poll(&there, 1, 100) <= 0) {
      continue;
    }
    std::array<char, 65536> buffer{};
    const auto n = recv(descriptor_, buffer.data(), buffer.size(), 0);
    ended_ = n <= 0;
    text_.append(buffer.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  }
  return text_;
}

RunningServer::RunningServer(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (pipe(out.data()) != 0 || pipe(err.data()) != 0 || (child_ = fork()) < 0) {
    throw std::runtime_error("cannot start a process");
  }
  if (child_ == 0) {
    become(arguments, environment, out[1], err[1]);
  }
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_end_ = err[0];
  address_ = line_from(out_);
  const auto colon = address_.rfind(':');
  if (colon == std::string::npos) {
    throw std::runtime_error("rightsize serve did not come up: " + all_from(err_end_));
  }
  port_ = std::atoi(address_.c_str() + colon + 1);
}

RunningServer::~RunningServer() {
  if (child_ > 0) {
    (void)stop(SIGKILL);
  }
}

int RunningServer::stop(int signal) {
  kill(child_, signal);
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  err_ = all_from(err_end_);
  close(out_);
  close(err_end_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int RunningServer::connected(const std::string& bytes) const {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  const timeval longest{60, 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(port_));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection, reinterpret_cast<sockaddr*>(&there), sizeof there) != 0) {
    close(connection);
    throw std::runtime_error("cannot connect to the server");
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const auto n = send(connection, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) {
      break;  // it has heard enough
    }
    at += static_cast<std::size_t>(n);
  }
  return connection;
}

std::string RunningServer::exchanged(const std::string& bytes) const {
  const int connection = connected(bytes);
  auto answer = all_from(connection);
  close(connection);
  return answer;
}

void RunningServer::send_and_leave(const std::string& bytes) const {
  close(connected(bytes));
}

OpenConnection RunningServer::opened(const std::string& bytes) const {
  return OpenConnection(connected(bytes));
}

HttpAnswer RunningServer::ask(const std::string& method,
                              const std::string& target,
                              const std::string& headers,
                              const std::string& body) const {
  const auto length = body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n";
  const auto answer =
      exchanged(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                headers + length + "\r\n" + body);
  const auto end = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1.1 ") || end == std::string::npos) {
    return {};
  }
  return {std::atoi(answer.c_str() + 9), answer.substr(0, end), answer.substr(end + 4)};
}

HttpAnswer RunningServer::get(const std::string& target, const std::string& headers) const {
  return ask("GET", target, headers);
}

}  // namespace rightsize::test
