// What a PTX text states, before any of it is decoded: variables, functions, statements.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/ptx/lexer.hpp"

namespace klab::sim {

// Why a text is not a usable module: a sentence, and the line of the PTX text.
struct ParseError {
  std::string message;
  std::uint32_t line = 0;
};

}  // namespace klab::sim

namespace klab::sim::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  u8,
  s8,
  b16,
  u16,
  s16,
  b32,
  u32,
  s32,
  b64,
  u64,
  s64,
  b128,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  tf32,
  s4,
  u4,
  b1
};
std::optional<Type> type_named(std::string_view suffix);  // without its dot
std::uint32_t bytes_of(Type type);  // 0 for pred and none, and for parts of a byte

enum class Space : std::uint8_t { generic, global, constant, shared, local, param };

// Who else may mean something by its name: another module, when several are linked. Of weak ones
// the first counts.
enum class Linkage : std::uint8_t { internal, visible, weak, external };

// `.shared .align 4 .b8 tile[4096]`, and kernel parameters.
struct Initializer {
  std::uint64_t value = 0;
  std::string_view symbol;     // empty: a number
  std::uint64_t mask = ~0ull;  // 0xFF00(symbol): a byte of an address
};
struct Variable {
  std::string_view name;
  Space space = Space::global;
  Type element = Type::b8;
  std::uint64_t bytes = 0;  // 0: an array without a size, `extern __shared__`
  std::uint32_t align = 1;
  bool managed = false;
  Linkage linkage = Linkage::internal;
  std::uint32_t line = 0;
  std::vector<Initializer> initial;
};

struct Function {
  std::string_view name;
  bool entry = false;
  Linkage linkage = Linkage::internal;
  std::uint32_t first_file = 0;  // what .loc counts from
  std::vector<Variable> parameters;
  std::vector<Variable> results;
  std::size_t begin = 0, end = 0;  // tokens of the body, without its braces
  bool has_body = false;
  std::array<std::uint32_t, 3> max_threads{};
  std::array<std::uint32_t, 3> required_threads{};
  std::array<std::uint32_t, 3> required_cluster{};
  std::uint32_t min_blocks = 0;
  bool explicit_cluster = false;
};

struct ModuleText {
  std::string text;
  std::deque<ModuleText> parts;     // of what was linked: their texts
  std::deque<std::string> renamed;  // what linking calls names that other parts have, too
  std::vector<Token> tokens;
  std::map<std::uint32_t, std::string_view> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::string_view, std::size_t> function_index;
  bool is_debug = false;  // built with -G, or linked to what was
  // Says of pointers which memory they are into, as all optimized code does where it can.
  bool narrows_pointers = false;
};

// Fills `module` from its own `text`.
std::optional<ParseError> read_module(ModuleText& module);
// Fills it from its tokens.
std::optional<ParseError> read_directives(ModuleText& module);
// Fills `module` from several texts that refer to each other, as a linker does.
std::optional<ParseError> link_modules(std::vector<std::string> texts, ModuleText& module);

// ---- statements of a function body ----

struct Operand {
  enum class Kind : std::uint8_t { none, name, number, vector, address, pair, list };
  Kind kind = Kind::none;
  std::string_view name;          // name, or the base of an address (empty: absolute)
  Number number;                  // already negated
  std::int64_t offset = 0;        // of an address
  bool negated = false;           // !%p, or -%r of a video instruction
  std::string_view part;          // of a video instruction's register: the b0 of %r1.b0
  std::vector<Operand> elements;  // of a vector, pair (%p|%q) or list
  int reg = -1;                   // virtual register, set by the decoder
  int variable = -1;              // variable of the function, set by the decoder
};

struct Instruction {
  std::string_view opcode;
  std::vector<std::string_view> parts;  // opcode split at its dots
  std::string_view predicate;           // empty: none
  bool predicate_negated = false;
  int predicate_reg = -1;
  std::vector<Operand> operands;
  std::uint32_t location = 0;  // index into Body::locations
  std::uint32_t line = 0;      // of the PTX text
  bool is_of_cub = false;      // from a header of CUB or Thrust, whichever line it is charged to

  bool has(std::string_view part) const;
};

struct RegisterDeclaration {
  Type type = Type::none;
  std::string_view name;
  std::uint32_t count = 0;  // 0: the name itself; n: name0 ... name(n-1)
};

struct Statement {
  enum class Kind : std::uint8_t { instruction, label, open, close, registers, variable, targets };
  Kind kind = Kind::instruction;
  std::size_t index = 0;  // into the vector of that kind
};

struct Location {
  std::uint32_t file = 0, line = 0;
  bool operator==(const Location&) const = default;
};

struct Body {
  std::vector<Statement> statements;
  std::vector<Instruction> instructions;
  std::vector<std::string_view> labels;
  std::vector<RegisterDeclaration> registers;
  std::vector<Variable> variables;
  struct Targets {  // label: .branchtargets a, b, c;
    std::string_view name;
    std::vector<std::string_view> labels;
  };
  std::vector<Targets> targets;
  std::vector<Location> locations;  // [0] is "unknown"
};

std::optional<ParseError> read_body(const ModuleText& module, const Function& function, Body& body);

// Whether a file is one of CUDA's own headers, by where installers and packages put them; a
// program's lie elsewhere.
bool is_of_toolkit(std::string_view path);

}  // namespace klab::sim::ptx
