// CodeListingView: PTX or machine code beside the source, each line with the source line it came
// from.
#pragma once

#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

/// Fills the rest of the current region with the listing that was asked for, or with why it is not
/// there.
void draw_listing(const Model& model, const CodeFile& file, Commands& commands);

}  // namespace klab::ui
