// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/opencl/opencl.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <sstream>
#include <string>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// Text without blanks except between two words, so that cases need not mind the layout.
std::string squeezed(const std::string& text)
{
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string out;
    bool blank = false;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            blank = true;
            continue;
        }
        if (blank && !out.empty() && is_word(out.back()) && is_word(c)) out += ' ';
        blank = false;
        out += c;
    }
    return out;
}

/// Translates one function of a file of its own, together with the shared text of that file.
/// Its operands: floats for plain parameters, and what the parameter list asks for otherwise.
struct request {
    std::string function;
    std::string shared = {};
    std::string result = "float";
    std::vector<slot_type> slots = {};
};

opencl::translation translated(const request& what)
{
    static std::deque<std::string> kept; // sources live as long as the process
    const auto keep = [](std::string text) { return kept.emplace_back(std::move(text)).c_str(); };
    const auto* file = keep("case" + std::to_string(kept.size()) + ".cpp");
    if (!what.shared.empty()) {
        const auto* text = keep(what.shared);
        const source_facts facts{"", text, file, 0};
        register_shared({text, file, 3, nullptr, nullptr, &facts});
    }
    const auto* text = keep(what.function);
    const source_facts facts{"", text, file, 1};
    const function_source source{text, file, 12, nullptr, nullptr, &facts};

    recipe r;
    r.name = "test";
    r.kind = skeleton::reduce; // every slot is an input
    r.slots = what.slots;
    const auto parameters = static_cast<std::size_t>(
        what.function.substr(0, what.function.find(')')) == "("
            ? 0
            : 1 + std::count(what.function.begin(),
                             what.function.begin() + static_cast<std::ptrdiff_t>(what.function.find(')')), ','));
    while (r.slots.size() < parameters) r.slots.push_back({slot_kind::element, "float", 4, 4});
    r.result = what.result;
    r.result_size = 4;
    function_call call{&source, what.result, 4, {}};
    for (unsigned k = 0; k < r.slots.size(); ++k) call.arguments.push_back({argument_kind::slot, k});
    r.calls.push_back(call);
    r.root = {argument_kind::call, 0};
    return opencl::translate(r);
}

const std::string complex_struct = "struct cplx { float re, im; };";

struct rewriting {
    const char* cpp;    ///< body of (float a, float b)
    const char* opencl; ///< what it becomes
};

} // namespace

