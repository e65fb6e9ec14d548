// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/standard.hpp"

#include "src/function/own/own_operators.hpp"
#include "src/function/own/own_types.hpp"
#include "src/function/shared.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <array>

namespace skelrt::detail
{
namespace
{

/// Arithmetic follows the formulas of textbooks: no care for infinities, as GPUs' users want it. Divisions scale (Smith
/// 1962).
constexpr const char* complex_text = R"cuda(
namespace std
{
template <class T> class complex
{
public:
    using value_type = T;
    constexpr complex(T re = T(), T im = T()) : re_(re), im_(im) {}
    template <class U> explicit(sizeof(U) > sizeof(T)) constexpr complex(const complex<U>& z) : re_(T(z.real())), im_(T(z.imag())) {}
    constexpr T real() const { return re_; }
    constexpr T imag() const { return im_; }
    constexpr void real(T x) { re_ = x; }
    constexpr void imag(T x) { im_ = x; }
    constexpr complex& operator=(T x) { re_ = x, im_ = T(); return *this; }
    template <class U> constexpr complex& operator=(const complex<U>& z) { re_ = T(z.real()), im_ = T(z.imag()); return *this; }
    constexpr complex& operator+=(T x) { re_ += x; return *this; }
    constexpr complex& operator-=(T x) { re_ -= x; return *this; }
    constexpr complex& operator*=(T x) { re_ *= x, im_ *= x; return *this; }
    constexpr complex& operator/=(T x) { re_ /= x, im_ /= x; return *this; }
    template <class U> constexpr complex& operator+=(const complex<U>& z) { re_ += z.real(), im_ += z.imag(); return *this; }
    template <class U> constexpr complex& operator-=(const complex<U>& z) { re_ -= z.real(), im_ -= z.imag(); return *this; }
    template <class U> constexpr complex& operator*=(const complex<U>& z)
    {
        const T c = z.real(), d = z.imag(), re = re_ * c - im_ * d;
        im_ = re_ * d + im_ * c;
        re_ = re;
        return *this;
    }
    template <class U> constexpr complex& operator/=(const complex<U>& z)
    {
        const T c = z.real(), d = z.imag(), a = re_, b = im_;
        if ((c < T() ? -c : c) < (d < T() ? -d : d)) {
            const T r = c / d, by = c * r + d;
            re_ = (a * r + b) / by, im_ = (b * r - a) / by;
        } else {
            const T r = d / c, by = c + d * r;
            re_ = (a + b * r) / by, im_ = (b - a * r) / by;
        }
        return *this;
    }

    // Friends: the other operand may be whatever converts, as it may be of the template's own arguments on the host.
    friend constexpr complex operator+(complex a, const complex& b) { return a += b; }
    friend constexpr complex operator+(complex a, const T& b) { return a += b; }
    friend constexpr complex operator+(const T& a, const complex& b) { return {a + b.re_, b.im_}; }
    friend constexpr complex operator-(complex a, const complex& b) { return a -= b; }
    friend constexpr complex operator-(complex a, const T& b) { return a -= b; }
    friend constexpr complex operator-(const T& a, const complex& b) { return {a - b.re_, -b.im_}; }
    friend constexpr complex operator*(complex a, const complex& b) { return a *= b; }
    friend constexpr complex operator*(complex a, const T& b) { return a *= b; }
    friend constexpr complex operator*(const T& a, complex b) { return b *= a; }
    friend constexpr complex operator/(complex a, const complex& b) { return a /= b; }
    friend constexpr complex operator/(complex a, const T& b) { return a /= b; }
    friend constexpr complex operator/(const T& a, const complex& b) { return complex(a) /= b; }
    friend constexpr complex operator+(const complex& a) { return a; }
    friend constexpr complex operator-(const complex& a) { return {-a.re_, -a.im_}; }
    friend constexpr bool operator==(const complex& a, const complex& b) { return a.re_ == b.re_ && a.im_ == b.im_; }
    friend constexpr bool operator==(const complex& a, const T& b) { return a.re_ == b && a.im_ == T(); }

private:
    T re_, im_;
};

template <class T> constexpr T real(const complex<T>& z) { return z.real(); }
template <class T> constexpr T imag(const complex<T>& z) { return z.imag(); }
template <class T> constexpr T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> constexpr complex<T> conj(const complex<T>& z) { return {z.real(), -z.imag()}; }
template <class T> inline T abs(const complex<T>& z) { return ::hypot(z.real(), z.imag()); }
template <class T> inline T arg(const complex<T>& z) { return ::atan2(z.imag(), z.real()); }
template <class T> inline complex<T> polar(const T& r, const T& angle = T()) { return {r * ::cos(angle), r * ::sin(angle)}; }
template <class T> inline complex<T> exp(const complex<T>& z) { return std::polar<T>(::exp(z.real()), z.imag()); }
template <class T> inline complex<T> log(const complex<T>& z) { return {::log(std::abs(z)), std::arg(z)}; }
template <class T> inline complex<T> sqrt(const complex<T>& z)
{
    const T x = z.real(), y = z.imag();
    if (x == T() && y == T()) return {T(), y};
    const T t = ::sqrt((::fabs(x) + std::abs(z)) / T(2)), u = y / (T(2) * t);
    return x < T() ? complex<T>(::fabs(u), ::copysign(t, y)) : complex<T>(t, u);
}
} // namespace std
)cuda";

constexpr const char* array_text = R"cuda(
namespace std
{
template <class T, size_t N> struct array
{
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;
    T elements[N];

    constexpr T& operator[](size_t i) { return elements[i]; }
    constexpr const T& operator[](size_t i) const { return elements[i]; }
    constexpr size_t size() const { return N; }
    constexpr size_t max_size() const { return N; }
    constexpr bool empty() const { return false; }
    constexpr T* data() { return elements; }
    constexpr const T* data() const { return elements; }
    constexpr T* begin() { return elements; }
    constexpr const T* begin() const { return elements; }
    constexpr const T* cbegin() const { return elements; }
    constexpr T* end() { return elements + N; }
    constexpr const T* end() const { return elements + N; }
    constexpr const T* cend() const { return elements + N; }
    constexpr T& front() { return elements[0]; }
    constexpr const T& front() const { return elements[0]; }
    constexpr T& back() { return elements[N - 1]; }
    constexpr const T& back() const { return elements[N - 1]; }
    constexpr void fill(const T& x) { for (size_t i = 0; i < N; ++i) elements[i] = x; }

    friend constexpr bool operator==(const array& a, const array& b)
    {
        for (size_t i = 0; i < N; ++i)
            if (!(a[i] == b[i])) return false;
        return true;
    }
    friend constexpr bool operator<(const array& a, const array& b)
    {
        for (size_t i = 0; i < N; ++i)
            if (a[i] < b[i] || b[i] < a[i]) return a[i] < b[i];
        return false;
    }
    friend constexpr bool operator>(const array& a, const array& b) { return b < a; }
    friend constexpr bool operator<=(const array& a, const array& b) { return !(b < a); }
    friend constexpr bool operator>=(const array& a, const array& b) { return !(a < b); }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <size_t I, class T, size_t N> constexpr T& get(array<T, N>& a) { return a[I]; }
template <size_t I, class T, size_t N> constexpr const T& get(const array<T, N>& a) { return a[I]; }
template <class T, size_t N> constexpr size_t size(const array<T, N>&) { return N; }
template <class> struct tuple_size;
template <class T, size_t N> struct tuple_size<array<T, N>> { static constexpr size_t value = N; };
template <class T, size_t N> struct tuple_size<const array<T, N>> { static constexpr size_t value = N; };
template <size_t, class> struct tuple_element;
template <size_t I, class T, size_t N> struct tuple_element<I, array<T, N>> { using type = T; };
template <size_t I, class T, size_t N> struct tuple_element<I, const array<T, N>> { using type = const T; };
} // namespace std
)cuda";

constexpr const char* numbers_text = R"cuda(
#define SKELRT_NUMBER(NAME, VALUE)                            \
    template <class T> inline constexpr T NAME##_v = T(VALUE); \
    inline constexpr double NAME = VALUE;
namespace std::numbers
{
SKELRT_NUMBER(e, 2.718281828459045235360287471352662498)
SKELRT_NUMBER(log2e, 1.442695040888963407359924681001892137)
SKELRT_NUMBER(log10e, 0.434294481903251827651128918916605082)
SKELRT_NUMBER(pi, 3.141592653589793238462643383279502884)
SKELRT_NUMBER(inv_pi, 0.318309886183790671537767526745028724)
SKELRT_NUMBER(inv_sqrtpi, 0.564189583547756286948079451560772586)
SKELRT_NUMBER(ln2, 0.693147180559945309417232121458176568)
SKELRT_NUMBER(ln10, 2.302585092994045684017991454684364208)
SKELRT_NUMBER(sqrt2, 1.414213562373095048801688724209698079)
SKELRT_NUMBER(sqrt3, 1.732050807568877293527446341505872367)
SKELRT_NUMBER(inv_sqrt3, 0.577350269189625764509148780501957456)
SKELRT_NUMBER(egamma, 0.577215664901532860606512090082402431)
SKELRT_NUMBER(phi, 1.618033988749894848204586834365638118)
} // namespace std::numbers
#undef SKELRT_NUMBER
)cuda";

