// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/errors.hpp"
#include "src/farm/pipelines/ready_tokens.hpp"
#include "src/farm/pipelines/stage_gate.hpp"
#include "src/farm/pipelines/token_window.hpp"
#include "src/farm/started_run.hpp"

#include <skelrt/detail/items/tokens.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// A pipeline under way. A thread takes a token that is ready, or a new one of the source, and carries it from stage to
/// stage; where it finds a stage full it leaves the token there, and takes another one.
///
/// After an error, those behind the token that failed are dropped: they go through all gates, so that no queue and no
/// order knows of it, but no stage runs for them. See runnable.
class token_run final : public started_run
{
public:
    /// Shall be offered to the pool by open().
    token_run(std::string title, std::shared_ptr<token_stages> stages, const token_wishes& wishes);
    ~token_run() override;

    void open();
    bool can_begin() const noexcept override { return ready_.any() || window_.can_begin(); }
    void cancel() noexcept override;
    void wait() noexcept override;
    std::exception_ptr error() noexcept override;

private:
    struct token {
        std::size_t number = 0; ///< in the order of the source
        std::size_t stage = 0;  ///< the next one, or that in which it is
        bool is_in_stage = false;
        bool dropped = false;
    };

    bool run_next() noexcept override;
    std::optional<std::size_t> next_token() noexcept;
    std::optional<std::size_t> pull() noexcept;
    bool look_for_more() noexcept;
    void tell_of_work() noexcept;

    void carry(std::size_t place) noexcept;
    std::optional<std::size_t> go_on(std::size_t place) noexcept;
    bool enter(std::size_t place);
    void run_stage(std::size_t place) noexcept;
    std::optional<std::size_t> leave(std::size_t place) noexcept;
    void end_or_put(std::size_t place) noexcept;
    void put(std::size_t place) noexcept;
    void end(std::size_t place) noexcept;

    void note_error(std::size_t number, std::size_t stage) noexcept;
    void drop_from(std::size_t number) noexcept;
    void set_over() noexcept;

    const std::shared_ptr<token_stages> stages_;
    const std::size_t stage_count_;
    std::vector<const std::string*> traced_names_; ///< SKELRT_TRACE, of stages; empty: nobody records
    token_window window_;
    ready_tokens ready_;
    std::vector<token> tokens_;                      ///< of each place: whoever carries it writes it
    std::vector<std::unique_ptr<stage_gate>> gates_; ///< of each stage; null: it takes as many as come
    std::size_t pulled_ = 0;                         ///< whoever is in the source writes it

    alignas(64) std::atomic<std::size_t> first_dropped_{SIZE_MAX}; ///< those from here on are
    std::atomic<bool> somebody_looks_{false};
    alignas(64) std::atomic<std::size_t> ended_{0}; ///< that were not dropped
    std::atomic<bool> source_ended_{false}, any_dropped_{false}, told_{false};
    item_errors errors_{"token"};
};

} // namespace skelrt::detail
