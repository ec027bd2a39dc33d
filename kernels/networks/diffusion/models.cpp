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
constexpr std::int64_t t5_width = 4096;
constexpr int classes = 1;  // there are none, and labels that are made up are drawn below that

FeatureShape latents_of(std::int64_t channels, const PictureForm& form) {
  return {channels, form.height / latent_side, form.width / latent_side};
}

// What a prompt is to a denoiser: features of its positions, and of its end (< 0: unused).
struct Prompt {
  int positions = -1;
  int end = -1;
};

NetworkBuilder of_prompts(const std::string& name, const std::string& title) {
  return NetworkBuilder::of_tokens(name, title, clip_positions, clip_vocabulary, classes);
}

std::int64_t copies_of(const PictureForm& form) {
  return form.guidance ? 2 : 1;
}

// `read` makes the prompt's features, `denoise` the noise over latents of so many channels.
template <typename Read, typename Denoise>
Network whole(NetworkBuilder net,
              const PictureForm& form,
              std::int64_t channels,
              Read read,
              Denoise denoise) {
  net.repeat(1, copies_of(form));
  const Prompt prompt = read(net);
  net.repeat(form.steps, copies_of(form));
  const int latents = net.given("latents", latents_of(channels, form));
  const int noise = denoise(net, latents, prompt);
  net.repeat(1, 1);
  return net.finish_denoiser(decode_latents(net, noise, channels == latents_of_unet));
}

template <typename Denoise>
Network alone(const std::string& name,
              const std::string& title,
              FeatureShape latents,
              FeatureShape prompt,
              std::int64_t end,
              Denoise denoise) {
  NetworkBuilder net(name, title, latents, classes);
  const Prompt given{net.given("prompt_given", prompt),
                     end > 0 ? net.given("prompt_end_given", {end, 1, 1}) : -1};
  return net.finish_denoiser(denoise(net, net.input(), given));
}

auto by_unet(const UNetShape& shape) {
  return [&shape](NetworkBuilder& net, int latents, const Prompt& prompt) {
    return unet(net, shape, latents, prompt.positions, prompt.end);
  };
}

Prompt two_clips(NetworkBuilder& net) {
  const int large = clip_text(net, "clip_large", net.input(), clip_large);
  const int giant = clip_text(net, "clip_giant", net.input(), clip_giant);
  return {net.concat("prompt_features", {large, giant}), projected_text(net, "clip_giant", giant)};
}

// Both, filled up to T5's width, before what T5 reads.
Prompt two_clips_and_t5(NetworkBuilder& net) {
  constexpr std::int64_t t5_positions = 256;
  const int large = clip_text(net, "clip_large", net.input(), clip_large);
  const int giant = clip_text(net, "clip_giant", net.input(), clip_giant);
  const auto filled = t5_width - net.shape(large).c - net.shape(giant).c;
  const int nothing = net.given("prompt_filled", {filled, clip_positions, 1});
  const int clips = net.concat("clip_features", {large, giant, nothing});
  const int end = net.concat(
      "prompt_ends",
      {projected_text(net, "clip_large", large), projected_text(net, "clip_giant", giant)});
  return {net.join_positions("prompt_features", {clips, t5_text(net, "t5", t5_positions)}), end};
}

Prompt clip_and_t5(NetworkBuilder& net, std::int64_t positions) {
  const int clip = clip_text(net, "clip_large", net.input(), clip_large);
  return {t5_text(net, "t5", positions), net.take_position("clip_end", clip, -1)};
}

auto by_sd3(const Sd3Shape& shape) {
  return [&shape](NetworkBuilder& net, int latents, const Prompt& prompt) {
    return sd3(net, shape, latents, prompt.positions, prompt.end);
  };
}

auto by_flux(bool guided) {
  return [guided](NetworkBuilder& net, int latents, const Prompt& prompt) {
    return flux(net, {guided}, latents, prompt.positions, prompt.end);
  };
}

