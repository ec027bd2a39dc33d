// Lines from a terminal, with history and completion (libedit), or from a pipe as they are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rightsize::shell {

class LineEditor {
 public:
  using Completions = std::function<std::vector<std::string>(std::string_view line)>;

  // `history` is a file that keeps the last 1000 lines between sessions; "" keeps none.
  LineEditor(Completions completions, std::string history);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // The next line without its end; nullopt at the end of the input. Ctrl-C gives an empty one.
  [[nodiscard]] std::optional<std::string> read(const std::string& prompt);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace rightsize::shell
