// What is asked of nvcc for the code page, each question on its worker's thread.
#include "ui/background/code_services.hpp"

namespace klab::ui {

FactsWorker::FactsWorker(Tree tree, std::function<void()> wake)
    : worker_(
          [tree = std::move(tree)](const FactsQuestion& question, const auto& overtaken) {
            return compile_facts(tree, question, &overtaken);
          },
          std::move(wake)) {}

std::int64_t FactsWorker::ask(FactsQuestion question) {
  question.number = ++asked_;
  worker_.ask(std::move(question));
  return asked_;
}

ListingWorker::ListingWorker(Tree tree, std::function<void()> wake)
    : worker_(
          [tree = std::move(tree)](const ListingQuestion& question, const auto& overtaken) {
            const auto toolchain = find_toolchain(tree);
            if (!toolchain) return ListingAnswer{question.key, toolchain.error()};
            return ListingAnswer{
                question.key,
                list_code(tree, *toolchain, question.lab, question.key.variant, question.source,
                          question.compute_capability, question.key.kind, &overtaken)};
          },
          std::move(wake)) {}

}  // namespace klab::ui
