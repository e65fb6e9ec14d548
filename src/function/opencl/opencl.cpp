// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/opencl.hpp"

#include "src/function/cuda/standard.hpp"
#include "src/function/lines.hpp"
#include "src/function/opencl/hoods.hpp"
#include "src/function/opencl/rewriter.hpp"
#include "src/function/own/own_operators.hpp"
#include "src/function/own/own_types.hpp"
#include "src/function/own/row_sum.hpp"
#include "src/function/shared.hpp"
#include "src/function/sides.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

constexpr std::string_view index_types = "typedef struct { ulong i; } skelrt_index1;\n"
                                         "typedef struct { ulong row, col; } skelrt_index2;\n"
                                         "typedef struct { ulong plane, row, col; } skelrt_index3;\n"
                                         "typedef struct { ulong cube, plane, row, col; } skelrt_index4;\n";

/// As include/skelrt/random.hpp has it.
constexpr std::string_view random_numbers = R"CL(
typedef struct { ulong key, position; uint block, used; uint4 out; float second; int has_second; } skelrt_random;
static inline skelrt_random skelrt_random_at(ulong key, ulong position)
{
    skelrt_random r = {key, position, 0, 4, (uint4)(0), 0.0f, 0};
    return r;
}
static inline uint skelrt_random_bits(skelrt_random* r)
{
    if (r->used == 4) {
        uint4 c = (uint4)(r->block, 0, (uint)r->position, (uint)(r->position >> 32));
        uint k0 = (uint)r->key, k1 = (uint)(r->key >> 32);
        for (int round = 0; round < 10; ++round) {
            const uint a = mul_hi(0xD2511F53u, c.x), b = mul_hi(0xCD9E8D57u, c.z);
            c = (uint4)(b ^ c.y ^ k0, 0xCD9E8D57u * c.z, a ^ c.w ^ k1, 0xD2511F53u * c.x);
            k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
        }
        r->out = c;
        ++r->block;
        r->used = 0;
    }
    const uint out = r->out.x;
    r->out = r->out.yzww;
    ++r->used;
    return out;
}
static inline float skelrt_random_uniform(skelrt_random* r) { return (float)(skelrt_random_bits(r) >> 8) * 0x1p-24f; }
static inline float skelrt_random_normal(skelrt_random* r)
{
    if (r->has_second) {
        r->has_second = 0;
        return r->second;
    }
    const float radius = sqrt(-2.0f * log(1.0f - skelrt_random_uniform(r)));
    float cosine;
    const float sine = sincos(6.2831853f * skelrt_random_uniform(r), &cosine);
    r->second = radius * sine;
    r->has_second = 1;
    return radius * cosine;
}
)CL";
constexpr std::string_view random_doubles = R"CL(
static inline double skelrt_random_uniform_double(skelrt_random* r)
{
    const ulong high = skelrt_random_bits(r) >> 5, low = skelrt_random_bits(r) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}
)CL";

/// Translates one recipe; its public members become the translation.
class translator
{
public:
    translator(const recipe& what, line_numbers lines) : what_(what), sum_(row_sum_of(what)), lines_(lines) {}

    translation run()
    {
        try {
            shared_declarations();
            types_of_slots();
            functions();
            if (what_.kind == skeleton::all_pairs) sides();
            else fused_functions();
            combine();
            scale();
        } catch (const refusal_with_place& r) {
            result_.refusal = r.text;
            return result_;
        }
        result_.double_use = unit_.double_use;
        result_.text = std::string(index_types);
        if (asks_for(argument_kind::random)) result_.text += random_numbers;
        if (asks_for(argument_kind::random) && !unit_.double_use.empty()) result_.text += random_doubles;
        if (what_.kind == skeleton::stencil) result_.text += hood_prologue(what_.stencil);
        result_.text += unit_.helper_text + unit_.text;
        return result_;
    }

private:
    struct refusal_with_place {
        std::string text;
    };

    static std::string place(const refused& r, const function_source& source)
    {
        return locate(source, r.offset) + ": OpenCL C cannot express " + r.reason;
    }

    const std::vector<int>& lines_of(const function_source& source)
    {
        static const std::vector<int> none;
        if (lines_ == line_numbers::macro) return none;
        const auto known = line_cache_.find(source.text);
        return known != line_cache_.end() ? known->second : line_cache_[source.text] = token_lines(source);
    }

