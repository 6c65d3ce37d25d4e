// PhaseSetup: what every phase of one runner process works with.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/wire/protocol.hpp"
#include "runner/device/cuda_handles.hpp"
#include "runner/device/record_writer.hpp"
#include "runner/device/second_device.hpp"
#include "runner/device/shared_object.hpp"
#include "runner/device/stream_hold.hpp"
#include "runner/device/timing_kernels.hpp"
#include "runner/phases/shared_growth.hpp"

namespace klab::runner {

struct PhaseSetup {
  const Request& request;
  RecordWriter& out;
  std::unique_ptr<Workload> workload;
  std::vector<Plugin> plugins;
  Stream stream;
  StreamHold hold;
  std::optional<ColdCache> cold;            ///< caches are not simulated
  int device = 0;                           ///< of the stream
  Stream another = {};                      ///< given to some launches in the place of `stream`
  std::optional<SecondDevice> second = {};  ///< of a lab with `gpus = 2`
  Size at_hand = {};                        ///< of the launch that errors are told of
  double long_again_s = 0;                  ///< of long launches at a size, but for the first ones
  std::map<VariantName, SharedGrowth> shared_growth = {};

  const SecondDevice* second_device() const { return second ? &*second : nullptr; }
};

}  // namespace klab::runner
