// The host side of CUPTI's Range Profiler: validation, configuration image, evaluation.
#include "runner/cupti/metrics.hpp"

#include <cmath>

#include <cupti_profiler_host.h>

#include "runner/cupti/check.hpp"

namespace klab::runner {
namespace {

CUpti_Profiler_Host_Object* as_host(void* host) {
  return static_cast<CUpti_Profiler_Host_Object*>(host);
}

}  // namespace

CuptiMetrics::CuptiMetrics(std::string chip, std::vector<std::uint8_t> availability,
                           const std::vector<std::string>& names)
    : chip_(std::move(chip)), availability_(std::move(availability)), storage_(names) {
  open();
  for (const std::string& name : storage_) {
    if (knows(name.c_str()))
      accepted_.push_back(name.c_str());
    else
      rejected_[name] = {MissingKind::unknown_counter, name + " on " + chip_};
  }
  if (!accepted_.empty()) add_accepted();
}

CuptiMetrics::~CuptiMetrics() { close(); }

void CuptiMetrics::open() {
  CUpti_Profiler_Host_Initialize_Params params = {
      CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip_.c_str();
  params.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
  check_cupti(cuptiProfilerHostInitialize(&params), "cuptiProfilerHostInitialize");
  host_ = params.pHostObject;
}

void CuptiMetrics::close() noexcept {
  if (!host_) return;
  CUpti_Profiler_Host_Deinitialize_Params params = {
      CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
  params.pHostObject = as_host(host_);
  cuptiProfilerHostDeinitialize(&params);
  host_ = nullptr;
}

bool CuptiMetrics::knows(const char* name) const {
  CUpti_Profiler_Host_GetMetricProperties_Params params = {
      CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE};
  params.pHostObject = as_host(host_);
  params.pMetricName = name;
  return cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

void CuptiMetrics::add_accepted() {
  const auto add = [&](std::vector<const char*> names) {
    CUpti_Profiler_Host_ConfigAddMetrics_Params params = {
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
    params.pHostObject = as_host(host_);
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    return cuptiProfilerHostConfigAddMetrics(&params);
  };
  if (add(accepted_) != CUPTI_SUCCESS) {
    // A name can be known and still not be collectable: a rollup is missing, or the device lacks
    // the counter. Each is tried alone in a host object of its own.
    std::vector<const char*> good;
    for (const char* name : accepted_) {
      close();
      open();
      if (add({name}) == CUPTI_SUCCESS)
        good.push_back(name);
      else
        rejected_[name] = {MissingKind::not_countable, std::string(name) + " on " + chip_};
    }
    accepted_ = good;
    close();
    open();
    if (accepted_.empty()) return;
    check_cupti(add(accepted_), "cuptiProfilerHostConfigAddMetrics");
  }
  CUpti_Profiler_Host_GetConfigImageSize_Params size = {
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
  size.pHostObject = as_host(host_);
  check_cupti(cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize");
  configuration_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image = {
      CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
  image.pHostObject = as_host(host_);
  image.configImageSize = configuration_.size();
  image.pConfigImage = configuration_.data();
  check_cupti(cuptiProfilerHostGetConfigImage(&image), "cuptiProfilerHostGetConfigImage");
  CUpti_Profiler_Host_GetNumOfPasses_Params passes = {
      CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
  passes.configImageSize = configuration_.size();
  passes.pConfigImage = configuration_.data();
  check_cupti(cuptiProfilerHostGetNumOfPasses(&passes), "cuptiProfilerHostGetNumOfPasses");
  passes_ = static_cast<int>(passes.numOfPasses);
}

std::vector<BaseValue> CuptiMetrics::evaluate(const std::vector<std::uint8_t>& counter_data,
                                              std::size_t range) const {
  std::vector<const char*> names = accepted_;
  std::vector<double> values(names.size(), std::nan(""));
  CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
  params.pHostObject = as_host(host_);
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  params.pMetricValues = values.data();
  check_cupti(cuptiProfilerHostEvaluateToGpuValues(&params),
              "cuptiProfilerHostEvaluateToGpuValues");
  std::vector<BaseValue> collected;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::isfinite(values[i])) collected.push_back({names[i], values[i]});
  return collected;
}

}  // namespace klab::runner
