// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Programs over all ranks, and work that is one rank's own: items of farms, stages of pipelines, nodes of trees.
namespace skelrt::detail
{

/// Whether the calling thread is in such work: what it calls involves no other rank.
bool is_of_one_rank() noexcept;

/// The calling thread is, as long as this lives.
class of_one_rank
{
public:
    of_one_rank() noexcept;
    ~of_one_rank();
    of_one_rank(const of_one_rank&) = delete;
    of_one_rank& operator=(const of_one_rank&) = delete;

private:
    const bool was_;
};

} // namespace skelrt::detail
