// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/call_history.hpp"
#include "src/cluster/mpi/waits/notice_board.hpp"
#include "src/cluster/roll_call.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skelrt::detail
{

/// What a rank leaves the others with.
struct departure {
    std::uint64_t calls = 0, hash = 0;
    past_call last;
    bool under_exception = false;
};

/// What a rank says when it finds that its calls are not another's.
struct parting_of_ways {
    int from = 0;
    call_history::ring calls;
};

/// What is known of all ranks, by their notices: who has left, where they are, and what went wrong. The first failure
/// that a rank hears of is everybody's: every wait throws it from then on. Thread-safe.
class roll
{
public:
    explicit roll(MPI_Comm all);

    /// Reads what has come, and answers questions.
    void look() noexcept;

    /// It is told to all.
    void fail(std::string_view text) noexcept;
    std::optional<std::string> failure() const;

    void leave(const departure& mine) noexcept;
    std::optional<departure> left(int rank) const;
    bool all_have_left() const;
    /// The first that left with other calls than these; -1: none.
    int who_left_otherwise(const departure& mine) const;

    /// Where this rank is, for others that ask.
    void set_place(const place& mine) noexcept;
    void ask_all() noexcept;
    /// Since the question; this rank's own among them.
    std::vector<rank_answer> answers() const;

    /// This rank's calls are not that one's, which finds out where they parted.
    void part(int from, const call_history::ring& mine) noexcept;
    std::optional<parting_of_ways> next_parting();

    bool all_sent() noexcept { return board_.all_sent(); }

private:
    void read(const notice& n);

    notice_board board_;
    int rank_ = 0;
    mutable std::mutex guard_;
    std::optional<std::string> failure_;
    std::vector<std::optional<departure>> left_;
    std::vector<std::optional<place>> places_;
    std::vector<parting_of_ways> partings_;
    place mine_;
};

} // namespace skelrt::detail
