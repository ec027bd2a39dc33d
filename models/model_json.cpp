// A model as a document, rightsize/model/1: written by fit, read by everybody else.
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "models/model.h"

namespace rightsize {
namespace {

constexpr std::string_view schema = "rightsize/model/1";

boost::json::object parameter_to_json(const Parameter& parameter) {
  return {{"name", parameter.name},
          {"unit", parameter.unit},
          {"value", parameter.value},
          {"prior", parameter.prior},
          {"prior_sd", parameter.prior_sd},
          {"fitted_sd", parameter.fitted_sd}};
}

Parameter parameter_from_json(const boost::json::object& object) {
  Parameter parameter;
  parameter.name = object.at("name").as_string();
  parameter.unit = object.at("unit").as_string();
  parameter.value = object.at("value").to_number<double>();
  parameter.prior = object.at("prior").to_number<double>();
  parameter.prior_sd = object.at("prior_sd").to_number<double>();
  parameter.fitted_sd = object.at("fitted_sd").to_number<double>();
  return parameter;
}

void require_fields(const boost::json::object& object) {
  for (const auto* field : {"schema",
                            "parameters",
                            "covariance",
                            "noise",
                            "interval_factor",
                            "confidence",
                            "runs",
                            "cv_median_error",
                            "cv_p90_error",
                            "cv_coverage",
                            "machine",
                            "cpu_model",
                            "measured_at",
                            "tool_version",
                            "gpu_rates",
                            "resident_bytes"}) {
    if (!object.contains(field)) {
      throw ModelError(fmt::format("not a {} document: \"{}\" is missing", schema, field));
    }
  }
  const std::string_view found = object.at("schema").as_string();
  if (found != schema) {
    throw ModelError(fmt::format("schema is \"{}\", expected \"{}\"", found, schema));
  }
}

// Those that models of before did not have.
void read_later_fields(const boost::json::object& object, Model& model) {
  if (const auto* bytes = object.if_contains("picture_bytes")) {
    model.picture_bytes = bytes->to_number<double>();
  }
  if (const auto* programs = object.if_contains("programs")) {
    for (const auto& [name, cpus] : programs->as_object()) {
      auto& program = model.programs[name];
      program.seen = cpus.at("seen_cpus").to_number<double>();
      if (const auto& most = cpus.at("most_cpus"); !most.is_null()) {
        program.most = most.to_number<double>();
      }
      if (const auto* batch = cpus.as_object().if_contains("batch")) {
        program.batch = batch->to_number<int>();
        program.beside_gpu = cpus.at("beside_gpu").as_bool();
        program.resident_bytes = cpus.at("resident_bytes").to_number<double>();
      }
    }
  }
  const auto read = [&](const char* field, double& value) {
    if (const auto* found = object.if_contains(field)) {
      value = found->to_number<double>();
    }
  };
  read("measured_cpus", model.measured_cpus);
  read("core_links_per_s", model.core_links_per_s);
  read("cpu_noise", model.cpu_noise);
  read("least_hits", model.least_hits);
  read("most_hits", model.most_hits);
}

Covariance covariance_from_json(const boost::json::array& rows, std::size_t size) {
  Covariance covariance(size);
  for (std::size_t row = 0; row < size; ++row) {
    const auto& line = rows.at(row).as_array();
    for (std::size_t column = 0; column < size; ++column) {
      covariance(row, column) = line.at(column).to_number<double>();
    }
  }
  return covariance;
}

MeasuredRate rate_from_json(const boost::json::object& rate) {
  const auto tokens = [&](const char* field) {  // models of before had none
    const auto* value = rate.if_contains(field);
    return value == nullptr ? 0 : value->to_number<int>();
  };
  return {std::string(rate.at("network").as_string()),
          parse_phase(rate.at("phase").as_string()).value(),
          parse_precision(rate.at("precision").as_string()).value(),
          std::string(rate.at("gpu").as_string()),
          rate.at("batch").to_number<int>(),
          rate.at("items_per_s").to_number<double>(),
          tokens("sequence"),
          tokens("prompt")};
}

boost::json::array covariance_to_json(const Covariance& covariance) {
  boost::json::array rows;
  for (std::size_t row = 0; row < covariance.size(); ++row) {
    boost::json::array line;
    for (std::size_t column = 0; column < covariance.size(); ++column) {
      line.push_back(covariance(row, column));
    }
    rows.push_back(line);
  }
  return rows;
}

boost::json::object rate_to_json(const MeasuredRate& rate) {
  return {{"network", rate.network},
          {"phase", to_string(rate.phase)},
          {"precision", to_string(rate.precision)},
          {"gpu", rate.gpu},
          {"batch", rate.batch},
          {"items_per_s", rate.items_per_s},
          {"sequence", rate.sequence},
          {"prompt", rate.prompt}};
}

}  // namespace

boost::json::object to_json(const Model& model) {
  boost::json::array parameters;
  for (const auto& parameter : model.parameters) {
    parameters.push_back(parameter_to_json(parameter));
  }
  boost::json::array gpu_rates;
  for (const auto& rate : model.gpu_rates) {
    gpu_rates.push_back(rate_to_json(rate));
  }
  boost::json::object resident;
  for (const auto& [key, bytes] : model.resident_bytes) {
    resident[key] = bytes;
  }
  boost::json::object programs;
  for (const auto& [name, cpus] : model.programs) {
    programs[name] = {{"seen_cpus", cpus.seen},
                      {"most_cpus", std::isinf(cpus.most) ? boost::json::value() : cpus.most},
                      {"batch", cpus.batch},
                      {"beside_gpu", cpus.beside_gpu},
                      {"resident_bytes", cpus.resident_bytes}};
  }
  return {{"schema", schema},
          {"tool_version", model.tool_version},
          {"parameters", parameters},
          {"covariance", covariance_to_json(model.covariance)},
          {"noise", model.noise},
          {"cpu_noise", model.cpu_noise},
          {"interval_factor", model.interval_factor},
          {"confidence", model.confidence},
          {"runs", model.runs},
          {"measured_cpus", model.measured_cpus},
          {"least_hits", model.least_hits},
          {"most_hits", model.most_hits},
          {"cv_median_error", model.cv_median_error},
          {"cv_p90_error", model.cv_p90_error},
          {"cv_coverage", model.cv_coverage},
          {"machine", model.machine},
          {"cpu_model", model.cpu_model},
          {"core_links_per_s", model.core_links_per_s},
          {"measured_at", model.measured_at},
          {"gpu_rates", gpu_rates},
          {"picture_bytes", model.picture_bytes},
          {"resident_bytes", resident},
          {"programs", programs}};
}

Model model_from_json(const boost::json::object& object) {
  try {
    require_fields(object);
    Model model;
    for (const auto& item : object.at("parameters").as_array()) {
      model.parameters.push_back(parameter_from_json(item.as_object()));
    }
    model.covariance =
        covariance_from_json(object.at("covariance").as_array(), model.parameters.size());
    model.noise = object.at("noise").to_number<double>();
    model.interval_factor = object.at("interval_factor").to_number<double>();
    model.confidence = object.at("confidence").to_number<double>();
    model.runs = object.at("runs").to_number<int>();
    model.cv_median_error = object.at("cv_median_error").to_number<double>();
    model.cv_p90_error = object.at("cv_p90_error").to_number<double>();
    model.cv_coverage = object.at("cv_coverage").to_number<double>();
    read_later_fields(object, model);
    model.machine = object.at("machine").as_string();
    model.cpu_model = object.at("cpu_model").as_string();
    model.measured_at = object.at("measured_at").as_string();
    model.tool_version = object.at("tool_version").as_string();
    for (const auto& item : object.at("gpu_rates").as_array()) {
      model.gpu_rates.push_back(rate_from_json(item.as_object()));
    }
    for (const auto& [key, bytes] : object.at("resident_bytes").as_object()) {
      model.resident_bytes[key] = bytes.to_number<double>();
    }
    return model;
  } catch (const ModelError&) {
    throw;
  } catch (const std::exception& error) {
    throw ModelError(fmt::format("not a {} document: {}", schema, error.what()));
  }
}

}  // namespace rightsize
