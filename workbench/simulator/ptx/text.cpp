// Reading a module's directives: variables, function headers, where bodies begin and end.
#include "simulator/ptx/text.hpp"

#include <array>
#include <utility>

#include "simulator/ptx/cursor.hpp"

namespace klab::sim::ptx {

namespace {

constexpr std::uint64_t most_variable_bytes = 1ull << 32;

constexpr std::array<std::pair<std::string_view, Type>, 24> type_names{{
    {"pred", Type::pred}, {"b8", Type::b8},     {"u8", Type::u8},         {"s8", Type::s8},
    {"b16", Type::b16},   {"u16", Type::u16},   {"s16", Type::s16},       {"b32", Type::b32},
    {"u32", Type::u32},   {"s32", Type::s32},   {"b64", Type::b64},       {"u64", Type::u64},
    {"s64", Type::s64},   {"b128", Type::b128}, {"f16", Type::f16},       {"f16x2", Type::f16x2},
    {"bf16", Type::bf16}, {"f32", Type::f32},   {"bf16x2", Type::bf16x2}, {"f64", Type::f64},
    {"tf32", Type::tf32}, {"s4", Type::s4},     {"u4", Type::u4},         {"b1", Type::b1},
}};

constexpr std::array<std::pair<std::string_view, Linkage>, 4> linkage_names{{
    {".visible", Linkage::visible},
    {".weak", Linkage::weak},
    {".common", Linkage::weak},
    {".extern", Linkage::external},
}};

std::optional<Space> space_named(std::string_view directive) {
  if (directive == ".global") return Space::global;
  if (directive == ".const") return Space::constant;
  if (directive == ".shared") return Space::shared;
  if (directive == ".local") return Space::local;
  if (directive == ".param") return Space::param;
  return std::nullopt;
}

// {1, 2, {3}}, 4, name, generic(name)+8, 0xFF00(name)
void read_initializer(Cursor& cursor, std::vector<Initializer>& out, int depth = 0) {
  if (cursor.accept("{")) {
    if (depth > 4) return cursor.fail("an initializer is nested too deeply");
    while (!cursor.done() && !cursor.accept("}")) {
      read_initializer(cursor, out, depth + 1);
      if (!cursor.peek().is("}")) cursor.expect(",");
    }
    return;
  }
  Initializer value;
  const bool negative = cursor.accept("-");
  const Token token = cursor.take();
  if (token.kind == TokenKind::number) {
    const auto number = parse_number(token.text);
    if (!number) return cursor.fail("an initial value is not a number");
    value.value = negative ? 0 - number->bits : number->bits;
    if (cursor.accept("(")) {
      value.mask = std::exchange(value.value, 0);
      value.symbol = cursor.name();
      cursor.expect(")");
    }
  } else if (token.kind == TokenKind::word) {
    value.symbol = token.text;
    if (token.is("generic")) {
      cursor.expect("(");
      value.symbol = cursor.name();
      cursor.expect(")");
    }
  } else {
    return cursor.fail("an initial value is missing");
  }
  if (cursor.accept("+")) value.value = cursor.integer(~0ull >> 1);
  out.push_back(value);
}

class ModuleReader {
 public:
  explicit ModuleReader(ModuleText& module)
      : module_(module), cursor_(module.tokens, 0, module.tokens.size() - 1) {}

  std::optional<ParseError> run() {
    module_.narrows_pointers = module_.text.find("cvta.to.") != std::string::npos;
    while (!cursor_.done()) directive();
    return cursor_.error;
  }

 private:
  void directive() {
    const Token token = cursor_.take();
    if (token.is(".version")) return read_version();
    if (token.is(".address_size")) return static_cast<void>(cursor_.take());
    if (token.is(".target")) {
      do module_.is_debug |= cursor_.name() == "debug";
      while (cursor_.accept(","));
      return;
    }
    if (token.is(".file")) return read_file();
    if (token.is(".section")) {
      while (!cursor_.done() && !cursor_.accept("{")) cursor_.take();
      return cursor_.skip_braces();
    }
    if (token.is(".pragma") || token.is(".alias")) {
      while (!cursor_.done() && !cursor_.accept(";")) cursor_.take();
      return;
    }
    for (const auto& [name, linkage] : linkage_names)
      if (token.is(name)) {
        linkage_ = linkage;
        return;
      }
    if (token.is(".entry") || token.is(".func")) return read_function(token.is(".entry"));
    if (const auto space = space_named(token.text)) return read_variables(*space);
    cursor_.fail(fmt::format("'{}' is not a directive of a PTX module", token.text.substr(0, 40)));
  }

  void read_version() {
    const Token version = cursor_.take();
    if (version.kind != TokenKind::number) cursor_.fail(".version needs a number");
  }

  void read_file() {
    const auto id = static_cast<std::uint32_t>(cursor_.integer(1u << 20));
    const Token path = cursor_.take();
    if (path.kind != TokenKind::string) return cursor_.fail(".file needs a quoted path");
    module_.files[id] = path.text;
    while (cursor_.accept(",")) cursor_.take();
  }

