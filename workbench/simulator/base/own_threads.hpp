// Whether all threads of this process are the simulator's, so that the host program does nothing.
#pragma once

namespace klab::sim {

// Says that this thread is one that the simulator started to look after the host program. Such
// threads stay.
void begin_watching();

// How many threads there are if the host program has none but the caller, which is in a call of
// ours; `pool`: the caller and its helpers. 0 where the caller watches: the host program goes on.
unsigned own_threads(unsigned pool);
// Whether there are so many. False where the system does not tell.
bool are_all_threads(unsigned own);

}  // namespace klab::sim
