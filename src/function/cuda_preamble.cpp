#include "cuda.hpp"

namespace skelrt::detail
{
namespace
{

constexpr const char* types = R"cuda(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long ptrdiff_t;

#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
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

/// The functions themselves are built into NVRTC, with overloads for float and double.
constexpr const char* standard_math = R"cuda(
namespace std
{
using ::size_t; using ::ptrdiff_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;

using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::pow;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint; using ::nearbyint; using ::lround; using ::lrint;
using ::fmod; using ::remainder; using ::fma; using ::fmin; using ::fmax; using ::fdim; using ::copysign;
using ::erf; using ::erfc; using ::tgamma; using ::lgamma; using ::ldexp; using ::frexp; using ::modf;
using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
using ::sqrtf; using ::fabsf; using ::expf; using ::logf; using ::powf; using ::sinf; using ::cosf; using ::tanhf;
using ::fminf; using ::fmaxf; using ::floorf; using ::ceilf;

template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr const T& clamp(const T& x, const T& low, const T& high) { return x < low ? low : high < x ? high : x; }
template <class T> constexpr void swap(T& a, T& b) { T c = a; a = b; b = c; }

template <class A, class B> inline constexpr bool is_same_v = false;
template <class A> inline constexpr bool is_same_v<A, A> = true;

template <class T> struct numeric_limits;
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
} // namespace std
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

/// Must offer what <skelrt/function.hpp> and <skelrt/random.hpp> offer on the host.
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
    const T& operator[](size_t i) const { return data_[i]; }
    const T& operator()(size_t i) const { return data_[i]; }
    size_t size() const { return size_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    size_t size_;
};

template <class T> class mat
{
public:
    using value_type = T;
    mat(const T* data, size_t rows, size_t cols, size_t ld) : data_(data), rows_(rows), cols_(cols), ld_(ld) {}
    const T& operator()(size_t row, size_t col) const { return data_[row * ld_ + col]; }
    size_t rows() const { return rows_; }
    size_t cols() const { return cols_; }
    const T* data() const { return data_; }

private:
    const T* data_;
    size_t rows_, cols_, ld_;
};

inline void add_to(float* at, float v) { atomicAdd(at, v); }
inline void add_to(double* at, double v) { atomicAdd(at, v); }
inline void add_to(int* at, int v) { atomicAdd(at, v); }
inline void add_to(unsigned* at, unsigned v) { atomicAdd(at, v); }
/// Of 64 bits, signed or not: two's complement adds the same. Shared memory adds 32 bits at once, and nobody reads before all
/// have added: the upper half may come later.
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

template <class T> class accumulator
{
public:
    using value_type = T;
    accumulator(T* data, size_t size) : data_(data), size_(size) {}
    void add(size_t i, const T& v) const { add_to(data_ + i, v); }
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
        const float radius = sqrtf(-2.0f * logf(1.0f - uniform()));
        return radius * cosf(6.2831853f * uniform());
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
};
} // namespace skelrt
namespace sk = skelrt;
)cuda";

} // namespace

std::string cuda_preamble() { return std::string{types} + standard_math + standard_limits + parameter_types; }

} // namespace skelrt::detail
