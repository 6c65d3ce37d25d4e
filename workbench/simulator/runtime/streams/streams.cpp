// The order of asynchronous work: eager by default, or deferred until something waits for it.
#include "simulator/runtime/streams/streams.hpp"

#include <algorithm>

#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/streams/early.hpp"
#include "simulator/runtime/streams/poison.hpp"
#include "simulator/runtime/streams/waits/host_code.hpp"
#include "simulator/runtime/streams/waits/race_finding.hpp"

namespace klab::sim {
namespace {

void append_pending(std::vector<OperationPointer>& to, const std::vector<OperationPointer>& from) {
  for (const auto& operation : from) {
    if (operation && !operation->done) to.push_back(operation);
  }
}

}  // namespace

bool Stream::idle() const {
  return std::all_of(tail.begin(), tail.end(),
                     [](const auto& operation) { return operation->done; });
}

Streams::Streams() {
  legacy_.legacy = true;
  legacy_.id = next_stream_id_++;
  legacy_.handle = cudaStreamLegacy;
}

Stream* Streams::find(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_;
  if (handle == cudaStreamPerThread) {
    Stream*& own = per_thread_[std::this_thread::get_id()];
    if (own != nullptr) return own;
    own = create(cudaStreamDefault, 0);
    names_[own->id] =
        any_given_ ? "cudaStreamPerThread (which is not the given stream)" : "cudaStreamPerThread";
    return own;
  }
  const auto found = streams_.find(reinterpret_cast<Stream*>(handle));
  return found == streams_.end() ? nullptr : found->second.get();
}

Stream* Streams::create(unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  Stream* raw = stream.get();
  stream->handle = reinterpret_cast<cudaStream_t>(raw);
  stream->id = next_stream_id_++;
  stream->flags = flags;
  stream->priority = priority;
  streams_[raw] = std::move(stream);
  return raw;
}

void Streams::destroy(Stream* stream) {
  captures.leave(*stream);
  streams_.erase(stream);
}

EventPointer Streams::create_event(unsigned flags) {
  auto event = std::make_shared<Event>();
  event->flags = flags;
  events_[event.get()] = event;
  return event;
}

EventPointer Streams::find(cudaEvent_t handle) const {
  const auto found = events_.find(reinterpret_cast<const Event*>(handle));
  return found == events_.end() ? nullptr : found->second;
}

bool Streams::destroy(cudaEvent_t handle) {
  return events_.erase(reinterpret_cast<const Event*>(handle)) != 0;
}

std::vector<OperationPointer> Streams::dependencies(const Stream& stream) const {
  std::vector<OperationPointer> after;
  append_pending(after, stream.tail);
  if (stream.legacy) {
    for (const auto& [key, other] : streams_) {
      if (other->blocking()) append_pending(after, other->tail);
    }
  } else if (stream.blocking()) {
    append_pending(after, legacy_.tail);
  }
  return after;
}

std::uint64_t Streams::last_in_front(const Stream& stream) const {
  std::uint64_t last = std::max(stream.behind, host_behind_);
  if (stream.legacy) {
    for (const auto& [key, other] : streams_)
      if (other->blocking()) last = std::max(last, other->behind);
  } else if (stream.blocking()) {
    last = std::max(last, legacy_.behind);
  }
  return last;
}

void Streams::wait_on_host(std::uint64_t behind) {
  host_behind_ = std::max(host_behind_, behind);
  seen_done(behind);
}

OperationPointer Streams::queue_behind(const Stream& stream, std::uint64_t lane, Work work,
                                       std::vector<OperationPointer> after,
                                       const OrderedSource& source) {
  auto operation = std::make_shared<Operation>();
  operation->order = std::make_shared<WorkOrder>();
  operation->work = std::move(work);
  operation->sequence = next_sequence_++;
  operation->source = source;
  operation->after = std::move(after);
  WorkOrder& order = *operation->order;
  order.stream = lane;
  order.legacy = stream.legacy;
  order.name = work_name;
  order.frees = std::holds_alternative<FreeWork>(operation->work);
  order.sequence = operation->sequence;
  for (const OperationPointer& earlier : operation->after)
    for (const auto& [other, sequence] : earlier->order->after)
      order.after[other] = std::max(order.after[other], sequence);
  order.after[lane] = order.sequence;
  pending_.insert(operation);
  if (const auto* copy = std::get_if<CopyWork>(&operation->work))
    operation->pending_source = pending_sources_.add(*copy);
  operation->runs_host_code = runs_host_code(operation->work);
  for (const OperationPointer& earlier : operation->after)
    operation->behind_host_code |= earlier->runs_host_code || earlier->behind_host_code;
  close_to_host_code(*operation);
  unseen_waits_.watch();
  ++pending_by_stream_[lane];
  return operation;
}

void Streams::close_to_host_code(Operation& operation) {
  const Settings& settings = Runtime::instance().settings;
  const auto* kernel = std::get_if<KernelWork>(&operation.work);
  host_touches_.collect(operation.sequence);
  if (kernel == nullptr || settings.checks != Checks::full || settings.blocks_in_part > 0) return;
  operation.speaks_with_host = HostTouches::may_speak(*kernel);
  // Host functions in front of it may use what it uses.
  if (!operation.behind_host_code) operation.shared_with_host = host_touches_.close_for(*kernel);
}

void Streams::queue(Stream& stream, Work work, OperationPointer* out) {
  const auto operation = queue_behind(stream, stream.id, std::move(work), dependencies(stream),
                                      Runtime::instance().order.asked_by_call(stream.id));
  watch_early(*operation, stream);
  stream.tail = {operation};
  if (out != nullptr) *out = operation;
}

std::vector<OperationPointer> Streams::queue_steps(const Stream& stream,
                                                   const GraphProgram& program,
                                                   const std::vector<OperationPointer>& before,
                                                   const OrderedSource& source) {
  std::vector<std::vector<OperationPointer>> ends;  // of each step
  std::vector<bool> is_last(program.steps.size(), true);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    std::vector<OperationPointer> after;
    if (program.after[i].empty()) after = before;
    std::optional<std::uint64_t> lane;  // that of the first one that nobody went on from
    for (const std::size_t earlier : program.after[i]) {
      after.insert(after.end(), ends[earlier].begin(), ends[earlier].end());
      if (is_last[earlier] && !lane && ends[earlier].size() == 1)
        lane = ends[earlier].front()->order->stream;
      is_last[earlier] = false;
    }
    const Work& work = program.steps[i];
    if (const auto* inner = std::get_if<GraphWork>(&work)) {
      ends.push_back(queue_steps(stream, *inner->program, after, source));
      continue;
    }
    if (const auto* wait = std::get_if<WaitWork>(&work))
      append_pending(after, {wait->event->operation});
    ends.push_back(
        {queue_behind(stream, lane ? *lane : next_stream_id_++, work, std::move(after), source)});
    ends.back().front()->order->branch_of_graph = stream.id;
    if (const auto* event = std::get_if<EventWork>(&work)) {
      event->event->capture.reset();
      event->event->recorded = true;
      event->event->operation = ends.back().front();
    }
  }
  std::vector<OperationPointer> last;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (is_last[i]) last.insert(last.end(), ends[i].begin(), ends[i].end());
  return ends.empty() ? before : last;
}

