// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/files/file_at_rest.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skelrt::detail
{

namespace
{

[[noreturn]] void fail(const char* what)
{
    throw error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

/// Repeats transfers that are interrupted, or shorter than asked, as those of more than 2 GiB are.
template <class Byte, class Transfer>
void transfer_all(std::span<Byte> bytes, std::size_t at, const char* what, Transfer transfer)
{
    while (!bytes.empty()) {
        const ssize_t done = transfer(bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail(what);
        if (done == 0) throw error(fmt::format("it ends at byte {}, {} before its elements do", at, bytes.size()));
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        at += static_cast<std::size_t>(done);
    }
}

} // namespace

file_at_rest::file_at_rest(const std::string& name, int flags) : number_(::open(name.c_str(), flags | O_CLOEXEC, 0666))
{
    if (number_ < 0) fail("it cannot be opened");
}

file_at_rest file_at_rest::to_read(const std::string& name) { return {name, O_RDONLY}; }
file_at_rest file_at_rest::to_make(const std::string& name) { return {name, O_WRONLY | O_CREAT | O_TRUNC}; }
file_at_rest file_at_rest::to_write(const std::string& name) { return {name, O_WRONLY}; }

file_at_rest::file_at_rest(file_at_rest&& o) noexcept : number_(std::exchange(o.number_, -1)) {}

file_at_rest::~file_at_rest()
{
    if (number_ >= 0) ::close(number_);
}

std::size_t file_at_rest::size() const
{
    struct stat known {
    };
    if (::fstat(number_, &known) != 0) fail("its size cannot be found");
    return static_cast<std::size_t>(known.st_size);
}

void file_at_rest::read(std::span<std::byte> to, std::size_t at) const
{
    transfer_all(to, at, "it cannot be read",
                 [&](std::byte* p, std::size_t n, off_t from) { return ::pread(number_, p, n, from); });
}

void file_at_rest::write(std::span<const std::byte> from, std::size_t at) const
{
    transfer_all(from, at, "it cannot be written",
                 [&](const std::byte* p, std::size_t n, off_t to) { return ::pwrite(number_, p, n, to); });
}

void file_at_rest::close()
{
    if (::close(std::exchange(number_, -1)) != 0) fail("it cannot be written");
}

} // namespace skelrt::detail
