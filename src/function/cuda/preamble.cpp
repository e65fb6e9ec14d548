// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/checks.hpp"
#include "src/function/cuda/cuda.hpp"

namespace skelrt::detail
{
namespace
{

constexpr const char* types = R"cuda(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long ptrdiff_t;

#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
// What the host's compiler replaces them by.
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_huge_valf() __int_as_float(0x7f800000)
#define __builtin_nanf(text) __int_as_float(0x7fffffff)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_huge_val() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nan(text) __longlong_as_double(0x7fffffffffffffffll)
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
)cuda";

/// The functions themselves are built into NVRTC, with overloads for float and double. C++ has more: integers count as
/// double, and so does a pair of two types.
constexpr const char* standard_math = R"cuda(
namespace std
{
using ::size_t; using ::ptrdiff_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;

template <class T> inline constexpr int skelrt_rank = 0; // 1: integer, 2: float, 3: double
#define SKELRT_RANK(T, R) template <> inline constexpr int skelrt_rank<T> = R;
SKELRT_RANK(bool, 1) SKELRT_RANK(char, 1) SKELRT_RANK(signed char, 1) SKELRT_RANK(unsigned char, 1)
SKELRT_RANK(short, 1) SKELRT_RANK(unsigned short, 1) SKELRT_RANK(int, 1) SKELRT_RANK(unsigned, 1)
SKELRT_RANK(long, 1) SKELRT_RANK(unsigned long, 1) SKELRT_RANK(long long, 1) SKELRT_RANK(unsigned long long, 1)
SKELRT_RANK(float, 2) SKELRT_RANK(double, 3)
#undef SKELRT_RANK
template <bool> struct skelrt_if;
template <> struct skelrt_if<true> { using type = int; };
template <class T> using skelrt_integer = typename skelrt_if<skelrt_rank<T> == 1>::type;
template <class A, class B> using skelrt_mixed =
    typename skelrt_if<(skelrt_rank<A> > 0 && skelrt_rank<B> > 0 && (skelrt_rank<A> != skelrt_rank<B> || skelrt_rank<A> == 1))>::type;

#define SKELRT_LONG(f) using ::f; template <class T, skelrt_integer<T> = 0> inline auto f(T x) { return ::f(double(x)); }
#define SKELRT_UNARY(f) using ::f; template <class T, skelrt_integer<T> = 0> inline double f(T x) { return ::f(double(x)); }
#define SKELRT_MIXED(f) template <class A, class B, skelrt_mixed<A, B> = 0> inline double f(A a, B b) { return ::f(double(a), double(b)); }
#define SKELRT_BINARY(f) using ::f; SKELRT_MIXED(f)
SKELRT_UNARY(fabs) SKELRT_UNARY(sqrt) SKELRT_UNARY(cbrt) SKELRT_UNARY(exp) SKELRT_UNARY(exp2) SKELRT_UNARY(expm1)
SKELRT_UNARY(log) SKELRT_UNARY(log2) SKELRT_UNARY(log10) SKELRT_UNARY(log1p) SKELRT_UNARY(sin) SKELRT_UNARY(cos)
SKELRT_UNARY(tan) SKELRT_UNARY(asin) SKELRT_UNARY(acos) SKELRT_UNARY(atan) SKELRT_UNARY(sinh) SKELRT_UNARY(cosh)
SKELRT_UNARY(tanh) SKELRT_UNARY(asinh) SKELRT_UNARY(acosh) SKELRT_UNARY(atanh) SKELRT_UNARY(floor) SKELRT_UNARY(ceil)
SKELRT_UNARY(trunc) SKELRT_UNARY(round) SKELRT_UNARY(rint) SKELRT_UNARY(nearbyint) SKELRT_UNARY(erf) SKELRT_UNARY(erfc)
SKELRT_UNARY(tgamma) SKELRT_UNARY(lgamma) SKELRT_UNARY(logb)
SKELRT_LONG(lround) SKELRT_LONG(lrint) SKELRT_LONG(llround) SKELRT_LONG(llrint)
SKELRT_BINARY(hypot) SKELRT_BINARY(atan2) SKELRT_BINARY(fmod) SKELRT_BINARY(remainder) SKELRT_BINARY(fmin)
SKELRT_BINARY(fmax) SKELRT_BINARY(fdim) SKELRT_BINARY(copysign) SKELRT_BINARY(nextafter)
// CUDA's own pow(float, int) is a float.
inline float pow(float a, float b) { return ::pow(a, b); }
inline double pow(double a, double b) { return ::pow(a, b); }
SKELRT_MIXED(pow)
#undef SKELRT_LONG
#undef SKELRT_UNARY
#undef SKELRT_MIXED
#undef SKELRT_BINARY
using ::abs; using ::fma; using ::ldexp; using ::frexp; using ::modf; using ::ilogb; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
using ::sqrtf; using ::fabsf; using ::expf; using ::logf; using ::powf; using ::sinf; using ::cosf; using ::tanhf; using ::fminf; using ::fmaxf; using ::floorf; using ::ceilf;

template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr const T& clamp(const T& x, const T& low, const T& high) { return x < low ? low : high < x ? high : x; }
template <class T> constexpr void swap(T& a, T& b) { T c = a; a = b; b = c; }

template <class A, class B> inline constexpr bool is_same_v = false;
template <class A> inline constexpr bool is_same_v<A, A> = true;

template <class T> struct numeric_limits;
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
} // namespace std

// What <math.h> brings into the global namespace.
namespace skelrt_user
{
using std::fabs; using std::sqrt; using std::cbrt; using std::exp; using std::exp2; using std::expm1; using std::log; using std::log2;
using std::log10; using std::log1p; using std::sin; using std::cos; using std::tan; using std::asin; using std::acos; using std::atan;
using std::sinh; using std::cosh; using std::tanh; using std::asinh; using std::acosh; using std::atanh; using std::floor; using std::ceil;
using std::trunc; using std::round; using std::rint; using std::nearbyint; using std::erf; using std::erfc; using std::tgamma; using std::lgamma;
using std::logb; using std::lround; using std::lrint; using std::llround; using std::llrint; using std::hypot; using std::atan2; using std::fmod;
using std::remainder; using std::fmin; using std::fmax; using std::fdim; using std::copysign; using std::nextafter; using std::pow; using std::abs;
using std::fma; using std::ldexp; using std::frexp; using std::modf; using std::ilogb; using std::isnan; using std::isinf; using std::isfinite;
using std::signbit;
} // namespace skelrt_user
)cuda";

