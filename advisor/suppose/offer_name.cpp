#include "advisor/suppose/offer_name.h"

namespace rightsize {

bool has_name(const Offer& offer, std::string_view name) {
  const auto at = name.find('@');
  if (at != std::string_view::npos) {
    if (name.substr(at + 1) != offer.cpu) {
      return false;
    }
    name = name.substr(0, at);
  }
  if (name == offer.instance) {
    return true;
  }
  const auto slash = offer.provider.size();
  return name.size() > slash && name.starts_with(offer.provider) && name[slash] == '/' &&
         name.substr(slash + 1) == offer.instance;
}

std::vector<const Offer*> offers_named(const Catalog& catalog, std::string_view name) {
  std::vector<const Offer*> named;
  for (const auto& offer : catalog.offers()) {
    if (has_name(offer, name)) {
      named.push_back(&offer);
    }
  }
  return named;
}

}  // namespace rightsize
