// Numbers as people read them.
#include "core/measure/format.hpp"

#include <limits>

#include <catch2/catch_test_macros.hpp>

using namespace klab;

TEST_CASE("seconds are shown in the unit that leaves one or more", "[core][format]") {
  CHECK(format_seconds(178.63e-6) == "178.6 us");
  CHECK(format_seconds(1.4208e-3) == "1.421 ms");
  CHECK(format_seconds(850e-9) == "850 ns");
  CHECK(format_seconds(2.0) == "2 s");
  CHECK(format_seconds(0.25e-9) == "0.25 ns");
  CHECK(format_seconds(0.0) == "0 ns");
}

TEST_CASE("a value that rounds up to the next unit is shown in that unit", "[core][format]") {
  CHECK(format_seconds(999.99e-6) == "1 ms");
  CHECK(format_seconds(999.9e-6) == "999.9 us");
  CHECK(format_bytes_per_s(999.96e9) == "1 TB/s");
}

TEST_CASE("traffic is decimal and memory sizes are binary", "[core][format]") {
  CHECK(format_bytes(10.4e9) == "10.4 GB");
  CHECK(format_bytes(512.0) == "512 B");
  CHECK(format_capacity(233472.0) == "228 KiB");
  CHECK(format_capacity(62914560.0) == "60 MiB");
  CHECK(format_bytes_per_s(4.118e12) == "4.118 TB/s");
}

TEST_CASE("rates, operations and clocks carry their unit", "[core][format]") {
  CHECK(format_flop(2.147e9) == "2.147 Gflop");
  CHECK(format_flop_per_s(51.0e12) == "51 Tflop/s");
  CHECK(format_hertz(1.98e9) == "1.98 GHz");
  CHECK(format_percent(93.27) == "93.3 %");
  CHECK(format_percent(100.0) == "100 %");
}

TEST_CASE("whole counts get separators and fractions do not", "[core][format]") {
  CHECK(format_count(308000000.0) == "308,000,000");
  CHECK(format_count(999.0) == "999");
  CHECK(format_count(1000.0) == "1,000");
  CHECK(format_count(-1234567.0) == "-1,234,567");
  CHECK(format_count(14282445.3) == "14,282,445");
  CHECK(format_count(999.5) == "999.5");
  CHECK(format_count(31.988) == "31.99");
  CHECK(format_count(0.0) == "0");
}

TEST_CASE("a number that was not obtained is a dash, never zero", "[core][format]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::optional<double> absent :
       {std::optional<double>{}, std::optional<double>{nan}, std::optional<double>{infinity}}) {
    for (const auto& text :
         {format_seconds(absent), format_bytes(absent), format_capacity(absent),
          format_percent(absent), format_count(absent), format_number(absent), format_ratio(absent),
          format_hertz(absent), format_flop_per_s(absent), format_value(absent, "sectors")}) {
      CHECK(text == missing_text);
    }
  }
  CHECK(format_ratio(std::optional<Interval>{}) == missing_text);
  CHECK(format_seconds(std::optional<Interval>{Interval{nan, 1, 2}}) == missing_text);
}

TEST_CASE("an interval shows the digits that its width makes meaningful", "[core][format]") {
  CHECK(format_ratio(Interval{7.9612, 7.9433, 7.9791}) == "7.961x (7.943 to 7.979)");
  CHECK(format_ratio(Interval{7.9612, 7.5, 8.4}) == "7.96x (7.50 to 8.40)");
  CHECK(format_ratio(Interval{15.31, 12.0, 19.0}) == "15.3x (12.0 to 19.0)");
  CHECK(format_ratio(Interval{2, 2, 2}) == "2.000x (2.000 to 2.000)");
  CHECK(format_seconds(Interval{1.4208e-3, 1.418e-3, 1.4236e-3}) == "1.421 ms ±0.2 %");
}

TEST_CASE("a value is formatted by the unit that its metric names", "[core][format]") {
  CHECK(format_value(1.5e-3, "s") == "1.5 ms");
  CHECK(format_value(2e9, "byte") == "2 GB");
  CHECK(format_value(4e12, "byte/s") == "4 TB/s");
  CHECK(format_value(12.5, "%") == "12.5 %");
  CHECK(format_value(2.0, "x") == "2x");
  CHECK(format_value(31.99, "sectors") == "31.99 sectors");
  CHECK(format_value(1, "kernels") == "1 kernel");
  CHECK(format_value(1, "copies") == "1 copy");
  CHECK(format_value(1, "launches") == "1 launch");
  CHECK(format_value(1, "") == "1");
  CHECK(format_value(1, "s") == "1 s");
  CHECK(format_value(1234567.0, "") == "1,234,567");
  CHECK(format_bound({Bound::Relation::at_most, 1200}, "sectors") == "<= 1,200 sectors");
  CHECK(format_bound({Bound::Relation::at_least, 62.5}, "%") == ">= 62.5 %");
  CHECK(format_bound({Bound::Relation::equal, 0}, "byte") == "== " + format_bytes(0.0));
}
