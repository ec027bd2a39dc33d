#include "advisor/shell/line_editor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>

#include <histedit.h>

namespace rightsize::shell {

struct LineEditor::State {
  Completions completions;
  std::string history_file;
  std::string prompt;
  EditLine* editor = nullptr;
  History* history = nullptr;
};

namespace {

volatile std::sig_atomic_t interrupted = 0;

LineEditor::State& state_of(EditLine* editor) {
  void* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  return *static_cast<LineEditor::State*>(state);
}

char* prompt_of(EditLine* editor) {
  return state_of(editor).prompt.data();
}

std::string common_start(const std::vector<std::string>& words) {
  std::string start = words.front();
  for (const auto& word : words) {
    const auto end = std::mismatch(start.begin(), start.end(), word.begin(), word.end()).first;
    start.erase(end, start.end());
  }
  return start;
}

void list(EditLine* editor, const std::vector<std::string>& words) {
  constexpr std::size_t most = 60;
  FILE* out = nullptr;
  el_get(editor, EL_GETFP, 1, &out);
  std::fputc('\n', out);
  for (std::size_t i = 0; i < words.size() && i < most; ++i) {
    std::fprintf(out, "%s  ", words[i].c_str());
  }
  std::fprintf(out, words.size() > most ? "... %zu more\n" : "\n", words.size() - most);
  el_set(editor, EL_REFRESH);
}

// The longest thing that all candidates agree on; a list of them when that adds nothing.
unsigned char complete(EditLine* editor, int) {
  auto& state = state_of(editor);
  const LineInfo* line = el_line(editor);
  const std::string_view before(line->buffer,
                                static_cast<std::size_t>(line->cursor - line->buffer));
  std::vector<std::string> words;
  try {
    words = state.completions(before);
  } catch (const std::exception&) {
    return CC_ERROR;  // libedit is C: nothing may fly through it
  }
  if (words.empty()) {
    return CC_ERROR;
  }
  const auto typed = before.size() - (before.rfind(' ') + 1);
  auto rest = common_start(words).substr(typed);
  const bool goes_on = words.front().ends_with('/') || words.front().ends_with('=');
  if (words.size() == 1 && !(goes_on && !rest.empty())) {
    rest += ' ';
  } else if (rest.empty()) {
    list(editor, words);
    return CC_REDISPLAY;
  }
  return el_insertstr(editor, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

void note_interrupt(int) {
  interrupted = 1;
}

}  // namespace

LineEditor::LineEditor(Completions completions, std::string history)
    : state_(std::make_unique<State>()) {
  state_->completions = std::move(completions);
  state_->history_file = std::move(history);
  state_->editor = el_init("rightsize", stdin, stdout, stderr);
  state_->history = history_init();
  HistEvent event;
  ::history(state_->history, &event, H_SETSIZE, 1000);
  ::history(state_->history, &event, H_SETUNIQUE, 1);
  if (!state_->history_file.empty()) {
    ::history(state_->history, &event, H_LOAD, state_->history_file.c_str());
  }
  el_set(state_->editor, EL_CLIENTDATA, state_.get());
  el_set(state_->editor, EL_PROMPT, prompt_of);
  el_set(state_->editor, EL_EDITOR, "emacs");
  el_set(state_->editor, EL_HIST, ::history, state_->history);
  el_set(state_->editor, EL_ADDFN, "rightsize-complete", "complete a word", complete);
  el_set(state_->editor, EL_BIND, "^I", "rightsize-complete", nullptr);
  el_set(state_->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(state_->editor, nullptr);  // the user's own ~/.editrc
}

LineEditor::~LineEditor() {
  HistEvent event;
  if (!state_->history_file.empty()) {
    ::history(state_->history, &event, H_SAVE, state_->history_file.c_str());
  }
  history_end(state_->history);
  el_end(state_->editor);
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  state_->prompt = prompt;
  interrupted = 0;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = note_interrupt;  // without SA_RESTART: reading ends
  sigaction(SIGINT, &action, &before);
  int count = 0;
  const char* text = el_gets(state_->editor, &count);
  sigaction(SIGINT, &before, nullptr);
  if (text == nullptr || count <= 0) {
    if (interrupted != 0) {
      el_set(state_->editor, EL_UNBUFFERED, 0);
      el_reset(state_->editor);
      std::puts("^C");
      return std::string();
    }
    return std::nullopt;
  }
  std::string line(text, static_cast<std::size_t>(count));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
    line.pop_back();
  }
  if (!line.empty()) {
    HistEvent event;
    ::history(state_->history, &event, H_ENTER, line.c_str());
  }
  return line;
}

}  // namespace rightsize::shell