    /// A declaration that cannot be translated only matters if something that can be refers to it.
    void shared_declarations()
    {
        const auto declarations = declarations_for(what_);
        if (const auto clash = clash_of(declarations); !clash.empty())
            throw refusal_with_place{fmt::format("{}: {}", what_.name, clash)};
        for (const auto& d : declarations) {
            const auto& lines = lines_of(*d.source);
            const auto skipped = lines.empty() ? 0 : tokens_before(d);
            const auto own_lines = lines.empty() ? std::span<const int>{} : std::span(lines).subspan(skipped);
            try {
                rewriter(unit_, *d.source, d.tokens, own_lines).declare(d);
            } catch (const refused& r) {
                for (const auto name : d.names) {
                    const auto qualified = joined(d.scope, name);
                    unit_.declared[qualified].push_back(d.source);
                    unit_.left_out[qualified] = r.reason + " (" + locate(*d.source, r.offset) + ")";
                }
            }
        }
    }

    static std::size_t tokens_before(const declaration& d)
    {
        const auto all = tokenize(code_of(*d.source));
        std::size_t count = 0;
        while (count < all.size() && all[count].offset < d.tokens.front().offset) ++count;
        return count;
    }

    /// The type of that C++ name; `user` is blamed if there is none.
    type named(std::string_view qualified, const function_source* user)
    {
        const auto name = named_type(qualified);
        const auto tokens = tokenize(name);
        const function_source nowhere{"", "", 0};
        try {
            if (const auto of = rewriter(unit_, nowhere, tokens, {}).whole_type()) return *of;
        } catch (const refused& r) {
            throw refusal_with_place{place({r.reason, 0}, user != nullptr ? *user : nowhere)};
        }
        const auto reason = fmt::format("the type {}, which is neither a number nor in a SKELRT_SHARED", name);
        if (user == nullptr) throw refusal_with_place{what_.name + ": OpenCL C cannot express " + reason};
        throw refusal_with_place{place({reason, 0}, *user)};
    }

    const function_source* first_function() const
    {
        return !what_.calls.empty() ? what_.calls.front().function : what_.combine;
    }

    void types_of_slots()
    {
        for (const auto& slot : what_.slots) {
            auto element = named(slot.type, first_function());
            check_size(element, slot.type, slot.size);
            const bool side = what_.kind == skeleton::all_pairs && moves(slot.kind); // an element at a time
            if (sees_vec(slot.kind) && !side) element = unit_.view_of(type_kind::vec, element);
            if (slot.kind == slot_kind::mat) element = unit_.view_of(type_kind::mat, element);
            if (sees_hood(slot.kind)) element = unit_.view_of(hood_kind(), element);
            if (slot.kind == slot_kind::accumulator) element = unit_.view_of(accumulator_kind(slot.rule), element);
            const bool source = slot.kind == slot_kind::hood_source; // functions see the element
            result_.slot_types.push_back(source ? unit_.view_of(hood_kind(), element).text : element.text);
            if (slot.kind == slot_kind::output) element.text = "__global " + storage_type(element.text) + "*";
            slots_.push_back(element);
        }
        const auto stored = named(what_.result, first_function());
        stored_ = stored;
        if (stored.kind == type_kind::structure) check_size(stored, what_.result, what_.result_size);
        result_.result_type = stored.text;
        if (what_.kind != skeleton::wavefront) return;
        before_ = unit_.view_of(type_kind::before, stored);
        result_.before_type = before_.text;
    }

    type_kind hood_kind() const
    {
        return what_.stencil.rank == 1   ? type_kind::hood1
               : what_.stencil.rank == 2 ? type_kind::hood2
                                         : type_kind::hood3;
    }

    /// A struct that the device lays out otherwise must not compile.
    void check_size(const type& of, std::string_view name, std::uint32_t size)
    {
        if (of.kind != type_kind::structure || !checked_.insert(of.text).second) return;
        unit_.text += fmt::format("typedef char skelrt_size_of_{}[sizeof({}) == {} ? 1 : -1]; /* {} */\n", of.text,
                                  of.text, size, name);
    }

