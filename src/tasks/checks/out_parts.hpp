// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tasks/memory_of_parts.hpp"

#include <cstddef>
#include <span>

/// SKELRT_CHECK=parts: what a task writes as sk::out holds a pattern before; what still does afterwards was not written.
namespace skelrt::detail
{

/// How the host gets at memory where a task runs. May wait.
class part_access
{
public:
    virtual void write(const part_memory& to, std::size_t first_byte, std::span<const std::byte> from) = 0;
    virtual void read(std::span<std::byte> to, const part_memory& from, std::size_t first_byte) = 0;

protected:
    ~part_access() = default;
};

/// Of the cores.
class host_access final : public part_access
{
public:
    void write(const part_memory& to, std::size_t first_byte, std::span<const std::byte> from) override;
    void read(std::span<std::byte> to, const part_memory& from, std::size_t first_byte) override;
};

bool checks_out_parts();
/// Before the task's function. Nothing unless SKELRT_CHECK asks for it.
void fill_out_parts(const task_record& t, const memory_of_parts& parts, part_access& memory);
/// After it. Throws error if an element is as it was.
void require_written(const task_record& t, const memory_of_parts& parts, part_access& memory);

} // namespace skelrt::detail
