// PC sampling between start and stop (CUPTI documentation, "PC Sampling API").
#include "runner/gpu/stalls_cupti.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "core/build/demangle.hpp"
#include "core/measure/stall_reasons.hpp"
#include "runner/cupti/check.hpp"
#include "runner/cupti/device.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// With so many a share of 10 % is known to a quarter of a percent point (two standard deviations
/// of a share, sqrt(p (1 - p) / n)).
constexpr double wanted_samples = 60'000;
/// Fewer launches would show one launch's chances, more would make a learner wait.
constexpr int least_launches = 3;
constexpr int most_launches = 20;
constexpr std::chrono::seconds longest_sampling{2};
/// CUPTI takes exponents from 5 to 31. Below 256 cycles, sampling disturbs what it looks at.
constexpr int least_exponent = 8;
constexpr int largest_exponent = 31;
/// Until the kernel's duration is known: about 2 us.
constexpr int first_exponent = 12;
/// Instructions that one fetch can bring; what is left comes with the next.
constexpr std::size_t fetched_pcs = 8192;
/// Instructions in a record: each takes about 200 bytes of the 4 MiB that a record may have.
constexpr std::size_t most_listed_pcs = 4096;

template <class Params>
Params params_for(std::size_t size, CUcontext context) {
  Params params = {};
  params.size = size;
  params.ctx = context;
  return params;
}

/// Sampling that is on; off again however the launch ends.
class Sampling {
 public:
  explicit Sampling(CUcontext context) : context_(context) {
    auto start = params_for<CUpti_PCSamplingStartParams>(CUpti_PCSamplingStartParamsSize, context);
    check_cupti(cuptiPCSamplingStart(&start), "cuptiPCSamplingStart");
  }
  ~Sampling() {
    if (context_) stop();
  }
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  CUptiResult stop() {
    auto stop = params_for<CUpti_PCSamplingStopParams>(CUpti_PCSamplingStopParamsSize,
                                                       std::exchange(context_, nullptr));
    return cuptiPCSamplingStop(&stop);
  }

 private:
  CUcontext context_;
};

int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device));
  check_cuda(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

double seconds_of_launch(const Countable& countable) {
  countable.prepare();
  const Clock::time_point began = Clock::now();
  countable.launch();
  countable.wait();
  return std::chrono::duration<double>(Clock::now() - began).count();
}

}  // namespace

void StallTally::add(const Place& place, const std::string& metric, std::int64_t samples) {
  const auto stall = stall_from_cupti(metric);
  if (!stall || samples <= 0) return;
  Count& count = places_[place][stall->reason];
  (stall->not_issued ? count.not_issued : count.all) += samples;
}

bool StallTally::nested() const {
  for (const auto& [place, reasons] : places_)
    for (const auto& [reason, count] : reasons)
      if (count.not_issued > count.all) return false;
  return true;
}

std::int64_t StallTally::samples() const {
  const bool inside = nested();
  std::int64_t sum = 0;
  for (const auto& [place, reasons] : places_)
    for (const auto& [reason, count] : reasons) sum += count.all + (inside ? 0 : count.not_issued);
  return sum;
}

std::vector<StallPc> StallTally::listed(const ModuleLines& lines, std::size_t most_listed) const {
  const bool inside = nested();
  std::vector<std::pair<const Place*, StallPc>> pcs;
  for (const auto& [place, reasons] : places_) {
    StallPc pc{.kernel = demangled(std::get<1>(place)), .offset = std::get<2>(place)};
    for (const auto& [reason, count] : reasons) {
      pc.by_reason[reason] = count.all + (inside ? 0 : count.not_issued);
      pc.not_issued += count.not_issued;
    }
    pcs.emplace_back(&place, std::move(pc));
  }
  std::stable_sort(pcs.begin(), pcs.end(), [](const auto& a, const auto& b) {
    return a.second.samples() > b.second.samples();
  });

  std::vector<StallPc> hottest;
  std::map<std::string, StallPc> rest;
  for (auto& [place, pc] : pcs) {
    if (hottest.size() < most_listed) {
      const auto& [crc, symbol, offset] = *place;
      if (const auto line = lines.find(crc, symbol, offset)) {
        pc.file = line->file;
        pc.line = line->line;
      }
      hottest.push_back(std::move(pc));
      continue;
    }
    StallPc& sum = rest[pc.kernel];
    sum.kernel = pc.kernel;
    sum.not_issued += pc.not_issued;
    for (const auto& [reason, count] : pc.by_reason) sum.by_reason[reason] += count;
  }
  for (auto& [kernel, pc] : rest) hottest.push_back(std::move(pc));
  return hottest;
}