constexpr const char* standard_limits = R"cuda(
#define SKELRT_LIMITS(T, LOWEST, MAX)                                      \
    template <> struct std::numeric_limits<T> {                            \
        static constexpr bool is_integer = true;                           \
        static constexpr T min() { return LOWEST; }                        \
        static constexpr T lowest() { return LOWEST; }                     \
        static constexpr T max() { return MAX; }                           \
    };
SKELRT_LIMITS(signed char, -128, 127)
SKELRT_LIMITS(char, -128, 127)
SKELRT_LIMITS(short, -32768, 32767)
SKELRT_LIMITS(int, -2147483647 - 1, 2147483647)
SKELRT_LIMITS(long, -9223372036854775807l - 1, 9223372036854775807l)
SKELRT_LIMITS(long long, -9223372036854775807ll - 1, 9223372036854775807ll)
SKELRT_LIMITS(unsigned char, 0, 255)
SKELRT_LIMITS(unsigned short, 0, 65535)
SKELRT_LIMITS(unsigned, 0, 4294967295u)
SKELRT_LIMITS(unsigned long, 0, 18446744073709551615ul)
SKELRT_LIMITS(unsigned long long, 0, 18446744073709551615ull)
#undef SKELRT_LIMITS
#define SKELRT_LIMITS(T, MIN, MAX, EPSILON, INF, NOT_A_NUMBER)             \
    template <> struct std::numeric_limits<T> {                            \
        static constexpr bool is_integer = false;                          \
        static constexpr T min() { return MIN; }                           \
        static constexpr T max() { return MAX; }                           \
        static constexpr T lowest() { return -MAX; }                       \
        static constexpr T epsilon() { return EPSILON; }                   \
        static T infinity() { return INF; }                                \
        static T quiet_NaN() { return NOT_A_NUMBER; }                      \
    };
