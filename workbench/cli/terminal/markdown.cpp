// Renders what md4c parses: headings, paragraphs, lists, quotes, code and tables.
#include "cli/terminal/markdown.hpp"

#include <md4c.h>

#include <vector>

#include "core/base/text.hpp"

namespace klab::cli {
namespace {

// Marks of tone inside text that is still to be wrapped. They are control characters, which take no
// column and which printable() has removed from the source.
constexpr char mark_end = '\x01';
constexpr char first_mark = '\x02';

std::string mark(Tone tone) { return {static_cast<char>(first_mark + static_cast<char>(tone))}; }

/// One open list.
struct List {
  bool ordered = false;
  unsigned next = 1;
};

class Renderer {
 public:
  Renderer(const Terminal& terminal, const DrawFigure& draw_figure)
      : terminal_(terminal), draw_figure_(draw_figure) {}

  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_UL:
        flush();
        lists_.push_back({});
        break;
      case MD_BLOCK_OL:
        flush();
        lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
        break;
      case MD_BLOCK_LI: {
        flush();
        List& list = lists_.back();
        bullet_ = list.ordered ? std::to_string(list.next++) + ". " : "• ";
        break;
      }
      case MD_BLOCK_QUOTE:
        ++quotes_;
        break;
      case MD_BLOCK_CODE: {
        flush();
        const MD_ATTRIBUTE& language = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang;
        in_figure_ = draw_figure_ && std::string_view(language.text, language.size) == "figure";
        break;
      }
      case MD_BLOCK_TABLE:
        flush();
        table_.clear();
        break;
      case MD_BLOCK_TR:
        table_.emplace_back();
        break;
      case MD_BLOCK_HR:
        result_ += "  " + terminal_.paint(Tone::faint, std::string(20, '-')) + "\n\n";
        break;
      default:
        break;
    }
  }

  void leave(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_H:
        leave_heading(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_P:
        flush();
        if (lists_.empty()) result_ += "\n";
        break;
      case MD_BLOCK_LI:
        flush();
        break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        lists_.pop_back();
        if (lists_.empty()) result_ += "\n";
        break;
      case MD_BLOCK_QUOTE:
        flush();
        --quotes_;
        break;
      case MD_BLOCK_CODE:
        leave_code();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        table_.back().push_back(std::move(text_));
        text_.clear();
        break;
      case MD_BLOCK_TABLE:
        leave_table();
        break;
      default:
        break;
    }
  }

  void enter(MD_SPANTYPE type) {
    switch (type) {
      case MD_SPAN_EM:
      case MD_SPAN_STRONG:
        text_ += mark(Tone::strong);
        break;
      case MD_SPAN_CODE:
        text_ += mark(Tone::accent);
        break;
      case MD_SPAN_IMG:
        text_ += mark(Tone::faint) + "[figure: ";
        break;
      case MD_SPAN_A:
        link_start_ = text_.size();
        break;
      default:
        break;
    }
  }

  void leave(MD_SPANTYPE type, void* detail) {
    switch (type) {
      case MD_SPAN_EM:
      case MD_SPAN_STRONG:
      case MD_SPAN_CODE:
        text_ += mark_end;
        break;
      case MD_SPAN_IMG:
        text_ += std::string("]") + mark_end;
        break;
      case MD_SPAN_A: {
        const MD_ATTRIBUTE& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
        const std::string target(href.text, href.size);
        if (text_.substr(link_start_) != target)
          text_ += std::string(" ") + mark(Tone::faint) + "(" + target + ")" + mark_end;
        break;
      }
      default:
        break;
    }
  }

  void text(MD_TEXTTYPE type, std::string_view piece) {
    if (type == MD_TEXT_SOFTBR)
      text_ += ' ';
    else if (type == MD_TEXT_BR)
      text_ += '\n';
    else if (type == MD_TEXT_HTML)
      return;  // comments and markup mean nothing on a terminal
    else if (type == MD_TEXT_ENTITY)
      text_ += entity(piece);
    else
      text_ += piece;
  }

