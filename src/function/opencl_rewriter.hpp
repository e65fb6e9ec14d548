#pragma once

#include "opencl.hpp"
#include "opencl_unit.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rewrites one piece of C++ (a declaration, a function body) token by token into OpenCL C.
namespace skelrt::detail::opencl
{

class rewriter
{
public:
    /// `lines`: the line of each token of `tokens`, or empty when all are on the line of `source`.
    rewriter(unit& known, const function_source& source, std::span<const token> tokens, std::span<const int> lines)
        : unit_(known), source_(source), tokens_(tokens), lines_(lines)
    {
    }

    /// Translates a declaration of a SKELRT_SHARED text into unit::text, or throws refused.
    void declare(const declaration& what);

    /// Translates the tail of a lambda into the function `name`, or throws refused.
    void lambda(const std::string& name, const type& result, std::span<const type> arguments);

    /// The type at the front of the tokens, all of which must belong to it.
    std::optional<type> whole_type();

private:
    /// What a name in scope stands for.
    struct binding {
        std::string text; ///< what to write in its place
        type of;
        bool indirect = false; ///< a pointer or an array
    };
    using scope = std::map<std::string, binding, std::less<>>;

    /// Specifiers and type at the front of a declaration.
    struct specifiers {
        type of;
        bool is_const = false, is_constexpr = false, is_static = false;
    };
    struct declarator {
        std::string name;
        std::string stars, extents;
        std::size_t at = 0;
        bool is_reference = false;
    };
    struct parameter {
        std::string name;
        type of;
        bool deduced = false, indirect = false;
        std::string stars, extents;
    };

    // --- tokens ---
    bool at_end() const { return at_ >= tokens_.size(); }
    bool is(std::string_view text, std::size_t ahead = 0) const;
    bool is_identifier(std::size_t ahead = 0) const;
    std::string_view take();
    void expect(std::string_view text);
    bool accept(std::string_view text);
    [[noreturn]] void refuse(std::string reason) const;
    [[noreturn]] void refuse_at(std::size_t token_index, std::string reason) const;
    std::size_t after_group(std::size_t open) const;
    void skip_attributes();

    // --- output ---
    /// White space or line breaks that bring the output to where the next token stands.
    std::string gap() const;
    void start_line(std::size_t token_index);
    int line_of(std::size_t token_index) const;
    void uses_double(std::string_view what);

    // --- types ---
    std::optional<type> parse_type(specifiers* flags = nullptr);
    std::optional<type> parse_type_name();
    std::optional<type> builtin_type();
    std::optional<type> qualified_type();
    std::optional<type> view_type(std::string_view name);
    bool accept_specifier(specifiers& flags);

    // --- expressions ---
    std::string expression(std::string_view stop, std::string_view other_stop = {});
    std::string primary();
    std::string identifier();
    std::string plain_name(std::string_view name, std::size_t where);
    std::string bound_name(const binding& what, std::size_t where);
    std::string view_access(const binding& view);
    std::string hood_access(const binding& hood);
    std::string view_member(const binding& view);
    std::string addition(const binding& accumulator);
    std::string random_number(const binding& generator);
    std::string call(std::string_view name, std::size_t where);
    std::string standard_name(std::string_view name, std::size_t where);
    std::string numeric_limits();
    std::string numbers();
    std::string bit_cast();
    std::string math_call(std::string_view name, std::size_t where);
    std::string static_cast_expression();
    std::string construct(const type& of);
    std::string braced_list();
    std::string number();
    std::string parenthesis();
    std::string arguments(std::string_view close);
    void forbid_operator_on(const std::string& type_name, std::size_t begin) const;
    const binding* find(std::string_view name) const;
    std::string helper(std::string_view name, std::size_t where);

    // --- statements ---
    std::string block();
    std::string statement();
    std::string for_statement();
    std::string condition();
    std::string return_statement();
    std::string switch_label();
    bool declaration_ahead();
    std::string declaration_statement();
    std::string declarator_text(specifiers& what, const declarator& d, bool first);
    declarator parse_declarator();
    std::string reference_initialiser(const declarator& d);
    std::string initialiser(const specifiers& what, const declarator& d);
    std::string constant_text(const specifiers& what);
    std::string assignment_or_expression();
    void bind(const std::string& name, binding what) { scopes_.back()[name] = std::move(what); }

    // --- declarations ---
    void structure(std::string_view name);
    std::string members(std::string_view struct_name);
    void enumeration(std::string_view name);
    void alias();
    void constants();
    void function(std::string_view name);
    std::vector<parameter> parameters();
    parameter one_parameter(unsigned number);
    std::string parameter_list(const std::vector<parameter>& list) const;
    void skip_function_suffix(std::optional<type>* trailing);

    unit& unit_;
    const function_source& source_;
    std::span<const token> tokens_;
    std::span<const int> lines_;
    std::size_t at_ = 0;
    int line_ = 0; ///< of the output
    type result_;
    std::vector<scope> scopes_;
};

} // namespace skelrt::detail::opencl