    type type_of(const argument& a) const
    {
        switch (a.kind) {
        case argument_kind::slot:
            return slots_.at(a.which);
        case argument_kind::call:
            return results_.at(a.which);
        case argument_kind::index1:
            return {"skelrt_index1", type_kind::index};
        case argument_kind::index2:
            return {"skelrt_index2", type_kind::index};
        case argument_kind::index3:
            return {"skelrt_index3", type_kind::index};
        case argument_kind::index4:
            return {"skelrt_index4", type_kind::index};
        case argument_kind::random:
            return {"skelrt_random", type_kind::random};
        case argument_kind::before:
            return before_;
        }
        return {};
    }

    void functions()
    {
        for (std::size_t i = 0; i < what_.calls.size(); ++i) {
            const auto& call = what_.calls[i];
            std::vector<type> arguments;
            for (const auto& a : call.arguments) {
                arguments.push_back(type_of(a));
                const bool index2 = a.kind == argument_kind::index2 || a.kind == argument_kind::index3 ||
                                    a.kind == argument_kind::index4;
                result_.uses_index2 = result_.uses_index2 || index2;
                result_.uses_index =
                    result_.uses_index || index2 || a.kind == argument_kind::index1 || a.kind == argument_kind::random;
            }
            results_.push_back(named(call.result, call.function));
            user_function(*call.function, fmt::format("skelrt_function{}", i), results_.back(), arguments);
        }
    }

    /// An operator of the user's that the next function calls: known by a name that only functions of ours see.
    void called_operator(const own_operator& op, const std::string& name)
    {
        static const shared_source ours{};
        const type result = named(op.result, op.source);
        const std::array arguments{named(op.first, op.source), named(op.second, op.source)};
        translated_function(*op.source, code_of(*op.source), flat_name(name), result, arguments);
        unit_.declared[name].push_back(&ours);
        unit_.functions[name] = result;
        unit_.signatures.emplace(name, unit_.signatures.find(flat_name(name))->second);
    }

    /// Behind the operators that it calls, if it is one of ours that does.
    void user_function(const function_source& f, const std::string& name, const type& result,
                       std::span<const type> arguments)
    {
        const auto called = [&](std::size_t k) { return fmt::format("{}_called{}", name, k); };
        std::size_t count = 0;
        for (const own_operator* op : operators_of(f)) called_operator(*op, called(count++));
        translated_function(f, calling_by_name(code_of(f), f, called), name, result, arguments);
    }

    void translated_function(const function_source& f, const std::string& code, const std::string& name,
                             const type& result, std::span<const type> arguments)
    {
        const auto tokens = tokenize(code);
        try {
            rewriter(unit_, f, tokens, lines_of(f)).lambda(name, result, arguments);
        } catch (const refused& r) {
            throw refusal_with_place{place(r, f)};
        }
    }

    static std::string name_of(const argument& a)
    {
        switch (a.kind) {
        case argument_kind::slot:
            return fmt::format("s{}", a.which);
        case argument_kind::call:
            return fmt::format("v{}", a.which);
        case argument_kind::index1:
            return "i1";
        case argument_kind::index2:
            return "i2";
        case argument_kind::index3:
            return "i3";
        case argument_kind::index4:
            return "i4";
        case argument_kind::random:
            return fmt::format("skelrt_random_at(s{}, i1.i)", a.which);
        case argument_kind::before:
            return "before";
        }
        return {};
    }

    bool asks_for(argument_kind kind) const
    {
        return std::ranges::any_of(what_.calls, [&](const function_call& f) {
            return std::ranges::any_of(f.arguments, [&](const argument& a) { return a.kind == kind; });
        });
    }

    std::size_t inputs() const { return what_.slots.size() - (has_result_slot(what_.kind) ? 1 : 0); }

    void fused_functions()
    {
        unit_.text += "\n#line 1 \"skelrt-generated\"\n";
        for (const hood_map& m : what_.hood_maps) map_under_hood(m);
        fused_function("skelrt_value", instead::nothing);
        if (keeps_within(what_)) fused_function("skelrt_edge_value", instead::elements);
        if (!sum_) return;
        result_.sum_type = results_[sum_->call].text;
        fused_function("skelrt_value_with_sum", instead::sum);
    }

    void map_under_hood(const hood_map& m)
    {
        std::string parameters;
        for (unsigned k = m.first; k < m.slot; ++k)
            parameters += fmt::format("{}{} s{}", k == m.first ? "" : ", ", slots_[k].text, k);
        unit_.text +=
            fmt::format("static inline {} skelrt_mapped{}({})\n{{\n", results_[m.call].text, m.slot, parameters);
        for (std::size_t i = m.first_call; i <= m.call; ++i) call_function(i);
        unit_.text += fmt::format("    return v{};\n}}\n", m.call);
    }

