// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/products/panels.hpp"
#include "src/lowering/ranks/products/relay.hpp"
#include "src/lowering/ranks/products/side_grid.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// A container that a side of a product reads, as all ranks see it. Ranks of one row of the result's grid (of one
/// column: of the right side) want the same of it.
class product_operand
{
public:
    /// None: it is no rectangle of its container.
    static std::optional<product_operand> of(const call& c, std::size_t slot, bool left);

    std::size_t slot() const noexcept { return slot_; }
    storage& data() const noexcept { return *data_; }
    bool is_left() const noexcept { return left_; }
    /// For cut_panels().
    panel_source source() const;
    /// A rank's messages for a panel, and what is made of them.
    relay relay_for(const position_run& k, unsigned rank) const;
    /// Elements that a rank of the result's grid wants.
    element_grid wanted(const position_run& k, unsigned rank) const;
    /// Has a call's operand step through memory that holds these, with so many columns.
    void set_steps(operand& o, std::size_t columns) const noexcept;

private:
    struct group {
        std::vector<unsigned> members;
        position_runs rows; ///< of the side
    };
    product_operand(const call& c, std::size_t slot, bool left, const side_grid& grid);
    static std::vector<group> groups_of(const parting& result, bool left);
    const axis_split* axis_of(side_grid::way w) const;

    std::size_t slot_;
    storage* data_;
    bool left_, across_;
    side_grid grid_;
    std::vector<group> groups_;
};

/// A call of all_pairs that ranks can do by panels: each rank computes what it holds of the result.
class product
{
public:
    /// None: a function asks for its position, the result lies on every rank, or an operand is no rectangle.
    static std::optional<product> of(const call& c);

    /// With containers that ranks may have to exchange; others are read where they lie.
    const std::vector<product_operand>& operands() const noexcept { return operands_; }
    const panel_cut& cut() const noexcept { return cut_; }

private:
    std::vector<product_operand> operands_;
    panel_cut cut_;
};

} // namespace skelrt::detail
