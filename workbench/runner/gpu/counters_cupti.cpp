// The device side of the Range Profiler (CUPTI documentation, "Range Profiling API").
#include "runner/gpu/counters_cupti.hpp"

#include <set>
#include <string_view>
#include <thread>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "runner/cupti/check.hpp"
#include "runner/cupti/device.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

CUpti_RangeProfiler_Object* as_profiler(void* profiler) {
  return static_cast<CUpti_RangeProfiler_Object*>(profiler);
}

Error unsupported(const char* what) { return make_error(ErrorCode::profiler_unsupported, what); }

std::vector<std::uint8_t> counter_availability() {
  CUpti_Profiler_GetCounterAvailability_Params params = {
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
  params.ctx = current_context();
  check_cupti(cuptiProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability");
  std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = image.data();
  check_cupti(cuptiProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability");
  return image;
}

/// The hardware metrics that the catalogue metrics are computed from, each once.
std::vector<std::string> inputs_of(const std::vector<std::string>& metrics,
                                   const std::string& chip) {
  std::set<std::string> inputs;
  for (const std::string& name : metrics)
    if (const Metric* metric = find_metric(name))
      for (std::string& input : cupti_inputs(*metric, chip)) inputs.insert(std::move(input));
  return {inputs.begin(), inputs.end()};
}

}  // namespace

std::optional<std::string> cupti_chip_name() {
  // Without this, cuptiDeviceGetChipName of CUDA 13.0 crashes instead of answering.
  CUpti_Profiler_Initialize_Params initialize = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  if (cuptiProfilerInitialize(&initialize) != CUPTI_SUCCESS) return std::nullopt;
  CUpti_Device_GetChipName_Params params = {CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  if (cuptiDeviceGetChipName(&params) != CUPTI_SUCCESS || !params.pChipName) return std::nullopt;
  return params.pChipName;
}

CuptiCounters::CuptiCounters(std::vector<std::string> metrics)
    : subscriber_(on_call, &work_), metrics_(std::move(metrics)) {
  int device = 0;
  check_cuda(cudaGetDevice(&device));
  CUpti_Profiler_Initialize_Params initialize = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  check_cupti(cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  require_profiler(device, CUPTI_PROFILER_RANGE_PROFILING);
  const auto chip = cupti_chip_name();
  if (!chip) throw RunnerError(unsupported("CUPTI does not name this chip."));
  chip_ = *chip;
  hardware_.emplace(chip_, counter_availability(), inputs_of(metrics_, chip_));
}

CuptiCounters::~CuptiCounters() {
  disable();
  hardware_.reset();
  CUpti_Profiler_DeInitialize_Params end = {CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE};
  cuptiProfilerDeInitialize(&end);
}

void CuptiCounters::enable(bool single_kernel) {
  if (profiler_ && enabled_for_single_kernel_ == single_kernel) return;
  disable();
  CUpti_RangeProfiler_Enable_Params params = {CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  params.ctx = current_context();
  check_cupti(cuptiRangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  profiler_ = params.pRangeProfilerObject;
  enabled_for_single_kernel_ = single_kernel;
}

void CuptiCounters::disable() noexcept {
  if (!profiler_) return;
  CUpti_RangeProfiler_Disable_Params params = {CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = as_profiler(profiler_);
  cuptiRangeProfilerDisable(&params);
  profiler_ = nullptr;
}

void CUPTIAPI CuptiCounters::on_call(void* work, CUpti_CallbackDomain domain, CUpti_CallbackId,
                                     const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  auto& noted = *static_cast<Work*>(work);
  if (noted.thread != std::this_thread::get_id()) return;  // one of the host functions in a stream
  const bool of_runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  const bool enters = call.callbackSite == CUPTI_API_ENTER;
  if (of_runtime) noted.runtime_calls += enters ? 1 : -1;
  if (!enters) return;
  const std::string_view name = call.functionName ? call.functionName : "";
  // What the runtime asks of the driver within its own calls is not the kernel file's.
  if (asks_about_device(name) && noted.runtime_calls == (of_runtime ? 1 : 0)) ++noted.questions;
  if (!of_runtime) return;
  if (is_kernel_launch(name))
    ++noted.kernels;
  else if (is_other_work(name))
    ++noted.others;
}

LaunchShape CuptiCounters::shape_of(const Countable& countable) {
  work_ = {.thread = std::this_thread::get_id()};
  countable.prepare();
  subscriber_.watch_runtime_calls(true);
  subscriber_.watch_driver_calls(true);
  countable.launch();
  subscriber_.watch_driver_calls(false);
  subscriber_.watch_runtime_calls(false);
  countable.wait();
  return {.one_kernel = work_.kernels == 1 && work_.others == 0,
          .asks_if_done = work_.questions > 0,
          .pieces = work_.kernels + work_.others};
}

void CuptiCounters::configure(std::vector<std::uint8_t>& counter_data, bool single_kernel) {
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  size.pRangeProfilerObject = as_profiler(profiler_);
  size.pMetricNames = hardware_->names().data();
  size.numMetrics = hardware_->names().size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  check_cupti(cuptiRangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  counter_data.assign(size.counterDataSize, 0);
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params image = {
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  image.pRangeProfilerObject = as_profiler(profiler_);
  image.counterDataSize = counter_data.size();
  image.pCounterData = counter_data.data();
  check_cupti(cuptiRangeProfilerCounterDataImageInitialize(&image),
              "cuptiRangeProfilerCounterDataImageInitialize");
  CUpti_RangeProfiler_SetConfig_Params config = {CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  config.pRangeProfilerObject = as_profiler(profiler_);
  config.configSize = hardware_->configuration().size();
  config.pConfig = hardware_->configuration().data();
  config.counterDataImageSize = counter_data.size();
  config.pCounterDataImage = counter_data.data();
  config.range = single_kernel ? CUPTI_AutoRange : CUPTI_UserRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = 1;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 1;
  check_cupti(cuptiRangeProfilerSetConfig(&config), "cuptiRangeProfilerSetConfig");
}

void CuptiCounters::one_pass(const Countable& countable, bool single_kernel, bool& all_submitted) {
  const NvtxRange range("counter pass", countable.variant);
  countable.prepare();
  CUpti_RangeProfiler_Start_Params start = {CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  start.pRangeProfilerObject = as_profiler(profiler_);
  check_cupti(cuptiRangeProfilerStart(&start), "cuptiRangeProfilerStart");
  if (!single_kernel) {
    CUpti_RangeProfiler_PushRange_Params push = {CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE};
    push.pRangeProfilerObject = as_profiler(profiler_);
    push.pRangeName = "launch";
    check_cupti(cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
  }
  countable.launch();
  countable.wait();
  if (!single_kernel) {
    CUpti_RangeProfiler_PopRange_Params pop = {CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE};
    pop.pRangeProfilerObject = as_profiler(profiler_);
    check_cupti(cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
  }
  CUpti_RangeProfiler_Stop_Params stop = {CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  stop.pRangeProfilerObject = as_profiler(profiler_);
  check_cupti(cuptiRangeProfilerStop(&stop), "cuptiRangeProfilerStop");
  all_submitted = stop.isAllPassSubmitted != 0;
}

std::vector<BaseValue> CuptiCounters::collect(const Countable& countable, bool single_kernel) {
  if (hardware_->names().empty()) return {};
  enable(single_kernel);
  std::vector<std::uint8_t> counter_data;
  configure(counter_data, single_kernel);
  bool all_submitted = false;
  for (int pass = 0; pass < hardware_->passes() && !all_submitted; ++pass)
    one_pass(countable, single_kernel, all_submitted);
  if (!all_submitted)
    throw RunnerError(
        make_error(ErrorCode::runner_failed, "CUPTI asked for more passes than it had announced."));
  CUpti_RangeProfiler_DecodeData_Params decode = {
      CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
  decode.pRangeProfilerObject = as_profiler(profiler_);
  check_cupti(cuptiRangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData");
  if (decode.numOfRangeDropped > 0)
    throw RunnerError(make_error(ErrorCode::runner_failed, "CUPTI dropped the counted range."));
  return hardware_->evaluate(counter_data, 0);
}

std::vector<BaseValue> CuptiCounters::collect_somehow(const Countable& countable,
                                                      bool single_kernel) {
  if (!single_kernel) return collect(countable, false);
  try {
    return collect(countable, true);
  } catch (const RunnerError& failure) {
    // Permission, a busy profiler or a fault would only repeat; a refused kind of range need not.
    if (failure.error().code != ErrorCode::runner_failed) throw;
    disable();
    return collect(countable, false);
  }
}

CounterValue CuptiCounters::value_of(const std::string& name, const std::vector<BaseValue>& values,
                                     double least_bytes) const {
  CounterValue value;
  const Metric* metric = find_metric(name);
  if (!metric) {
    value.reason = {MissingKind::unknown_metric, name};
    return value;
  }
  if (metric->cupti.empty()) {
    value.reason = {MissingKind::no_counter};
    return value;
  }
  const std::vector<std::string> inputs = cupti_inputs(*metric, chip_);
  if (inputs.empty()) {
    value.reason = {MissingKind::not_on_chip, chip_};
    return value;
  }
  value.value = evaluate_cupti(*metric, chip_, values, least_bytes);
  if (value.value) return value;
  value.reason = {MissingKind::no_finite_value};
  for (const std::string& input : inputs)
    if (const auto found = hardware_->rejected().find(input); found != hardware_->rejected().end())
      value.reason = found->second;
  return value;
}

record::CounterSet CuptiCounters::count(const Countable& countable) {
  record::CounterSet set;
  set.shape = shape_of(countable);
  const std::vector<BaseValue> values = collect_somehow(countable, set.shape.one_kernel);
  set.variant = countable.variant;
  set.passes = hardware_->passes();
  for (const std::string& name : metrics_)
    set.values[name] = value_of(name, values, countable.least.bytes());
  return set;
}

}  // namespace klab::runner
