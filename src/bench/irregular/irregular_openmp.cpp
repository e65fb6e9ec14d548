// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/irregular/rivals.hpp"
#include "src/bench/shared/race/rival_team.hpp"

#include <algorithm>
#include <vector>

namespace bench
{
namespace
{

template <class T>
std::vector<double> doubles_of(const std::vector<T>& all)
{
    return {all.begin(), all.end()};
}

class openmp_entrant : public irregular_entrant
{
public:
    explicit openmp_entrant(rival_team& team) : team_(team) {}
    void launch() override
    {
        team_.run([this] { work(); });
    }
    void wait() override {}

protected:
    virtual void work() = 0;
    rival_team& team_;
};

class openmp_product : public openmp_entrant
{
public:
    openmp_product(std::size_t n, rival_team& team) : openmp_entrant(team), a_(n), x_(n), y_(n)
    {
        for (std::size_t i = 0; i < n; ++i) x_[i] = vector_value(i);
    }
    void begin_anew() override {}
    std::vector<double> result() override { return y_; }

private:
    void work() override
    {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t row = 0; row < y_.size(); ++row) {
            double sum = 0;
            for (std::uint32_t k = a_.begin[row]; k < a_.begin[row + 1]; ++k) sum += a_.value[k] * x_[a_.column[k]];
            y_[row] = sum;
        }
    }
    sparse_rows a_;
    std::vector<double> x_, y_;
};

class openmp_scatter : public openmp_entrant
{
public:
    openmp_scatter(std::size_t n, rival_team& team) : openmp_entrant(team), x_(n), y_(n), place_(n)
    {
        for (std::size_t i = 0; i < n; ++i) x_[i] = small_value(i), place_[i] = place_of(i, n);
    }
    void begin_anew() override { std::ranges::fill(y_, 0.0f); }
    std::vector<double> result() override { return doubles_of(y_); }

private:
    void work() override
    {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t i = 0; i < x_.size(); ++i) {
#pragma omp atomic
            y_[place_[i]] += x_[i];
        }
    }
    std::vector<float> x_, y_;
    std::vector<std::uint32_t> place_;
};

class openmp_updates : public openmp_entrant
{
public:
    openmp_updates(std::size_t n, rival_team& team) : openmp_entrant(team), table_(n) {}
    void begin_anew() override { std::ranges::fill(table_, 0ul); }
    std::vector<double> result() override { return doubles_of(table_); }

private:
    void work() override
    {
        const std::size_t n = table_.size();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t i = 0; i < n; ++i) {
#pragma omp atomic
            table_[place_of(i, n)] += i;
        }
    }
    std::vector<unsigned long> table_;
};

class openmp_sums : public openmp_entrant
{
public:
    openmp_sums(std::size_t n, rival_team& team) : openmp_entrant(team), x_(n)
    {
        for (std::size_t i = 0; i < n; ++i) x_[i] = loose_value(i);
    }
    void begin_anew() override { all_ = {}; }
    std::vector<double> result() override { return numbers_of(all_); }

private:
    void work() override
    {
        double sum = 0;
        float most = all_.most;
        std::uint32_t* const counts = all_.counts.data();
#pragma omp parallel for num_threads(team_.threads()) schedule(static) reduction(+ : sum, counts[:bins])             \
    reduction(max : most)
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const float v = x_[i];
            ++counts[static_cast<std::size_t>(v * float(bins))];
            sum += v;
            most = std::max(most, v);
        }
        all_.sum += sum;
        all_.most = most;
    }
    std::vector<float> x_;
    collected all_;
};

} // namespace

std::unique_ptr<irregular_entrant> make_openmp_irregular(irregular what, std::size_t n, rival_team& team)
{
    switch (what) {
    case irregular::product:
        return std::make_unique<openmp_product>(n, team);
    case irregular::scatter:
        return std::make_unique<openmp_scatter>(n, team);
    case irregular::updates:
        return std::make_unique<openmp_updates>(n, team);
    case irregular::sums:
        break;
    }
    return std::make_unique<openmp_sums>(n, team);
}

} // namespace bench
