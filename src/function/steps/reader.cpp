// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/steps/reader.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace skelrt::detail::function_steps
{
namespace
{

constexpr std::size_t most_rounds = std::size_t{1} << 16; ///< of all loops: a longer text is left to the compiler

/// 0: it joins nothing.
int strength_of(std::string_view op)
{
    if (op == "||") return 1;
    if (op == "&&") return 2;
    if (op == "==" || op == "!=") return 3;
    if (op == "<" || op == ">" || op == "<=" || op == ">=") return 4;
    if (op == "+" || op == "-") return 5;
    return op == "*" || op == "/" || op == "%" ? 6 : 0;
}

bool begins_type(const token& t)
{
    return any_of(t.text, {"float", "double", "int", "unsigned", "signed", "long", "size_t", "ptrdiff_t"});
}

} // namespace

step_reader::step_reader(std::span<const token> all, std::vector<named_operand> operands, number_kind type,
                         const stencil_shape& shape, std::size_t pitch)
    : all_(all), operands_(std::move(operands)), shape_(shape), pitch_(static_cast<std::ptrdiff_t>(pitch)),
      recorder_(type), result_type_(type)
{
    for (const named_operand& o : operands_)
        if (o.role == operand_role::number) variables_.push_back({o.name, o.type, o.value});
}

std::optional<lockstep_steps> step_reader::read(std::size_t body)
{
    try {
        at_ = body;
        block();
        return result_ ? recorder_.finish(*result_) : std::nullopt;
    } catch (const unreadable&) {
        return {};
    }
}

bool step_reader::take(std::string_view text)
{
    if (!is(text)) return false;
    if (++at_ == all_.size()) throw unreadable{}; // a brace is behind everything
    return true;
}

void step_reader::expect(std::string_view text)
{
    if (!take(text)) throw unreadable{};
}

void step_reader::statement()
{
    if (is("{")) return block();
    if (take("for")) return loop();
    if (take("if")) return question();
    if (!take("return")) return simple_statement(";");
    result_ = cast(result_type_, expression());
}

/// Its last brace may be the text's last token.
void step_reader::block()
{
    const std::size_t outer = variables_.size();
    for (expect("{"); !is("}");) {
        statement();
        if (result_) return;
    }
    forget(outer);
    if (at_ + 1 < all_.size()) ++at_;
}

/// Variables of a block that ends.
void step_reader::forget(std::size_t outer)
{
    variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(outer), variables_.end());
}

void step_reader::loop()
{
    const std::size_t outer = variables_.size();
    expect("(");
    simple_statement(";");
    const std::size_t question = at_;
    for (;;) {
        at_ = question;
        const bool goes_on = asked();
        expect(";");
        const std::size_t step = at_;
        while (!is(")")) skip_group();
        expect(")");
        if (!goes_on) break;
        if (++rounds_ > most_rounds) throw unreadable{};
        statement();
        if (result_) return;
        at_ = step;
        simple_statement(")");
    }
    skip_statement();
    forget(outer);
}

void step_reader::question()
{
    take("constexpr");
    expect("(");
    const bool yes = asked();
    expect(")");
    if (yes) statement();
    else skip_statement();
    if (result_ || !take("else")) return;
    if (yes) skip_statement();
    else statement();
}

void step_reader::skip_statement()
{
    if (is("{")) return skip_group();
    if (is("for") || is("if")) {
        const bool may_go_on = is("if");
        ++at_;
        take("constexpr");
        skip_group();
        skip_statement();
        if (may_go_on && take("else")) skip_statement();
        return;
    }
    while (!is(";")) skip_group();
    expect(";");
}

/// One token, or what stands in brackets.
void step_reader::skip_group()
{
    int depth = 0;
    do {
        depth += opens(here()) ? 1 : closes(here()) ? -1 : 0;
        if (depth < 0 || ++at_ == all_.size()) throw unreadable{};
    } while (depth > 0);
}

void step_reader::simple_statement(std::string_view end)
{
    if (take(end)) return;
    if (at_type()) {
        declarations();
    } else {
        do change();
        while (take(","));
    }
    expect(end);
}

void step_reader::declarations()
{
    const auto declared = type();
    do {
        const std::string_view name = here().text;
        if (!here().is_identifier()) throw unreadable{};
        ++at_;
        if (!take("=")) {
            variables_.push_back({name, known(declared), number(0)}); // nobody may read it yet
            continue;
        }
        const shared_or_each value = expression();
        variables_.push_back({name, declared.value_or(recorder_.type_of(value)), number(0)});
        set(variables_.back(), value);
    } while (take(","));
}

/// i++, ++i, i += 2, i = 2
void step_reader::change()
{
    const bool in_front = is("++") || is("--");
    const std::string_view step = here().text;
    if (in_front) ++at_;
    variable* const v = here().is_identifier() ? variable_of(here().text) : nullptr;
    if (!v) throw unreadable{};
    ++at_;
    const std::string_view op = in_front ? step : here().text;
    if (!in_front) ++at_;
    if (op == "++" || op == "--") return set(*v, known(recorder_.join(v->value, op.substr(1), number(1))));
    const shared_or_each value = expression();
    if (op == "=") return set(*v, value);
    if (op.size() != 2 || op[1] != '=' || std::string_view{"+-*/%"}.find(op[0]) == op.npos) throw unreadable{};
    set(*v, known(recorder_.join(v->value, op.substr(0, 1), value)));
}

void step_reader::set(variable& v, const shared_or_each& value) const { v.value = cast(v.type, value); }

bool step_reader::asked()
{
    const shared_or_each answer = expression();
    const auto* const n = std::get_if<number>(&answer);
    if (!n) throw unreadable{}; // positions would go different ways
    return is_true(*n);
}

