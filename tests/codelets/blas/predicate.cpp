// SPDX-License-Identifier: BSD-3-Clause
#include "product.hpp"

#include "codelets/blas/gemm.hpp"
#include "codelets/blas/plain_product.hpp"

#include <catch2/catch.hpp>

#include <complex>
#include <string_view>

using namespace products;

TEST_CASE("products of floating-point numbers are for a BLAS", "[blas]")
{
    for (const sides across : {sides{false, false}, sides{false, true}, sides{true, false}, sides{true, true}}) {
        CHECK(blas::plain_product_of(product_recipe<float>(across).get()) == blas::numbers::floats);
        CHECK(blas::plain_product_of(product_recipe<double>(across).get()) == blas::numbers::doubles);
        CHECK(blas::plain_product_of(product_recipe<std::complex<float>>(across).get()) ==
              blas::numbers::complex_floats);
        CHECK(blas::plain_product_of(product_recipe<std::complex<double>>(across).get()) ==
              blas::numbers::complex_doubles);
        CHECK(blas::plain_product_of(product_recipe<float, sk::half>(across).get()) == blas::numbers::halves);
        CHECK(blas::plain_product_of(product_recipe<float, sk::bfloat16>(across).get()) == blas::numbers::bfloat16s);
    }
}

TEST_CASE("other types, functions, and fused sides are not", "[blas]")
{
    CHECK_FALSE(blas::plain_product_of(product_recipe<int>({}).get()));
    CHECK_FALSE(blas::plain_product_of(product_recipe<float>({}, false).get()));
    const auto changed = [](auto change) {
        product_recipe<float> p({});
        change(p.get());
        return blas::plain_product_of(p.get()).has_value();
    };
    const function_source minus = sk::minus.source();
    CHECK(changed([](recipe&) {}));
    CHECK_FALSE(changed([&](recipe& r) { r.combine = &minus; }));
    CHECK_FALSE(changed([&](recipe& r) { r.calls[0].function = &minus; }));
    CHECK_FALSE(changed([](recipe& r) { r.kind = skeleton::map; }));
    // Floats whose products are doubles; a sum of another type.
    CHECK_FALSE(changed([](recipe& r) { r.calls[0].result = "double"; }));
    CHECK_FALSE(changed([](recipe& r) { r.result = "double"; }));
    CHECK_FALSE(changed([](recipe& r) { r.slots[1].type = "double"; }));
    CHECK_FALSE(changed([](recipe& r) { r.slots[1].type = "sk::half"; }));
    // A map call on a side, the position as one, and one value for all.
    CHECK_FALSE(changed([](recipe& r) {
        r.calls.insert(r.calls.begin(), r.calls[0]);
        r.calls[1].arguments[0] = {argument_kind::call, 0};
    }));
    CHECK_FALSE(changed([](recipe& r) { r.calls[0].arguments[1] = {argument_kind::index2, 0}; }));
    CHECK_FALSE(changed([](recipe& r) { r.slots[1].kind = slot_kind::uniform; }));
}

TEST_CASE("products with a vector are for a BLAS, by row and by column", "[blas]")
{
    for (const bool by_row : {true, false}) {
        CHECK(blas::vector_product_of(vector_recipe<float>(by_row).get()) == blas::numbers::floats);
        CHECK(blas::vector_product_of(vector_recipe<std::complex<double>>(by_row).get()) ==
              blas::numbers::complex_doubles);
        CHECK(blas::vector_product_of(vector_recipe<float, sk::half>(by_row).get()) == blas::numbers::halves);
        CHECK_FALSE(blas::vector_product_of(vector_recipe<int>(by_row).get()));
        CHECK_FALSE(blas::vector_product_of(vector_recipe<float>(by_row, false).get()));
        vector_recipe<float> other(by_row), sums(by_row);
        other.get().slots[1].kind = by_row ? slot_kind::row_element : slot_kind::column_element;
        CHECK_FALSE(blas::vector_product_of(other.get()));
        sums.get().result = "double"; // sums in double
        CHECK_FALSE(blas::vector_product_of(sums.get()));
        CHECK_FALSE(blas::vector_product_of(product_recipe<float>({}).get()));
    }
}