TEST_CASE("bodies of user functions become OpenCL C", "[function][opencl]")
{
    const auto c = GENERATE(values<rewriting>(
        {{"return a * b;", "return a*b;"},
         {"return std::sqrt(a);", "return skelrt_sqrt(a);"},
         {"return sqrtf(a);", "return skelrt_sqrtf(a);"},
         {"return ::expf(a);", "return skelrt_expf(a);"},
         {"return std::isnan(a) ? b : std::fma(a, b, 1.0f);", "return isnan(a)?b:fma(a,b,1.0f);"},
         {"return std::max(a, std::min(b, 1.f));", "return skelrt_max(a,skelrt_min(b,1.f));"},
         {"return std::pow(a, 2);", "return skelrt_pow(a,2);"},
         {"auto x = a; auto y = b, z = a; return x + y + z;", "__auto_type x=a;__auto_type y=b;__auto_type z=a;"},
         {"const auto x = a; return x;", "const __auto_type x=a;"},
         {"float x{a}, y(b), z = 1; return x;", "float x=a,y=b,z=1;"},
         {"int i = int(a); return float(i) + float{b};", "int i=((int)(a));return((float)(i))+((float)(b));"},
         {"return static_cast<float>(static_cast<int>(a));", "return((float)(((int)(a))));"},
         {"return (float)(int)a;", "return(float)(int)a;"},
         {"return float();", "return((float)0);"},
         {"unsigned long long n = 1'000'000ULL; return n;", "ulong n=1000000uL;"},
         {"long long n = -1ll; long int m = 2l; return n;", "long n=-1L;long m=2L;"},
         {"std::uint8_t n = 0b1010; return n;", "uchar n=0xa;"},
         {"unsigned n = 0b1111'1111'1111'1111'1111'1111'1111'1111; return n;", "uint n=0xffffffff;"},
         {"unsigned long n = 0b11ull; return n;", "ulong n=0x3uL;"},
         {"unsigned n = 0xFFu; return n;", "uint n=0xFFu;"},
         {"std::size_t n = 1; uint32_t m = 2; return n + m;", "ulong n=1;uint m=2;"},
         {"short s = 1; unsigned char c = 'a'; return s + c;", "short s=1;uchar c=((char)'a');"},
         {"bool t = true; if (t and not false) return a; return b;",
          "bool t=((bool)1);if(t&&!((bool)0))return a;return b;"},
         {"for (int i = 0; i < 3; ++i) a += i; return a;", "for(int i=0;i<3;++i)a+=i;return a;"},
         {"int i = 0; for (;;) { if (++i > 3) break; else continue; } return a;",
          "for(;;){if(++i>3)break;else continue;}"},
         {"int i = 0; while (i < 3) ++i; do { --i; } while (i); return i;", "while(i<3)++i;do{--i;}while(i);"},
         {"switch (int(a)) { case 1: return b; case 'x': default: return a; }",
          "switch(((int)(a))){case 1:return b;case((char)'x'):default:return a;}"},
         {"constexpr int n = 3; float t[n] = {}; t[n - 1] = a; return t[0];",
          "float t[((int)(3))]={0};t[((int)(3))-1]=a;"},
         {"float t[2][2] = {{1, 2}, {3, 4}}; return t[1][0];", "float t[2][2]={{1,2},{3,4}};"},
         {"if constexpr (sizeof(float) == 4) return a; return b;", "if((ulong)sizeof(float)==4)return a;"},
         {"static_assert(sizeof(int) == 4); return a;", "return a;"},
         {"[[maybe_unused]] int unused = 1; return a;", "int unused=1;"},
         {"using real = float; real x = a; return x;", "float x=a;"},
         {"typedef unsigned int word; word x = 1; return x;", "uint x=1;"},
         {"decltype(a) x = b; return x;", "__typeof__(a)x=b;"},
         {"return std::numeric_limits<float>::max();", "return((float)(FLT_MAX));"},
         {"return std::numeric_limits<int>::lowest();", "return((int)(INT_MIN));"},
         {"return std::numbers::pi_v<float> * a;", "return 3.141592653589793238462643f*a;"},
         {"return std::bit_cast<int>(a);", "return as_int(a);"},
         {"return INFINITY + FLT_EPSILON;", "return INFINITY+FLT_EPSILON;"},
         {"float x = a, y = b; std::swap(x, y); return x;", "skelrt_swap(x,y);"},
         {"float* p = &a; *p += 1; const float* q = p; return *q;", "float*p=&a;*p+=1;const float*q=p;return*q;"},
         {"float half = a, kernel = b, float4 = 1; return half * kernel;", "return half_*kernel_;"},
         {"float max = a > b ? a : b; return std::max(max, 1.0f);", "return skelrt_max(max_,1.0f);"},
         {"float s = 0; { float s = a; b = s; } return s;", "float s=0;{float s=a;b=s;}return s;"},
         {"return a < b && b > 0 ? a : b;", "return a<b&&b>0?a:b;"},
         {"return 1.0f / (1.0f + std::exp(-a));", "return 1.0f/(1.0f+skelrt_exp(-a));"},
         {"int i = 5; i <<= 2; i %= 3; i ^= 1; return ~i;", "i<<=2;i%=3;i^=1;return~i;"},
         {"const int n = 2; int t[n]; t[0] = 1; return t[0];", "const int n=2;int t[n];"}}));
    CAPTURE(c.cpp);
    const auto t = translated({"(float a, float b) { " + std::string(c.cpp) + " }"});
    CHECK(t.refusal == "");
    CHECK_THAT(squeezed(t.text), Catch::Contains(squeezed(c.opencl)));
}

