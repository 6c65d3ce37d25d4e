// Task: what a lab asks of a kernel, said once and field by field. Buffers, binding and the least
// traffic follow from it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runner/workload/random.cuh"
#include "runner/workload/workload.cuh"

namespace klab {
namespace detail {

/// "in" for &Args::in, as the compiler spells it in `... [with auto Field = &Args::in]`.
template <auto Field>
constexpr std::string_view field_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(0, text.find_first_of(";]", text.find("Field = ")));
  return text.substr(text.rfind(':') + 1);
}

template <class T, class Args, class Fill>
struct FillBody {
  T* to;
  Args args;
  Fill fill;
  std::uint64_t seed;
  bool unusual;
  std::int64_t first = 0;  ///< the element that is number 0 here
  __host__ __device__ void operator()(std::int64_t number) const {
    const std::int64_t i = first + number;
    to[i] = static_cast<T>(drawn_from(fill, args, unusual, seed, static_cast<std::uint64_t>(i)));
  }
};

/// A real number on its way to another one; any other number, only at the end.
template <class T>
T towards(T from, T to, float share) {
  if (share == 1) return to;
  if constexpr (std::is_floating_point_v<T>) return from + static_cast<T>(share) * (to - from);
  return from;
}

template <class Args, class T>
T pointee(T* Args::*);

}  // namespace detail

/// Takes down what each field of Args holds at one size.
template <class Args>
class Fields {
 public:
  /// An array that the kernel reads: `count` elements drawn from `fill`.
  template <auto Field, class Fill>
  void input(std::int64_t count, Fill fill, Memory memory = Memory::device) {
    add<Field>(count, Role::input, memory, filler<Field>(count, fill));
  }
  /// An array that the kernel replaces, drawn anew before each launch.
  template <auto Field, class Fill>
  void inout(std::int64_t count, Fill fill, Memory memory = Memory::device) {
    add<Field>(count, Role::inout, memory, filler<Field>(count, fill));
  }
  /// An array that the kernel writes, but for `may_stay` elements that nobody looks at.
  template <auto Field>
  void output(std::int64_t count, Memory memory = Memory::device, std::int64_t may_stay = 0) {
    add<Field>(count, Role::output, memory, {});
    specs_.back().may_stay = static_cast<std::size_t>(may_stay);
  }
  /// Room that the kernel may use or leave: no part of the task's least traffic.
  template <auto Field>
  void scratch(std::int64_t count, Memory memory = Memory::device) {
    add<Field>(count, Role::scratch, memory, {});
  }
  /// An extent, or a number that is the same in every problem of this size.
  template <auto Field, class T>
  void value(T value) {
    bindings_.push_back([value](Args& args, const Problem&) { write(args.*Field, value); });
  }
  /// A number drawn anew for every problem, so that no kernel can know it beforehand.
  template <auto Field, class Draw>
  void drawn(Draw draw) {
    const std::uint64_t index = ~static_cast<std::uint64_t>(bindings_.size());
    const std::uint64_t bit = std::uint64_t{1} << (drawn_++ % 64);
    bindings_.push_back([draw, index, bit](Args& args, const Problem& problem) {
      const auto by = [&](std::uint64_t seed) {
        return detail::drawn_from(draw, detail::NoArgs{}, problem.unusual, hash(seed, index), 0);
      };
      auto value = by(problem.seed);
      if (const DrawnAnew& anew = problem.scalars; (anew.which & bit) != 0)
        value = detail::towards(value, by(anew.seed), anew.share);
      write(args.*Field, value);
    });
  }
  /// Of a lab with `gpus = 2`: the numbers of its devices, in an `int[2]`.
  template <auto Field>
  void devices() {
    bindings_.push_back([](Args& args, const Problem& problem) {
      (args.*Field)[0] = problem.devices.first;
      (args.*Field)[1] = problem.devices.second;
    });
  }
  /// The stream of the second device. Work on it belongs to the launch as that on `stream` does.
  template <auto Field>
  void second_stream() {
    bindings_.push_back(
        [](Args& args, const Problem& problem) { args.*Field = problem.devices.second_stream; });
  }
  /// Operations that any correct kernel must do, beside the traffic that follows from the fields.
  void work(const Work& operations) { operations_ = operations; }

  const std::vector<BufferSpec>& specs() const { return specs_; }
  std::size_t count(std::size_t buffer) const { return specs_[buffer].count; }

  void fill(const Problem& problem) const {
    const Args args = bind(problem);
    for (std::size_t i = 0; i < fillers_.size(); ++i)
      if (fillers_[i])
        fillers_[i](problem, problem.buffers[i], args, hash(problem.seed, i),
                    problem.parts.empty() ? nullptr : &problem.parts[i]);
  }
  Args bind(const Problem& problem) const {
    Args args{};
    for (const auto& binding : bindings_) binding(args, problem);
    return args;
  }
  /// Each input read once, each output written once, an in-out both; what lies in host memory
  /// crosses the bus instead. Counters see the first device, and both work at once: what lies in
  /// the second one's memory adds nothing.
  Work least_work() const {
    Work least = operations_;
    for (const BufferSpec& spec : specs_) {
      const double bytes =
          static_cast<double>(spec.count) * static_cast<double>(spec.element_bytes);
      const bool read = spec.role == Role::input || spec.role == Role::inout;
      const bool written = spec.role == Role::output || spec.role == Role::inout;
      if (spec.memory == Memory::device) {
        least.device_memory += bytes * (read + written);
      } else if (spec.memory != Memory::second_device) {
        least.to_device += bytes * read;
        least.to_host += bytes * written;
      }
    }
    return least;
  }
  /// The place of a field among the buffers.
  template <auto Field>
  std::size_t index() const {
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (specs_[i].name == detail::field_name<Field>()) return i;
    throw std::logic_error("The task describes no array " +
                           std::string(detail::field_name<Field>()) + ".");
  }

