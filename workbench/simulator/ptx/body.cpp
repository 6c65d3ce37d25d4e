// Reading the statements of a function body.
#include <algorithm>
#include <map>
#include <tuple>

#include "simulator/ptx/cursor.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim::ptx {

namespace {

constexpr std::uint64_t most_registers = 1u << 20;
constexpr int most_nesting = 8;

class BodyReader {
 public:
  BodyReader(const ModuleText& module, const Function& function, Body& body)
      : body_(body),
        module_(module),
        cursor_(module.tokens, function.begin, function.end),
        first_file_(function.first_file) {
    body_.locations.push_back({});
  }

  std::optional<ParseError> run() {
    while (!cursor_.done()) statement();
    return cursor_.error;
  }

 private:
  void add(Statement::Kind kind, std::size_t index = 0) {
    body_.statements.push_back({kind, index});
  }

  void statement() {
    const Token& token = cursor_.peek();
    if (cursor_.accept(";")) return;
    if (cursor_.accept("{")) return add(Statement::Kind::open);
    if (cursor_.accept("}")) return add(Statement::Kind::close);
    if (token.kind == TokenKind::word && cursor_.peek(1).is(":")) return label();
    if (token.is("@") || (token.kind == TokenKind::word && !token.text.starts_with('.')))
      return instruction();
    directive();
  }

  void label() {
    const std::string_view name = cursor_.name();
    cursor_.expect(":");
    const bool branch_targets = cursor_.peek().is(".branchtargets");
    if (!branch_targets && !cursor_.peek().is(".callprototype")) {
      add(Statement::Kind::label, body_.labels.size());
      body_.labels.push_back(name);
      return;
    }
    cursor_.take();
    Body::Targets targets{name, {}};
    while (!cursor_.done() && !cursor_.accept(";")) {
      const Token token = cursor_.take();
      if (token.kind == TokenKind::word) targets.labels.push_back(token.text);
    }
    if (!branch_targets) return;
    add(Statement::Kind::targets, body_.targets.size());
    body_.targets.push_back(std::move(targets));
  }

  void directive() {
    const Token token = cursor_.take();
    if (token.is(".loc")) return location();
    if (token.is(".reg")) return registers(cursor_.name());
    // Inline assembly writes `.reg.b16 x;` without a blank.
    if (token.text.starts_with(".reg.")) return registers(token.text.substr(4));
    if (token.is(".pragma")) {
      while (!cursor_.done() && !cursor_.accept(";")) cursor_.take();
      return;
    }
    Space space = Space::local;
    if (token.is(".shared")) {
      space = Space::shared;
    } else if (token.is(".param")) {
      space = Space::param;
    } else if (!token.is(".local")) {
      return cursor_.fail(fmt::format("'{}' begins no statement", token.text.substr(0, 40)));
    }
    do {
      add(Statement::Kind::variable, body_.variables.size());
      body_.variables.push_back(read_variable(cursor_, space));
    } while (cursor_.accept(","));
    cursor_.expect(";");
  }

  void registers(std::string_view word) {
    const auto type = type_named(word.substr(std::min<std::size_t>(1, word.size())));
    if (!type) return cursor_.fail(fmt::format("'{}' is no register type", word.substr(0, 40)));
    do {
      RegisterDeclaration declared{*type, cursor_.name(), 0};
      if (cursor_.accept("<")) {
        declared.count = static_cast<std::uint32_t>(cursor_.integer(most_registers));
        cursor_.expect(">");
      }
      total_registers_ += std::max(1u, declared.count);
      if (total_registers_ > most_registers)
        cursor_.fail("a function declares over a million registers");
      add(Statement::Kind::registers, body_.registers.size());
      body_.registers.push_back(declared);
    } while (cursor_.accept(","));
    cursor_.expect(";");
  }