bool step_reader::at_type() const { return begins_type(here()) || any_of(here().text, {"const", "auto", "std"}); }

/// Nothing: auto.
std::optional<number_kind> step_reader::type()
{
    bool is_long = false, is_unsigned = false;
    std::string_view base;
    for (; at_type(); ++at_) {
        if (is("const")) continue;
        if (is("std")) {
            if (!all_[++at_].is("::") || !begins_type(all_[at_ + 1])) throw unreadable{};
            continue;
        }
        if (is("long") && std::exchange(is_long, true)) throw unreadable{};
        if (is("unsigned") || is("size_t")) is_unsigned = true;
        if (is("size_t") || is("ptrdiff_t")) is_long = true;
        if (any_of(here().text, {"float", "double", "auto"})) base = here().text;
    }
    if (base == "auto") return {};
    if (base == "float") return number_kind::float_;
    if (base == "double" && is_long) throw unreadable{};
    if (base == "double") return number_kind::double_;
    if (is_long) return is_unsigned ? number_kind::unsigned_long : number_kind::long_;
    return is_unsigned ? number_kind::unsigned_ : number_kind::int_;
}

shared_or_each step_reader::expression()
{
    const shared_or_each first = binary(1);
    if (!take("?")) return first;
    const auto* const n = std::get_if<number>(&first);
    if (!n) throw unreadable{};
    const shared_or_each yes = expression();
    expect(":");
    const shared_or_each no = expression();
    return cast(std::max(recorder_.type_of(yes), recorder_.type_of(no)), is_true(*n) ? yes : no);
}

shared_or_each step_reader::binary(int least)
{
    shared_or_each left = unary();
    for (;;) {
        const std::string_view op = here().text;
        const int strength = strength_of(op);
        if (strength < least || strength == 0) return left;
        ++at_;
        left = known(recorder_.join(left, op, binary(strength + 1)));
    }
}

shared_or_each step_reader::unary()
{
    if (take("-")) return known(recorder_.negate(unary()));
    if (take("+")) return unary();
    if (!is("(")) return primary();
    ++at_;
    if (at_type()) {
        const number_kind to = known(type());
        expect(")");
        return cast(to, unary());
    }
    const shared_or_each inner = expression();
    expect(")");
    return inner;
}

shared_or_each step_reader::primary()
{
    if (here().kind == token_kind::number) return known(literal(all_[at_++].text));
    const bool spelt_out = take("static_cast");
    if (spelt_out) expect("<");
    if (!spelt_out && !at_type()) return named();
    const number_kind to = known(type());
    if (spelt_out) expect(">");
    expect("(");
    const shared_or_each value = expression();
    expect(")");
    return cast(to, value);
}

/// Numbers of positions have one type only.
shared_or_each step_reader::cast(number_kind to, const shared_or_each& value) const
{
    if (const auto* n = std::get_if<number>(&value)) return known(converted(*n, to));
    if (to != recorder_.type_of(value)) throw unreadable{};
    return value;
}

step_reader::variable* step_reader::variable_of(std::string_view name)
{
    for (variable& v : variables_ | std::views::reverse)
        if (v.name == name) return &v;
    return nullptr;
}

shared_or_each step_reader::named()
{
    const std::string_view name = here().text;
    if (!here().is_identifier()) throw unreadable{};
    ++at_;
    if (const variable* v = variable_of(name)) return v->value;
    for (const named_operand& o : operands_)
        if (o.role != operand_role::number && o.name == name) return operand(o);
    throw unreadable{};
}

shared_or_each step_reader::operand(const named_operand& o)
{
    if (!take(".")) return element(o);
    const std::string_view member = here().text;
    ++at_;
    expect("(");
    expect(")");
    if (o.role == operand_role::vec && member == "size") return number(o.view.cols);
    if (o.role == operand_role::mat && member == "rows") return number(o.view.rows);
    if (o.role == operand_role::mat && member == "cols") return number(o.view.cols);
    throw unreadable{};
}

std::ptrdiff_t step_reader::index()
{
    const shared_or_each value = expression();
    const auto* const n = std::get_if<number>(&value);
    if (!n) throw unreadable{};
    return known(whole(*n));
}

/// u(row, column), w(row, column), v(i), v[i]: within what there is.
shared_or_each step_reader::element(const named_operand& o)
{
    const bool brackets = o.role == operand_role::vec && is("[");
    expect(brackets ? "[" : "(");
    std::ptrdiff_t row = 0;
    if (o.role != operand_role::vec) {
        row = index();
        expect(",");
    }
    const std::ptrdiff_t col = index();
    expect(brackets ? "]" : ")");
    const auto within = [](std::ptrdiff_t i, std::size_t before, std::size_t after) {
        if (i < -static_cast<std::ptrdiff_t>(before) || i >= static_cast<std::ptrdiff_t>(after)) throw unreadable{};
    };
    if (o.role == operand_role::hood) {
        within(row, shape_.before[1], shape_.after[1] + std::size_t{1});
        within(col, shape_.before[2], shape_.after[2] + std::size_t{1});
        return seen_element{o.slot, row * pitch_ + col, 1};
    }
    const bool matrix = o.role == operand_role::mat;
    within(row, 0, matrix ? o.view.rows : 1);
    within(col, 0, o.view.cols);
    const std::size_t way = static_cast<std::size_t>(row) * (matrix ? o.view.ld : 0) + static_cast<std::size_t>(col);
    return element_at(static_cast<const std::byte*>(o.view.data) + way * size_of(o.type), o.type);
}

} // namespace skelrt::detail::function_steps
