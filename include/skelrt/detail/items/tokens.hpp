// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../api.hpp"
#include "items.hpp"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

/// What pipelines hand to the library: their stages, with values of types that it does not know.
namespace skelrt::detail
{

enum class stage_kind : std::uint8_t { parallel, serial, in_order };

struct stage_shape {
    std::string name;
    stage_kind kind = stage_kind::parallel;
    std::size_t limit = 0; ///< of a parallel one: tokens in it at once; 0: as many as come
};

/// What the user says of a pipeline.
struct token_wishes {
    std::string name;
    int priority = 0;
    std::size_t window = 0; ///< 0: 4 a core
};

/// The stages of a pipeline, and places where tokens on their way have their values. Alive until its run has ended.
class SKELRT_API token_stages : public run_result<std::size_t>
{
public:
    token_stages() = default;
    ~token_stages() override;
    token_stages(const token_stages&) = delete;
    token_stages& operator=(const token_stages&) = delete;

    /// All of them, the source first: a serial one.
    virtual const std::vector<stage_shape>& shapes() const noexcept = 0;
    /// So many places, before anything else.
    virtual void make_places(std::size_t count) = 0;
    /// The source fills a place: one thread at a time. False: there are no more. May throw.
    virtual bool pull(std::size_t place, const std::stop_token& stop) = 0;
    /// Stage 1 or later, of a value that has gone through all before. Several threads at once. May throw.
    virtual void run(std::size_t stage, std::size_t place, const std::stop_token& stop) = 0;
    /// Empties a place.
    virtual void drop(std::size_t place) noexcept = 0;

    /// So many tokens went through all stages, and no other will.
    virtual void end(std::size_t tokens) noexcept = 0;
};

} // namespace skelrt::detail
