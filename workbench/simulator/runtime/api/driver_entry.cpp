// Functions of the driver by their name: the simulator has none.
#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return api_call([&](Runtime& runtime) {
    if (symbol == nullptr || function == nullptr || version == 0 ||
        flags > cudaEnablePerThreadDefaultStream)
      return cudaErrorInvalidValue;
    runtime.lack(symbol, std::string("The program asks for ") + symbol +
                             ", a function of the driver, and the simulator stands in for the "
                             "runtime alone: it is not found. Call the runtime's counterpart if "
                             "there is one; otherwise this needs a GPU.");
    *function = nullptr;
    if (status == nullptr) return cudaErrorSymbolNotFound;
    *status = cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  const CalledAs outer;
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

}  // extern "C"
