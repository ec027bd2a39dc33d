// The scripts by which bash, zsh and fish ask the program itself: new commands need none.
#include <array>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/completion.h"
#include "advisor/query/usage_error.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

struct Script {
  std::string_view shell;
  std::string_view text;
};

// bash breaks words at : and = and puts only the last piece in place; what may go on after it gets
// no blank.
constexpr std::string_view bash_script = R"(_rightsize() {
  local IFS=$'\n' line=${COMP_LINE:0:COMP_POINT}
  COMPREPLY=($("${COMP_WORDS[0]/#\~/$HOME}" complete "$line" 2>/dev/null))
  local word=${line##*[[:space:]]}
  local kept=${word%"${word##*[:=]}"}
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[/=] ]]; then
    compopt -o nospace
  fi
}
complete -F _rightsize rightsize
)";

constexpr std::string_view zsh_script = R"(#compdef rightsize
_rightsize() {
  local -a found whole open
  found=("${(@f)$(${~words[1]} complete "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  open=(${(M)found:#*[/=]})
  whole=(${found:#*[/=]})
  compadd -a whole
  compadd -S '' -a open
}
if [[ $zsh_eval_context == *loadautofunc* ]]; then
  _rightsize "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _rightsize rightsize
fi
)";

constexpr std::string_view fish_script =
    "complete -c rightsize -f -a '(rightsize complete (commandline -cp | string collect) "
    "2>/dev/null)'\n";

constexpr std::array scripts{
    Script{"bash", bash_script}, Script{"zsh", zsh_script}, Script{"fish", fish_script}};

}  // namespace

int run_completion(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  options.add_options()("shell", po::value<std::string>(), "bash, zsh or fish");
  const auto values = parse(context, "completion", options, {"shell"}, arguments);
  const auto shell = values.count("shell") > 0 ? values["shell"].as<std::string>() : "";
  for (const auto& script : scripts) {
    if (script.shell == shell) {
      context.out << script.text;
      return exit_ok;
    }
  }
  throw UsageError(fmt::format(
      "{}which shell is it? rightsize completion bash, zsh or fish; its --help says where it goes",
      shell.empty() ? "" : shell + ": "));
}

// Says nothing of what is wrong: the user is in the middle of a word.
int run_complete(Context& context, const std::vector<std::string>& arguments) {
  for (const auto& name : completions_of(arguments.empty() ? "" : arguments[0])) {
    context.out << name << "\n";
  }
  return exit_ok;
}

}  // namespace rightsize::cli
