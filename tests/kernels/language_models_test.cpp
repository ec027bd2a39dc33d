// Language models by name: parameters as transformers' classes count them, the same layers as the
// config.json that others published, and what is asked of one.
#include "kernels/networks/language_models.h"

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

struct Published {
  const char* name;
  std::uint64_t parameters;
  // Of which no layer here has so many: norms of queries and keys, of each head's width twice a
  // block, or of all heads' (OLMo 2, Command R+); of DeepSeek's routers what corrects each expert's
  // score.
  std::uint64_t left_out = 0;
};

// As Hugging Face shows them beside the checkpoints, or num_parameters() of the class; from memory,
// as the shapes are: that both agree to the last digit is the check.
constexpr Published published[] = {
    {"llama-2-7b", 6'738'415'616},
    {"llama-2-13b", 13'015'864'320},
    {"llama-2-70b", 68'976'648'192},
    {"codellama-34b", 33'743'970'304},
    {"llama-3.2-3b", 3'212'749'824},
    {"llama-405b", 405'853'388'800},
    {"tinyllama-1.1b", 1'100'048'384},
    {"smollm2-135m", 134'515'008},
    {"smollm2-360m", 361'821'120},
    {"smollm2-1.7b", 1'711'376'384},
    {"smollm3-3b", 3'075'098'624},
    {"yi-6b", 6'061'035'520},
    {"yi-34b", 34'388'917'248},
    {"mistral-7b", 7'248'023'552},
    {"ministral-8b", 8'019'808'256},
    {"mistral-nemo-12b", 12'247'782'400},
    {"codestral-22b", 22'247'282'688},
    {"mistral-small-24b", 23'572'403'200},
    {"mistral-small-3.1-24b", 23'572'403'200},
    {"falcon3-1b", 1'669'408'768},
    {"falcon3-3b", 3'227'655'168},
    {"falcon3-7b", 7'455'550'464},
    {"falcon3-10b", 10'305'653'760},
    {"mistral-large-123b", 122'610'069'504},
    {"qwen2.5-0.5b", 494'032'768},
    {"qwen2.5-1.5b", 1'543'714'304},
    {"qwen2.5-3b", 3'085'938'688},
    {"qwen2.5-7b", 7'615'616'512},
    {"qwen2.5-14b", 14'770'033'664},
    {"qwen2.5-32b", 32'763'876'352},
    {"qwen2.5-72b", 72'706'203'648},
    {"qwen3-0.6b", 596'049'920, 2 * 128 * 28},
    {"qwen3-1.7b", 1'720'574'976, 2 * 128 * 28},
    {"qwen3-4b", 4'022'468'096, 2 * 128 * 36},
    {"qwen3-8b", 8'190'735'360, 2 * 128 * 36},
    {"qwen3-14b", 14'768'307'200, 2 * 128 * 40},
    {"qwen3-32b", 32'762'123'264, 2 * 128 * 64},
    {"qwen3-30b-a3b", 30'532'122'624, 2 * 128 * 48},
    {"qwen3-235b-a22b", 235'093'634'560, 2 * 128 * 94},
    {"qwen3-coder-480b-a35b", 480'154'875'392, 2 * 128 * 62},
    {"gemma-2b", 2'506'172'416},
    {"gemma-7b", 8'537'680'896},
    {"gemma-2-2b", 2'614'341'888},
    {"gemma-2-9b", 9'241'705'984},
    {"gemma-2-27b", 27'227'128'320},
    {"gemma-3-1b", 999'885'952, 2 * 256 * 26},
    {"phi-3-mini", 3'821'079'552},
    {"phi-3-medium", 13'960'238'080},
    {"phi-4-mini", 3'836'021'760},
    {"phi-4", 14'659'507'200},
    {"deepseek-v2-lite", 15'706'484'224},
    {"deepseek-v3", 671'026'419'200, 58 * 256},
    {"opt-125m", 125'239'296},
    {"opt-350m", 331'196'416},
    {"opt-1.3b", 1'315'758'080},
    {"opt-2.7b", 2'651'596'800},
    {"opt-6.7b", 6'658'473'984},
    {"opt-13b", 12'853'473'280},
    {"opt-30b", 29'974'540'288},
    {"pythia-70m", 70'426'624},
    {"pythia-160m", 162'322'944},
    {"pythia-410m", 405'334'016},
    {"pythia-1b", 1'011'781'632},
    {"pythia-1.4b", 1'414'647'808},
    {"pythia-2.8b", 2'775'208'960},
    {"pythia-6.9b", 6'857'302'016},
    {"pythia-12b", 11'846'072'320},
    {"gpt-neox-20b", 20'554'567'680},
    {"gpt-neo-125m", 125'198'592},
    {"gpt-neo-1.3b", 1'315'575'808},
    {"gpt-neo-2.7b", 2'651'307'520},
    {"gpt-j-6b", 6'050'882'784},
    {"gpt2-medium", 354'823'168},
    {"gpt2-large", 774'030'080},
    {"gpt2-xl", 1'557'611'200},
    {"falcon-rw-1b", 1'311'625'216},
    {"falcon-7b", 6'921'720'704},
    {"falcon-40b", 41'303'293'952},
    {"falcon-180b", 179'522'565'120},
    {"bloom-560m", 559'214'592},
    {"bloom-1b1", 1'065'314'304},
    {"bloom-1b7", 1'722'408'960},
    {"bloom-3b", 3'002'557'440},
    {"bloom-7b1", 7'069'016'064},
    {"bloom-176b", 176'247'271'424},
    {"phi-1.5", 1'418'270'720},
    {"phi-2", 2'779'683'840},
    {"starcoderbase-1b", 1'137'207'296},
    {"starcoder", 15'517'456'384},
    {"starcoder2-3b", 3'030'371'328},
    {"starcoder2-7b", 7'173'923'840},
    {"starcoder2-15b", 15'957'889'024},
    {"stablelm-3b", 2'795'443'200},
    {"stablelm-2-1.6b", 1'644'515'328},
    {"command-r", 34'980'831'232},
    {"command-r-08-2024", 32'296'476'672},
    {"command-r-plus", 103'810'674'688, 104 * 128 * 64},
    {"command-r7b", 8'028'033'024},
    {"command-a", 111'057'580'032},
    {"olmo-1b", 1'176'764'416},
    {"olmo-7b", 6'888'095'744},
    {"olmo-2-1b", 1'484'916'736, 2 * 2048 * 16},
    {"olmo-2-7b", 7'298'617'344, 2 * 4096 * 32},
    {"olmo-2-13b", 13'716'198'400, 2 * 5120 * 40},
    {"olmo-2-32b", 32'234'279'936, (5120 + 8 * 128) * 64},
    {"granite-3-2b", 2'533'531'648},
    {"granite-3-8b", 8'170'848'256},
    {"llama-4-scout", 107'769'861'120},
    {"llama-4-maverick", 400'711'848'960},
    {"jamba-mini", 51'570'323'328},
    {"mamba-130m", 129'135'360},
    {"mamba-370m", 371'516'416},
    {"mamba-790m", 793'204'224},
    {"mamba-1.4b", 1'372'178'432},
    {"mamba-2.8b", 2'768'345'600},
    {"falcon-mamba-7b", 7'272'665'088},
    {"codestral-mamba-7b", 7'285'403'648},
    {"codellama-7b", 6'738'546'688},
    {"codellama-13b", 13'016'028'160},
    {"codellama-70b", 68'976'910'336},
    {"yi-1.5-9b", 8'829'407'232},
    {"solar-10.7b", 10'731'524'096},
    {"deepseek-coder-6.7b", 6'740'512'768},
    {"deepseek-coder-33b", 33'342'991'360},
    {"internlm2-7b", 7'737'708'544},
    {"internlm2-20b", 19'861'149'696},
    {"baichuan2-7b", 7'505'973'248},
    {"mimo-7b", 7'833'409'536, 210'790'400},
    {"seed-oss-36b", 36'151'104'512},
    {"exaone-3.5-2.4b", 2'405'327'360},
    {"exaone-3.5-7.8b", 7'818'448'896},
    {"exaone-3.5-32b", 32'003'200'000},
    {"apertus-8b", 8'053'338'176, 8256},
    {"glm-4-9b", 9'399'951'360},
    {"glm-4-9b-0414", 9'400'094'720},
    {"glm-4-32b-0414", 32'566'081'536},
    {"gemma-3-270m", 268'098'176, 9216},
    {"granite-4.0-micro", 3'402'836'480},
    {"granite-3-1b-a400m", 1'334'628'352},
    {"granite-3-3b-a800m", 3'298'793'472},
    {"aya-expanse-8b", 8'028'033'024},
    {"olmo-3-7b", 7'298'011'136, 262144},
    {"deepseek-v2", 235'741'434'880},
    {"deepseek-v3.2", 671'026'419'200, 14848},
    {"qwen2.5-omni-7b", 7'615'616'512},
    {"olmoe-1b-7b", 6'919'161'856, 65536},
    {"dbrx-132b", 131'596'523'520},
    {"ernie-4.5-0.3b", 360'748'032},
    {"hunyuan-a13b", 80'393'183'232, 8192},
    {"dots.llm1", 142'774'381'696, 23680},
    {"ling-mini-2.0", 16'255'643'392, 9984},
    {"llama-nemotron-super-49b", 49'867'145'216},
    {"minimax-text-01", 456'089'655'296},
    {"minimax-m1", 456'089'655'296},
    {"lfm2-350m", 354'483'968, 768},
    {"lfm2-700m", 742'489'344, 768},
    {"lfm2-1.2b", 1'170'340'608, 768},
    {"lfm2-2.6b", 2'569'272'320, 1024},
    {"lfm2-8b-a1b", 8'339'929'856, 768},
};

// As their publishers say, rounded.
constexpr std::pair<const char*, double> rounded[] = {
    {"gemma-3-4b", 3.88e9},
    {"gemma-3-12b", 11.77e9},
    {"gemma-3-27b", 27.0e9},
    {"kimi-k2", 1.03e12},
    {"minimax-m2", 230e9},
    {"glm-4.5-air", 107e9},
    {"glm-4.5", 353e9},
    {"gpt-oss-20b", 20.9e9},
    {"gpt-oss-120b", 116.8e9},
    {"opt-66b", 66e9},
    {"falcon-11b", 11.1e9},
    {"stablelm-2-12b", 12.1e9},
    // By llama.cpp, without what sees.
    {"qwen3.5-0.8b", 0.75e9},
    {"qwen3.5-2b", 1.88e9},
    {"qwen3.5-4b", 4.21e9},
    {"qwen3.5-9b", 8.95e9},
    {"qwen3.5-27b", 26.9e9},
    {"qwen3.5-35b-a3b", 34.66e9},
    {"qwen3.5-122b-a10b", 122e9},
    {"qwen3.5-397b-a17b", 397e9},
    {"qwen3-next-80b-a3b", 79.7e9},
    {"nemotron-h-8b", 8.1e9},
    {"nemotron-nano-2-9b", 8.89e9},
    {"nemotron-nano-2-12b", 12.31e9},
    {"nemotron-3-nano-30b-a3b", 31.6e9},
    {"nemotron-3-super-120b-a12b", 120.6e9},
    {"granite-4.0-h-350m", 0.34e9},
    {"granite-4.0-h-1b", 1.46e9},
    {"granite-4.0-h-micro", 3.19e9},
    {"granite-4.0-h-tiny", 6.94e9},
    {"granite-4.0-h-small", 32.2e9},
    {"falcon-h1-0.5b", 0.521e9},
    {"falcon-h1-1.5b", 1.555e9},
    {"falcon-h1-3b", 3.149e9},
    {"falcon-h1-7b", 7.59e9},
    {"falcon-h1-34b", 33.6e9},
    {"nemotron-4-15b", 15.6e9},
    {"nemotron-4-340b", 341e9},
    {"bamba-9b", 9.78e9},
    {"jamba-large", 398e9},
    {"mamba2-130m", 0.129e9},
    {"mamba2-370m", 0.368e9},
    {"mamba2-780m", 0.78e9},
    {"mamba2-1.3b", 1.344e9},
    {"mamba2-2.7b", 2.703e9},
    // 1.91 and 3.98 e9 without the tables, as Google counts what is effective.
    {"glm-5", 744e9},
    {"gemma-3n-e2b", 4.456e9},
    {"gemma-3n-e4b", 6.867e9},
    {"deepseek-llm-67b", 67.4e9},
    {"exaone-4.0-1.2b", 1.28e9},
    {"exaone-4.0-32b", 32e9},
    {"apertus-70b", 70.6e9},
    {"ministral-3-3b", 3.4e9},
    {"ministral-3-8b", 8.49e9},
    {"ministral-3-14b", 13.5e9},
    {"devstral-2-123b", 125e9},
    {"mistral-large-3-675b", 673e9},
    {"olmo-3-32b", 32.2e9},
    {"moonlight-16b-a3b", 15.96e9},
    {"glm-4.7-flash", 29.9e9},
    {"qwen2-57b-a14b", 57.41e9},
    {"qwen3-omni-30b-a3b", 30.5e9},
    {"ernie-4.5-21b-a3b", 21.83e9},
    {"ernie-4.5-300b-a47b", 300e9},
    {"hunyuan-7b", 7.5e9},
    {"step3", 316e9},
    {"ling-lite", 16.8e9},
    {"ling-flash-2.0", 103e9},
    {"ling-1t", 1000e9},
    {"llama-nemotron-ultra-253b", 253.4e9},
    {"kimi-linear-48b-a3b", 49.1e9},
    {"granite-4.0-350m", 0.352e9},
    {"granite-4.0-1b", 1.63e9},
    // Gemma 4's card: 5.1, 8.0, 11.95, 30.7 and 25.2 e9, of the first two with what sees (0.15 e9)
    // and hears (0.3 e9), and 8.0 rounded.
    {"gemma-4-e2b", 5.1e9 - 0.45e9},
    {"gemma-4-e4b", 7.95e9 - 0.45e9},
    {"gemma-4-12b", 11.95e9},
    {"gemma-4-31b", 30.7e9},
    {"gemma-4-26b-a4b", 25.2e9}};

}  // namespace

TEST_CASE("language models: parameters equal the published counts") {
  for (const auto& [name, count, left_out] : published) {
    CAPTURE(name);
    CHECK(parameter_count(make_network(name, 64)) + left_out == count);
  }
  for (const auto& [name, count] : rounded) {
    CAPTURE(name);
    CHECK(static_cast<double>(parameter_count(make_network(name, 64))) ==
          test::approx(count).epsilon(0.01));
  }
  CHECK(std::size(published) + std::size(rounded) == language_models().size());
}

// The files of models/calibration/networks are of the figures' publishers.
TEST_CASE("language models: they are the networks of the files that others published") {
  const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks/";
  int compared = 0;
  for (const auto& model : language_models()) {
    const auto path = folder + model.name + ".json";
    // That file is of the first version, whose vocabulary is smaller.
    if (!std::filesystem::exists(path) || model.name == "mistral-7b") {
      continue;
    }
    CAPTURE(model.name);
    const auto named = make_network(model.name, 64);
    const auto read = make_network(path, 64);
    REQUIRE(named.layers.size() == read.layers.size());
    CHECK(parameter_count(named) == parameter_count(read));
    CHECK(forward_flops(named) == forward_flops(read));
    ++compared;
  }
  CHECK(compared >= 12);
}

TEST_CASE("language models: names are each their own, and each can read") {
  std::set<std::string> names;
  for (const auto& model : language_models()) {
    CAPTURE(model.name);
    CHECK(names.insert(model.name).second);
    CHECK_FALSE(model.source.empty());
    const auto network = make_network(model.name);
    CHECK(network.name == model.name);
    CHECK(network.title == model.title);
    CHECK(network.input.positions() ==
          std::min<std::int64_t>(usual_context, context_of(model.config)));
  }
  CHECK(language_model("llama-8b") == nullptr);  // in the table of networks (built_in.cpp)
  CHECK(make_network("qwen3-8b", 100).input.positions() == 100);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("llama-2-7b", 4097)),
                       doctest::Contains("llama-2-7b"),
                       NetworkError);
  CHECK_THROWS_AS(static_cast<void>(make_network("llama-2-7b", -1)), NetworkError);
}