  // .loc FILE LINE COLUMN [, function_name LABEL[+n], inlined_at FILE LINE COLUMN]
  void location() {
    const Position at = position();
    std::optional<Position> caller;
    while (cursor_.accept(",")) {
      const std::string_view what = cursor_.name();
      if (what == "inlined_at") {
        caller = position();
      } else {
        cursor_.take();
        if (cursor_.accept("+")) cursor_.take();
      }
    }
    if (caller) callers_[at] = *caller;
    if (std::get<1>(at) != 0) is_of_cub_ = is_of_cub(std::get<0>(at));
    if (own_file_ == 0 && !caller) own_file_ = std::get<0>(at);
    // Code inlined from another file is charged to the line of this file that called it.
    Position charged = at;
    for (int depth = 0; depth < 16 && std::get<0>(charged) != own_file_; ++depth) {
      const auto it = callers_.find(charged);
      if (it == callers_.end()) break;
      charged = it->second;
    }
    // Line 0 means "compiler generated"; it stays with the line before. So does what builds for
    // debugging inline all the same, and say nothing of.
    if (std::get<1>(charged) == 0) return;
    if (std::get<0>(charged) != own_file_ && of_toolkit(std::get<0>(charged)) &&
        !of_toolkit(own_file_))
      return;
    const Location found{std::get<0>(charged), std::get<1>(charged)};
    if (body_.locations[current_] == found) return;
    current_ = static_cast<std::uint32_t>(body_.locations.size());
    body_.locations.push_back(found);
  }

  bool of_toolkit(std::uint32_t file) const {
    const auto named = module_.files.find(file);
    return named != module_.files.end() && is_of_toolkit(named->second);
  }

  bool is_of_cub(std::uint32_t file) const {
    const auto named = module_.files.find(file);
    if (named == module_.files.end()) return false;
    const std::string_view path = named->second;
    return (path.find("/cub/") != path.npos && path.ends_with(".cuh")) ||
           (path.find("/thrust/") != path.npos && path.ends_with(".h"));
  }

  using Position = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  Position position() {
    const auto file = first_file_ + static_cast<std::uint32_t>(cursor_.integer(1u << 20));
    const auto line = static_cast<std::uint32_t>(cursor_.integer(1u << 31));
    return {file, line, static_cast<std::uint32_t>(cursor_.integer(1u << 31))};
  }

  void instruction() {
    Instruction out;
    out.line = cursor_.line();
    out.location = current_;
    out.is_of_cub = is_of_cub_;
    if (cursor_.accept("@")) {
      out.predicate_negated = cursor_.accept("!");
      out.predicate = cursor_.name();
    }
    out.opcode = cursor_.name();
    for (std::size_t from = 0; from <= out.opcode.size();) {
      const std::size_t dot = std::min(out.opcode.find('.', from), out.opcode.size());
      out.parts.push_back(out.opcode.substr(from, dot - from));
      from = dot + 1;
    }
    while (!cursor_.done() && !cursor_.accept(";")) {
      out.operands.push_back(operand(0));
      if (!cursor_.peek().is(";")) cursor_.expect(",");
      if (out.operands.size() > 16) cursor_.fail("an instruction has more than 16 operands");
      // The last statement of a body needs its semicolon too.
      if (cursor_.done() && !cursor_.error)
        cursor_.fail("';' expected at the end of an instruction");
    }
    if (is_video(out.parts[0]))
      for (Operand& one : out.operands) split_part(one);
    // A cache policy, always the last operand, changes no result: it is as if there were none.
    if (out.has("L2::cache_hint") && out.operands.size() > 1) out.operands.pop_back();
    add(Statement::Kind::instruction, body_.instructions.size());
    body_.instructions.push_back(std::move(out));
  }

  // vadd, vset4 and their like, which take parts of registers.
  static bool is_video(std::string_view name) {
    return name.size() > 1 && name[0] == 'v' && name != "vote";
  }
  static void split_part(Operand& operand) {
    const std::size_t dot = operand.name.find('.');
    if (dot == operand.name.npos) return;
    operand.part = operand.name.substr(dot + 1);
    operand.name = operand.name.substr(0, dot);
  }

