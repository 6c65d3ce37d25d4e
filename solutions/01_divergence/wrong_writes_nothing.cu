// Rejected by: correct — launches nothing, in the hope that the last run's results are still there
#include "contract.cuh"

void launch(const Args&, cudaStream_t) {}
