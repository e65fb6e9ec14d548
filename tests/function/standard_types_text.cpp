// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/cuda.hpp"
#include "src/function/cuda/standard.hpp"
#include "src/function/opencl/opencl.hpp"

#include <catch2/catch.hpp>

#include <deque>
#include <string>

using namespace skelrt::detail;

namespace
{

/// Without white space, so that cases need not mind the layout.
std::string squeezed(const std::string& text)
{
    std::string out;
    for (const char c : text)
        if (c != '\n' && c != ' ') out += c;
    return out;
}

/// A reduction of floats whose function takes a float and a complex number.
const recipe& reduction_with(const std::string& body)
{
    static std::deque<std::string> kept;
    static std::deque<function_source> sources;
    static std::deque<recipe> recipes;
    const char* text = kept.emplace_back("(float a, std::complex<float> z) { " + body + " }").c_str();
    recipe& r = recipes.emplace_back();
    r.name = "test";
    r.kind = skeleton::reduce;
    r.slots = {{slot_kind::element, "float", 4, 4}, {slot_kind::element, "std::complex<float>", 8, 4}};
    r.result = "float";
    r.result_size = 4;
    r.calls.push_back({&sources.emplace_back(function_source{text, "types.cpp", 3}),
                       "float",
                       4,
                       {{argument_kind::slot, 0}, {argument_kind::slot, 1}}});
    r.root = {argument_kind::call, 0};
    return r;
}

struct text_case {
    const char* cpp;
    const char* opencl; ///< what it becomes, or why it is refused
};

} // namespace

TEST_CASE("operators of std::complex become calls in OpenCL C", "[function][opencl][types]")
{
    const auto c = GENERATE(values<text_case>({
        {"return (z * z + a).real();", "return (skelrt_plus(skelrt_times(z, z), a)).re;"},
        {"return std::abs(a * z - -z);",
         "return skelrt_complex_abs(skelrt_minus(skelrt_times(a, z), skelrt_negate(z)));"},
        {"auto w = z; w /= 2.0f + w; return w.imag();", "w = skelrt_over(w, (skelrt_plus(2.0f, w)));"},
        {"return a * a + a / 2;", "return a * a + a / 2;"},
        {"return z == a && a < 1 ? a : std::norm(z);",
         "return skelrt_equal(z, a) && a < 1 ? a : skelrt_complex_norm(z);"},
        {"std::complex<float> w; w = {a, 1}; return w.real();",
         "skelrt_complex_float w = {0}; w = ((skelrt_complex_float){a, 1});"},
        {"std::complex<float> w = a; return std::sqrt(a);",
         "skelrt_complex_float w = ((skelrt_complex_float){a, 0}); return skelrt_sqrt(a);"},
        {"sk::half h = a; h += 1; return h;", "skelrt_half h = skelrt_half_of(a);"},
        {"sk::half h = a; h += 1; return h;", "h = skelrt_half_of(skelrt_float_of(h)+(1)); return skelrt_float_of(h);"},
        {"sk::bfloat16 h = a; h += 1; return h;",
         "h = skelrt_bfloat16_of(skelrt_float_of(h)+(1)); return skelrt_float_of(h);"},
        {"std::array<std::array<float, 2>, 2> m{{{1, 2}, {3, a}}}; return m[1][0];", "return m.v[1].v[0];"},
        {"float s = 0; std::array<float, 2> v{a, a}; for (float x : v) s += x; return s;",
         "for (int skelrt_i0 = 0; skelrt_i0 < 2; ++skelrt_i0) { float x = v.v[skelrt_i0]; s += x;}"},
    }));
    const auto t = opencl::translate(reduction_with(c.cpp));
    CAPTURE(c.cpp);
    CHECK(t.refusal == "");
    CHECK_THAT(squeezed(t.text), Catch::Contains(squeezed(c.opencl)));
}

TEST_CASE("what OpenCL C has not of the standard's types is refused in a sentence", "[function][opencl][types]")
{
    const auto c = GENERATE(values<text_case>({
        {"return std::tanh(z).real();", "the function tanh of std::complex"},
        {"return (z % 2).real();", "the operator % on std::complex"},
        {"std::array<float, 2> v{a, a}; return v.at(1);", "at(), which throws"},
        {"std::complex w(a, a); return w.real();", "std::complex without the type of its parts"},
        {"std::complex<int> w(1, 2); return w.real();", "an std::complex of something else than float or double"},
        {"_Float16 h = a; return h;", "sk::half is the half precision of every device"},
    }));
    const auto t = opencl::translate(reduction_with(c.cpp));
    CAPTURE(c.cpp);
    CHECK_THAT(t.refusal, Catch::Contains("types.cpp:3") && Catch::Contains(c.opencl));
}

TEST_CASE("CUDA gets the standard's types where they are named, and not elsewhere", "[function][cuda][types]")
{
    const auto complex_only = cuda_standard_types(reduction_with("return z.real() * a;"));
    CHECK_THAT(complex_only, Catch::Contains("class complex") && !Catch::Contains("struct array"));
    CHECK_THAT(cuda_standard_types(reduction_with("return std::numbers::pi_v<float> * sk::half(a);")),
               Catch::Contains("namespace std::numbers") && Catch::Contains("class half"));
    static const function_source plain{"(float a) { return a; }", "types.cpp", 9};
    recipe r;
    r.kind = skeleton::reduce;
    r.slots = {{slot_kind::element, "float", 4, 4}};
    r.result = "float";
    r.calls.push_back({&plain, "float", 4, {{argument_kind::slot, 0}}});
    CHECK(cuda_standard_types(r).empty());
}
