// The interactive shell in a terminal: tmux types the keys and reads the screen.
#include <chrono>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "support/said_by.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::said_by;

namespace {

// A terminal of its own server, which ends with it.
class Terminal {
 public:
  explicit Terminal(const std::string& command)
      : tmux_(fmt::format("tmux -L rightsize-test-{} -f /dev/null ", getpid())) {
    REQUIRE(
        said_by(fmt::format("{} new-session -d -x 130 -y 50 \"{}; echo left with \\$?; read x\"",
                            tmux_,
                            command))
            .code == 0);
  }
  ~Terminal() { said_by(tmux_ + "kill-server"); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Keys by tmux's names (C-c, Tab, Up, Enter); text as it is, in quotes.
  void type(const std::string& keys) const { said_by(tmux_ + "send-keys " + keys); }

  [[nodiscard]] std::string screen() const { return said_by(tmux_ + "capture-pane -p").out; }

  // Whether `text` stands on the screen so many times, within half a minute.
  [[nodiscard]] bool shows(const std::string& text, int times = 1) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < until) {
      int seen = 0;
      const auto now = screen();
      for (std::size_t at = now.find(text); at != std::string::npos; at = now.find(text, at + 1)) {
        ++seen;
      }
      if (seen >= times) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    MESSAGE(screen());
    return false;
  }

 private:
  std::string tmux_;
};

const std::string program = RIGHTSIZE_BINARY;
const std::string source = RIGHTSIZE_SOURCE_DIR;

}  // namespace

TEST_CASE("shell in a terminal: completion, history, Ctrl-C ends the command, Ctrl-D the shell") {
  if (said_by("tmux -V").code != 0) {
    MESSAGE("skipped: tmux is not installed (./dev setup installs it)");
    return;
  }
  const TemporaryFolder home;
  const Terminal terminal(fmt::format(
      "cd {} && env HOME={} XDG_DATA_HOME={} {} shell", source, home / "", home / "", program));
  CHECK(terminal.shows("rightsize>"));

  terminal.type("'set jo' Tab 'examples/service/jo' Tab");
  CHECK(terminal.shows("set job examples/service/job.toml"));
  terminal.type("Enter 'top 2' Enter");
  CHECK(terminal.shows("max req/s"));

  terminal.type("'networks' C-c");  // the line, not the shell
  terminal.type("'compere 1 2' Enter");
  CHECK(terminal.shows("did you mean"));
  terminal.type("Up");
  CHECK(terminal.shows("compere 1 2", 2));
  terminal.type("C-c");

  terminal.type("'profile --seconds 300 -- sleep 300' Enter");
  CHECK(terminal.shows("no step seen"));  // it is under way
  terminal.type("C-c");
  CHECK(terminal.shows("Ctrl-C again stops now"));
  terminal.type("C-c");
  terminal.type("'sort cost' Enter");
  CHECK(terminal.shows("rightsize job>", 7));  // the last waits for a command

  terminal.type("C-d");
  CHECK(terminal.shows("left with 0"));
}