  Operand operand(int depth) {
    Operand out;
    if (depth > most_nesting) {
      cursor_.fail("an operand is nested too deeply");
      return out;
    }
    if (cursor_.accept("{")) return sequence(Operand::Kind::vector, "}", depth);
    if (cursor_.accept("(")) return sequence(Operand::Kind::list, ")", depth);
    if (cursor_.accept("[")) return address(depth);
    out.negated = cursor_.accept("!");
    const bool minus = cursor_.accept("-");
    const Token token = cursor_.take();
    if (token.kind == TokenKind::number) {
      const auto number = parse_number(token.text);
      if (!number) cursor_.fail(fmt::format("'{}' is not a number", token.text.substr(0, 40)));
      out.kind = Operand::Kind::number;
      out.number = number.value_or(Number{});
      if (minus && out.number.kind == Number::Kind::integer) out.number.bits = 0 - out.number.bits;
      if (minus && out.number.kind == Number::Kind::float32) out.number.bits ^= 1u << 31;
      if (minus && out.number.kind == Number::Kind::float64) out.number.bits ^= 1ull << 63;
      return out;
    }
    if (token.kind != TokenKind::word)
      cursor_.fail(fmt::format("an operand was expected, found '{}'", token.text.substr(0, 40)));
    out.kind = Operand::Kind::name;
    out.name = token.text;
    out.negated |= minus;
    if (cursor_.accept("+")) out.offset = static_cast<std::int64_t>(cursor_.integer(~0ull >> 1));
    if (cursor_.accept("|")) {
      Operand pair;
      pair.kind = Operand::Kind::pair;
      pair.elements.push_back(std::move(out));
      pair.elements.push_back(operand(depth + 1));
      return pair;
    }
    return out;
  }

  Operand sequence(Operand::Kind kind, std::string_view close, int depth) {
    Operand out;
    out.kind = kind;
    while (!cursor_.done() && !cursor_.accept(close)) {
      out.elements.push_back(operand(depth + 1));
      if (!cursor_.peek().is(close)) cursor_.expect(",");
      if (out.elements.size() > 256) cursor_.fail("an operand list is too long");
    }
    return out;
  }

  // [base], [base+4], [base+-4], [1024]; of textures and tensors [base, {x, y}]
  Operand address(int depth) {
    Operand out;
    out.kind = Operand::Kind::address;
    if (cursor_.peek().kind == TokenKind::word) out.name = cursor_.name();
    while (!cursor_.done() && !cursor_.accept("]")) {
      if (cursor_.accept(",")) {
        out.elements.push_back(operand(depth + 1));
        continue;
      }
      const bool plus = cursor_.accept("+");
      const bool minus = cursor_.accept("-");
      if (!plus && !minus && !out.name.empty())
        return cursor_.fail("']' expected in an address"), out;
      const auto value = static_cast<std::int64_t>(cursor_.integer(~0ull >> 1));
      out.offset += minus ? -value : value;
    }
    return out;
  }

  Body& body_;
  const ModuleText& module_;
  Cursor cursor_;
  std::map<Position, Position> callers_;
  std::uint32_t first_file_, own_file_ = 0;
  std::uint32_t current_ = 0;
  bool is_of_cub_ = false;
  std::uint64_t total_registers_ = 0;
};

}  // namespace

std::optional<ParseError> read_body(const ModuleText& module, const Function& function,
                                    Body& body) {
  return BodyReader(module, function, body).run();
}

bool is_of_toolkit(std::string_view path) {
  const auto has = [&](std::string_view part) { return path.find(part) != path.npos; };
  if (has("-linux/include/") && has("/targets/")) return true;
  if (has("/include/cccl/") || (has("-packages/nvidia/") && has("/include/"))) return true;
  const bool installed = path.starts_with("/usr/") || path.starts_with("/opt/");
  return installed && has("/cuda") && has("/include/");
}

}  // namespace klab::sim::ptx
