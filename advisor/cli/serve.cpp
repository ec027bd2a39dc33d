#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/cli/command.h"
#include "advisor/cli/fitted_model.h"
#include "advisor/cli/flags_again.h"
#include "advisor/cli/own_machines.h"
#include "advisor/cli/tables.h"
#include "advisor/http/server.h"
#include "advisor/query/usage_error.h"
#include "pricing/catalog.h"

namespace rightsize::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

void add_options(Options& options) {
  options.add_options()("folder",
                        po::value<std::string>()->default_value("."),
                        "of job files; nothing outside it is read because a request says so")(
      "port", po::value<int>()->default_value(8434), "to listen at; 0: a free one")(
      "host",
      po::value<std::string>()->default_value("127.0.0.1"),
      "the address to listen at; 0.0.0.0: all of this machine")(
      "name",
      po::value<std::vector<std::string>>(),
      "of this server, beside localhost, as others ask for it; repeatable")(
      "no-auth",
      "ask nobody for a token (RIGHTSIZE_TOKEN says which, else one is made for this run)")(
      "limit", po::value<int>()->default_value(60), "seconds after which an answer is given up")(
      "at-once",
      po::value<int>()->default_value(
          static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      "answers worked out at once; more wait for their turn")("quiet", "do not tell the requests")(
      "prices",
      po::value<std::vector<std::string>>(),
      "a price table of yours behind every answer, or a folder of them; repeatable")(
      "on-prem",
      po::value<std::vector<std::string>>(),
      "a machine of yours behind every answer, as advise takes it; repeatable");
  add_model_option(options);
  add_store_option(options);
}

int whole(const Values& values, const char* name, int least, int most) {
  const int value = values[name].as<int>();
  if (value < least || value > most) {
    throw UsageError(
        fmt::format("--{} {}: expected a number from {} to {}", name, value, least, most));
  }
  return value;
}

std::string token_of(const Values& values) {
  if (values.count("no-auth") > 0) {
    return "";
  }
  const char* said = std::getenv("RIGHTSIZE_TOKEN");
  if (said == nullptr || *said == '\0') {
    return http::made_token();
  }
  if (!http::is_token(said)) {
    throw UsageError("RIGHTSIZE_TOKEN: expected letters, digits and - . _ ~");
  }
  return said;
}

// Flags that each answer is asked with, their files by whole paths: answers are worked out in the
// folder.
std::vector<std::string> own_flags(const Values& values) {
  std::vector<std::string> words;
  for (const auto* name : {"prices", "on-prem"}) {
    if (values.count(name) > 0) {
      for (const auto& value : values[name].as<std::vector<std::string>>()) {
        const bool file = std::string_view(name) == "prices";
        words.push_back(fmt::format("--{}={}", name, file ? fs::absolute(value).string() : value));
      }
    }
  }
  const auto told = [&](const char* name, const char* variable, const std::string& path) {
    if (values.count(name) > 0 || std::getenv(variable) != nullptr) {
      words.push_back(fmt::format("--{}={}", name, fs::absolute(path).string()));
    }
  };
  told("model", "RIGHTSIZE_MODEL", model_path(values));
  told("db", "RIGHTSIZE_DB", store_path(values));
  return words;
}

bool this_machine_only(const std::string& host) {
  return host.starts_with("127.") || host == "::1";
}

http::Door door_of(const Values& values) {
  http::Door door;
  door.token = token_of(values);
  if (values.count("name") > 0) {
    door.names = values["name"].as<std::vector<std::string>>();
  }
  const auto host = values["host"].as<std::string>();
  door.names.push_back(host);
  if (!this_machine_only(host)) {
    if (door.token.empty() && values.count("name") == 0) {
      throw UsageError(fmt::format(
          "--host {} --no-auth: whoever reaches this machine could ask; leave --no-auth out, or "
          "say by --name which server this is",
          host));
    }
    door.names.push_back(door.token.empty() ? host : "*");  // whatever it is called from afar
  }
  return door;
}

// Read before the first question: a process per answer begins with them.
void read_tables() {
  (void)shipped_catalog();
  (void)shipped_gpu_rates();
  (void)shipped_cpu_speeds();
  (void)shipped_model();
}

}  // namespace

int run_serve(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_options(options);
  const auto values = parse(context, "serve", options, {"folder"}, arguments);
  const auto folder = values["folder"].as<std::string>();
  if (!fs::is_directory(folder)) {
    throw UsageError(fmt::format("{}: there is no such folder", folder));
  }
  if (!nothing_fitted(values)) {
    static_cast<void>(load_model(model_path(values)));  // now, not at the first question
  }
  http::ServerOptions server;
  server.host = values["host"].as<std::string>();
  server.port = static_cast<unsigned short>(whole(values, "port", 0, 65535));
  server.at_once = static_cast<std::size_t>(whole(values, "at-once", 1, 1024));
  server.limit = std::chrono::seconds(whole(values, "limit", 1, 86400));
  const auto door = door_of(values);
  const http::Site site(door,
                        {fs::canonical(folder).string(),
                         own_flags(values),
                         fs::absolute(store_path(values)).string()});
  read_tables();
  std::signal(SIGPIPE, SIG_IGN);
  const bool quiet = values.count("quiet") > 0;
  http::serve(
      site,
      server,
      [&](unsigned short port) {
        const auto name =
            server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
        context.out << fmt::format("http://{}:{}/{}\n",
                                   name == "0.0.0.0" ? "127.0.0.1" : name,
                                   port,
                                   door.token.empty() ? "" : "?token=" + door.token);
        context.out.flush();
        if (!quiet) {
          context.err << fmt::format("serving the job files of {}; Ctrl-C ends it\n",
                                     site.premises().folder);
        }
      },
      [&](const http::Served& one) {
        if (!quiet) {
          context.err << fmt::format(
              "{} {} {} {} ms\n", one.method, one.target, one.status, one.took.count());
        }
      });
  return exit_ok;
}

}  // namespace rightsize::cli
