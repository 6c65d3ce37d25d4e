// The rows of the metric catalogue, by subject. Only metric_catalogue.cpp and its tables use this.
#pragma once

#include <span>

#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab::catalogue {

std::span<const Metric> triage_metrics();
std::span<const Metric> roofline_metrics();
std::span<const Metric> device_memory_metrics();
std::span<const Metric> memory_metrics();
std::span<const Metric> coalescing_metrics();
std::span<const Metric> shared_metrics();
std::span<const Metric> local_metrics();
std::span<const Metric> thread_metrics();
std::span<const Metric> divergence_metrics();
std::span<const Metric> tensor_metrics();
std::span<const Metric> stall_metrics();
std::span<const Metric> overhead_metrics();
std::span<const Metric> compiler_metrics();

}  // namespace klab::catalogue