    void call_function(std::size_t i)
    {
        const bool returns = what_.calls[i].result != "void";
        const auto variable = returns ? fmt::format("{} v{} = ", results_[i].text, i) : std::string();
        unit_.text += fmt::format("    {}skelrt_function{}({});\n", variable, i, call_list(i));
    }

    /// The element at the position takes the place of what a stencil's function gives.
    void keep_element(std::size_t i)
    {
        const int slot = what_.calls[i].kept_slot, rank = what_.stencil.rank;
        unit_.text += fmt::format("    {} v{} = {}_at(s{}{});\n", results_[i].text, i,
                                  result_.slot_types[static_cast<std::size_t>(slot)], slot,
                                  rank == 1   ? ", 0"
                                  : rank == 2 ? ", 0, 0"
                                              : ", 0, 0, 0");
    }

    /// What takes the place of what a function gives.
    enum class instead : std::uint8_t {
        nothing,
        elements, ///< where hoods leave the grid, and the border is none
        sum       ///< of a sparse matrix's row
    };
    void call_or_instead(std::size_t i, instead by)
    {
        if (by == instead::elements && what_.calls[i].kept_slot >= 0) keep_element(i);
        else if (by == instead::sum && i == sum_->call)
            unit_.text += fmt::format("    {} v{} = sum;\n", results_[i].text, i);
        else call_function(i);
    }

    void fused_function(const char* name, instead by)
    {
        auto& text = unit_.text;
        const bool adds = what_.kind == skeleton::accumulate;
        const bool selects = what_.kind == skeleton::filter;
        text += fmt::format("static inline {} {}(", adds ? "void" : selects ? "bool" : result_.result_type, name);
        for (std::size_t k = 0; k < inputs(); ++k)
            if (what_.slots[k].kind != slot_kind::hood_source) text += fmt::format("{} s{}, ", slots_[k].text, k);
        if (what_.kind == skeleton::wavefront) text += before_.text + " before, ";
        text += "skelrt_index1 i1, skelrt_index2 i2, ulong line, ulong plane";
        if (by == instead::sum) text += fmt::format(", {} sum", result_.sum_type);
        text += selects ? fmt::format(", {}* kept)\n{{\n", storage_type(result_.result_type)) : ")\n{\n";
        if (asks_for(argument_kind::index3))
            text += "    const skelrt_index3 i3 = {i2.row, i2.col / line, i2.col % line};\n";
        if (asks_for(argument_kind::index4))
            text += "    const skelrt_index4 i4 = {i2.row, i2.col / plane, i2.col % plane / line, i2.col % plane % "
                    "line};\n";
        for (std::size_t i = 0; i < what_.calls.size(); ++i)
            if (hood_map_of(what_, i) == nullptr) call_or_instead(i, by);
        if (!what_.members.empty()) members();
        else if (adds) text += "}\n";
        else if (selects) text += fmt::format("    *kept = {};\n    return v{};\n}}\n", root(), what_.calls.size() - 1);
        else text += fmt::format("    return {};\n}}\n", root());
    }

    /// What is stored.
    std::string root() { return unit_.converted(name_of(what_.root), type_of(what_.root), stored_); }

    /// As the parameter of that number of user function i takes it.
    std::string passed(const std::string& text, const type& of, std::size_t i, std::size_t number)
    {
        const auto known = unit_.signatures.find(fmt::format("skelrt_function{}", i));
        return unit_.converted(text, of, known->second.parameters.at(number));
    }

    std::string call_list(std::size_t i)
    {
        std::string list;
        for (const auto& a : what_.calls[i].arguments) {
            const auto number = static_cast<std::size_t>(&a - what_.calls[i].arguments.data());
            list += (list.empty() ? "" : ", ") + passed(name_of(a), type_of(a), i, number);
        }
        return list;
    }

