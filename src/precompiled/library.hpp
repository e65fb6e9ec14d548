// SPDX-License-Identifier: BSD-3-Clause
// What most files of the library include, parsed once. Only headers that are not ours: ours change.
// Files still include what they use: -Db_pch=false builds without this.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#ifdef __OPTIMIZE__ // without it fmt asks for a little, and this header would ask that of all that follows
#include <fmt/format.h>
#endif
