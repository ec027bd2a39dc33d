// `rightsize serve` in a process of its own, asked over a socket by a client that shares no code
// with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace rightsize::test {

struct HttpAnswer {
  int status = 0;  // 0: the connection ended without one
  std::string head;
  std::string body;
};

// What comes over a connection that stays open.
class OpenConnection {
 public:
  explicit OpenConnection(int descriptor) : descriptor_(descriptor) {}
  ~OpenConnection();
  OpenConnection(OpenConnection&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenConnection& operator=(OpenConnection&&) = delete;

  // All that has come since the connection began, as soon as `part` is in it; without it after the
  // end of the connection or ten seconds.
  [[nodiscard]] const std::string& until(const std::string& part);
  [[nodiscard]] bool has_ended() const { return ended_; }

 private:
  int descriptor_;
  bool ended_ = false;
  std::string text_;
};

class RunningServer {
 public:
  // With `--port 0` and these arguments, and what the environment has beside it ("NAME=value").
  // Throws std::runtime_error where it does not come up.
  explicit RunningServer(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment = {});
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& address() const { return address_; }  // as it was printed

  // A request as it goes over the wire, and all that comes back until the connection ends.
  [[nodiscard]] std::string exchanged(const std::string& bytes) const;
  // Closes the connection before an answer can come.
  void send_and_leave(const std::string& bytes) const;
  [[nodiscard]] OpenConnection opened(const std::string& bytes) const;
  [[nodiscard]] HttpAnswer ask(const std::string& method,
                               const std::string& target,
                               const std::string& headers = "",
                               const std::string& body = "") const;
  [[nodiscard]] HttpAnswer get(const std::string& target, const std::string& headers = "") const;

  // Sends the signal, waits for the end and gives the exit code, 128 and the signal's number where
  // one ended it. `err` is what the server wrote to stderr.
  int stop(int signal);
  [[nodiscard]] const std::string& err() const { return err_; }

 private:
  [[nodiscard]] int connected(const std::string& bytes) const;

  pid_t child_ = -1;
  int out_ = -1;
  int err_end_ = -1;
  int port_ = 0;
  std::string address_;
  std::string err_;
};

}  // namespace rightsize::test