 private:
  using Filler = std::function<void(const Problem&, void*, const Args&, std::uint64_t seed,
                                    const std::vector<Elements>* parts)>;

  template <class To, class From>
  static void write(To& to, const From& from) {
    to = static_cast<To>(from);
  }

  template <auto Field, class Fill>
  static Filler filler(std::int64_t count, Fill fill) {
    using T = std::remove_const_t<decltype(detail::pointee(Field))>;
    return [count, fill](const Problem& problem, void* to, const Args& args, std::uint64_t seed,
                         const std::vector<Elements>* parts) {
      detail::FillBody<T, Args, Fill> body{static_cast<T*>(to), args, fill, seed, problem.unusual};
      if (!parts) return for_each_alone(problem.where, count, body);
      for (const Elements& part : *parts) {
        body.first = part.begin;
        for_each(problem.where, part.end - part.begin, body);
      }
    };
  }

  template <auto Field>
  void add(std::int64_t count, Role role, Memory memory, Filler fill) {
    using T = decltype(detail::pointee(Field));
    const std::size_t index = specs_.size();
    specs_.push_back({std::string(detail::field_name<Field>()), static_cast<std::size_t>(count),
                      sizeof(T), role, memory});
    fillers_.push_back(std::move(fill));
    bindings_.push_back([index](Args& args, const Problem& problem) {
      args.*Field = problem.at<std::remove_const_t<T>>(index);
    });
  }

  std::vector<BufferSpec> specs_;
  std::vector<Filler> fillers_;  ///< one for each buffer; empty for what is not filled
  std::vector<std::function<void(Args&, const Problem&)>> bindings_;
  unsigned drawn_ = 0;  ///< scalars
  Work operations_;
};

/// A result beside what it was computed from. Pointers of both are host or device memory alike.
template <class Args>
struct Answer {
  const Fields<Args>& fields;
  Where where;
  Args given;                                       ///< inputs and in-outs as they were filled
  Args got;                                         ///< what the kernel left behind
  const std::vector<std::vector<Elements>>& parts;  ///< of Problem

  /// Compares every element of an output with expected(i); see klab::compare().
  template <auto Field, class F>
  Mismatch compare(F expected) const {
    const std::size_t buffer = fields.template index<Field>();
    return klab::compare(where, static_cast<std::int64_t>(fields.count(buffer)), got.*Field, buffer,
                         expected, parts.empty() ? nullptr : &parts[buffer]);
  }
};

/// A lab's task: derive from it, say what the fields are and what is right, and offer it.
template <class Args>
class Task : public Workload {
 public:
  /// What each field of Args is at this size.
  virtual void describe(Fields<Args>& fields, const Size& size) const = 0;
  /// The first wrong element, by a reference in double precision and an error model.
  virtual Mismatch first_wrong(const Answer<Args>& answer) const = 0;
  /// A task whose reference takes passes of its own over all inputs says no.
  bool checks_parts() const override { return true; }

  /// A launch with these Args comes next: where a task keeps something of its own, it begins anew.
  virtual void begin(const Args&, std::uint64_t /*seed*/) {}

  std::vector<BufferSpec> buffers(const Size& size) const final { return at(size).specs(); }
  void fill(const Problem& problem) const final { at(problem.size).fill(problem); }
  Mismatch check(const Problem& initial, const Problem& result) const final {
    const Fields<Args> fields = at(result.size);
    return first_wrong(Answer<Args>{fields, result.where, fields.bind(initial), fields.bind(result),
                                    result.parts});
  }
  const void* bind(const Problem& problem) final {
    args_ = at(problem.size).bind(problem);
    begin(args_, problem.seed);
    return &args_;
  }
  void unbind() final { args_ = Args{}; }
  Work least_work(const Size& size) const final { return at(size).least_work(); }

 private:
  Fields<Args> at(const Size& size) const {
    Fields<Args> fields;
    describe(fields, size);
    return fields;
  }

  Args args_{};
};

namespace detail {
static Workload* (*offered)() = nullptr;  // one workload a library
}

/// `const klab::Offer<MyTask> offer;` at the end of workload.cu hands the task to the runner.
template <class T>
struct Offer {
  Offer() {
    detail::offered = []() -> Workload* { return new T; };
  }
};

}  // namespace klab

/// What the runner asks the library for; the runner owns the result.
extern "C" inline __attribute__((used)) klab::Workload* klab_make_workload() {
  return klab::detail::offered ? klab::detail::offered() : nullptr;
}
