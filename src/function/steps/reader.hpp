// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/steps/recorder.hpp"
#include "src/function/tokens.hpp"

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Runs the text of a function once, for all positions.
namespace skelrt::detail::function_steps
{

enum class operand_role : std::uint8_t { number, vec, mat, hood };

/// A parameter.
struct named_operand {
    std::string_view name; ///< may be empty
    operand_role role;
    number_kind type;
    unsigned slot;
    slot_view view;
    number value; ///< of a number
};

class step_reader
{
public:
    step_reader(std::span<const token> all, std::vector<named_operand> operands, number_kind type,
                const stencil_shape& shape, std::size_t pitch);

    /// From the brace on at which the body begins.
    std::optional<lockstep_steps> read(std::size_t body);

private:
    struct variable {
        std::string_view name;
        number_kind type;
        shared_or_each value;
    };
    struct unreadable {
    };

    template <class T>
    static T known(const std::optional<T>& found)
    {
        if (!found) throw unreadable{};
        return *found;
    }
    const token& here() const { return all_[at_]; }
    bool is(std::string_view text) const { return here().is(text); }
    bool take(std::string_view text);
    void expect(std::string_view text);

    void statement();
    void block();
    void loop();
    void forget(std::size_t outer);
    void question();
    void skip_statement();
    void skip_group();
    void simple_statement(std::string_view end);
    void change();
    void declarations();
    void set(variable& v, const shared_or_each& value) const;
    bool asked();

    bool at_type() const;
    std::optional<number_kind> type();
    shared_or_each expression();
    shared_or_each binary(int least);
    shared_or_each unary();
    shared_or_each primary();
    shared_or_each cast(number_kind to, const shared_or_each& value) const;
    shared_or_each named();
    shared_or_each operand(const named_operand& o);
    shared_or_each element(const named_operand& o);
    std::ptrdiff_t index();
    variable* variable_of(std::string_view name);

    std::span<const token> all_;
    std::vector<named_operand> operands_;
    const stencil_shape& shape_;
    std::ptrdiff_t pitch_;
    recorder recorder_;
    std::vector<variable> variables_; ///< inner ones behind outer ones
    std::optional<shared_or_each> result_;
    number_kind result_type_;
    std::size_t at_ = 0, rounds_ = 0;
};

} // namespace skelrt::detail::function_steps
