// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/steps/record.hpp"

#include "src/function/shared.hpp"
#include "src/function/signature.hpp"
#include "src/function/steps/reader.hpp"
#include "src/function/tokens.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace skelrt::detail::function_steps
{
namespace
{

/// Nothing: functions see something else than numbers there.
std::optional<named_operand> step_operand(const recipe& what, const slot_view* slots, unsigned which,
                                          std::string_view parameter)
{
    const slot_type& slot = what.slots[which];
    const auto kind = number_kind_of(slot.type);
    if (!kind) return {};
    switch (slot.kind) {
    case slot_kind::hood:
        return named_operand{{}, operand_role::hood, *kind, which, slots[which], {}};
    case slot_kind::vec:
        return named_operand{{}, operand_role::vec, *kind, which, slots[which], {}};
    case slot_kind::mat:
        return named_operand{{}, operand_role::mat, *kind, which, slots[which], {}};
    case slot_kind::uniform:
    case slot_kind::scalar: {
        const auto type = number_kind_of(parameter);
        const auto value = type ? converted(element_at(slots[which].data, *kind), *type) : std::nullopt;
        if (!value) return {};
        return named_operand{{}, operand_role::number, *type, which, slots[which], *value};
    }
    default:
        return {};
    }
}

/// Nothing: not all can be read.
std::optional<std::vector<named_operand>> step_operands(const recipe& what, const slot_view* slots,
                                                        const std::vector<token>& tokens, const lambda_head& head)
{
    const function_call& call = what.calls[0];
    const signature_text known = call.function->facts ? call.function->facts->signature : signature_text{};
    if (!known.parameters || !head.plain || head.parameters.size() != known.count ||
        call.arguments.size() != known.count)
        return {};
    std::vector<named_operand> all;
    for (std::size_t k = 0; k < known.count; ++k) {
        const argument& a = call.arguments[k];
        auto one =
            a.kind == argument_kind::slot ? step_operand(what, slots, a.which, known.parameters[k]) : std::nullopt;
        if (!one) return {};
        const token& name = tokens[head.parameters[k].end];
        if (name.is_identifier()) one->name = name.text;
        all.push_back(*one);
    }
    return all;
}

} // namespace
} // namespace skelrt::detail::function_steps

namespace skelrt::detail
{

std::optional<lockstep_steps> record_steps(const recipe& what, const slot_view* slots, std::size_t pitch)
{
    if (what.calls.size() != 1 || what.root.kind != argument_kind::call || !what.hood_maps.empty() ||
        !what.members.empty() || what.stencil.rank != 2)
        return {};
    using namespace function_steps;
    const std::vector<token> tokens = tokenize(code_of(*what.calls[0].function));
    const lambda_head head = head_of(tokens);
    auto operands = step_operands(what, slots, tokens, head);
    const auto type = number_kind_of(what.result);
    if (!operands || !type || *type < number_kind::float_) return {};
    for (const named_operand& o : *operands)
        if (o.role == operand_role::hood && o.type != *type) return {};
    return step_reader(tokens, std::move(*operands), *type, what.stencil, pitch).read(head.body);
}

} // namespace skelrt::detail
