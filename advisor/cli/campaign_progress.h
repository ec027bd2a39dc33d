// How a campaign says how far it is: a live line, plain lines, JSON lines, or nothing.
#pragma once

#include <string>

#include "advisor/cli/command.h"
#include "advisor/cli/progress.h"
#include "profiler/campaign/campaign.h"

namespace rightsize::cli {

class CampaignReporter {
 public:
  // `wish` is --progress: auto (a live line on a terminal, else plain), plain, jsonl or none.
  // Throws UsageError for anything else.
  CampaignReporter(Context& context, const std::string& wish);

  [[nodiscard]] CampaignCallbacks callbacks();
  // The last word: counts by status and what is left; `store` is where the records went.
  void ended(const CampaignSummary& summary, const std::string& store);
  // That so many records are held out now, or no longer; nothing for none. ended() says it too.
  void marked(std::size_t records);
  // A sentence for people; left out of JSON lines.
  void say(const std::string& sentence);
  // A sentence while a run goes on; the live line comes back with the next run.
  void note(const std::string& sentence);
  // Speed and loss of the run that goes on.
  void window(const RunWindow& window);

 private:
  void show_start(const CampaignProgress& progress, const RunSpec& spec);
  void show_end(const CampaignProgress& progress, const Record& record);

  Context& context_;
  bool plain_ = false;
  bool jsonl_ = false;
  ProgressLine line_;
  CampaignProgress progress_;  // of the run that goes on
  std::string running_;        // its line, without the speed
  std::string unit_;
  bool learns_ = false;  // its loss says something
};

}  // namespace rightsize::cli
