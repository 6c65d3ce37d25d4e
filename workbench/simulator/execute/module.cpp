// The index of a module's kernels.
#include "simulator/execute/module.hpp"

#include "simulator/ptx/text.hpp"

namespace klab::sim {

Module::Module(std::unique_ptr<ptx::ModuleText> text) : ModuleSymbols(std::move(text)) {
  for (const ptx::Function& function : this->text().functions) {
    if (!function.entry || !function.has_body) continue;
    kernel_index_.emplace(function.name, kernels_.size());
    kernels_.push_back(std::make_unique<Kernel>(*this, std::string(function.name)));
  }
}

Module::~Module() = default;

Module::Parsed Module::parse(std::string_view text) { return link({text}); }

Module::Parsed Module::link(const std::vector<std::string_view>& texts) {
  auto read = std::make_unique<ptx::ModuleText>();
  std::vector<std::string> own;
  for (const std::string_view text : texts) own.emplace_back(text.substr(0, text.find('\0')));
  if (auto error = ptx::link_modules(std::move(own), *read)) return {nullptr, std::move(error)};
  return {std::unique_ptr<Module>(new Module(std::move(read))), std::nullopt};
}

Kernel* Module::find_kernel(std::string_view name) {
  const auto it = kernel_index_.find(name);
  return it == kernel_index_.end() ? nullptr : kernels_[it->second].get();
}

}  // namespace klab::sim
