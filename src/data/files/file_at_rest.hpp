// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace skelrt::detail
{

/// An open file that is read and written at positions of its own, by several processes at a time. Members throw error
/// with the system's reason. One thread's.
class file_at_rest
{
public:
    static file_at_rest to_read(const std::string& name);
    /// New and empty, whatever was there.
    static file_at_rest to_make(const std::string& name);
    /// One that is there.
    static file_at_rest to_write(const std::string& name);
    file_at_rest(file_at_rest&& o) noexcept;
    file_at_rest& operator=(file_at_rest&&) = delete;
    ~file_at_rest();

    std::size_t size() const;
    /// All of these bytes; it is an error if the file ends before.
    void read(std::span<std::byte> to, std::size_t at) const;
    void write(std::span<const std::byte> from, std::size_t at) const;
    /// What goes wrong late is said here.
    void close();

private:
    file_at_rest(const std::string& name, int flags);

    int number_ = -1;
};

} // namespace skelrt::detail