TEST_CASE("parameters", "[function][opencl]")
{
    const slot_type vec{slot_kind::vec, "float", 4, 4}, mat{slot_kind::mat, "long unsigned int", 8, 8};
    const slot_type element{slot_kind::element, "unsigned int", 4, 4};
    struct parameter_case {
        request what;
        const char* opencl;
    };
    const auto c = GENERATE_COPY(values<parameter_case>(
        {{{"(const float a, const float& b, float const& c) { return a + b + c; }"}, "(float a,float b,float c)"},
         {{"(auto a, const auto& b) -> float { return a + b; }", "", "float", {element, element}}, "(uint a,uint b)"},
         {{"(float, float b) { return b; }"}, "(float skelrt_unnamed0,float b)"},
         {{"(sk::vec<float> w) { return w[1] + w(2) + w.size(); }", "", "float", {vec}}, "{return w.p[1]+w.p[2]+w.n;}"},
         {{"(const skelrt::vec<float>& w) { auto v = w; return v[0]; }", "", "float", {vec}},
          "__auto_type v=w;return v.p[0];"},
         {{"(auto w) { return w[0]; }", "", "float", {vec}}, "(skelrt_vec_float w){return w.p[0];}"},
         {{"(sk::mat<unsigned long> m) { return m(1, 2) + m.rows() * m.cols(); }", "", "float", {mat}},
          "return m.p[(ulong)(1)*m.ld+(ulong)(2)]+m.rows*m.cols;"},
         {{"(sk::vec<float> w) { const auto& x = w[1]; const float& y{w[2]}; return x + y; }", "", "float", {vec}},
          "const __auto_type x=w.p[1];const float y=w.p[2];"},
         {{"(float a) mutable noexcept -> float { return a; }"}, ""},
         {{"(float a) constexpr noexcept(true) -> float { return a; }"},
          "float skelrt_function0(float a){return a;}"}}));
    CAPTURE(c.what.function);
    const auto t = translated(c.what);
    if (*c.opencl == '\0') CHECK_THAT(t.refusal, Catch::Contains("mutable"));
    else CHECK_THAT(squeezed(t.text), Catch::Contains(squeezed(c.opencl)));
}

TEST_CASE("shared declarations", "[function][opencl]")
{
    struct shared_case {
        request what;
        std::vector<const char*> opencl;
    };
    const auto c = GENERATE(values<shared_case>(
        {{{"(float a) { cplx c{a, 1}; c = {2, a}; return cplx{a}.re + cplx(1, 2).im + c.re + cplx{}.re; }",
           complex_struct},
          {"typedef struct cplx__ cplx__;struct cplx__{float re,im;};", "cplx__ c={a,1};", "c=(__typeof__(c)){2,a};",
           "((cplx__){a}).re+((cplx__){1,2}).im+c.re+((cplx__){0}).re"}},
         {{"(float a) { return {a, a}; }", complex_struct, "cplx"},
          {"cplx__ skelrt_function0(float a){return((cplx__){a,a});}"}},
         {{"(float a) { return app::twice(a); }",
           "namespace app { inline float twice(float x) noexcept { return 2 * x; } }"},
          {"static inline float __attribute__((overloadable))app__twice__(float x){return 2*x;}",
           "return app__twice__(a);"}},
         {{"(float a) { return norm(a); }",
           "constexpr auto norm(float x) -> float { return x; } static int norm(int x) { return x; }"},
          {"float __attribute__((overloadable))norm__(float x)", "int __attribute__((overloadable))norm__(int x)"}},
         {{"(float a) { return dot(a); }", "inline float dot(float x) { return x; }"},
          {"dot__(float x)", "return dot__(a);"}},
         {{"(float a) { return G * a + table[1]; }",
           "constexpr float G = 9.8f, H{2}; constexpr float table[2] = {G, 2 * H};"},
          {"__constant float table__[2]={((float)(9.8f)),2*((float)(2))};", "return((float)(9.8f))*a+table__[1];"}},
         {{"(float a) { struct cplx z = unit; return z.re; }", complex_struct + " constexpr cplx unit{1, 0};"},
          {"cplx__ z=((cplx__){1,0});"}},
         {{"(float a) { return kind::high == kind::low ? red : green; }",
           "enum class kind : unsigned char { low, high = 4 }; enum colour { red, green = red + 2 };"},
          {"enum{kind__low__,kind__high__=4};", "enum{red__,green__=red__+2};",
           "((uchar)kind__high__)==((uchar)kind__low__)?red__:green__"}},
         {{"(float a) { word w = 1; real r = a; return w + r; }", "typedef unsigned short word; using real = float;"},
          {"ushort w=1;float r=a;"}},
         {{"(float a) { return f(a); }",
           "template <class T> T unrelated(T x) { return x; } inline float f(float x) { return x; }"},
          {"return f__(a);"}},
         {{"(sk::vec<float> w) { return total(w, 3); }",
           "inline float total(sk::vec<float> w, int n) { float s = 0; for (int i = 0; i < n; ++i) s += w[i]; return "
           "s; }",
           "float",
           {{slot_kind::vec, "float", 4, 4}}},
          {"total__(skelrt_vec_float w,int n)", "s+=w.p[i];", "return total__(w,3);"}},
         {{"(float a) { rotate(&a); return a; }", "inline void rotate(float* x) { *x = -*x; }"},
          {"void __attribute__((overloadable))rotate__(float*x)"}},
         {{"(float a) { outer o{{a, 2}, {1, 2, 3}}; return o.c.im + o.t[2]; }",
           complex_struct + " struct outer { cplx c; float t[3]; bool flag; std::size_t n; };"},
          {"struct outer__{cplx__ c;float t[3];bool flag;ulong n;};", "outer__ o={{a,2},{1,2,3}};"}},
         {{"(float a) { return a; }", "struct never { never(int); virtual void f(); };"}, {"return a;"}}}));
    CAPTURE(c.what.function);
    const auto t = translated(c.what);
    CHECK(t.refusal == "");
    for (const auto* part : c.opencl) CHECK_THAT(squeezed(t.text), Catch::Contains(squeezed(part)));
}

