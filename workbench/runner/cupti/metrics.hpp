// CuptiMetrics: a list of hardware metrics made ready for collection on one chip. Needs no GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab::runner {

/// Holds CUPTI's host object, to which the metrics are added, and its configuration image.
class CuptiMetrics {
 public:
  /// `availability` is the device's counter availability image, or empty for what the chip could do
  /// at best. Names that CUPTI does not know on this chip are set aside with the reason: a bad one
  /// would spoil the host object for all others. Errors: RunnerError.
  CuptiMetrics(std::string chip, std::vector<std::uint8_t> availability,
               const std::vector<std::string>& names);
  ~CuptiMetrics();
  CuptiMetrics(const CuptiMetrics&) = delete;
  CuptiMetrics& operator=(const CuptiMetrics&) = delete;

  /// The names that will be collected, as C strings that live as long as this object.
  std::vector<const char*>& names() { return accepted_; }
  /// Names set aside, with the reason.
  const std::map<std::string, MissingReason>& rejected() const { return rejected_; }
  std::vector<std::uint8_t>& configuration() { return configuration_; }
  int passes() const { return passes_; }

  /// The values of one range of a decoded counter data image; those that are not finite are left
  /// out. Errors: RunnerError.
  std::vector<BaseValue> evaluate(const std::vector<std::uint8_t>& counter_data,
                                  std::size_t range) const;

 private:
  void open();
  void close() noexcept;
  bool knows(const char* name) const;
  void add_accepted();

  std::string chip_;
  std::vector<std::uint8_t> availability_;
  std::vector<std::string> storage_;
  std::vector<const char*> accepted_;
  std::map<std::string, MissingReason> rejected_;
  std::vector<std::uint8_t> configuration_;
  int passes_ = 0;
  void* host_ = nullptr;  ///< CUpti_Profiler_Host_Object
};

}  // namespace klab::runner
