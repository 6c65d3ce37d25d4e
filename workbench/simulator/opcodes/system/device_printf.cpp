// Text that kernels print.
#include "simulator/opcodes/system/device_printf.hpp"

#include <bit>
#include <cstdio>

namespace klab::sim {

namespace {

// The packed arguments, of 4 or 8 bytes each, in their order.
class Arguments {
 public:
  Arguments(const ReadByte& read, std::uint64_t at) : read_(read), at_(at) {}

  std::uint64_t next(std::uint32_t bytes) {
    at_ = (at_ + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < bytes; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(read_(at_ + i).value_or('\0'))} << (8 * i);
    at_ += bytes;
    ++taken_;
    return value;
  }
  std::int32_t taken() const { return taken_; }

 private:
  const ReadByte& read_;
  std::uint64_t at_;
  std::int32_t taken_ = 0;
};

template <class T>
std::string print(const std::string& conversion, T value) {
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, conversion.c_str(), value);
  return length < 0 ? std::string() : std::string(buffer);
}

}  // namespace

std::string read_text(const ReadByte& read, std::uint64_t address) {
  constexpr std::size_t most = 64 * 1024;
  std::string out;
  while (out.size() < most) {
    const auto c = read(address++);
    if (!c || *c == '\0') break;
    out += *c;
  }
  return out;
}

Printed format_text(std::string_view format, const ReadByte& read, std::uint64_t at) {
  Arguments arguments(read, at);
  std::string out;
  std::size_t i = 0;
  while (i < format.size()) {
    if (format[i] != '%') {
      out += format[i++];
      continue;
    }
    const std::size_t start = i++;
    std::string flags = "%";
    while (i < format.size() &&
           std::string_view("-+ #0123456789.*").find(format[i]) != std::string_view::npos) {
      if (format[i] == '*') {
        flags += std::to_string(static_cast<std::int32_t>(arguments.next(4)));
        ++i;
      } else {
        flags += format[i++];
      }
    }
    std::uint32_t bytes = 4;
    while (i < format.size() &&
           std::string_view("hlLqjzt").find(format[i]) != std::string_view::npos)
      if (format[i++] != 'h') bytes = 8;
    const char conversion = i < format.size() ? format[i++] : '\0';
    // A width beyond the buffer would only fill it with blanks.
    const bool sane = flags.size() < 16;
    if (conversion == '%') {
      out += '%';
    } else if (sane && (conversion == 'd' || conversion == 'i')) {
      const std::uint64_t raw = arguments.next(bytes);
      const auto value = bytes == 4 ? std::int64_t{static_cast<std::int32_t>(raw)}
                                    : static_cast<std::int64_t>(raw);
      out += print(flags + "lld", static_cast<long long>(value));
    } else if (sane && std::string_view("uoxX").find(conversion) != std::string_view::npos &&
               conversion != '\0') {
      out +=
          print(flags + "ll" + conversion, static_cast<unsigned long long>(arguments.next(bytes)));
    } else if (sane && std::string_view("eEfFgGaA").find(conversion) != std::string_view::npos &&
               conversion != '\0') {
      out += print(flags + conversion, std::bit_cast<double>(arguments.next(8)));
    } else if (sane && conversion == 'c') {
      out += print(flags + "c", static_cast<int>(arguments.next(4)));
    } else if (sane && conversion == 'p') {
      out += print(flags + "p", reinterpret_cast<void*>(arguments.next(8)));
    } else if (sane && conversion == 's') {
      const std::string text = read_text(read, arguments.next(8));
      out += flags == "%" ? text : print(flags + "s", text.c_str());
    } else {
      out += format.substr(start, i - start);
    }
  }
  return {std::move(out), arguments.taken()};
}

}  // namespace klab::sim