int period_exponent(double multiprocessors, double cycles, double wanted) {
  const double period = multiprocessors * cycles / wanted;
  if (!(period > 1)) return least_exponent;
  return std::clamp(static_cast<int>(std::log2(period)), least_exponent, largest_exponent);
}

CuptiStalls::CuptiStalls() : subscriber_(on_event, &lines_) {
  subscriber_.watch_modules();
  CUpti_Profiler_Initialize_Params initialize = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  check_cupti(cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  int device = 0;
  check_cuda(cudaGetDevice(&device));
  require_profiler(device, CUPTI_PROFILER_PC_SAMPLING);
  multiprocessors_ = device_attribute(cudaDevAttrMultiProcessorCount);
  clock_hz_ = 1e3 * device_attribute(cudaDevAttrClockRate);
  CUcontext context = current_context();
  auto enable = params_for<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize, context);
  check_cupti(cuptiPCSamplingEnable(&enable), "cuptiPCSamplingEnable");
  context_ = context;
  learn_reasons();
  kept_ = std::make_unique<PcBuffer>(fetched_pcs, reasons_.size());
  fetched_ = std::make_unique<PcBuffer>(fetched_pcs, reasons_.size());
  configure(first_exponent);
}

CuptiStalls::~CuptiStalls() {
  if (context_) {
    auto disable =
        params_for<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize, context_);
    cuptiPCSamplingDisable(&disable);
  }
  for (char* name : names_) std::free(name);
}

void CUPTIAPI CuptiStalls::on_event(void* lines, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                    const void* data) {
  if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED) return;
  const auto* resource = static_cast<const CUpti_ResourceData*>(data);
  const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor);
  if (module) static_cast<ModuleLines*>(lines)->add(module->pCubin, module->cubinSize);
}

void CuptiStalls::learn_reasons() {
  std::size_t count = 0;
  auto ask_count = params_for<CUpti_PCSamplingGetNumStallReasonsParams>(
      CUpti_PCSamplingGetNumStallReasonsParamsSize, context_);
  ask_count.numStallReasons = &count;
  check_cupti(cuptiPCSamplingGetNumStallReasons(&ask_count), "cuptiPCSamplingGetNumStallReasons");
  std::vector<std::uint32_t> indices(count);
  std::vector<std::string> names(count, std::string(CUPTI_STALL_REASON_STRING_SIZE, '\0'));
  std::vector<char*> texts;
  for (std::string& name : names) texts.push_back(name.data());
  auto ask = params_for<CUpti_PCSamplingGetStallReasonsParams>(
      CUpti_PCSamplingGetStallReasonsParamsSize, context_);
  ask.numStallReasons = count;
  ask.stallReasonIndex = indices.data();
  ask.stallReasons = texts.data();
  check_cupti(cuptiPCSamplingGetStallReasons(&ask), "cuptiPCSamplingGetStallReasons");
  for (std::size_t i = 0; i < count; ++i) reasons_[indices[i]] = names[i].c_str();
  if (reasons_.empty())
    throw RunnerError(make_error(ErrorCode::profiler_unsupported,
                                 "CUPTI names no stall reasons for this device."));
}

void CuptiStalls::configure(int exponent) {
  CUpti_PCSamplingConfigurationInfo mode = {}, period = {}, control = {}, buffer = {};
  mode.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
  mode.attributeData.collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  period.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
  period.attributeData.samplingPeriodData.samplingPeriod = static_cast<std::uint32_t>(exponent);
  control.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL;
  control.attributeData.enableStartStopControlData.enableStartStopControl = 1;
  buffer.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
  buffer.attributeData.samplingDataBufferData.samplingDataBuffer = &kept_->data();
  std::vector<CUpti_PCSamplingConfigurationInfo> all = {mode, period, control, buffer};
  auto params = params_for<CUpti_PCSamplingConfigurationInfoParams>(
      CUpti_PCSamplingConfigurationInfoParamsSize, context_);
  params.numAttributes = all.size();
  params.pPCSamplingConfigurationInfo = all.data();
  check_cupti(cuptiPCSamplingSetConfigurationAttribute(&params),
              "cuptiPCSamplingSetConfigurationAttribute");
}