TEST_CASE("what OpenCL C cannot say is refused with the place and the construct", "[function][opencl]")
{
    struct refusal_case {
        request what;
        const char* reason;
    };
    const slot_type vec{slot_kind::vec, "float", 4, 4}, mat{slot_kind::mat, "float", 4, 4};
    const slot_type cplx{slot_kind::element, "cplx", 8, 4};
    const auto c = GENERATE_COPY(values<refusal_case>(
        {{{"(float& a) { return a; }"}, "reference to non-const"},
         {{"(float&& a) { return a; }"}, "rvalue reference"},
         {{"(auto&& a) { return a; }"}, "rvalue reference"},
         {{"(float a) { auto f = [](float x) { return x; }; return f(a); }"}, "a lambda"},
         {{"(float a) { return [](float x) { return x; }(a); }"}, "a lambda"},
         {{"(float a) { throw 1; }"}, "throw"},
         {{"(float a) { float* p = new float; return *p; }"}, "new"},
         {{"(float a) { try { } catch (...) { } return a; }"}, "try"},
         {{"(float a) { goto end; end: return a; }"}, "goto"},
         {{"(float a) { return reinterpret_cast<int&>(a); }"}, "reinterpret_cast"},
         {{"(float a) { long double x = a; return x; }"}, "long double"},
         {{"(float a) { return a + 1.0L; }"}, "long double"},
         {{"(float a) { return a + 1.0_km; }"}, "user-defined literal"},
         {{"(float a) { const char* s = \"text\"; return a; }"}, "a string"},
         {{"(float a) { std::tuple<float, int> t{}; return t[0]; }"}, "std::tuple"},
         {{"(float a) { std::vector<float> t; return t[0]; }"}, "std::vector"},
         {{"(float a) { return std::lerp(a, a, a); }"}, "std::lerp"},
         {{"(float a) { return std::max<double>(a, 1); }"}, "std::max"},
         {{"(float a) { return unknown(a); }"}, "the function unknown"},
         {{"(float a) { return global_value + a; }"}, "the name global_value"},
         {{"(float a) { float t[3] = {}; for (float x : t) a += x; return a; }"}, "range-based for"},
         {{"(float a) { if (int i = 1; i > 0) return a; return a; }"}, "initialiser in front of a condition"},
         {{"(float a) { if (int i = 1) return a; return a; }"}, "declaration as a condition"},
         {{"(float a) { auto& r = a; r = 1; return a; }"}, "reference to a local variable"},
         {{"(float a) { const float& r = a; return r; }"}, "reference to a local variable"},
         {{"(float a) { static int n = 0; return ++n; }"}, "static variable"},
         {{"(float a) { struct local { int x; }; return a; }"}, "a type defined inside"},
         {{"(float a, int b = 1) { return a; }"}, "default argument"},
         {{"(auto... a) { return 1; }"}, "parameter pack"},
         {{"(float a) { return std::max({a, 1.0f}); }"}, "braced list"},
         {{"(sk::vec<float> w) { return w.begin()[0]; }", "", "float", {vec}}, "the member begin"},
         {{"(sk::vec<float> w) { return *&w[0]; }", "", "float", {vec}}, "address of an element"},
         {{"(sk::mat<float> m) { return m[0]; }", "", "float", {mat}}, "[] on a matrix"},
         {{"(cplx c) { return c.abs(); }",
           "struct cplx { float re, im; float abs() const { return re; } };",
           "float",
           {cplx}},
          "member function"},
         {{"(cplx c) { return c.re; }", "struct cplx { float re = 0, im = 0; };", "float", {cplx}}, "default value"},
         {{"(cplx c) { return c.re; }", "struct cplx { cplx(float); float re, im; };", "float", {cplx}},
          "a constructor"},
         {{"(cplx c) { return c.re; }",
           "struct base { float re; }; struct cplx : base { float im; };",
           "float",
           {cplx}},
          "inheritance"},
         {{"(cplx c) { return c.re; }", "struct cplx { float& re; };", "float", {cplx}},
          "pointer or reference as a member"},
         {{"(cplx c) { return c.re; }",
           "template <class T> struct complex_of { T re, im; }; using cplx = complex_of<float>;",
           "float",
           {cplx}},
          "a template"},
         {{"(cplx c) { return (c + c).re; }",
           complex_struct + " inline cplx operator+(cplx a, cplx b) { return {a.re + b.re, a.im + b.im}; }",
           "float",
           {cplx}},
          "the operator + on the struct cplx"},
         {{"(auto a, auto b) { return a * b; }", complex_struct, "cplx", {cplx, cplx}},
          "the operator * on the struct cplx"},
         {{"(float a) { return twice(a); }", "template <class T> T twice(T x) { return x + x; }"}, "a template"},
         {{"(float a) { return twice(a); }", "inline auto twice(float x) { return x + x; }"}, "result type is auto"},
         {{"(float a) { return twice(a); }", "inline float twice(auto x) { return x + x; }"}, "parameter of type auto"},
         {{"(float a) { return twice(a); }", "inline float twice(float& x) { return x + x; }"},
          "reference to non-const"},
         {{"(int a) { return fact(a); }", "inline int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }"},
          "recursion"},
         {{"(float a) { return ++counter; }", "inline int counter = 0;"}, "not constant"},
         {{"(value v) { return 1; }",
           "union value { int i; float f; };",
           "float",
           {{slot_kind::element, "value", 4, 4}}},
          "union"},
         {{"(std::optional<float> c) { return 1; }", "", "float", {{slot_kind::element, "std::optional<float>", 8, 4}}},
          "std::optional<float>"}}));
    CAPTURE(c.what.function);
    const auto t = translated(c.what);
    CHECK_THAT(t.refusal, Catch::Contains(c.reason));
    CHECK_THAT(t.refusal, Catch::Matches("case[0-9]+\\.cpp:[0-9]+: OpenCL C cannot express .*"));
}

TEST_CASE("use of double precision is noted with its place", "[function][opencl]")
{
    CHECK(translated({"(float a) { return a + 1.0f; }"}).double_use == "");
    CHECK_THAT(translated({"(float a) { return a + 1.0; }"}).double_use, Catch::Contains(".cpp:12: the literal 1.0"));
    CHECK_THAT(translated({"(double a) { return 1.0f; }"}).double_use, Catch::Contains("the type double"));
    CHECK_THAT(translated({"(float a) { return a * M_PI; }"}).double_use, Catch::Contains("M_PI"));
}
