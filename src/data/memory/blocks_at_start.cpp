// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/blocks_at_start.hpp"

#include "src/jit/cache.hpp"
#include "src/model/files/files.hpp"
#include "src/runtime/log.hpp"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Beside the models; empty: nothing is kept.
std::filesystem::path list_of_program()
{
    const std::filesystem::path folder = models_folder();
    return folder.empty() ? folder : folder / fmt::format("{}.{}.blocks", machine_name(), key_of_program("blocks"));
}

block_counts counted_earlier()
{
    const std::filesystem::path list = list_of_program();
    return list.empty() ? block_counts() : block_counts_in(read_file(list).value_or(""));
}

void take_pages(const block_counts& wanted, const std::stop_token& ends) noexcept
try {
    std::size_t left = comfortable_bytes() / 4;
    for (const auto& [bytes, count] : wanted)
        for (std::uint32_t k = 0; k < count && bytes <= left && !ends.stop_requested(); ++k, left -= bytes)
            keep_fresh_block(bytes);
} catch (const std::exception&) { // who wants memory takes it
}

} // namespace

std::string text_of(const block_counts& counts)
{
    std::string text;
    for (const auto& [bytes, count] : counts) text += std::to_string(bytes) + ' ' + std::to_string(count) + '\n';
    return text;
}

block_counts block_counts_in(std::string_view text)
{
    block_counts counts;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::size_t bytes = 0;
        std::uint32_t count = 0;
        if (words >> bytes >> count) counts[bytes] = count;
    }
    return counts;
}

blocks_at_start::blocks_at_start()
try {
    if (block_counts wanted = counted_earlier(); !wanted.empty())
        takes_ = std::jthread([wanted = std::move(wanted)](const std::stop_token& ends) { take_pages(wanted, ends); });
} catch (const std::system_error&) { // no thread for it: calls take what they want
}

void blocks_at_start::pin() noexcept
{
    if (!takes_.joinable()) return;
    takes_ = {};
    log_debug("memory that GPUs copied in an earlier run: {} blocks pinned", pin_kept_blocks());
}

void blocks_at_start::drop() noexcept
{
    if (!takes_.joinable()) return;
    takes_ = {};
    drop_kept_blocks();
}

void keep_block_counts() noexcept
try {
    const block_counts now = copied_blocks();
    const std::filesystem::path list = list_of_program();
    if (!now.empty() && !list.empty() && now != counted_earlier()) write_file_atomically(list, text_of(now));
} catch (const std::exception&) { // the next process takes its pages when it wants them
}

} // namespace skelrt::detail
