// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/streams/stream_arrays.hpp"

#include <skelrt/skelrt.hpp>

#include <limits>

namespace bench
{
namespace
{

namespace sk = skelrt;

const auto copy = sk::map(SKELRT_FN((auto a) { return a; }));
const auto scale = sk::map(SKELRT_FN((auto s, auto c) { return s * c; }));
const auto add = sk::map(sk::plus);
const auto triad = sk::map(SKELRT_FN((auto s, auto b, auto c) { return b + s * c; }));
const auto saxpy = sk::map(SKELRT_FN((auto s, auto x, auto y) { return s * x + y; }));
const auto multiply = sk::map(sk::multiplies);
const auto square = sk::map(SKELRT_FN((auto x) { return x * x; }));

template <class T>
class skelrt_arrays : public stream_arrays<T>
{
public:
    skelrt_arrays(std::size_t n, rival_team& helpers) : helpers_(helpers), a_(n, T(0)), b_(n, T(0)), c_(n, T(0)) {}

    void reset() override
    {
        const auto a = sk::host_write(a_), b = sk::host_write(b_), c = sk::host_write(c_);
        T *const pa = a.data(), *const pb = b.data(), *const pc = c.data();
        const std::size_t n = a.size();
        helpers_.run([=, this] {
#pragma omp parallel for num_threads(helpers_.threads()) schedule(static)
            for (std::size_t i = 0; i < n; ++i) {
                pa[i] = pattern<T>(i);
                pb[i] = pc[i] = std::numeric_limits<T>::quiet_NaN();
            }
        });
    }

    void launch(kernel k) override
    {
        const T s = T(stream_scalar);
        switch (k) {
        case kernel::copy:
            c_ = copy(a_);
            break;
        case kernel::mul:
            b_ = scale(s, c_);
            break;
        case kernel::add:
            c_ = add(a_, b_);
            break;
        case kernel::triad:
            a_ = triad(s, b_, c_);
            break;
        case kernel::dot:
            dot_ = sum_(multiply(a_, b_));
            break;
        case kernel::saxpy:
            b_ = saxpy(T(saxpy_scalar), a_, b_);
            break;
        case kernel::chain:
            dot_ = sum_(square(saxpy(s, a_, b_)));
            break;
        }
    }

    void wait() override
    {
        sk::wait(a_), sk::wait(b_), sk::wait(c_);
        sk::wait(dot_);
    }

    T dot_value() override { return dot_.get(); }

    void look(char array, const std::function<void(const T*)>& see) override
    {
        see(sk::host_read(array == 'a' ? a_ : array == 'b' ? b_ : c_).data());
    }

private:
    rival_team& helpers_;
    sk::vector<T> a_, b_, c_;
    sk::scalar<T> dot_;
    sk::reduce<decltype(sk::plus)::lambda, T> sum_{sk::plus, T(0)};
};

} // namespace

template <class T>
std::unique_ptr<stream_arrays<T>> make_skelrt_arrays(std::size_t n, rival_team& helpers)
{
    return std::make_unique<skelrt_arrays<T>>(n, helpers);
}
template std::unique_ptr<stream_arrays<float>> make_skelrt_arrays(std::size_t, rival_team&);
template std::unique_ptr<stream_arrays<double>> make_skelrt_arrays(std::size_t, rival_team&);

} // namespace bench