void Streams::run(const std::vector<OperationPointer>& targets) {
  ++traversal_;
  std::vector<OperationPointer> needed;
  const auto visit = [&](const OperationPointer& operation) {
    if (operation->done || operation->mark == traversal_) return;
    operation->mark = traversal_;
    needed.push_back(operation);
  };
  for (const auto& target : targets) visit(target);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const OperationPointer operation = needed[i];
    for (const auto& earlier : operation->after) visit(earlier);
  }
  std::sort(needed.begin(), needed.end(),
            [](const auto& a, const auto& b) { return a->sequence < b->sequence; });
  Errors& errors = Runtime::instance().errors;
  host_touches_.collect(next_sequence_);
  for (const auto& operation : needed) {
    unguard_pending(operation->work);
    host_touches_.open(operation->shared_with_host);
    Runtime::instance().order.work_for(operation->source);
    if (!errors.has_faulted()) {
      if (const cudaError_t code = execute_pending(*operation); code != cudaSuccess) {
        errors.set_pending(code);
      }
      running_ = nullptr;
      if (operation->front != nullptr || operation->given) look_in_front(*operation);
      host_touches_.drop();
    }
    pending_.erase(operation);
    if (const auto source = std::exchange(operation->pending_source, std::nullopt))
      pending_sources_.remove(*source);
    const auto left = pending_by_stream_.find(operation->order->stream);
    if (--left->second == 0) pending_by_stream_.erase(left);
    operation->order->done_at = next_sequence_;
    operation->done = true;
    operation->after.clear();
    operation->work = EmptyWork{};
    operation->keeps.reset();
  }
  if (!pending_.empty()) return;
  for (const auto& act : std::exchange(when_idle_, {})) act();
  host_touches_.forget();
  forget_early_host();
  races_.clear();  // whatever is asked for from now on comes later
  told_race_ = false;
}

bool Streams::may_race() const {
  // Several kernels of which some blocks are run use enough of their memory for it to show.
  const Settings& settings = Runtime::instance().settings;
  return (settings.checks == Checks::full || settings.part_of_several) &&
         (pending_by_stream_.size() > 1 || !races_.empty());
}

void Streams::watch_early(Operation& operation, const Stream& stream) {
  const auto* kernel = std::get_if<KernelWork>(&operation.work);
  if (kernel == nullptr || !may_begin_early(*kernel) || stream.tail.size() != 1) return;
  if (Runtime::instance().settings.checks != Checks::full) return;
  const OperationPointer& front = stream.tail.front();
  if (front->done) return;
  if (!std::holds_alternative<KernelWork>(front->work)) {
    operation.given = given_in_front(*front);
    if (operation.given && !operation.uses) operation.uses.emplace();
    return;
  }
  operation.front = front;
  for (Operation* watched : {&operation, front.get()})
    if (!watched->uses) watched->uses.emplace();
}

