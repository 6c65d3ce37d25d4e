// The rows of the metric catalogue, by subject. Only metric_catalogue.cpp and its tables use this.
#pragma once

#include <span>

#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab::catalogue {

std::span<const Metric> triage_metrics();
std::span<const Metric> roofline_metrics();
std::span<const Metric> access_metrics();
std::span<const Metric> execution_metrics();
std::span<const Metric> stall_metrics();
std::span<const Metric> program_metrics();

}  // namespace klab::catalogue
