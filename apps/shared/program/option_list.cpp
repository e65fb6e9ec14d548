// SPDX-License-Identifier: BSD-3-Clause
#include "option_list.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace apps
{
namespace
{

/// Shows the default, if `value` is one.
template <class T>
CLI::Option* with_default(CLI::Option* made, const T& value)
{
    return value != T{} ? made->capture_default_str() : made;
}

/// CLI11 takes -1 for the largest number of a type without a sign, and the largest for what is too large.
template <class T>
CLI::Option* no_wrap(CLI::Option* made)
{
    if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        made->check([](const std::string& text) {
            if (text.starts_with('-')) return text + " is less than 0";
            errno = 0;
            std::strtoull(text.c_str(), nullptr, 0);
            return errno == ERANGE ? text + " is too large" : std::string{};
        });
    return made;
}

} // namespace

template <class T>
void option_list::option(const std::string& name, T& to, const std::string& help)
{
    no_wrap<T>(app_->add_option(name, to, help)->capture_default_str());
}

template <class T>
void option_list::option(const std::string& name, std::vector<T>& to, const std::string& help)
{
    no_wrap<T>(app_->add_option(name, to, help)->delimiter(',')->default_str(fmt::format("{}", fmt::join(to, ","))));
}

template <class T>
void option_list::without_default(const std::string& name, T& to, const std::string& help)
{
    no_wrap<T>(app_->add_option(name, to, help));
}

template <class T>
void option_list::positive(const std::string& name, T& to, const std::string& help)
{
    no_wrap<T>(with_default(app_->add_option(name, to, help), to)->check(CLI::PositiveNumber));
}

template <class T>
void option_list::positive(const std::string& name, std::vector<T>& to, const std::string& help)
{
    no_wrap<T>(app_->add_option(name, to, help)->delimiter(',')->check(CLI::PositiveNumber));
}

void option_list::not_negative(const std::string& name, int& to, const std::string& help)
{
    app_->add_option(name, to, help)->capture_default_str()->check(CLI::NonNegativeNumber);
}

void option_list::between(const std::string& name, int& to, int low, int high, const std::string& help)
{
    app_->add_option(name, to, help)->capture_default_str()->check(CLI::Range(low, high));
}

void option_list::one_of(const std::string& name, std::string& to, const std::vector<std::string>& choices,
                         const std::string& help)
{
    with_default(app_->add_option(name, to, help), to)->check(CLI::IsMember(choices));
}

template <class T>
void option_list::one_of(const std::string& name, std::vector<T>& to, const std::vector<T>& choices,
                         const std::string& help)
{
    app_->add_option(name, to, help)->delimiter(',')->check(CLI::IsMember(choices));
}

void option_list::required(const std::string& name, std::string& to, const std::string& help)
{
    app_->add_option(name, to, help)->required();
}

void option_list::bytes(const std::string& name, std::size_t& to, const std::string& help)
{
    app_->add_option(name, to, help)->transform(CLI::AsSizeValue(false));
}

void option_list::flag(const std::string& name, bool& to, const std::string& help) { app_->add_flag(name, to, help); }

void option_list::hide() { app_->group(""); }

bool option_list::given(const std::string& name) const { return app_->count(name) > 0; }

template void option_list::option(const std::string&, int&, const std::string&);
template void option_list::option(const std::string&, unsigned&, const std::string&);
template void option_list::option(const std::string&, std::size_t&, const std::string&);
template void option_list::option(const std::string&, float&, const std::string&);
template void option_list::option(const std::string&, double&, const std::string&);
template void option_list::option(const std::string&, std::string&, const std::string&);
template void option_list::option(const std::string&, std::vector<int>&, const std::string&);
template void option_list::option(const std::string&, std::vector<std::size_t>&, const std::string&);
template void option_list::without_default(const std::string&, int&, const std::string&);
template void option_list::without_default(const std::string&, long long&, const std::string&);
template void option_list::without_default(const std::string&, std::size_t&, const std::string&);
template void option_list::without_default(const std::string&, double&, const std::string&);
template void option_list::without_default(const std::string&, std::optional<double>&, const std::string&);
template void option_list::without_default(const std::string&, std::string&, const std::string&);
template void option_list::without_default(const std::string&, std::filesystem::path&, const std::string&);
template void option_list::positive(const std::string&, int&, const std::string&);
template void option_list::positive(const std::string&, unsigned&, const std::string&);
template void option_list::positive(const std::string&, std::size_t&, const std::string&);
template void option_list::positive(const std::string&, double&, const std::string&);
template void option_list::positive(const std::string&, std::vector<int>&, const std::string&);
template void option_list::positive(const std::string&, std::vector<std::size_t>&, const std::string&);
template void option_list::one_of(const std::string&, std::vector<int>&, const std::vector<int>&, const std::string&);
template void option_list::one_of(const std::string&, std::vector<std::string>&, const std::vector<std::string>&,
                                  const std::string&);

} // namespace apps
