#include "src/bench/shared/command_line.hpp"

#include <CLI/CLI.hpp>

namespace bench
{
namespace
{

/// The option, which shows its default if it has one.
template <class T>
CLI::Option* added(CLI::App& app, const std::string& name, T& to, const std::string& help)
{
    CLI::Option* const made = app.add_option(name, to, help);
    return to != T{} ? made->capture_default_str() : made;
}

} // namespace

template <class T>
void command_line::option(const std::string& name, T& to, const std::string& help)
{
    added(app_, name, to, help);
}

template <class T>
void command_line::positive(const std::string& name, T& to, const std::string& help)
{
    added(app_, name, to, help)->check(CLI::PositiveNumber);
}

template <class T>
void command_line::positive(const std::string& name, std::vector<T>& to, const std::string& help)
{
    added(app_, name, to, help)->delimiter(',')->check(CLI::PositiveNumber);
}

void command_line::between(const std::string& name, int& to, int low, int high, const std::string& help)
{
    added(app_, name, to, help)->check(CLI::Range(low, high));
}

void command_line::one_of(const std::string& name, std::string& to, const std::vector<std::string>& choices,
                          const std::string& help)
{
    added(app_, name, to, help)->check(CLI::IsMember(choices));
}

template <class T>
void command_line::one_of(const std::string& name, std::vector<T>& to, const std::vector<T>& choices,
                          const std::string& help)
{
    added(app_, name, to, help)->delimiter(',')->check(CLI::IsMember(choices));
}

void command_line::required(const std::string& name, std::string& to, const std::string& help)
{
    app_.add_option(name, to, help)->required();
}

void command_line::bytes(const std::string& name, std::size_t& to, const std::string& help)
{
    app_.add_option(name, to, help)->transform(CLI::AsSizeValue(false));
}

void command_line::flag(const std::string& name, bool& to, const std::string& help) { app_.add_flag(name, to, help); }

void command_line::hide() { app_.group(""); }

template void command_line::option(const std::string&, int&, const std::string&);
template void command_line::option(const std::string&, std::size_t&, const std::string&);
template void command_line::option(const std::string&, double&, const std::string&);
template void command_line::option(const std::string&, std::string&, const std::string&);
template void command_line::positive(const std::string&, int&, const std::string&);
template void command_line::positive(const std::string&, unsigned&, const std::string&);
template void command_line::positive(const std::string&, std::size_t&, const std::string&);
template void command_line::positive(const std::string&, double&, const std::string&);
template void command_line::positive(const std::string&, std::vector<int>&, const std::string&);
template void command_line::positive(const std::string&, std::vector<std::size_t>&, const std::string&);
template void command_line::one_of(const std::string&, std::vector<int>&, const std::vector<int>&, const std::string&);
template void command_line::one_of(const std::string&, std::vector<std::string>&, const std::vector<std::string>&,
                                   const std::string&);

} // namespace bench
