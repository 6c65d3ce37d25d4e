// PcBuffer: memory that CUPTI's PC sampling fills, with room for every reason at every instruction.
#pragma once

#include <cupti.h>
#include <cupti_pcsampling.h>

#include <cstddef>
#include <vector>

namespace klab::runner {

class PcBuffer {
 public:
  PcBuffer(std::size_t pcs, std::size_t reasons) : pcs_(pcs), reasons_(pcs * reasons) {
    for (std::size_t i = 0; i < pcs; ++i) {
      pcs_[i].size = sizeof(CUpti_PCSamplingPCData);
      pcs_[i].stallReason = reasons_.data() + i * reasons;
    }
    data_.size = sizeof(CUpti_PCSamplingData);
    data_.collectNumPcs = pcs;
    data_.pPcData = pcs_.data();
  }
  PcBuffer(const PcBuffer&) = delete;
  PcBuffer& operator=(const PcBuffer&) = delete;

  CUpti_PCSamplingData& data() { return data_; }

 private:
  std::vector<CUpti_PCSamplingPCData> pcs_;
  std::vector<CUpti_PCSamplingStallReason> reasons_;
  CUpti_PCSamplingData data_{};
};

}  // namespace klab::runner