  void read_variables(Space space) {
    Variable variable = read_variable(cursor_, space);
    variable.linkage = std::exchange(linkage_, Linkage::internal);
    for (;;) {
      if (cursor_.accept("=")) read_initializer(cursor_, variable.initial);
      module_.variables.push_back(variable);
      if (!cursor_.accept(",")) break;
      Variable next = read_variable(cursor_, space);
      next.linkage = variable.linkage;
      variable = std::move(next);
    }
    cursor_.expect(";");
  }

  std::vector<Variable> read_parameters() {
    std::vector<Variable> out;
    if (!cursor_.accept("(")) return out;
    while (!cursor_.done() && !cursor_.accept(")")) {
      if (!cursor_.accept(".param")) cursor_.expect(".reg");
      out.push_back(read_variable(cursor_, Space::param));
      if (!cursor_.peek().is(")")) cursor_.expect(",");
    }
    return out;
  }

  std::array<std::uint32_t, 3> read_triple() {
    std::array<std::uint32_t, 3> out{1, 1, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      out[i] = static_cast<std::uint32_t>(cursor_.integer(1u << 31));
      if (!cursor_.accept(",")) break;
    }
    return out;
  }

  void read_function(bool entry) {
    Function function;
    function.entry = entry;
    function.linkage = std::exchange(linkage_, Linkage::internal);
    if (!entry) function.results = read_parameters();
    function.name = cursor_.name();
    function.parameters = read_parameters();
    while (!cursor_.done() && !cursor_.peek().is("{") && !cursor_.peek().is(";")) {
      const Token token = cursor_.take();
      if (token.is(".maxntid")) function.max_threads = read_triple();
      if (token.is(".reqntid")) function.required_threads = read_triple();
      if (token.is(".reqnctapercluster")) function.required_cluster = read_triple();
      if (token.is(".minnctapersm")) function.min_blocks = read_triple()[0];
      if (token.is(".explicitcluster")) function.explicit_cluster = true;
    }
    if (!cursor_.accept(";")) {
      cursor_.expect("{");
      function.has_body = true;
      function.begin = cursor_.position();
      cursor_.skip_braces();
      function.end = cursor_.position() - 1;
    }
    // A definition replaces an earlier declaration of the same name.
    const auto [it, added] =
        module_.function_index.try_emplace(function.name, module_.functions.size());
    if (added) {
      module_.functions.push_back(std::move(function));
    } else if (function.has_body) {
      module_.functions[it->second] = std::move(function);
    }
  }

  ModuleText& module_;
  Cursor cursor_;
  Linkage linkage_ = Linkage::internal;  // of the declaration that follows
};

}  // namespace

std::optional<Type> type_named(std::string_view suffix) {
  for (const auto& [name, type] : type_names)
    if (name == suffix) return type;
  return std::nullopt;
}

std::uint32_t bytes_of(Type type) {
  switch (type) {
    case Type::none:
    case Type::pred:
    case Type::s4:
    case Type::u4:
    case Type::b1:
      return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    case Type::b128:
      return 16;
    default:
      return 4;
  }
}

bool Instruction::has(std::string_view part) const {
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (parts[i] == part) return true;
  return false;
}

Variable read_variable(Cursor& cursor, Space space) {
  Variable variable;
  variable.space = space;
  variable.line = cursor.line();
  bool typed = false, pointer = false;
  while (!cursor.done() && cursor.peek().text.starts_with('.')) {
    const Token token = cursor.take();
    if (token.is(".align")) {
      // Of a pointer parameter it is the alignment of what is pointed to, not of the parameter.
      const auto align = static_cast<std::uint32_t>(cursor.integer(4096));
      if (align == 0 || (align & (align - 1)) != 0) cursor.fail("an alignment is no power of two");
      if (!pointer) variable.align = align;
    } else if (token.is(".attribute")) {
      cursor.expect("(");
      while (!cursor.done() && !cursor.accept(")"))
        variable.managed |= cursor.take().is(".managed");
    } else if (token.is(".ptr")) {
      pointer = true;
    } else if (const auto type = type_named(token.text.substr(1))) {
      variable.element = *type;
      typed = true;
    }
  }
  if (!typed) cursor.fail("a variable has no type");
  variable.name = cursor.name();
  variable.bytes = bytes_of(variable.element);
  bool array = false;
  while (cursor.accept("[")) {
    const std::uint64_t count = cursor.peek().is("]") ? 0 : cursor.integer(most_variable_bytes);
    variable.bytes *= count;
    array = true;
    cursor.expect("]");
    if (variable.bytes > most_variable_bytes) cursor.fail("a variable is larger than 4 GiB");
  }
  if (!array && variable.bytes == 0) cursor.fail("a variable has a type without a size");
  variable.align = std::max(variable.align, bytes_of(variable.element));
  return variable;
}

std::optional<ParseError> read_module(ModuleText& module) {
  module.tokens = tokenize(module.text);
  if (module.tokens.front().kind == TokenKind::end) return ParseError{"The PTX text is empty.", 1};
  if (!module.tokens.front().is(".version"))
    return ParseError{"This is not PTX: the text does not begin with .version.", 1};
  return read_directives(module);
}

std::optional<ParseError> read_directives(ModuleText& module) {
  module.variables.clear();
  module.functions.clear();
  module.function_index.clear();
  return ModuleReader(module).run();
}

}  // namespace klab::sim::ptx
