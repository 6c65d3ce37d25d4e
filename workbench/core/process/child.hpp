// Child: starting a process with pipes, for those that talk to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/result.hpp"
#include "core/process/process_request.hpp"

namespace klab {

/// A process that was started and our ends of its pipes, none of which block. `records` is open
/// only where it was asked for.
struct Child {
  pid_t pid = -1;
  Descriptor in, out, err, records;
};

/// Starts request.command as the leader of a process group of its own. Of the request only command,
/// environment, folder and with_records matter. The caller waits for the process. Errors:
/// ErrorCode::io.
Result<Child> spawn(const ProcessRequest& request);

/// The texts as exec takes them, with the null that ends them; valid as long as the texts are.
std::vector<char*> exec_pointers(std::vector<std::string>& texts);

}  // namespace klab
