// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/opencl/unit.hpp"
#include "src/function/signature.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rewrites one piece of C++ (a declaration, a function body) token by token into OpenCL C.
namespace skelrt::detail::opencl
{

/// Whether the text names std::complex and its like: then the types of expressions count.
bool names_standard_type(std::span<const token> tokens);

class rewriter
{
public:
    /// `lines`: the line of each token of `tokens`, or empty when all are on the line of `source`.
    rewriter(unit& known, const function_source& source, std::span<const token> tokens, std::span<const int> lines)
        : unit_(known), source_(source), tokens_(tokens), lines_(lines), scope_(scope_of(source)),
          from_(viewpoint_of(source)), mentions_standard_types_(names_standard_type(tokens))
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
        int depth = 0;         ///< of how many steps, where it is known
        bool names_type = false;
        std::string refusal{}; ///< why it must not be used; empty: it may
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

    // --- names ---
    /// A name with what stands in front of it: "app::cplx"; it begins with :: if `from_global`.
    struct path {
        std::string qualifier;
        std::string_view name;
        bool from_global = false;
        std::string whole() const { return joined(qualifier, name); }
    };
    path take_path();
    std::string lookup(const path& what) const;
    std::string found_otherwise(const path& what) const;
    std::string name_ahead();
    std::string lookup_in(std::string_view scope, const std::string& what) const;
    std::string declared_as(const std::string& qualified) const;
    std::string declare_name(std::string_view name);
    std::string elsewhere(const path& what) const;
    void bind_known_names();
    std::optional<type> type_called(const std::string& name);

    // --- types ---
    std::optional<type> parse_type(specifiers* flags = nullptr);
    std::optional<type> parse_type_name();
    std::optional<type> builtin_type();
    std::optional<type> qualified_type();
    std::optional<type> view_type(std::string_view name);
    std::optional<type> own_struct_here(const own_type& what);
    type complex_type();
    type array_type_here();
    std::size_t array_size();
    void close_template();
    bool accept_specifier(specifiers& flags);

    // --- expressions ---
    std::string expression(std::string_view stop, std::string_view other_stop = {});
    std::string primary();
    std::string identifier();
    std::string plain_name(const path& what, std::size_t where);
    std::string users_name(const std::string& qualified, std::size_t where);
    std::string builtin();
    std::string bound_name(const binding& what, std::size_t where);
    std::string view_access(const binding& view);
    std::string checked_view_access(const binding& view);
    std::string hood_access(const binding& hood);
    std::string view_member(const binding& view);
    std::string accumulation(const binding& accumulator, int values);
    std::string random_number(const binding& generator);
    std::string result_before(const binding& before);
    std::string call(const std::string& qualified, std::size_t where);
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
    bool is_unary() const;
    void forbid_operator_on(const type& of, std::size_t begin) const;
    const binding* find(std::string_view name) const;
    std::string helper(std::string_view name, std::size_t where);

    // --- expressions whose types count, for std::complex, std::array or sk::half are near: typed.cpp ---
    /// An expression and what is known of its type; arithmetic of an unknown type has no text.
    struct value {
        std::string text;
        type of;
        int depth = 0; ///< of pointers and C arrays
        bool lvalue = false;
    };
    struct call_name {
        std::string_view qualifier, name;
        std::size_t begin, open; ///< where it begins, and where its argument list or its `<` does
        bool is_template;
    };
    /// Arguments that are translated already; arguments() hands them on.
    struct ready_arguments {
        std::string text;
        std::size_t end;
    };
    bool typed() const { return unit_.has_standard_types || mentions_standard_types_; }
    std::string typed_expression(std::string_view stop, std::string_view other_stop);
    value typed_value();
    value typed_binary(int lowest);
    value typed_operation(std::string_view op, value left, value right, const std::string& lead,
                          const std::string& blank, std::size_t where);
    value typed_conditional(value condition);
    value typed_assignment(value left);
    value typed_unary();
    value typed_prefix(std::string_view op);
    value typed_parenthesis();
    value typed_postfix(value v);
    value typed_member(value v);
    value standard_member(value v);
    value typed_primary();
    static value as_number(value v);
    std::string converted(const value& v, const type& to, std::size_t where);
    type part_of(const type& complex) const;
    type element_of(const type& array) const;

    // Their names and calls: typed_calls.cpp.
    value typed_identifier();
    value typed_binding(const binding& b);
    value typed_cast(const type& to, value v, std::size_t where);
    value typed_static_cast();
    value typed_construct(const type& of);
    std::vector<value> typed_arguments();
    std::optional<call_name> call_ahead();
    value typed_call(const call_name& what);
    value ready_call(const call_name& what, const std::string& list, const type& of);
    value user_call(const call_name& what, const std::string& qualified, std::vector<value> list);
    value plain_call(const call_name& what, std::vector<value> list);
    value complex_call(const call_name& what, const std::vector<value>& list);
    value array_call(const call_name& what, const std::vector<value>& list);
    value polar_call(const call_name& what, const std::vector<value>& list, std::optional<type> part);
    value get_call(const call_name& what);
    value limits(const call_name& what);

    // Initialisers and statements that need them: typed_values.cpp.
    static std::string literal_of(const type& of, const std::string& initialiser);
    std::string zero_of(const type& of) const;
    std::string typed_braces(const type& of);
    std::string typed_item(const type& of, std::string_view extents);
    std::string elements_braces(const type& of, std::string_view extents);
    std::string array_braces(const type& element);
    std::string struct_braces(const type& of);
    bool starts_as_zero(const type& of) const;
    std::string typed_initialiser(const type& of, const declarator& d);
    std::string typed_return();
    std::string typed_constant(const specifiers& what);
    std::string typed_range_for();

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
    void using_declaration();
    void name_type(std::string_view name, const type& of);
    void constants();
    void function(std::string_view name);
    std::vector<parameter> parameters();
    parameter one_parameter(unsigned number);
    std::optional<type> known_parameter(unsigned number);
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
    std::string scope_;                                       ///< the namespaces around the text
    viewpoint from_;                                          ///< what of the user's is visible
    const shared_source* declaring_ = nullptr;                ///< null: a function's text
    std::map<std::string, std::string, std::less<>> renamed_; ///< using x::y in a function
    std::vector<std::string> opened_;                         ///< namespaces that the function uses
    std::size_t behind_cast_ = 0;                             ///< the token behind a C cast
    lambda_head head_;                                        ///< of a function's text
    bool mentions_standard_types_;
    value last_;                  ///< the last typed expression, or what a variable or constant was given
    std::size_t half_closed_ = 0; ///< where the first half of a ">>" has closed a template's arguments
    int ranges_ = 0;              ///< range-based loops so far
    std::map<std::size_t, ready_arguments> ready_; ///< by the place of the opening bracket
};

} // namespace skelrt::detail::opencl
