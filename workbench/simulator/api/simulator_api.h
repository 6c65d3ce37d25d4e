/* What the runner asks of the simulator beyond CUDA: settings, counts, findings. Plain C, so that
   it can be looked up by name in whichever runtime the process has loaded.

   Settings and reports are JSON text, not structs: that runtime may be of another build, and text
   that lacks something is refused with a sentence, where a struct of another layout would be
   misread. The same text goes to another process where a program of one's own runs on the simulator
   (`klab sim`). Who reads it makes values of it at once. */
#ifndef KLAB_SIMULATOR_API_H
#define KLAB_SIMULATOR_API_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised with every change of the report that an older reader would misread. */
#define KLAB_SIM_API_VERSION 1

/* Sets what the JSON object names; other settings stay.

   threads: worker threads; 0: one per core.

   budget: warp instructions that one launch may execute; 0: without limit.

   touched_limit_bytes: memory that one launch may be the first to touch, looked at now and then; 0:
   without limit.

   blocks_in_part: of a grid of more blocks (or clusters) run this many alone, the first ones, the
   last ones and some in between, and leave copies and fills of more than 64 MiB out; 0: all.

   part_begins: the first of these blocks, and the others follow it; goes away when blocks_in_part
   is set without it.

   part_of_several: of several kernels one may read what blocks of another that were left out would
   have written: nothing that is found there counts.

   share_of_blocks: of each grid run this share alone, at least eight blocks (or clusters), drawn
   at random by the number `drawn`; what the others would have done is reported as
   `counts_left_out`.

   device_name, device_bytes: what the device calls itself, and the memory that it says to have; one
   with a name says an H200's clocks. "" and 0: what it is.

   multiprocessors: how many the device says to have, of those that there are, with an L2 in
   proportion and room for 1,536 threads each; what may be launched, and runs at once, stays. 0:
   what there is.

   memory_limit_bytes: device and pinned memory together.

   checks: "fast" (bounds, alignment, freed memory, barriers, shuffle masks), "block" (and what
   threads of one block do to each other: shared-memory races) or "full" (and reads of uninitialized
   memory, and what blocks do to each other).

   warps_in_reverse: true: the warps of each block take their turns from the last one down, and give
   one away, to other blocks too, behind a volatile or ordered load and an atomic operation with a
   result.

   deferred: true: asynchronous work runs only when something waits for it.

   unseen_waits: true: what is deferred runs also when the program has called nothing for some time and
   may wait by other means; host functions, and what is asked for behind them, always are.

   quiet: true: sentences about a launch go into the report alone, and not to standard error.

   clock: "host", or "counting": events are a nanosecond apart for each warp instruction executed
   and each call made between them, so that a program that measures itself finds the same each time.

   Returns 0, or 1 for text that is not such an object; then nothing changes and klab_sim_message
   says why. */
int klab_sim_configure(const char* json);
/* Why the last klab_sim_configure failed; empty if it did not. */
const char* klab_sim_message(void);

/* What findings call the work that is asked for from now on; null or empty: by what it is. */
void klab_sim_name_work(const char* name);
/* What they call a stream, and memory that begins there. */
void klab_sim_name_stream(void* stream, const char* name);
void klab_sim_name_memory(const void* memory, const char* name);

/* Whether calls come from a kernel file: they are not told that a launch was given no more time. */
void klab_sim_call_kernel_file(int on);

/* Whether the calling thread is within a call of the runtime. Allocates nothing. */
int klab_sim_in_call(void);

/* Starts a measurement: runs what is pending, then forgets counts, findings and a fatal error.
   Memory and loaded modules stay. */
void klab_sim_begin(void);

