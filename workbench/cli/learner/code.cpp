// code: what a kernel file becomes, PTX or machine code, with the source line of each line.
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/diff/line_diff.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/build/code_listing.hpp"
#include "core/check/machine.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t longest_source_bytes = 1u << 20;

nlohmann::json to_json(const CodeListing& listing, const CheckRequest& request) {
  nlohmann::json lines = nlohmann::json::array();
  for (const ListingLine& line : listing.lines) {
    nlohmann::json item = {{"text", line.text}, {"source_line", nullptr}};
    if (line.source_line) item["source_line"] = *line.source_line;
    lines.push_back(std::move(item));
  }
  return {{"lab", request.lab.id},
          {"variant", request.variant.shown()},
          {"kind", to_string(listing.kind)},
          {"file", request.source.string()},
          {"lines", lines}};
}

/// The listing with each source line above what it became.
std::string text_of(const Context& context, const CodeListing& listing,
                    const std::vector<std::string>& source) {
  std::string text;
  std::optional<int> shown;
  for (const ListingLine& line : listing.lines) {
    if (line.source_line && line.source_line != shown) {
      const auto index = static_cast<std::size_t>(*line.source_line) - 1;
      text += context.out.paint(Tone::accent, std::to_string(*line.source_line) + "  " +
                                                  (index < source.size() ? printable(source[index])
                                                                         : std::string())) +
              "\n";
      shown = line.source_line;
    }
    text +=
        context.out.paint(line.is_head ? Tone::strong : Tone::plain, printable(line.text)) + "\n";
  }
  return text;
}

}  // namespace

int code(const Context& context, const CodeOptions& options) {
  const auto request = check_request(context, options);
  if (!request) return fail(context, request.error(), options.json);
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain) return fail(context, toolchain.error(), options.json);
  const auto listing =
      list_code(context.tree, *toolchain, request->lab, request->variant, request->source,
                built_for(context.tree), options.sass ? ListingKind::sass : ListingKind::ptx,
                &canceled_by_user());
  if (!listing) return fail(context, listing.error(), options.json);
  if (options.json) {
    print_json(to_json(*listing, *request));
    return exit_ok;
  }
  const auto source = read_file(request->source, longest_source_bytes);
  show(context, text_of(context, *listing, split_lines(source ? *source : "")));
  return exit_ok;
}

}  // namespace klab::cli
