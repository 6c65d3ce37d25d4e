// Reading fat binaries: what nvcc embeds, and bytes that are not a fat binary.
#include <lz4.h>
#include <zstd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "simulator/ptx/fatbin.hpp"

using namespace klab::sim;

namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& bytes, std::size_t offset, T value) {
  if (bytes.size() < offset + sizeof value) bytes.resize(offset + sizeof value);
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

struct PtxEntry {
  std::string text;
  std::uint64_t flags = 0x11;
  std::uint32_t architecture = 90;
  std::uint64_t plain_bytes = 0;
};

std::string lz4(const std::string& text) {
  std::string out(LZ4_compressBound(static_cast<int>(text.size())), '\0');
  out.resize(LZ4_compress_default(text.data(), out.data(), static_cast<int>(text.size()),
                                  static_cast<int>(out.size())));
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// A container of PTX entries, as nvcc 13 lays it out.
Bytes container(const std::vector<PtxEntry>& entries) {
  constexpr std::size_t header = 0x48;
  Bytes bytes(16);
  for (const PtxEntry& entry : entries) {
    const std::size_t at = bytes.size();
    bytes.resize(at + header + entry.text.size() + 8);  // padded with NUL
    put<std::uint16_t>(bytes, at, 1);
    put<std::uint32_t>(bytes, at + 4, header);
    put<std::uint64_t>(bytes, at + 8, entry.text.size() + 8);
    put<std::uint32_t>(bytes, at + 16, static_cast<std::uint32_t>(entry.text.size()));
    put<std::uint32_t>(bytes, at + 0x1c, entry.architecture);
    put<std::uint64_t>(bytes, at + 0x28, entry.flags);
    put<std::uint64_t>(bytes, at + 0x38, entry.plain_bytes);
    std::memcpy(bytes.data() + at + header, entry.text.data(), entry.text.size());
  }
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
  return bytes;
}

}  // namespace

TEST_CASE("Plain PTX is found without its padding", "[simulator][fatbin]") {
  const Fatbin fatbin = read_fatbin(container({{".version 9.0"}}));
  CHECK(fatbin.ptx == ".version 9.0");
  CHECK(fatbin.problem.empty());
  const Bytes bytes = container({{".version 9.0"}});
  CHECK(read_fatbin(static_cast<const void*>(bytes.data())).ptx == ".version 9.0");
}

TEST_CASE("Of several architectures the one nearest to sm_90 is taken", "[simulator][fatbin]") {
  const auto chosen = [](const std::vector<std::uint32_t>& architectures) {
    std::vector<PtxEntry> entries;
    for (const auto a : architectures) entries.push_back({"sm_" + std::to_string(a), 0x11, a});
    return read_fatbin(container(entries)).ptx;
  };
  CHECK(chosen({75, 90, 80}) == "sm_90");
  CHECK(chosen({80, 75}) == "sm_80");
  CHECK(chosen({120, 75, 100}) == "sm_75");
  CHECK(chosen({120, 100}) == "sm_100");
}

TEST_CASE("Code for sm_90a alone is taken before that for any sm_90", "[simulator][fatbin]") {
  const std::string any = ".version 9.0\n.target sm_90\n",
                    this_one = ".version 9.0\n.target sm_90a\n";
  CHECK(read_fatbin(container({{any, 0x11, 90}, {this_one, 0x11, 90}})).ptx == this_one);
  CHECK(read_fatbin(container({{this_one, 0x11, 90}, {any, 0x11, 90}})).ptx == this_one);
}

TEST_CASE("Compressed PTX is read, by nvcc 12's method and by nvcc 13's", "[simulator][fatbin]") {
  const std::string text(5000, 'x');
  const Fatbin from_lz4 = read_fatbin(container({{lz4(text), 0x2011, 90, text.size()}}));
  CHECK(from_lz4.ptx == text);
  const Fatbin from_zstd = read_fatbin(container({{zstd(text), 0x8011, 90, text.size()}}));
  CHECK(from_zstd.ptx == text);
  CHECK(from_zstd.problem.empty());
}

TEST_CASE("Damaged compressed PTX is refused with the flag that helps", "[simulator][fatbin]") {
  const std::string text(5000, 'x');
  for (const std::uint64_t flags : {0x8011u, 0x2011u}) {
    const std::string good = flags == 0x2011 ? lz4(text) : zstd(text);
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
      std::string bad = good;
      std::uint64_t bytes = text.size();
      if (round % 3 == 0) bytes = std::uint64_t{random()} << random() % 32;
      for (int i = 0; i < 3; ++i) bad[random() % bad.size()] = static_cast<char>(random());
      const Fatbin fatbin = read_fatbin(container({{bad, flags, 90, bytes}}));
      CHECK(fatbin.ptx.size() <= text.size());
      if (fatbin.ptx.empty())
        CHECK(fatbin.problem.find("--compress-mode=none") != std::string::npos);
    }
  }
}

TEST_CASE("Damaged fat binaries are sentences, never crashes", "[simulator][fatbin]") {
  CHECK(!read_fatbin(nullptr).problem.empty());
  const Bytes good = container({{".version 9.0 .target sm_90"}});
  for (std::size_t length = 0; length < good.size(); ++length) {
    const Fatbin fatbin = read_fatbin(std::span(good).first(length));
    CHECK(fatbin.ptx.empty() != fatbin.problem.empty());
  }
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Bytes bad = good;
    for (int i = 0; i < 4; ++i) bad[4 + random() % (bad.size() - 4)] = std::byte(random());
    const Fatbin fatbin = read_fatbin(std::span<const std::byte>(bad));
    CHECK(fatbin.ptx.size() <= bad.size());
  }
}

TEST_CASE("Random bytes are not a cubin", "[simulator][fatbin]") {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes(64 + random() % 512);
    for (auto& b : bytes) b = std::byte(random());
    std::memcpy(bytes.data(), "\177ELF", 4);
    put<std::uint64_t>(bytes, 0x28, 64);  // section headers behind the file header
    put<std::uint16_t>(bytes, 0x3c, 4);
    CHECK(read_cubin(bytes).size() <= bytes.size());
  }
}