// What has a name stands for what a caller may ask for: a copy, or a kernel that lets others begin.
std::optional<UsesByLine> Streams::given_in_front(const Operation& last) {
  std::optional<UsesByLine> given;
  for (const Operation* one = &last; !one->order->name.empty() && add_uses(one->work, given);
       one = one->after.front().get())
    if (one->after.size() != 1) break;
  return given;
}

// The row in front is kept as long as a later kernel may overtake it.
void Streams::look_in_front(Operation& operation) {
  if (operation.given) {
    if (auto race = given_race({&operation.ran, &*operation.uses}, *operation.given))
      Runtime::instance().add(std::move(*race));
    operation.given.reset();
    return;
  }
  std::vector<EarlyKernel> front;
  for (Operation* one = operation.front.get(); one != nullptr; one = one->front.get()) {
    front.push_back({&one->ran, &*one->uses});
    if (front.size() == most_overtaken) one->front = nullptr;
  }
  if (auto race = early_race({&operation.ran, &*operation.uses}, front))
    Runtime::instance().add(std::move(*race));
  if (!may_be_overtaken(*operation.uses)) operation.front = nullptr;
}

bool Streams::any_beside() const {
  if (running_ == nullptr) return false;
  const WorkOrder& now = *running_->order;
  return std::any_of(pending_.begin(), pending_.end(), [&](const OperationPointer& other) {
    const auto last = other->order->after.find(now.stream);
    const bool behind = last != other->order->after.end() && last->second >= now.sequence;
    return !behind && !std::holds_alternative<EventWork>(other->work) &&
           !std::holds_alternative<AllocateWork>(other->work);
  });
}

cudaError_t Streams::execute_pending(Operation& operation) {
  running_ = &operation;
  KernelUses* uses = operation.uses ? &*operation.uses : nullptr;
  if (uses != nullptr) operation.ran = operation.work;
  const bool touched_early =
      !operation.shared_with_host.empty() && host_touches_.any_behind(operation.sequence);
  if (!may_race() && !touched_early) return execute(operation.work, nullptr, uses);
  TouchedMemory touched;
  if (operation.order->name.empty())
    operation.order->name = name_of(operation.work, *operation.order, names_);
  const cudaError_t code = execute(operation.work, &touched, uses);
  if (touched_early)
    if (auto early = host_touches_.too_early(std::get<KernelWork>(operation.work),
                                             operation.sequence, touched))
      Runtime::instance().add(std::move(*early));
  if (!may_race() || code == cudaErrorNotSupported) return code;
  const auto race = races_.add(operation.order, std::move(touched));
  // The first says enough: where order is missing once, others follow.
  if (race && !std::exchange(told_race_, true)) Runtime::instance().add(finding_of(*race));
  return code;
}

cudaError_t Streams::synchronize(Stream& stream) {
  wait_on_host(last_in_front(stream));
  run(dependencies(stream));
  return Runtime::instance().errors.take_pending();
}

cudaError_t Streams::synchronize(const Event& event) {
  wait_on_host(last_in_front(event));
  if (event.operation) run({event.operation});
  return Runtime::instance().errors.take_pending();
}

cudaError_t Streams::synchronize_all() {
  wait_on_host(last_work_);
  run({pending_.begin(), pending_.end()});
  return Runtime::instance().errors.take_pending();
}

template <class Awaited>
cudaError_t Streams::poll_for(Awaited& awaited) {
  const bool watched = Runtime::instance().settings.checks == Checks::full;
  if (watched && !polls_.ends(last_in_front(awaited))) return cudaErrorNotReady;
  const cudaError_t code = synchronize(awaited);
  // Watched, "not ready" is never said of what is done, as who waits for that waits for nothing.
  return code == cudaSuccess && !watched ? cudaErrorNotReady : code;
}

cudaError_t Streams::poll(Stream& stream) { return poll_for(stream); }
cudaError_t Streams::poll(const Event& event) { return poll_for(event); }

bool Streams::run_what_the_host_waits_for() {
  std::vector<OperationPointer> awaited;
  for (const OperationPointer& operation : pending_)
    if (host_came_early() || operation->runs_host_code || operation->speaks_with_host)
      awaited.push_back(operation);
  if (!awaited.empty()) {
    ++Runtime::instance().counts.host_synchronizations;
    wait_on_host(last_work_);
  }
  run(awaited);
  return !awaited.empty();
}

void Streams::when_idle(std::function<void()> act) {
  if (pending_.empty())
    act();
  else
    when_idle_.push_back(std::move(act));
}

void Streams::run_pending() { run({pending_.begin(), pending_.end()}); }

void Streams::run_what_is_left() {
  const auto may_reach_host = [](const OperationPointer& operation) {
    const Work& work = operation->work;
    return std::holds_alternative<CopyWork>(work) || std::holds_alternative<HostWork>(work) ||
           std::holds_alternative<GraphWork>(work) || std::holds_alternative<ConditionalWork>(work);
  };
  if (std::none_of(pending_.begin(), pending_.end(), may_reach_host)) run_pending();
}

}  // namespace klab::sim
