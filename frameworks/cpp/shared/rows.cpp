#include "shared/rows.hpp"

#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "shared/settings.hpp"

namespace shared {

PoolSettings PoolSettings::from_environment() {
  const std::chrono::duration<double, std::milli> latency(std::stod(setting("POOL_LATENCY_MS", "1")));
  return {std::stoul(setting("POOL_SIZE", "100")), std::chrono::duration_cast<std::chrono::microseconds>(latency)};
}

std::string read_fixture(const std::string& name) {
  const std::string path = setting("FIXTURES", "/fixtures") + "/issue-tracker/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator(file), {}};
}

std::uint64_t first_number() {
  std::random_device random;
  return std::uniform_int_distribution<std::uint64_t>(1'000'000'000, 8'999'999'999)(random);
}

}  // namespace shared