    /// all_pairs: one function for each side, and what zips their values.
    void sides()
    {
        const auto& zip = what_.calls.back();
        unit_.text += "\n#line 1 \"skelrt-generated\"\n";
        result_.left_type = side("skelrt_left", zip.arguments[0]);
        result_.right_type = side("skelrt_right", zip.arguments[1]);
        const std::size_t last = what_.calls.size() - 1;
        const auto zipped =
            fmt::format("skelrt_function{}({}, {})", last, passed("left", type_of(zip.arguments[0]), last, 0),
                        passed("right", type_of(zip.arguments[1]), last, 1));
        unit_.text +=
            fmt::format("static inline {} skelrt_zip({} left, {} right) {{ return {}; }}\n", result_.result_type,
                        result_.left_type, result_.right_type, unit_.converted(zipped, results_.back(), stored_));
    }

    std::string side(const std::string& name, const argument& value)
    {
        auto& text = unit_.text;
        const auto parts = parts_of(what_, value);
        const auto type = type_of(value).text;
        text += fmt::format("static inline {} {}(", type, name);
        for (const std::size_t k : parts.slots) text += fmt::format("{} s{}, ", slots_[k].text, k);
        text += "skelrt_index1 i1, skelrt_index2 i2)\n{\n";
        for (const std::size_t i : parts.calls)
            text += fmt::format("    {} v{} = skelrt_function{}({});\n", results_[i].text, i, i, call_list(i));
        text += fmt::format("    return {};\n}}\n", name_of(value));
        return type;
    }

    /// Stores the members of a struct, and returns the last.
    void members()
    {
        const auto from = fmt::format("(const uchar*)&{}", name_of(what_.root));
        unit_.text += fmt::format("    typedef char skelrt_size[sizeof({}) == {} ? 1 : -1];\n", name_of(what_.root),
                                  what_.calls[what_.root.which].result_size); // offsets are the host's
        for (const result_member& m : what_.members) {
            const auto type = storage_type(result_.slot_types[m.slot]);
            const auto value = fmt::format("*(const {}*)({} + {})", type, from, m.offset);
            const bool last = &m == &what_.members.back();
            unit_.text +=
                last ? fmt::format("    return {};\n}}\n", value) : fmt::format("    *s{} = {};\n", m.slot, value);
        }
    }

    void combine()
    {
        if (what_.kind == skeleton::sort) return comparator();
        if (what_.combine == nullptr) return;
        const auto of = named(what_.result, what_.combine);
        if (is_headed(what_.result)) headed_combine(of);
        else user_function(*what_.combine, "skelrt_combine", of, std::array{of, of});
        unit_.text += "\n#line 1 \"skelrt-generated\"\n";
    }

    void scale()
    {
        if (what_.scale == nullptr) return;
        const auto of = named(what_.result, what_.scale);
        user_function(*what_.scale, "skelrt_scale", of, std::array{of, of});
        unit_.text += "\n#line 1 \"skelrt-generated\"\n";
    }

    /// The operator works on the values; one that is a head begins anew.
    void headed_combine(const type& of)
    {
        const type value = unit_.members.at(of.text).front().of;
        user_function(*what_.combine, "skelrt_combine_values", value, std::array{value, value});
        unit_.text += fmt::format("static inline {0} skelrt_combine({0} a, {0} b)\n{{\n    if (b.head) return b;\n    "
                                  "a.value = skelrt_combine_values(a.value, b.value);\n    return a;\n}}\n",
                                  of.text);
    }

    /// sort: bool skelrt_before(RESULT, RESULT)
    void comparator()
    {
        const auto of = named(what_.result, what_.combine);
        if (what_.combine != nullptr) {
            user_function(*what_.combine, "skelrt_before", named("bool", what_.combine), std::array{of, of});
        } else {
            const char* text = is_short_number(what_.result)
                                   ? "skelrt_less(a, b) || (!skelrt_equal(b, b) && skelrt_equal(a, a))"
                               : is_floating(what_.result) ? "a < b || (b != b && a == a)"
                                                           : "a < b";
            unit_.text +=
                fmt::format("static inline bool skelrt_before({0} a, {0} b) {{ return {1}; }}\n", of.text, text);
        }
        unit_.text += "\n#line 1 \"skelrt-generated\"\n";
    }

    const recipe& what_;
    std::optional<row_sum> sum_;
    line_numbers lines_;
    unit unit_;
    translation result_;
    std::vector<type> slots_, results_;
    type stored_, before_;
    std::set<std::string> checked_;
    std::map<const char*, std::vector<int>> line_cache_;
};

} // namespace

translation translate(const recipe& what, line_numbers lines) { return translator(what, lines).run(); }

} // namespace skelrt::detail::opencl