  std::string finish() {
    flush();
    while (result_.size() > 1 && result_.substr(result_.size() - 2) == "\n\n") result_.pop_back();
    return std::move(result_);
  }

 private:
  static std::string entity(std::string_view name) {
    if (name == "&lt;") return "<";
    if (name == "&gt;") return ">";
    if (name == "&amp;") return "&";
    if (name == "&nbsp;") return " ";
    if (name == "&quot;") return "\"";
    return std::string(name);
  }

  /// The marks as this terminal's codes.
  std::string painted(std::string_view marked) const {
    std::string text;
    for (const char c : marked) {
      if (c == mark_end) {
        if (terminal_.colour) text += "\033[0m";
      } else if (c >= first_mark && c <= first_mark + static_cast<char>(Tone::accent)) {
        // paint() gives code, text and reset: what stands before the text is the code.
        const std::string sample = terminal_.paint(static_cast<Tone>(c - first_mark), "x");
        text += sample.substr(0, sample.find('x'));
      } else {
        text += c;
      }
    }
    return text;
  }

  void flush() {
    if (text_.empty()) return;
    std::string indent(2 + 2 * (lists_.empty() ? 0 : lists_.size() - 1), ' ');
    std::string first = indent, next = indent;
    if (!lists_.empty()) {
      first += bullet_.empty() ? std::string(2, ' ') : bullet_;
      next = std::string(display_width(first), ' ');
      bullet_.clear();
    }
    if (quotes_ > 0) {
      first += "│ ";
      next += "│ ";
    }
    std::string lines = wrapped(text_, terminal_.columns - display_width(first));
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos;
         at += next.size() + 1)
      lines.insert(at + 1, next);
    result_ += first + painted(lines) + "\n";
    text_.clear();
  }

  void leave_heading(unsigned level) {
    result_ += terminal_.paint(level <= 2 ? Tone::strong : Tone::accent, text_) + "\n";
    if (level == 1)
      result_ += terminal_.paint(Tone::faint, std::string(display_width(text_), '=')) + "\n";
    result_ += "\n";
    text_.clear();
  }

  void leave_code() {
    if (in_figure_) {
      result_ += draw_figure_(text_);
      text_.clear();
      return;
    }
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (end > 0) result_ += "      " + terminal_.paint(Tone::accent, rest.substr(0, end));
      result_ += "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    result_ += "\n";
    text_.clear();
  }

  void leave_table() {
    std::size_t columns = 0;
    for (const auto& row : table_) columns = std::max(columns, row.size());
    Table table(std::string(columns, 'l'));
    for (std::size_t r = 0; r < table_.size(); ++r) {
      std::vector<Cell> cells;
      for (const std::string& text : table_[r]) {
        std::string plain;
        for (const char c : text)
          if (static_cast<unsigned char>(c) >= 0x20) plain += c;
        cells.push_back({plain, r == 0 ? Tone::strong : Tone::plain});
      }
      table.add(std::move(cells));
    }
    result_ += table.text(terminal_) + "\n";
  }

  const Terminal& terminal_;
  const DrawFigure& draw_figure_;
  bool in_figure_ = false;
  std::string result_;
  std::string text_;
  std::string bullet_;
  std::vector<List> lists_;
  std::vector<std::vector<std::string>> table_;
  std::size_t link_start_ = 0;
  int quotes_ = 0;
};

}  // namespace

std::string render_markdown(const Terminal& terminal, std::string_view markdown,
                            const DrawFigure& draw_figure) {
  const std::string source = printable(markdown);
  Renderer renderer(terminal, draw_figure);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_PERMISSIVEURLAUTOLINKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    static_cast<Renderer*>(data)->enter(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    static_cast<Renderer*>(data)->leave(type, detail);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void*, void* data) {
    static_cast<Renderer*>(data)->enter(type);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void* detail, void* data) {
    static_cast<Renderer*>(data)->leave(type, detail);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    static_cast<Renderer*>(data)->text(type, {text, size});
    return 0;
  };
  md_parse(source.data(), static_cast<MD_SIZE>(source.size()), &parser, &renderer);
  return renderer.finish();
}

}  // namespace klab::cli
