// Reading records up to the first thing that is none.
#include "core/wire/record_reader.hpp"

#include "core/base/text.hpp"

namespace klab {
namespace {

/// A login shell's greeting is a screenful at most.
constexpr std::size_t longest_noise_bytes = 16u << 10;

}  // namespace

RecordReader::RecordReader(PhaseOutcome& outcome,
                           const std::function<void(const Record&)>& on_record, bool remote,
                           std::string secret, std::size_t most_bytes)
    : outcome_(outcome),
      on_record_(on_record),
      remote_(remote),
      secret_(std::move(secret)),
      most_bytes_(most_bytes) {}

bool RecordReader::take(std::string_view line) {
  if (!broken_ && !done_) read(line);
  return !broken_;
}

void RecordReader::read(std::string_view line) {
  bytes_ += line.size();
  if (bytes_ > most_bytes_ || outcome_.records.size() >= most_records) {
    broken_ = make_error(ErrorCode::protocol_mismatch, "The runner reports without end.",
                         "Have the kernel file open and write no descriptors.");
    return;
  }
  if (!line.starts_with(secret_)) {
    const auto record = greeted_ ? Result<Record>(Error{}) : decode_record(line);
    if (const auto* hello = record ? std::get_if<record::Hello>(&*record) : nullptr) {
      const bool ours = hello->protocol == protocol_version;
      broken_ = make_error(
          ErrorCode::protocol_mismatch,
          ours ? "The runner cannot read what it was asked." : "The runner is of an older version.",
          "Run " + Act{Verb::setup} + " to build it anew.");
      return;
    }
    broken_ = make_error(ErrorCode::protocol_mismatch,
                         "Something else than the runner wrote where it reports what it found, so "
                         "nothing of it counts.",
                         "Have the kernel file open and write no descriptors.",
                         printable(line.substr(0, 200)));
    return;
  }
  line.remove_prefix(secret_.size());
  auto record = decode_record(line);
  if (!record) {
    if (remote_ && !greeted_ && noise_.size() + line.size() < longest_noise_bytes)
      noise_ += printable(line) + "\n";
    else
      broken_ = record.error();
    return;
  }
  if (const auto* hello = std::get_if<record::Hello>(&*record))
    greet(*hello);
  else if (!greeted_)
    broken_ = make_error(ErrorCode::protocol_mismatch, "The runner did not introduce itself.");
  if (broken_) return;
  done_ = std::holds_alternative<record::Done>(*record);
  outcome_.records.push_back(std::move(*record));
  if (on_record_) on_record_(outcome_.records.back());
}

void RecordReader::greet(const record::Hello& hello) {
  greeted_ = true;
  if (hello.protocol == protocol_version) return;
  broken_ = make_error(
      ErrorCode::protocol_mismatch,
      "The runner speaks version " + std::to_string(hello.protocol) + " of the protocol, klab " +
          std::to_string(protocol_version) + ".",
      remote_ ? "Build the same version of Kernel Lab on both machines: run `git pull` and " +
                    Act{Verb::setup} + " on each."
              : Advice());
}

std::string reached_step(const Request& request, const PhaseOutcome& outcome) {
  std::string text = "in phase " + std::string(to_string(request.phase));
  const auto steps = outcome.all<record::Progress>();
  if (steps.empty()) return text;
  const record::Progress& last = steps.back();
  text += ", step \"" + last.step + "\"";
  if (last.index) text += " " + std::to_string(*last.index);
  if (last.index && last.total) text += " of " + std::to_string(*last.total);
  return text;
}

}  // namespace klab