std::optional<double> CuptiStalls::period_cycles() const {
  CUpti_PCSamplingConfigurationInfo period = {};
  period.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
  auto params = params_for<CUpti_PCSamplingConfigurationInfoParams>(
      CUpti_PCSamplingConfigurationInfoParamsSize, context_);
  params.numAttributes = 1;
  params.pPCSamplingConfigurationInfo = &period;
  if (cuptiPCSamplingGetConfigurationAttribute(&params) != CUPTI_SUCCESS) return std::nullopt;
  return std::exp2(period.attributeData.samplingPeriodData.samplingPeriod);
}

void CuptiStalls::take(StallTally& tally, StallSamples& samples) {
  CUpti_PCSamplingData& data = fetched_->data();
  auto fetch =
      params_for<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize, context_);
  fetch.pcSamplingData = &data;
  std::int64_t dropped = 0, elsewhere = 0;
  do {
    for (std::size_t i = 0; i < data.collectNumPcs; ++i)
      data.pPcData[i].stallReasonCount = reasons_.size();
    data.totalNumPcs = 0;
    data.remainingNumPcs = 0;
    const CUptiResult status = cuptiPCSamplingGetData(&fetch);
    if (status == CUPTI_ERROR_OUT_OF_MEMORY || data.hardwareBufferFull) samples.buffer_full = true;
    if (status != CUPTI_ERROR_OUT_OF_MEMORY) check_cupti(status, "cuptiPCSamplingGetData");
    for (std::size_t i = 0; i < data.totalNumPcs; ++i) {
      const CUpti_PCSamplingPCData& pc = data.pPcData[i];
      if (pc.functionName) names_.insert(pc.functionName);
      const StallTally::Place place{pc.cubinCrc, pc.functionName ? pc.functionName : "",
                                    pc.pcOffset};
      for (std::size_t k = 0; k < std::min<std::size_t>(pc.stallReasonCount, reasons_.size()); ++k)
        if (const auto name = reasons_.find(pc.stallReason[k].pcSamplingStallReasonIndex);
            name != reasons_.end())
          tally.add(place, name->second, pc.stallReason[k].samples);
    }
    // Counts of the whole range come with each of its parts.
    dropped = std::max(dropped, static_cast<std::int64_t>(data.droppedSamples));
    elsewhere = std::max(elsewhere, static_cast<std::int64_t>(data.nonUsrKernelsTotalSamples));
  } while (data.totalNumPcs > 0 && data.remainingNumPcs > 0);
  samples.dropped += dropped;
  samples.elsewhere += elsewhere;
}

void CuptiStalls::one_launch(const Countable& countable, StallTally& tally, StallSamples& samples) {
  countable.prepare();
  Sampling sampling(context_);
  countable.launch();
  countable.wait();
  check_cupti(sampling.stop(), "cuptiPCSamplingStop");
  take(tally, samples);
  ++samples.launches;
}

StallSamples CuptiStalls::sample(const Countable& countable) {
  const NvtxRange range("stall sampling", countable.variant);
  StallSamples samples;
  samples.variant = countable.variant;
  seconds_of_launch(countable);  // loads the module
  const double cycles = seconds_of_launch(countable) * clock_hz_;
  try {
    configure(period_exponent(multiprocessors_, least_launches * cycles, wanted_samples));
  } catch (const RunnerError& refused) {
    // The first period still holds where CUPTI takes no second one.
    if (refused.error().code != ErrorCode::runner_failed) throw;
  }
  samples.period_cycles = period_cycles();
  StallTally tally;
  const Clock::time_point began = Clock::now();
  const auto enough = [&] {
    return samples.launches >= least_launches &&
           static_cast<double>(tally.samples()) >= wanted_samples / 2;
  };
  while (samples.launches < most_launches && !enough() && !samples.buffer_full &&
         Clock::now() - began < longest_sampling)
    one_launch(countable, tally, samples);
  samples.pcs = tally.listed(lines_, most_listed_pcs);
  return samples;
}

}  // namespace klab::runner