constexpr std::int64_t sd3_words = 333;  // 77 of the CLIPs, 256 of T5
constexpr std::int64_t clip_ends = 2048;
constexpr std::int64_t dev_words = 512;
constexpr std::int64_t schnell_words = 256;

}  // namespace

Network make_sd1(const std::string& name, const std::string& title, const PictureForm& form) {
  const auto read = [](NetworkBuilder& net) {
    return Prompt{clip_text(net, "clip", net.input(), clip_large)};
  };
  return whole(of_prompts(name, title), form, latents_of_unet, read, by_unet(unet_of_sd1));
}

Network make_sd2(const std::string& name, const std::string& title, const PictureForm& form) {
  const auto read = [](NetworkBuilder& net) {
    return Prompt{clip_text(net, "clip", net.input(), clip_huge)};
  };
  return whole(of_prompts(name, title), form, latents_of_unet, read, by_unet(unet_of_sd2));
}

Network make_sdxl(const std::string& name, const std::string& title, const PictureForm& form) {
  return whole(of_prompts(name, title), form, latents_of_unet, two_clips, by_unet(unet_of_sdxl));
}

Network make_sd3_medium(const std::string& name,
                        const std::string& title,
                        const PictureForm& form) {
  return whole(
      of_prompts(name, title), form, latents_of_transformer, two_clips_and_t5, by_sd3(sd3_medium));
}

Network make_sd35_large(const std::string& name,
                        const std::string& title,
                        const PictureForm& form) {
  return whole(
      of_prompts(name, title), form, latents_of_transformer, two_clips_and_t5, by_sd3(sd35_large));
}

Network make_flux_dev(const std::string& name, const std::string& title, const PictureForm& form) {
  const auto read = [](NetworkBuilder& net) { return clip_and_t5(net, dev_words); };
  return whole(of_prompts(name, title), form, latents_of_transformer, read, by_flux(true));
}

Network make_flux_schnell(const std::string& name,
                          const std::string& title,
                          const PictureForm& form) {
  const auto read = [](NetworkBuilder& net) { return clip_and_t5(net, schnell_words); };
  return whole(of_prompts(name, title), form, latents_of_transformer, read, by_flux(false));
}

Network make_sd1_denoiser(const std::string& name,
                          const std::string& title,
                          const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_unet, form),
               {clip_large.width, clip_positions, 1},
               0,
               by_unet(unet_of_sd1));
}

Network make_sd2_denoiser(const std::string& name,
                          const std::string& title,
                          const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_unet, form),
               {clip_huge.width, clip_positions, 1},
               0,
               by_unet(unet_of_sd2));
}

Network make_sdxl_denoiser(const std::string& name,
                           const std::string& title,
                           const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_unet, form),
               {clip_large.width + clip_giant.width, clip_positions, 1},
               clip_giant.width,
               by_unet(unet_of_sdxl));
}

Network make_sd3_medium_denoiser(const std::string& name,
                                 const std::string& title,
                                 const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_transformer, form),
               {t5_width, sd3_words, 1},
               clip_ends,
               by_sd3(sd3_medium));
}

Network make_sd35_large_denoiser(const std::string& name,
                                 const std::string& title,
                                 const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_transformer, form),
               {t5_width, sd3_words, 1},
               clip_ends,
               by_sd3(sd35_large));
}

Network make_flux_dev_denoiser(const std::string& name,
                               const std::string& title,
                               const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_transformer, form),
               {t5_width, dev_words, 1},
               clip_large.width,
               by_flux(true));
}

Network make_flux_schnell_denoiser(const std::string& name,
                                   const std::string& title,
                                   const PictureForm& form) {
  return alone(name,
               title,
               latents_of(latents_of_transformer, form),
               {t5_width, schnell_words, 1},
               clip_large.width,
               by_flux(false));
}

}  // namespace rightsize::diffusion