/// As include/skelrt/half.hpp has it; a GPU converts by itself.
constexpr const char* half_text = R"cuda(
namespace skelrt
{
class half
{
public:
    half() = default;
    half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits_) : "f"(x)); }
    operator float() const
    {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits_));
        return x;
    }
    half& operator+=(float x) { return *this = half(*this + x); }
    half& operator-=(float x) { return *this = half(*this - x); }
    half& operator*=(float x) { return *this = half(*this * x); }
    half& operator/=(float x) { return *this = half(*this / x); }
    static constexpr half from_bits(unsigned short bits) { return half(bits, 0, 0); }
    constexpr unsigned short bits() const { return bits_; }

private:
    constexpr half(unsigned short bits, int, int) : bits_(bits) {}
    unsigned short bits_;
};
} // namespace skelrt
template <> struct std::numeric_limits<skelrt::half> {
    static constexpr bool is_integer = false;
    static constexpr skelrt::half min() { return skelrt::half::from_bits(0x0400); }
    static constexpr skelrt::half max() { return skelrt::half::from_bits(0x7bff); }
    static constexpr skelrt::half lowest() { return skelrt::half::from_bits(0xfbff); }
    static constexpr skelrt::half epsilon() { return skelrt::half::from_bits(0x1400); }
    static constexpr skelrt::half infinity() { return skelrt::half::from_bits(0x7c00); }
    static constexpr skelrt::half quiet_NaN() { return skelrt::half::from_bits(0x7e00); }
    static constexpr skelrt::half denorm_min() { return skelrt::half::from_bits(0x0001); }
};
)cuda";

