// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/holding.hpp"

/// Thresholds of who carries out a call and for how long that is decided, each with its unit and where it was measured:
/// on nodes with 16 cores and one H100, unless it says otherwise. Those of the planner's sums stand beside the sums, in
/// plan/planner.cpp, plan/cost.hpp and plan/grain.cpp.
namespace skelrt::detail::tuning
{

/// Calls that a decision of one task holds for, at first and at most: 1 % may be lost by an old one (decision 21).
constexpr holding one_task_holds{63, 8 * 63};
/// The same of plans, which must come out twice in a row first (decision 21).
constexpr holding plan_holds{0, 64};

/// us: all cores take so long to begin and to end a region together (decision 29, two cores).
constexpr double team_begins_and_ends_us = 2;
/// us: until cores that sleep have come to a region (decision 28).
constexpr double team_wakes_us = 50;

/// How many times as long as a call on the calling thread alone one on all cores may take there: a task costs some tens
/// of microseconds, which is little beside longer ones, and those leave the calling thread free (decision 28).
constexpr double longer_with_team = 25;

/// us, a task's start among it: calls on cores that become one task with others (decision 20).
constexpr double short_on_cores_us = 110;
/// us: the same on a CUDA device (decision 20).
constexpr double short_on_gpu_us = 60;

/// us: what the cores have done before a GPU has begun (decisions 17 and 83).
constexpr double not_worth_a_gpu_us = 30;
/// us: what loading a kernel of an earlier run takes, and the first one on a GPU, with what else a process uses there
/// for the first time.
struct load_times {
    double one, first;
};
/// Its text, its file, the driver (decisions 80 and 82; one H200).
constexpr load_times loads_of_calls{1000, 3000};
/// The same where kernels were loaded beside the program's start: the text, mostly (decision 84; one H200).
constexpr load_times loads_begun_before{400, 1500};
/// bytes/us: pinning of pages that nobody has touched, which what the cores make needs if it goes to a GPU after all
/// (decision 71).
constexpr double pinned_bytes_per_us = 3.6e3;
/// us: what a GPU's worker takes for each of many calls in a row, however short their kernels are (decision 81).
constexpr double least_gpu_us = 12;
/// us: from the end of a task on one device until what it made begins to arrive on another (decision 17).
constexpr double copy_us = 15;
/// bytes/us: by all cores into pages that nobody has touched yet (decision 65).
constexpr double fresh_bytes_per_us = 8e3;
/// bytes: results whose way home in pieces, under the kernels, makes up for the tasks that it takes (decision 17).
constexpr double worth_overlapping = 32 << 20;
/// Of the cores' time: what others must promise by guesses before data is sent away (decision 17).
constexpr double much_by_guesses = 0.85;
/// Of the best device's time: what a split must promise by guesses, which are often wrong by half; two equal GPUs
/// promise half.
constexpr double split_by_guesses = 0.55;
/// Of a device's part of a split: what others may keep it busy before the split is planned anew.
constexpr double bearable = 0.1;
/// bytes: a call that copies so many shows what a link brings (decision 19).
constexpr double enough_to_see_a_link = 8 << 20;
/// bytes: what a task of its own should copy, of a part that a plan gives a device in pieces (decision 15).
constexpr double worth_a_piece = 2 << 20;

} // namespace skelrt::detail::tuning
