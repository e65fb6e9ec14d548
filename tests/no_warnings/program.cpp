/// Everything that a user writes, compiled with all warnings as errors.

#include <skelrt/skelrt.hpp>

namespace sk = skelrt;

SKELRT_SHARED(
    struct body { float x, y, z, mass; }; inline float square_of(float x) { return x * x; })

namespace
{

const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
const auto kick = sk::map(SKELRT_FN((sk::index1 i, body b, sk::vec<body> all) {
    for (std::size_t k = 0; k < all.size(); ++k)
        if (k != i.i) b.x += all[k].mass * square_of(b.x - all[k].x);
    return b;
}));

float vectors(sk::vector<float>& y, const sk::vector<float>& x)
{
    const auto mult = sk::map(sk::multiplies);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    y = saxpy(2.0f, x, y);
    y = saxpy(2, x.range(0, x.size()), mult(x, y));
    y.range(1, y.size() - 1) = saxpy(sk::scalar<float>(3.0f), y.range(0, y.size() - 1), 1.0f);
    const sk::scalar<float> s = sum(mult(x, y));
    sk::vector<float> copy = saxpy(s, x, y);
    swap(copy, y);
    copy.resize(10);
    auto h = sk::host(y);
    for (float& v : h) v += 1;
    const float largest = sk::reduce(SKELRT_FN((float a, float b) { return a < b ? b : a; }))(x);
    return largest + s.get();
}

int matrices(sk::matrix<int>& m)
{
    m = sk::map(SKELRT_FN((sk::index2 i) { return static_cast<int>(i.row * 10 + i.col); }))();
    m = sk::map(SKELRT_FN((sk::index2 i, sk::mat<int> a) { return a(i.col, i.row); }))(m);
    m.row(0) = sk::map(sk::negate)(m.column(0));
    m.sub(0, 0, 2, 2) = sk::map(sk::plus)(m.sub(1, 1, 2, 2), 1);
    const auto sum = sk::reduce(sk::plus);
    const sk::vector<int> rows = sum.by_row(m), cols = sum.by_column(m);
    return sum(rows) + sum(cols) + sum(sk::map(SKELRT_FN((sk::index1 i, int v) { return v + (int)i.i; }))(rows));
}

} // namespace

int main()
{
    sk::options o;
    o.policy = "lws";
    const sk::runtime rt(o);
    const sk::only on(sk::device::cpu | sk::device::cuda);
    sk::vector<float> x(100, 1.0f), y{1, 2, 3};
    sk::vector<body> bodies(10);
    sk::matrix<int> m(4, 4);
    try {
        bodies = kick(bodies, bodies);
        return vectors(y, x) > 0 && matrices(m) > 0 ? 0 : 1;
    } catch (const sk::error&) {
        return 2;
    }
}