/* Writes the report as JSON text with a terminating zero, cut off at `capacity`, and returns the
   bytes it needs in full. Pending work is not run.
     kernels      [{name, symbol, launches, counts {name: value}, lines [{file, line, counts}],
                    lacks [{what, file, line}]}]: instructions that the kernel holds and that the
                    simulator does not have, executed or not; left out where there are none
     labels       {count name: "counted" or "modelled"}
     host         {count name: value}, all of them counted
     findings     [{kind, message, kernel, file, line, block, thread, address, allocation,
                    other {file, line, block, thread}}], absent members left out
     unsupported  [{what, kernel, file, line, message}]
     part         {kernels, copies, allocations, uncertain, most_blocks, warps, warps_ahead,
                  copied_to [[begin, end]]}: how many kernels and copies were left out or run in part,
                  how many allocations found no room, how many kernels read what is missing, the
                  blocks of the largest kernel, of the block or cluster that reached a limit the
                  warps, and those that had executed at least half as much as the busiest; and the
                  addresses between which copies and fills that were left out would have written,
                  the last 256 of them
     leaks        [{address, bytes, kind}]: allocated since the begin and not freed
     messages     [sentences]
     error        {code, name, message} when a fault made the context unusable
     event_time   "host clock" or "counts": what cudaEventElapsedTime measures here */
size_t klab_sim_report(char* buffer, size_t capacity);

/* Records, from now on and with nothing before, in which order the program calls the runtime and
   the device works; 0 stops it. Everything takes one step: there is no clock. */
void klab_sim_watch_order(int on);
/* The step that comes next. */
unsigned long long klab_sim_step(void);
/* Writes what was recorded, as klab_sim_report does.
     events   [{kind: "call", "kernel", "copy", "fill" or "memory", name, begin, end, call, thread,
              stream, bytes, from, to}]: steps [begin, end); `call` is the number of the call, or of
              the one that asked for the work; from and to are "device", "pinned", "managed" or
              "pageable"; absent members left out
     dropped  events beyond the 200,000 that are kept */
size_t klab_sim_order(char* buffer, size_t capacity);

/* Whether addresses of freed memory come back with the next allocation that fits, as on a GPU, or
   never: then whatever still uses them is found. */
void klab_sim_reuse_addresses(int on);

/* What a memset outside of a kernel file's calls writes from the beginning of that allocation on
   means nothing: whoever reads it is found, as where nobody wrote. */
void klab_sim_mark_scratch(const void* memory);

/* Writes the numbers of those pages of 4,096 bytes, from `begin` on, that were touched since their
   memory was allocated, whatever touched them: at most `capacity`, the first ones. `begin` is what
   an allocation returned. Returns how many were written. */
size_t klab_sim_touched_pages(const void* begin, size_t bytes, unsigned long long* pages,
                              size_t capacity);

/* What the report says of `kept_allocations` and `living_objects`, alone. */
void klab_sim_living(long long* kept_allocations, unsigned long long* living_objects);

/* What the counting clock shows, in nanoseconds; reading it takes one of them, so that a program
   that waits for it does not wait for ever. */
unsigned long long klab_sim_clock(void);

/* Stops the running kernel as soon as possible; from any thread or signal handler. It ends with
   cudaErrorLaunchTimeout. klab_sim_begin clears the request. */
void klab_sim_cancel(void);

/* Hands each new finding over as one JSON object (the form of the report), at once: also one made
   by a crash of host code, from inside the signal handler. Its sentence is then none for
   klab_sim_on_message. Null stops it. */
typedef void (*klab_sim_finding_function)(const char* json, size_t bytes, void* user_data);
void klab_sim_on_finding(klab_sim_finding_function function, void* user_data);
/* Hands each sentence for a person over, as one JSON string, in place of standard error. */
void klab_sim_on_message(klab_sim_finding_function function, void* user_data);
/* Hands each new entry of the report's `unsupported` over, at once. */
void klab_sim_on_refusal(klab_sim_finding_function function, void* user_data);
/* The same for the sentence about each call that the simulated runtime lacks. */
void klab_sim_on_lacking(klab_sim_finding_function function, void* user_data);

/* Called about every 0.25 s while a kernel runs, from the thread that launched it. Null stops it.
 */
typedef void (*klab_sim_progress_function)(unsigned long long warp_instructions,
                                           unsigned long long blocks_done,
                                           unsigned long long blocks, void* user_data);
void klab_sim_on_progress(klab_sim_progress_function function, void* user_data);

#ifdef __cplusplus
}
#endif

#endif
