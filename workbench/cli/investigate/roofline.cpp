// roofline: where each kernel stands under the ceilings of this device, as a table and bars.

#include "cli/investigate/investigate.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/investigate/roofline_rules.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t bar_cells = 24;

/// A kernel's numbers; what is absent is a dash, never 0.
void add_kernel(Table& table, const RooflineKernel& kernel, bool simulated) {
  const auto per_byte = [&](MemoryLevel level) { return format_number(intensity(kernel, level)); };
  if (simulated)
    return table.add({{kernel.variant.shown(), Tone::strong},
                      {format_flop(total_flops(kernel))},
                      {per_byte(MemoryLevel::requested)}});
  table.add({{kernel.variant.shown(), Tone::strong},
             {format_seconds(kernel.seconds)},
             {format_flop_per_s(flop_rate(kernel))},
             {per_byte(MemoryLevel::dram)},
             {per_byte(MemoryLevel::l2)},
             {per_byte(MemoryLevel::l1)}});
}

Tone tone_of(Standing::Kind kind) {
  switch (kind) {
    case Standing::Kind::at_memory:
    case Standing::Kind::at_arithmetic:
      return Tone::good;
    case Standing::Kind::impossible:
      return Tone::bad;
    case Standing::Kind::far:
      return Tone::doubtful;
    default:
      return Tone::plain;
  }
}

std::string kernel_text(const Terminal& out, const Roofline& roofline,
                        const RooflineKernel& kernel) {
  const Standing stands = standing(roofline, kernel);
  std::string text = "\n  " + out.paint(Tone::strong, kernel.variant.shown()) + "\n";
  Table shares("llr", 4);
  for (const RoofShare& share : roof_shares(roofline.ceilings, kernel))
    shares.add({{std::string(share.roof.label), Tone::faint},
                {percent_bar(share.percent, bar_cells)},
                {format_percent(share.percent), Tone::strong}});
  if (!shares.empty()) text += shares.text(out);
  text += paragraph(out, shell_words(stands.meaning), 4, tone_of(stands.kind));
  for (const std::string& more : {stands.position, stands.waste})
    if (!more.empty()) text += paragraph(out, more, 4);
  return text;
}

std::string ceilings_text(const Terminal& out, const Ceilings& ceilings) {
  Table table("lrr");
  table.add(
      {{"ridges", Tone::faint}, {"roof", Tone::faint}, {"meets FP32 at flop/byte", Tone::faint}});
  for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1}) {
    const Roof roof = memory_roof(ceilings, level);
    table.add({{std::string(roof.label)},
               {format_bytes_per_s(roof.rate)},
               {format_number(ridge(ceilings, level, Arithmetic::fp32))}});
  }
  for (const Arithmetic unit : all_arithmetic) {
    const Roof roof = arithmetic_roof(ceilings, unit);
    table.add({{std::string(roof.label)}, {format_flop_per_s(roof.rate)}, {""}});
  }
  return "\n" + table.text(out);
}

std::string roofline_text(const Terminal& out, const Investigation& investigation) {
  const Roofline& roofline = std::get<Roofline>(investigation.found);
  const bool simulated = investigation.backend == Backend::simulator;
  std::string heading = investigation.device.name;
  if (!roofline.ceilings.date.empty()) heading += ", ceilings of " + roofline.ceilings.date;
  std::string text =
      "\n" + row_text(out, {{investigation.lab, Tone::strong}, {heading, Tone::faint}}) + "\n";
  Table table(simulated ? "lrr" : "lrrrrr");
  if (simulated)
    table.add({{"kernel", Tone::faint},
               {"operations", Tone::faint},
               {"flop per requested byte", Tone::faint}});
  else
    table.add({{"kernel", Tone::faint},
               {"time", Tone::faint},
               {"rate", Tone::faint},
               {"flop/byte: memory", Tone::faint},
               {"L2", Tone::faint},
               {"L1", Tone::faint}});
  for (const RooflineKernel& kernel : roofline.kernels) add_kernel(table, kernel, simulated);
  text += table.text(out);
  for (const RooflineKernel& kernel : roofline.kernels) text += kernel_text(out, roofline, kernel);
  if (!roofline.ceilings.values.empty()) text += ceilings_text(out, roofline.ceilings);
  for (const Advice& note : roofline.notes)
    text += "\n" + paragraph(out, shell_words(note), 2, Tone::faint);
  return text + "\n";
}

}  // namespace

int roofline(const Context& context, const InvestigateOptions& options) {
  return show_investigation(context,
                            find_investigation(context, options, InvestigationKind::roofline),
                            options, roofline_text);
}

}  // namespace klab::cli