TEST_CASE("a matrix and a vector in BLAS's words", "[blas]")
{
    const std::vector<float> m(7 * 9, 1), v(40, 1);
    std::vector<float> to(9);
    const segment all{7, 5, 0, 0};
    vector_recipe<float> rows(true), columns(false);
    const vector_work<float> by_row(rows.get(), all, m.data(), 9, v.data(), 3, to.data(), 2),
        by_column(columns.get(), all, m.data(), 9, v.data(), 3, to.data(), 2);
    const auto of_rows = blas::vector_gemms_of(by_row.get(), blas::numbers::floats),
               of_columns = blas::vector_gemms_of(by_column.get(), blas::numbers::floats);
    REQUIRE(of_rows);
    REQUIRE(of_columns);
    const auto row = blas::gemv_of((*of_rows)[1]), column = blas::gemv_of((*of_columns)[1]);
    CHECK((row->rows == 3 && row->depth == 5 && !row->matrix.across && row->matrix.ld == 9));
    CHECK((row->vector.step == 3 && row->result.first == 4 && row->result.step == 1));
    CHECK((column->rows == 5 && column->depth == 3 && column->matrix.across && column->matrix.ld == 9));
    CHECK((column->vector.step == 3 && column->result.first == 0));
    const float three = 3, nothing = 0;
    CHECK_FALSE(blas::vector_gemms_of(by_row.get(&three), blas::numbers::floats));
    CHECK(blas::vector_gemms_of(by_row.get(&nothing), blas::numbers::floats));
}

TEST_CASE("factors are two values in front of the result", "[blas]")
{
    const function_source times = sk::multiplies.source();
    product_recipe<double> p({});
    recipe& r = p.get();
    slot_type factor = r.slots.back();
    factor.kind = slot_kind::uniform;
    r.slots.insert(r.slots.end() - 1, 2, factor);
    CHECK_FALSE(blas::plain_product_of(r));
    r.scale = &times;
    CHECK(blas::plain_product_of(r) == blas::numbers::doubles);

    const double two = 2, three = 3;
    const segment all{1, 1, 0, 0};
    std::vector<slot_view> views(5);
    views[2].data = const_cast<double*>(&two);
    views[3].data = const_cast<double*>(&three);
    work w{r, true, 1, {&all, 1}, views};
    CHECK(blas::factors_of(w).alpha<double>() == 2);
    CHECK(blas::factors_of(w).beta<double>() == 0); // nothing is held
    w.begun = true;
    CHECK(blas::factors_of(w).beta<double>() == 3);
    r.scale = nullptr;
    CHECK(blas::factors_of(w).alpha<double>() == 1);
    CHECK(blas::factors_of(w).beta<double>() == 1);
}

TEST_CASE("functions of the user's that say the same", "[blas]")
{
    const auto known = [](const char* zip, const char* op) {
        product_recipe<float> p({});
        const function_source f{zip, "user.cpp", 1}, g{op, "user.cpp", 2};
        p.get().calls[0].function = &f;
        p.get().combine = &g;
        return blas::plain_product_of(p.get()).has_value();
    };
    const char *const times = "(float x, float y) { return x * y; }", *const plus =
                                                                          "(auto a, auto b) { return b + a; }";
    CHECK(known(times, plus));
    for (const char* other :
         {"(float x, float y) { return x * x; }", "(float x, float x) { return x * x; }",
          "(float x, float y) { return -x * y; }", "(double x, float y) { return x * y; }",
          "(T x, T y) { return x * y; }", "(float x, float y) { return x / y; }",
          "(float x, float y) { return x * z; }", "(float x, float y) -> float { return x * y; }",
          "(float x, float y) { return x + y; }", "(const float& x, float y) { return x * y; }", ""})
        CHECK_FALSE(known(other, plus));
    CHECK_FALSE(known(times, times));
    CHECK_FALSE(known(plus, plus));
}

TEST_CASE("functions whose parameters' types the compiler tells", "[blas]")
{
    static constexpr std::string_view complex[] = {"std::complex<float>", "std::complex<float>"},
                                      wide[] = {"std::complex<double>", "std::complex<float>"};
    const auto known = [](const std::string_view* parameters, const char* text) {
        const source_facts facts{"", text, nullptr, 1, {parameters, 2, ""}};
        const function_source f{text, "user.cpp", 1, nullptr, nullptr, &facts};
        product_recipe<std::complex<float>> p({});
        p.get().calls[0].function = &f;
        return blas::plain_product_of(p.get()).has_value();
    };
    CHECK(known(complex, "(cplx a, cplx b) { return a * b; }"));
    CHECK(known(complex, "(std::complex<float> a, const std::complex<float> b) { return b * a; }"));
    CHECK_FALSE(known(wide, "(other a, cplx b) { return a * b; }"));
    CHECK_FALSE(known(complex, "(cplx a, cplx b) { return a * b * a; }"));
    CHECK_FALSE(known(complex, "(cplx, cplx b) { return b * b; }"));
}

namespace
{

/// The whole result of one segment as BLAS is told of it.
std::optional<blas::gemm> told(const sides& across, const shape& s, std::size_t pad)
{
    static product_recipe<float> all[] = {product_recipe<float>({false, false}), product_recipe<float>({false, true}),
                                          product_recipe<float>({true, false}), product_recipe<float>({true, true})};
    const auto a = side_of<float>(s.rows, s.depth, across.left, pad, [](auto, auto) { return 1.0f; });
    const auto b = side_of<float>(s.cols, s.depth, across.right, pad, [](auto, auto) { return 1.0f; });
    std::vector<float> c(s.rows * (s.cols + pad));
    const product_work<float> w(all[2 * across.left + across.right].get(), a, a.memory.data(), b, b.memory.data(),
                                c.data(), s.cols + pad, 1);
    return blas::gemm_of(w.get(), 0, {0, s.rows, 0, s.cols});
}

} // namespace