/// As include/skelrt/bfloat16.hpp has it.
constexpr const char* bfloat16_text = R"cuda(
namespace skelrt
{
class bfloat16
{
public:
    bfloat16() = default;
    bfloat16(float x)
    {
        const unsigned bits = __float_as_uint(x), nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
        bits_ = (unsigned short)((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : nearest);
    }
    operator float() const { return __uint_as_float(unsigned(bits_) << 16); }
    bfloat16& operator+=(float x) { return *this = bfloat16(*this + x); }
    bfloat16& operator-=(float x) { return *this = bfloat16(*this - x); }
    bfloat16& operator*=(float x) { return *this = bfloat16(*this * x); }
    bfloat16& operator/=(float x) { return *this = bfloat16(*this / x); }
    static constexpr bfloat16 from_bits(unsigned short bits) { return bfloat16(bits, 0, 0); }
    constexpr unsigned short bits() const { return bits_; }

private:
    constexpr bfloat16(unsigned short bits, int, int) : bits_(bits) {}
    unsigned short bits_;
};
} // namespace skelrt
template <> struct std::numeric_limits<skelrt::bfloat16> {
    static constexpr bool is_integer = false;
    static constexpr skelrt::bfloat16 min() { return skelrt::bfloat16::from_bits(0x0080); }
    static constexpr skelrt::bfloat16 max() { return skelrt::bfloat16::from_bits(0x7f7f); }
    static constexpr skelrt::bfloat16 lowest() { return skelrt::bfloat16::from_bits(0xff7f); }
    static constexpr skelrt::bfloat16 epsilon() { return skelrt::bfloat16::from_bits(0x3c00); }
    static constexpr skelrt::bfloat16 infinity() { return skelrt::bfloat16::from_bits(0x7f80); }
    static constexpr skelrt::bfloat16 quiet_NaN() { return skelrt::bfloat16::from_bits(0x7fc0); }
    static constexpr skelrt::bfloat16 denorm_min() { return skelrt::bfloat16::from_bits(0x0001); }
};
)cuda";

constexpr const char* bit_cast_text = R"cuda(
namespace std
{
template <class To, class From> constexpr To bit_cast(const From& x)
{
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, x);
}
} // namespace std
)cuda";

struct standard_text {
    std::initializer_list<std::string_view> names; ///< that stand in the texts of those who use it
    const char* text;
};

const std::array<standard_text, 6>& all_texts()
{
    static const std::array<standard_text, 6> all{{{{"complex", "polar"}, complex_text},
                                                   {{"array"}, array_text},
                                                   {{"numbers"}, numbers_text},
                                                   {{"half"}, half_text},
                                                   {{"bfloat16"}, bfloat16_text},
                                                   {{"bit_cast"}, bit_cast_text}}};
    return all;
}

class needed_texts
{
public:
    void look_at(std::string_view text)
    {
        const auto tokens = tokenize(text);
        own_ = own_ || names_own_type(tokens);
        for (const token& t : tokens)
            for (std::size_t k = 0; k < all_texts().size(); ++k)
                if (std::ranges::find(all_texts()[k].names, t.text) != all_texts()[k].names.end()) needed_[k] = true;
    }

    std::string text() const
    {
        std::string out;
        for (std::size_t k = 0; k < needed_.size(); ++k)
            if (needed_[k]) out += all_texts()[k].text;
        if (own_) out += cuda_own_types();
        return out;
    }

private:
    std::array<bool, 6> needed_{};
    bool own_ = false;
};

} // namespace

std::string cuda_standard_types(const recipe& what)
{
    needed_texts needed;
    for (const auto& slot : what.slots) needed.look_at(slot.type);
    for (const auto& call : what.calls) needed.look_at(call.result);
    for (const function_source* f : functions_in(what)) needed.look_at(code_of(*f));
    needed.look_at(what.result);
    for (const shared_source* shared : shared_for(what)) needed.look_at(code_of(*shared));
    return needed.text();
}

} // namespace skelrt::detail
