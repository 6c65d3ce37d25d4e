// A strict reader of XML for tests: refuses whatever is not well-formed, and lists what is there.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace klab::test {

/// What a document holds. `problem` is empty if it is well-formed.
struct MarkupContents {
  std::string problem;
  std::set<std::string> elements;
  std::set<std::string> attributes;
  std::string text;  ///< of all elements, with references resolved
};

class MarkupReader {
 public:
  static MarkupContents read(std::string_view document) {
    MarkupReader reader(document);
    reader.run();
    return std::move(reader.contents_);
  }

 private:
  explicit MarkupReader(std::string_view document) : rest_(document) {}

  void run() {
    if (rest_.starts_with("<!DOCTYPE html>")) rest_.remove_prefix(15);
    while (!rest_.empty() && contents_.problem.empty()) {
      if (rest_.front() == '<')
        tag();
      else
        characters();
    }
    if (contents_.problem.empty() && !open_.empty())
      fail("an element is left open: " + open_.back());
  }

  void fail(const std::string& why) {
    contents_.problem = why + " before: " + std::string(rest_.substr(0, 60));
  }

  static bool name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  }
  std::string name() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), name_character);
    std::string found(rest_.begin(), end);
    rest_.remove_prefix(found.size());
    if (found.empty()) fail("a name is missing");
    return found;
  }
  bool take(std::string_view wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }

  /// One character or reference of text.
  void character(std::string& to) {
    if (rest_.front() == '&') {
      for (const auto& [reference, meaning] : {std::pair<std::string_view, char>{"&amp;", '&'},
                                               {"&lt;", '<'},
                                               {"&gt;", '>'},
                                               {"&quot;", '"'},
                                               {"&#39;", '\''}})
        if (take(reference)) {
          to += meaning;
          return;
        }
      return fail("an unknown reference");
    }
    const auto c = static_cast<unsigned char>(rest_.front());
    if (c < 0x20 && c != '\n' && c != '\t') return fail("a control character");
    to += rest_.front();
    rest_.remove_prefix(1);
  }

  void characters() {
    std::string text;
    while (!rest_.empty() && rest_.front() != '<' && contents_.problem.empty()) character(text);
    if (open_.empty() && text.find_first_not_of(" \n\t") != std::string::npos)
      fail("text outside of the document");
    contents_.text += text;
  }

  void tag() {
    take("<");
    if (take("/")) {
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) return fail("</" + closed + "> closes nothing");
      open_.pop_back();
      if (!take(">")) fail("a tag does not end");
      return;
    }
    const std::string element = name();
    contents_.elements.insert(element);
    while (contents_.problem.empty() && take(" ")) {
      const std::string attribute = name();
      contents_.attributes.insert(attribute);
      if (!take("=\"")) return fail("an attribute without a quoted value");
      std::string value;
      while (!rest_.empty() && rest_.front() != '"' && contents_.problem.empty()) {
        if (rest_.front() == '<') return fail("markup in an attribute");
        character(value);
      }
      if (!take("\"")) return fail("an attribute does not end");
    }
    if (take("/>")) return;
    if (!take(">")) return fail("a tag does not end");
    open_.push_back(element);
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  MarkupContents contents_;
};

}  // namespace klab::test
