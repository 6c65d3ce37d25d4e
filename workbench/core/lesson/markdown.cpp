// Markdown: md4c's callbacks turned into blocks.
#include "core/lesson/markdown.hpp"

#include <md4c.h>

#include <utility>

namespace klab::markdown {
namespace {

constexpr std::size_t longest_text_bytes = 1u << 20;
constexpr std::size_t most_blocks = 10'000;

struct List {
  bool ordered = false;
  unsigned next = 1;
};

struct Parser {
  Document blocks;
  std::vector<List> lists;
  std::string marker;  ///< waits for the first paragraph of a list item
  int quote = 0;
  int strong = 0, emphasis = 0, code_span = 0, image = 0;
  std::string link;
  bool in_head = false;
  Spans* target = nullptr;
  bool in_code = false;

  Block& add(Block::Kind kind) {
    if (blocks.size() >= most_blocks) blocks.pop_back();
    Block block;
    block.kind = kind;
    block.indent = static_cast<int>(lists.size());
    block.quote = quote;
    block.marker = std::move(marker);
    marker.clear();
    blocks.push_back(std::move(block));
    return blocks.back();
  }
  /// Text directly in a tight list item comes without a paragraph of its own.
  Spans& spans() {
    if (!target) target = &add(Block::Kind::paragraph).spans;
    return *target;
  }
  void append(std::string_view text) {
    Spans& list = spans();
    const Span style{"", strong > 0, emphasis > 0, code_span > 0, image > 0, link};
    if (!list.empty()) {
      Span& last = list.back();
      if (last.text != "\n" && last.strong == style.strong && last.emphasis == style.emphasis &&
          last.code == style.code && last.image == style.image && last.link == style.link) {
        last.text += text;
        return;
      }
    }
    list.push_back(style);
    list.back().text = text;
  }
};

std::string attribute(const MD_ATTRIBUTE& value) {
  return value.text ? std::string(value.text, value.size) : std::string();
}

Align align_of(MD_ALIGN align) {
  if (align == MD_ALIGN_CENTER) return Align::center;
  return align == MD_ALIGN_RIGHT ? Align::right : Align::left;
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  Parser& p = *static_cast<Parser*>(user);
  switch (type) {
    case MD_BLOCK_QUOTE:
      ++p.quote;
      break;
    case MD_BLOCK_UL:
      p.target = nullptr, p.lists.push_back({});
      break;
    case MD_BLOCK_OL:
      p.target = nullptr;
      p.lists.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
      break;
    case MD_BLOCK_LI:
      p.target = nullptr;
      p.marker = p.lists.back().ordered ? std::to_string(p.lists.back().next++) + "." : "•";
      break;
    case MD_BLOCK_HR:
      p.add(Block::Kind::rule);
      break;
    case MD_BLOCK_H: {
      Block& block = p.add(Block::Kind::heading);
      block.level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      p.target = &block.spans;
      break;
    }
    case MD_BLOCK_CODE:
      p.add(Block::Kind::code).language =
          attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      p.in_code = true;
      break;
    case MD_BLOCK_P:
      p.target = &p.add(Block::Kind::paragraph).spans;
      break;
    case MD_BLOCK_TABLE:
      p.add(Block::Kind::table);
      break;
    case MD_BLOCK_THEAD:
      p.in_head = true;
      break;
    case MD_BLOCK_TR:
      p.blocks.back().rows.emplace_back();
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: {
      Block& table = p.blocks.back();
      if (p.in_head)
        table.aligns.push_back(align_of(static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align));
      p.target = &table.rows.back().emplace_back();
      break;
    }
    default:
      break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
  Parser& p = *static_cast<Parser*>(user);
  switch (type) {
    case MD_BLOCK_QUOTE:
      --p.quote;
      break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      p.lists.pop_back();
      break;
    case MD_BLOCK_CODE: {
      p.in_code = false;
      std::string& code = p.blocks.back().code;
      while (!code.empty() && code.back() == '\n') code.pop_back();
      break;
    }
    case MD_BLOCK_THEAD:
      p.in_head = false;
      break;
    default:
      break;
  }
  p.target = nullptr;
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
  Parser& p = *static_cast<Parser*>(user);
  if (type == MD_SPAN_STRONG) ++p.strong;
  if (type == MD_SPAN_EM) ++p.emphasis;
  if (type == MD_SPAN_CODE) ++p.code_span;
  if (type == MD_SPAN_IMG) ++p.image;
  if (type == MD_SPAN_A) p.link = attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* user) {
  Parser& p = *static_cast<Parser*>(user);
  if (type == MD_SPAN_STRONG) --p.strong;
  if (type == MD_SPAN_EM) --p.emphasis;
  if (type == MD_SPAN_CODE) --p.code_span;
  if (type == MD_SPAN_IMG) --p.image;
  if (type == MD_SPAN_A) p.link.clear();
  return 0;
}

/// The few named entities that prose uses; others stay as they were written.
std::string_view entity(std::string_view name) {
  if (name == "&amp;") return "&";
  if (name == "&lt;") return "<";
  if (name == "&gt;") return ">";
  if (name == "&quot;") return "\"";
  if (name == "&nbsp;") return "\xC2\xA0";
  return name;
}

int take_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  Parser& p = *static_cast<Parser*>(user);
  const std::string_view piece(text, size);
  if (p.in_code) {
    p.blocks.back().code += piece;
    return 0;
  }
  switch (type) {
    case MD_TEXT_BR:
      p.spans().push_back({"\n"});
      break;
    case MD_TEXT_SOFTBR:
      p.append(" ");
      break;
    case MD_TEXT_ENTITY:
      p.append(entity(piece));
      break;
    case MD_TEXT_NULLCHAR:
    case MD_TEXT_HTML:
      break;
    default:
      p.append(piece);
  }
  return 0;
}

}  // namespace

Document parse(std::string_view text) {
  text = text.substr(0, longest_text_bytes);
  Parser parser;
  MD_PARSER callbacks{};
  callbacks.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_PERMISSIVEURLAUTOLINKS;
  callbacks.enter_block = enter_block;
  callbacks.leave_block = leave_block;
  callbacks.enter_span = enter_span;
  callbacks.leave_span = leave_span;
  callbacks.text = take_text;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &callbacks, &parser);
  return std::move(parser.blocks);
}

std::string plain(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

}  // namespace klab::markdown
