// agree: the simulator beside this GPU, or beside what was recorded of one.
#include "cli/verbs/check_session.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/record/random/agreement.hpp"
#include "core/record/results.hpp"
#include "core/timing/gpu_lock.hpp"

namespace klab::cli {
namespace {

constexpr const char* document = "docs/agreement.md";

/// What of the plan this device can run.
std::vector<Comparand> comparands_for(const Context& context, const AgreementPlan& plan,
                                      const DeviceFacts& device) {
  std::vector<Comparand> all = comparands(plan, load_course(context.tree.root));
  std::erase_if(all, [&](const Comparand& comparand) {
    return obstacle_of(comparand.lab, device).has_value();
  });
  return all;
}

/// Puts both sides of all comparands together.
Result<> compare_all(const Context& context, const AgreementPlan& plan,
                     const std::vector<Comparand>& all, const std::vector<AgreementSide>& ours,
                     const std::vector<AgreementSide>& theirs, Agreement& agreement) {
  if (canceled_by_user()) return make_error(ErrorCode::canceled, "The comparison was stopped.");
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto kernel = compared(plan, context.tree.root, all[i], ours[i], theirs[i]);
    if (!kernel) return kernel.error();
    agreement.kernels.push_back(std::move(*kernel));
  }
  return Ok{};
}

void list(const Context& context, Tone tone, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences)
    print("  " + context.out.paint(tone, "✘ ") + printable(sentence) + "\n");
}

/// Both sides, here and now, into docs/results/agreement/.
int record_here(const Context& context, const AgreementPlan& plan, const Toolchain& toolchain,
                const DeviceFacts& gpu, const std::string& output) {
  const GpuLock lock(context.tree, {}, canceled_by_user());
  Agreement agreement{gpu, now_utc(), {}};
  agreement.device.toolkit = toolchain.version;
  const auto all = comparands_for(context, plan, gpu);
  const auto run = [&](bool simulator) {
    say(context,
        std::to_string(all.size()) + " kernels on the " + (simulator ? "simulator" : "GPU") + " …");
    return run_sides(context.tree, toolchain, plan, all, simulator,
                     gpu.compute_capability.value_or(default_compute_capability),
                     &canceled_by_user());
  };
  const auto ours = run(true);
  if (!ours) return fail(context, ours.error());
  const auto theirs = run(false);
  if (!theirs) return fail(context, theirs.error());
  if (auto put = compare_all(context, plan, all, *ours, *theirs, agreement); !put)
    return fail(context, put.error());
  explain(plan, agreement);
  const auto path =
      output.empty() ? agreement_file(context.tree.root, gpu) : std::filesystem::absolute(output);
  if (auto written = write_agreement(path, agreement); !written)
    return fail(context, written.error());
  const auto open = unexplained(plan, agreement);
  list(context, Tone::bad, open);
  print("  " + std::to_string(agreement.kernels.size()) + " kernels compared with " +
        printable(gpu.name) + "; " + counted(open.size(), "difference") +
        " without a known reason.\n  Recorded in " + shown_path(context, path) +
        "; `./klab course agree --report` brings it into " + document + ".\n");
  return open.empty() ? exit_ok : exit_failed;
}

/// The simulator's side alone, against every recording.
int check_recordings(const Context& context, const AgreementPlan& plan,
                     const Toolchain& toolchain) {
  const auto recordings = load_agreements(context.tree.root);
  if (!recordings) return fail(context, recordings.error());
  if (recordings->empty())
    return fail(context, make_error(ErrorCode::no_device, "No GPU has been compared yet.",
                                    "Run `./klab course agree` on a machine with a CUDA GPU."));
  std::vector<std::string> changed;
  for (const Agreement& recorded : *recordings) {
    Agreement now{recorded.device, now_utc(), {}};
    const auto all = at_recorded_sizes(comparands_for(context, plan, recorded.device), recorded);
    const auto ours =
        run_sides(context.tree, toolchain, plan, all, true,
                  recorded.device.compute_capability.value_or(default_compute_capability),
                  &canceled_by_user());
    if (!ours) return fail(context, ours.error());
    const std::vector<AgreementSide> none(all.size());
    if (auto put = compare_all(context, plan, all, *ours, none, now); !put)
      return fail(context, put.error());
    for (const std::string& sentence : changes(recorded, now))
      changed.push_back("beside " + recorded.device.name + ": " + sentence);
  }
  const auto random = load_random_agreements(context.tree.root);
  if (!random) return fail(context, random.error());
  for (const RandomAgreement& recorded : *random) {
    const auto digest = generator_digest(context.tree.root, recorded.seeds(), recorded.kind);
    if (!digest) return fail(context, digest.error());
    if (*digest != recorded.generator)
      changed.push_back("beside " + recorded.device.name + ": the generator of random kernels" +
                        std::string(source_has_changed));
  }
  list(context, Tone::bad, changed);
  if (changed.empty())
    print("  The simulator's side is the recorded one.\n");
  else
    print("  → Run `./klab course agree` on that GPU, then `./klab course agree --report`.\n");
  return changed.empty() ? exit_ok : exit_failed;
}

/// Brings the recordings into the document, with the reasons that the plan knows today.
int render(const Context& context, const AgreementPlan& plan) {
  auto recordings = load_agreements(context.tree.root);
  if (!recordings) return fail(context, recordings.error());
  for (Agreement& agreement : *recordings) {
    explain(plan, agreement);
    const auto path = agreement_file(context.tree.root, agreement.device);
    if (auto written = write_agreement(path, agreement); !written)
      return fail(context, written.error());
  }
  const auto path = context.tree.root / document;
  const auto text = read_file(path);
  if (!text) return fail(context, text.error());
  const auto random = load_random_agreements(context.tree.root);
  if (!random) return fail(context, random.error());
  const auto fresh = with_results(
      *text, agreement_markdown(plan, *recordings) + random_agreement_markdown(plan, *random));
  if (!fresh) return fail(context, fresh.error());
  if (auto written = write_file(path, *fresh); !written) return fail(context, written.error());
  print("  " + std::string(document) + " holds the tables of " +
        std::to_string(recordings->size() + random->size()) + " recording(s).\n");
  return exit_ok;
}

}  // namespace

int agree(const Context& context, const AgreeOptions& options) {
  const auto plan = load_agreement_plan(context.tree.root);
  if (!plan) return fail(context, plan.error());
  if (options.report) return render(context, *plan);
  const auto backend = named_backend(options.backend);
  if (!backend) return fail(context, backend.error());
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain) return fail(context, toolchain.error());
  const auto chosen = choose_backend(context.tree, *backend);
  if (!chosen) return fail(context, chosen.error());
  if (options.random.kernels > 0)
    return agree_random(context, *plan, *toolchain, chosen->simulator ? nullptr : &chosen->device,
                        options);
  if (chosen->simulator) return check_recordings(context, *plan, *toolchain);
  return record_here(context, *plan, *toolchain, chosen->device, options.output);
}

}  // namespace klab::cli