TEST_CASE("a product in BLAS's words", "[blas]")
{
    const auto g = told({false, false}, {7, 5, 3}, 2);
    REQUIRE(g);
    CHECK(g->rows == 7);
    CHECK(g->cols == 5);
    CHECK(g->depth == 3);
    CHECK((!g->left.across && g->left.ld == 5));
    CHECK((!g->right.across && g->right.ld == 5));
    CHECK(g->result.ld == 7);
    const auto t = told({true, true}, {7, 5, 3}, 2);
    REQUIRE(t);
    CHECK((t->left.across && t->left.ld == 9));
    CHECK((t->right.across && t->right.ld == 7));
}

TEST_CASE("single rows, columns and elements have a line that BLAS accepts", "[blas]")
{
    for (const shape s : {shape{1, 1, 1}, shape{1, 9, 4}, shape{9, 1, 4}, shape{4, 9, 1}, shape{1, 1, 6}})
        for (const bool left : {false, true})
            for (const bool right : {false, true}) {
                const auto g = told({left, right}, s, 0);
                REQUIRE(g);
                CHECK(g->left.ld >= (g->left.across ? s.rows : s.depth));
                CHECK(g->right.ld >= (g->right.across ? s.cols : s.depth));
                CHECK(g->result.ld >= s.cols);
            }
}

TEST_CASE("a product with one row or column is a matrix times a vector", "[blas]")
{
    CHECK_FALSE(blas::gemv_of(*told({false, false}, {2, 2, 4}, 0)));
    const auto column = blas::gemv_of(*told({false, true}, {9, 1, 4}, 2)); // the vector is a column of a matrix
    REQUIRE(column);
    CHECK((column->rows == 9 && column->depth == 4));
    CHECK((!column->matrix.across && column->matrix.ld == 6));
    CHECK(column->vector.step == 3);
    CHECK(column->result.step == 3);
    const auto row = blas::gemv_of(*told({false, true}, {1, 9, 4}, 2)); // the matrix is the right side
    REQUIRE(row);
    CHECK((row->rows == 9 && row->depth == 4));
    CHECK((row->matrix.across && row->matrix.ld == 11));
    CHECK((row->vector.step == 1 && row->result.step == 1));
}

TEST_CASE("a rectangle begins at its own rows and columns", "[blas]")
{
    product_recipe<float> plain({false, false}), across({true, true});
    const auto one = [](auto, auto) { return 1.0f; };
    for (product_recipe<float>* what : {&plain, &across}) {
        const bool t = what == &across;
        const auto a = side_of<float>(12, 4, t, 1, one), b = side_of<float>(10, 4, t, 1, one);
        std::vector<float> c(12 * 10);
        const product_work<float> w(what->get(), a, a.memory.data(), b, b.memory.data(), c.data(), 10, 3);
        const auto g = blas::gemm_of(w.get(), 1, {1, 2, 3, 5}); // segment 1 begins at row 4
        REQUIRE(g);
        CHECK(g->result.first == 13);
        CHECK(g->left.first == (t ? 5u : 5u)); // a row's place, read whole; a row behind the segment's first
        CHECK(g->right.first == (t ? 3u : 15u));
    }
}

TEST_CASE("memory that BLAS cannot walk", "[blas]")
{
    product_recipe<float> what({false, false});
    const auto a = side_of<float>(6, 4, false, 0, [](auto, auto) { return 1.0f; });
    std::vector<float> c(36);
    const product_work<float> w(what.get(), a, a.memory.data(), a, a.memory.data(), c.data(), 6, 1);
    work changed = w.get();
    std::vector<slot_view> views(changed.slots.begin(), changed.slots.end());
    changed.slots = views;
    const blas::result_block all{0, 6, 0, 6};
    REQUIRE(blas::gemm_of(changed, 0, all));
    views[0].stride = 2; // every second element of longer rows
    CHECK_FALSE(blas::gemm_of(changed, 0, all));
    views[0].stride = 1;
    views[0].ld = 2; // rows that lie in each other
    CHECK_FALSE(blas::gemm_of(changed, 0, all));
    views[0].ld = std::size_t{1} << 31;
    CHECK_FALSE(blas::gemm_of(changed, 0, all));
    views[0].ld = 4;
    views[2].stride = 6, views[2].ld = 1; // a result across
    CHECK_FALSE(blas::gemm_of(changed, 0, all));
}
