// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/episode_book.hpp"

/// The book as one program uses it.
class one_program_book : public skelrt::detail::episode_book
{
public:
    using episode_book::episode_book;
    std::size_t choose(const skelrt::detail::episode_start& start, double first_use_us = 0)
    {
        return episode_book::choose(start, place_, first_use_us);
    }
    void note(const skelrt::detail::episode_start& start, std::size_t way, std::size_t calls, double us,
              std::span<const double> predicted, double rest_us = 0)
    {
        episode_book::note(start, place_, way, calls, us, predicted, rest_us);
    }
    bool looks() const { return place_.looks; }

private:
    skelrt::detail::book_place place_;
};
