#pragma once

#include "schedulers/hint.hpp"
#include "src/data/managed.hpp"
#include "src/lowering/devices.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/holding.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Where a call of one task went, on a device that had all of its data.
struct decision {
    std::vector<const target*> targets; ///< that could do it
    unsigned device = 0;                ///< number among them
    std::vector<schedulers::worker_cost> costs;
    bool may_leave = false;
    bool of_single_calls = false; ///< it holds for those that the host waits for before and after
};

/// The last such calls of each recipe, a few of different shapes: coarse and fine grids take turns, and so do ways of an episode.
/// The next one of the same shape, on data that lies just so, goes the same way: planning would take as long as the call.
///
/// Lifetime: the engine's. Used under the order's lock.
class known_calls
{
public:
    /// Null: it has to be planned.
    const decision* find(const call& c, device_choice may_use);
    void remember(const call& c, device_choice may_use, decision what);
    void forget() noexcept { of_recipe_.clear(); }

private:
    /// What a plan depends on.
    struct operand_place {
        bool there;
        node_mask valid; ///< of what is read
        std::size_t offset, ld, stride;
        friend bool operator==(const operand_place&, const operand_place&) = default;
    };
    struct shape {
        device_choice may_use;
        std::size_t rows, cols, depth;
        unsigned steps;
        bool to_value;
        friend bool operator==(const shape&, const shape&) = default;
    };
    struct known_call {
        holding holds{63, 8 * 63};
        shape of{};
        std::vector<operand_place> operands;
        decision what;
    };
    struct known_shapes {
        std::vector<known_call> calls; ///< at most most_shapes
        std::size_t oldest = 0;        ///< the next to give way
    };
    static constexpr std::size_t most_shapes = 8;
    static bool place_of(const call& c, std::size_t slot, operand_place& to);
    static shape shape_of(const call& c, device_choice may_use);

    static bool lies_so(const call& c, const std::vector<operand_place>& places);
    known_call& entry_for(const shape& of, known_shapes& among);

    std::vector<known_shapes> of_recipe_; ///< by number
    std::vector<operand_place> places_;   ///< of remember(): its memory
};

} // namespace skelrt::detail