SKELRT_LIMITS(float, FLT_MIN, FLT_MAX, FLT_EPSILON, __int_as_float(0x7f800000), __int_as_float(0x7fffffff))
SKELRT_LIMITS(double, DBL_MIN, DBL_MAX, DBL_EPSILON, __longlong_as_double(0x7ff0000000000000ll), __longlong_as_double(0x7fffffffffffffffll))
#undef SKELRT_LIMITS
)cuda";

/// Must offer what <skelrt/function.hpp>, <skelrt/accumulators.hpp>, <skelrt/before.hpp> and <skelrt/random.hpp> offer
/// on the host.
constexpr const char* parameter_types = R"cuda(
namespace skelrt
{
struct index1 { size_t i; };
struct index2 { size_t row, col; };
struct index3 { size_t plane, row, col; };
struct index4 { size_t cube, plane, row, col; };

template <class T> class vec
{
public:
    using value_type = T;
    vec(const T* data, size_t size) : data_(data), size_(size) {}
    const T& operator[](size_t i) const
    {
        SKELRT_CHECK(i < size_, SKELRT_NO_ELEMENT, i, 0, 0, size_, 0)
        return data_[i];
    }
    const T& operator()(size_t i) const { return (*this)[i]; }
    size_t size() const { return size_; }
    const T* data() const { return data_; }
    const void* origin() const { return data_; }

private:
    const T* data_;
    size_t size_;
};

template <class T> class mat
{
public:
    using value_type = T;
    mat(const T* data, size_t rows, size_t cols, size_t ld) : data_(data), rows_(rows), cols_(cols), ld_(ld) {}
    const T& operator()(size_t row, size_t col) const
    {
        SKELRT_CHECK(row < rows_ && col < cols_, SKELRT_NO_ELEMENT, row, col, 0, rows_, cols_)
        return data_[row * ld_ + col];
    }
    const void* origin() const { return data_; }
    size_t rows() const { return rows_; }
    size_t cols() const { return cols_; }
    size_t ld() const { return ld_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    size_t rows_, cols_, ld_;
};

/// As bytes: a user's type may have no default constructor, and what has not been set yet must be there.
template <class T> class before2
{
public:
    using value_type = T;
    before2() = default;
    before2(const T& left, const T& above, const T& diagonal)
    {
        memcpy(bytes_, &left, sizeof(T));
        memcpy(bytes_ + sizeof(T), &above, sizeof(T));
        memcpy(bytes_ + 2 * sizeof(T), &diagonal, sizeof(T));
    }
    const T& left() const { return at(0); }
    const T& above() const { return at(1); }
    const T& diagonal() const { return at(2); }

private:
    const T& at(int i) const { return reinterpret_cast<const T*>(bytes_)[i]; }
    alignas(T) unsigned char bytes_[3 * sizeof(T)];
};

inline void add_to(float* at, float v) { atomicAdd(at, v); }
inline void add_to(double* at, double v) { atomicAdd(at, v); }
inline void add_to(int* at, int v) { atomicAdd(at, v); }
inline void add_to(unsigned* at, unsigned v) { atomicAdd(at, v); }
/// Of 64 bits, signed or not: two's complement adds the same. Shared memory adds 32 bits at once, and nobody reads
/// before all have added: the upper half may come later.
template <class T> inline void add_to(T* at, T v)
{
    static_assert(sizeof(T) == 8, "skelrt: accumulators have elements of int, long, float or double");
    if (__isShared(at)) {
        unsigned* const half = reinterpret_cast<unsigned*>(at);
        const unsigned low = unsigned(v), before = atomicAdd(half, low);
        const unsigned high = unsigned((unsigned long long)(v) >> 32) + (before + low < low ? 1 : 0);
        if (high != 0) atomicAdd(half + 1, high);
        return;
    }
    atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(v));
}

/// Numbers that devices change at once.
template <class T> struct atomic_number { static constexpr bool is_integer = false, is_real = false; };
template <class Word> struct atomic_integer
{
    using word = Word;
    static constexpr bool is_integer = true, is_real = false;
};
template <> struct atomic_number<int> : atomic_integer<int> {};
template <> struct atomic_number<unsigned> : atomic_integer<unsigned> {};
template <> struct atomic_number<long> : atomic_integer<long long> {};
template <> struct atomic_number<unsigned long> : atomic_integer<unsigned long long> {};
template <> struct atomic_number<long long> : atomic_integer<long long> {};
template <> struct atomic_number<unsigned long long> : atomic_integer<unsigned long long> {};
template <> struct atomic_number<float> { static constexpr bool is_integer = false, is_real = true; };
template <> struct atomic_number<double> { static constexpr bool is_integer = false, is_real = true; };

/// An integer that devices swap at once.
template <size_t> struct swapped;
template <> struct swapped<4> { using type = unsigned; };
template <> struct swapped<8> { using type = unsigned long long; };

/// *at = View::joined(*at, v): what changes nothing writes nothing.
template <class View, class T> inline void join_to(T* at, const T& v)
{
    using word = typename swapped<sizeof(T)>::type;
    word* const here = reinterpret_cast<word*>(at);
    word seen = *static_cast<volatile word*>(here), old;
    do {
        old = seen;
        const word next = __builtin_bit_cast(word, View::joined(__builtin_bit_cast(T, old), v));
        if (next == old) return;
        seen = atomicCAS(here, old, next);
    } while (seen != old);
}

/// Of one element, all threads would wait for each other: each changes a value of its own, in registers, until its warp
/// joins them.
template <class View, class T> struct own_value
{
    T* at;
    size_t used;
    void begin(void* room, size_t size)
    {
        at = static_cast<T*>(room);
        used = size == 1;
        *at = View::nothing();
    }
    void join(const T& v) const { *at = View::joined(*at, v); }
    void end(const View& to) const
    {
        if (!used) return;
        T all = *at;
        for (int lane = 16; lane > 0; lane /= 2) all = View::joined(all, __shfl_down_sync(~0u, all, lane));
        if (threadIdx.x % 32 == 0 && all != View::nothing()) to.join(0, all);
    }
};

template <class T> class accumulator
{
public:
    using value_type = T;
    static T nothing() { return T(0); }
    static T joined(const T& a, const T& b) { return a + b; }
    accumulator(T* data, size_t size) : data_(data), size_(size), own_{} {}
    void add(size_t i, const T& v) const
    {
        SKELRT_CHECK(i < size_, , i, 0, 0, size_, 0)
        if (own_.used) own_.join(v);
        else add_to(data_ + i, v);
    }
    void join(size_t i, const T& v) const { add_to(data_ + i, v); }
    void begin_own(void* room) { own_.begin(room, size_); }
    void end_own() const { own_.end(*this); }
    const void* origin() const { return data_; }
    size_t size() const { return size_; }

private:
    T* data_;
    size_t size_;
    own_value<accumulator, T> own_;
};

#define SKELRT_ACCUMULATOR(NAME, METHOD, NOTHING, JOINED)                                 \
    template <class T> class NAME                                                         \
    {                                                                                     \
    public:                                                                               \
        using value_type = T;                                                             \
        static T nothing() { return NOTHING; }                                            \
        static T joined(const T& a, const T& b) { return JOINED; }                        \
        NAME(T* data, size_t size) : data_(data), size_(size), own_{} {}                  \
        void METHOD(size_t i, const T& v) const                                           \
        {                                                                                 \
            SKELRT_CHECK(i < size_, , i, 0, 0, size_, 0)                                  \
            if (own_.used) own_.join(v);                                                  \
            else join_to<NAME>(data_ + i, v);                                             \
        }                                                                                 \
        void join(size_t i, const T& v) const { join_to<NAME>(data_ + i, v); }            \
        void begin_own(void* room) { own_.begin(room, size_); }                           \
        void end_own() const { own_.end(*this); }                                         \
        const void* origin() const { return data_; }                                      \
        size_t size() const { return size_; }                                             \
                                                                                          \
    private:                                                                              \
        T* data_;                                                                         \
        size_t size_;                                                                     \
        own_value<NAME, T> own_;                                                          \
    };
template <class T> inline T highest_of() { return std::numeric_limits<T>::max(); }
template <> inline float highest_of<float>() { return INFINITY; }
template <> inline double highest_of<double>() { return INFINITY; }
template <class T> inline T lowest_of() { return std::numeric_limits<T>::lowest(); }
template <> inline float lowest_of<float>() { return -INFINITY; }
template <> inline double lowest_of<double>() { return -INFINITY; }
SKELRT_ACCUMULATOR(min_accumulator, min, highest_of<T>(), b < a ? b : a)
SKELRT_ACCUMULATOR(max_accumulator, max, lowest_of<T>(), a < b ? b : a)
SKELRT_ACCUMULATOR(or_accumulator, bit_or, T(0), a | b)
SKELRT_ACCUMULATOR(and_accumulator, bit_and, T(~T(0)), a & b)
#undef SKELRT_ACCUMULATOR

template <class T> class atomic_vec
{
public:
    using value_type = T;
    static T nothing() { return T(0); }
    static T joined(const T&, const T& b) { return b; }
    atomic_vec(T* data, size_t size) : data_(data), size_(size) {}
    T load(size_t i) const { return change(i, [](const T& x) { return x; }); }
    T add(size_t i, const T& v) const
    {
        SKELRT_CHECK(i < size_, T(), i, 0, 0, size_, 0)
        if constexpr (number::is_real) return atomicAdd(data_ + i, v);
        else if constexpr (!number::is_integer) return change(i, [&](const T& x) { return T(x + v); });
        // of any sign: two's complement adds the same
        else if constexpr (sizeof(T) == 8) return T(atomicAdd(at<unsigned long long>(i), (unsigned long long)(v)));
        else return T(atomicAdd(at<unsigned>(i), unsigned(v)));
    }
    T min(size_t i, const T& v) const
    {
        SKELRT_CHECK(i < size_, T(), i, 0, 0, size_, 0)
        if constexpr (number::is_integer) return T(atomicMin(at<typename number::word>(i), typename number::word(v)));
        else return change(i, [&](const T& x) { return v < x ? v : x; });
    }
    T max(size_t i, const T& v) const
    {
        SKELRT_CHECK(i < size_, T(), i, 0, 0, size_, 0)
        if constexpr (number::is_integer) return T(atomicMax(at<typename number::word>(i), typename number::word(v)));
        else return change(i, [&](const T& x) { return x < v ? v : x; });
    }
    T bit_or(size_t i, const T& v) const { return change(i, [&](const T& x) { return T(x | v); }); }
    T bit_and(size_t i, const T& v) const { return change(i, [&](const T& x) { return T(x & v); }); }
    T exchange(size_t i, const T& v) const { return change(i, [&](const T&) { return v; }); }
    T compare_exchange(size_t i, const T& expected, const T& wanted) const
    {
        return change(i, [&](const T& x) { return is_same(x, expected) ? wanted : x; });
    }
    void join(size_t i, const T& v) const { exchange(i, v); }
    const void* origin() const { return data_; }
    size_t size() const { return size_; }

private:
    using number = atomic_number<T>;
    static bool is_same(const T& a, const T& b)
    {
        using word = typename swapped<sizeof(T)>::type;
        if constexpr (number::is_integer || number::is_real) return a == b;
        else return __builtin_bit_cast(word, a) == __builtin_bit_cast(word, b);
    }
    template <class Word> Word* at(size_t i) const { return reinterpret_cast<Word*>(data_ + i); }
    /// A volatile read is the memory's, not a cache's: others change it.
    template <class F> T change(size_t i, F f) const
    {
        SKELRT_CHECK(i < size_, T(), i, 0, 0, size_, 0)
        using word = typename swapped<sizeof(T)>::type;
        word* const here = reinterpret_cast<word*>(data_ + i);
        word seen = *static_cast<volatile word*>(here), old;
        do {
            old = seen;
            const word next = __builtin_bit_cast(word, f(__builtin_bit_cast(T, old)));
            if (next == old) break;
            seen = atomicCAS(here, old, next);
        } while (seen != old);
        return __builtin_bit_cast(T, old);
    }
    T* data_;
    size_t size_;
};

template <class T> class out_vec
{
public:
    using value_type = T;
    out_vec(T* data, size_t size) : data_(data), size_(size) {}
    void set(size_t i, const T& v) const
    {
        SKELRT_CHECK(i < size_, , i, 0, 0, size_, 0)
        SKELRT_CHECK(skelrt::generated::writes_first(i, data_ + size_), , i, 0, 0, size_, 0)
        data_[i] = v;
    }
    const void* origin() const { return data_; }
    size_t size() const { return size_; }

private:
    T* data_;
    size_t size_;
};

class random
{
public:
    random(uint64_t key, uint64_t position) : key_(key), position_(position) {}
    uint32_t bits()
    {
        if (used_ == 4) next_block();
        const uint32_t out = out_.x;
        out_ = {out_.y, out_.z, out_.w, 0}; // no index: the numbers stay in registers
        ++used_;
        return out;
    }
    float uniform() { return float(bits() >> 8) * 0x1p-24f; }
    double uniform_double()
    {
        const uint64_t high = bits() >> 5, low = bits() >> 6;
        return double(high << 26 | low) * 0x1p-53;
    }
    float normal()
    {
        if (has_second_) {
            has_second_ = false;
            return second_;
        }
        const float radius = sqrtf(-2.0f * logf(1.0f - uniform()));
        float sine, cosine;
        sincosf(6.2831853f * uniform(), &sine, &cosine);
        second_ = radius * sine;
        has_second_ = true;
        return radius * cosine;
    }

private:
    void next_block()
    {
        uint4 c = {block_, 0, uint32_t(position_), uint32_t(position_ >> 32)};
        uint32_t k0 = uint32_t(key_), k1 = uint32_t(key_ >> 32);
        for (int round = 0; round < 10; ++round) {
            const uint32_t a = __umulhi(0xD2511F53u, c.x), b = __umulhi(0xCD9E8D57u, c.z);
            c = {b ^ c.y ^ k0, 0xCD9E8D57u * c.z, a ^ c.w ^ k1, 0xD2511F53u * c.x};
            k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
        }
        out_ = c;
        ++block_;
        used_ = 0;
    }

    uint64_t key_, position_;
    uint32_t block_ = 0, used_ = 4;
    uint4 out_ = {};
    float second_ = 0;
    bool has_second_ = false;
};
} // namespace skelrt
namespace sk = skelrt;
)cuda";

} // namespace

std::string cuda_preamble(const recipe& what)
{
    return cuda_checks(what) + types + standard_math + standard_limits + parameter_types;
}

} // namespace skelrt::detail
