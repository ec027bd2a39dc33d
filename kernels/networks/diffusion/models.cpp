#include "kernels/networks/diffusion/models.h"

#include "kernels/networks/builder.h"
#include "kernels/networks/diffusion/autoencoder.h"
#include "kernels/networks/diffusion/text_encoder.h"
#include "kernels/networks/diffusion/transformers.h"
#include "kernels/networks/diffusion/unet.h"

namespace rightsize::diffusion {
namespace {

constexpr std::int64_t latents_of_unet = 4;
constexpr std::int64_t latents_of_transformer = 16;
constexpr std::int64_t latents_of_flux2 = 32;
constexpr std::int64_t latents_of_small_video = 48;  // of 16 x 16 pixels each
constexpr std::int64_t latents_of_ltx = 128;         // of 32 x 32
constexpr std::int64_t t5_width = 4096;
constexpr std::int64_t t5_positions_of_sd3 = 256;
constexpr int classes = 1;  // there are none, and labels that are made up are drawn below that

FeatureShape latents_of(const Model& model, const PictureForm& form) {
  const auto side = model.latents == latents_of_small_video ? 2 * latent_side
                    : model.latents == latents_of_ltx       ? 4 * latent_side
                                                            : latent_side;
  return {model.latents, model.frames * (form.height / side), form.width / side};
}

Prompt two_clips(NetworkBuilder& net) {
  const int large = clip_text(net, "clip_large", net.input(), clip_large);
  const int giant = clip_text(net, "clip_giant", net.input(), clip_giant);
  return {net.concat("prompt_features", {large, giant}), projected_text(net, "clip_giant", giant)};
}

// Both, filled up to T5's width, before what T5 reads.
Prompt two_clips_and_t5(NetworkBuilder& net) {
  const int large = clip_text(net, "clip_large", net.input(), clip_large);
  const int giant = clip_text(net, "clip_giant", net.input(), clip_giant);
  const auto filled = t5_width - net.shape(large).c - net.shape(giant).c;
  const int nothing = net.given("prompt_filled", {filled, clip_positions, 1});
  const int clips = net.concat("clip_features", {large, giant, nothing});
  const int end = net.concat(
      "prompt_ends",
      {projected_text(net, "clip_large", large), projected_text(net, "clip_giant", giant)});
  const int t5 = t5_text(net, "t5", t5_positions_of_sd3);
  return {net.join_positions("prompt_features", {clips, t5}), end};
}

template <const ClipShape& shape>
Prompt by_clip(NetworkBuilder& net) {
  return {clip_text(net, "clip", net.input(), shape)};
}

template <std::int64_t positions>
Prompt by_clip_and_t5(NetworkBuilder& net) {
  const int clip = clip_text(net, "clip_large", net.input(), clip_large);
  return {t5_text(net, "t5", positions), net.take_position("clip_end", clip, -1)};
}

template <const UNetShape& shape>
int by_unet(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return unet(net, shape, latents, prompt.positions, prompt.end);
}

template <const Sd3Shape& shape>
int by_sd3(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return sd3(net, shape, latents, prompt.positions, prompt.end);
}

template <bool guided>
int by_flux(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return flux(net, {guided}, latents, prompt.positions, prompt.end);
}

int by_flux2(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return flux2(net, latents, prompt.positions);
}

int by_qwen_image(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return qwen_image(net, latents, prompt.positions);
}

int by_z_image(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return z_image(net, latents, prompt.positions);
}

int by_hunyuan_video(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return flux(net, hunyuan_video, latents, prompt.positions, prompt.end);
}

template <const WanShape& shape>
int by_wan(NetworkBuilder& net, int latents, const Prompt& prompt) {
  return wan(net, shape, latents, prompt.positions);
}

constexpr std::int64_t long_prompt = 512;
constexpr std::int64_t flux2_features = 15'360;  // of three of Mistral's layers
constexpr std::int64_t frames_of_81 = 21;        // four become one, but for the first
constexpr std::int64_t frames_of_121 = 31;
constexpr std::int64_t sd3_positions = clip_positions + t5_positions_of_sd3;
constexpr std::int64_t two_ends = clip_large.width + clip_giant.width;
constexpr std::int64_t dev_positions = 512;
constexpr std::int64_t schnell_positions = 256;

}  // namespace

const Model sd1{latents_of_unet,
                by_clip<clip_large>,
                by_unet<unet_of_sd1>,
                {clip_large.width, clip_positions},
                0};
const Model sd2{latents_of_unet,
                by_clip<clip_huge>,
                by_unet<unet_of_sd2>,
                {clip_huge.width, clip_positions},
                0};
const Model sdxl{latents_of_unet,
                 two_clips,
                 by_unet<unet_of_sdxl>,
                 {two_ends, clip_positions},
                 clip_giant.width};
const Model sd3_of_medium{latents_of_transformer,
                          two_clips_and_t5,
                          by_sd3<sd3_medium>,
                          {t5_width, sd3_positions},
                          two_ends};
const Model sd35_of_large{latents_of_transformer,
                          two_clips_and_t5,
                          by_sd3<sd35_large>,
                          {t5_width, sd3_positions},
                          two_ends};
const Model flux_dev{latents_of_transformer,
                     by_clip_and_t5<dev_positions>,
                     by_flux<true>,
                     {t5_width, dev_positions},
                     clip_large.width};
const Model flux_schnell{latents_of_transformer,
                         by_clip_and_t5<schnell_positions>,
                         by_flux<false>,
                         {t5_width, schnell_positions},
                         clip_large.width};

const Model sd35_of_medium{latents_of_transformer,
                           two_clips_and_t5,
                           by_sd3<sd35_medium>,
                           {t5_width, sd3_positions},
                           two_ends};
const Model flux2_dev{latents_of_flux2, nullptr, by_flux2, {flux2_features, long_prompt}, 0};
const Model wan_of_1b{
    latents_of_transformer, nullptr, by_wan<wan_1b>, {t5_width, long_prompt}, 0, frames_of_81};
const Model wan_of_5b{
    latents_of_small_video, nullptr, by_wan<wan_5b>, {t5_width, long_prompt}, 0, frames_of_121};
const Model wan_of_14b{
    latents_of_transformer, nullptr, by_wan<wan_14b>, {t5_width, long_prompt}, 0, frames_of_81};

constexpr std::int64_t qwen_image_features = 3584;  // of Qwen2.5-VL 7B
constexpr std::int64_t z_image_features = 2560;     // of Qwen3 4B
constexpr std::int64_t hunyuan_features = 4096;     // of LLaVA-Llama-3 8B
constexpr std::int64_t hunyuan_prompt = 256;
constexpr std::int64_t frames_of_129 = 33;
const Model qwen_image_model{
    latents_of_transformer, nullptr, by_qwen_image, {qwen_image_features, long_prompt}, 0};
const Model z_image_model{
    latents_of_transformer, nullptr, by_z_image, {z_image_features, long_prompt}, 0};
const Model hunyuan_video_model{latents_of_transformer,
                                nullptr,
                                by_hunyuan_video,
                                {hunyuan_features, hunyuan_prompt},
                                clip_large.width,
                                frames_of_129};

constexpr std::int64_t ltx_prompt = 128;
constexpr std::int64_t frames_of_ltx = 16;  // of 121, of which eight become one
const Model ltx_of_2b{
    latents_of_ltx, nullptr, by_wan<ltx_2b>, {t5_width, ltx_prompt}, 0, frames_of_ltx};
const Model ltx_of_13b{
    latents_of_ltx, nullptr, by_wan<ltx_13b>, {t5_width, ltx_prompt}, 0, frames_of_ltx};

Network make_whole(const Model& model,
                   const std::string& name,
                   const std::string& title,
                   const PictureForm& form) {
  const int copies = form.guidance ? 2 : 1;
  auto net = NetworkBuilder::of_tokens(name, title, clip_positions, clip_vocabulary, classes);
  net.repeat(1, copies);
  net.quantize(form.weight_bits);
  const Prompt prompt = model.read(net);
  net.repeat(form.steps, copies);
  const int noise = model.denoise(net, net.given("latents", latents_of(model, form)), prompt);
  net.repeat(1, 1);
  net.quantize(0);
  return net.finish_denoiser(decode_latents(net, noise, model.latents == latents_of_unet));
}

Network make_alone(const Model& model,
                   const std::string& name,
                   const std::string& title,
                   const PictureForm& form) {
  NetworkBuilder net(name, title, latents_of(model, form), classes);
  const int positions = net.given("prompt_given", model.features);
  const int end = model.end > 0 ? net.given("prompt_end_given", {model.end, 1, 1}) : -1;
  return net.finish_denoiser(model.denoise(net, net.input(), {positions, end}));
}

}  // namespace rightsize::diffusion
