#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace bench
{

/// The options of a sub-command. --help shows what `to` holds as the default, unless that is empty or 0. Vectors take
/// values with commas or blanks. The parser is CLI11, of which only few files know: its header takes seven seconds.
class command_line
{
public:
    explicit command_line(CLI::App& app) : app_(app) {}

    template <class T>
    void option(const std::string& name, T& to, const std::string& help = {});
    /// One that must be more than 0.
    template <class T>
    void positive(const std::string& name, T& to, const std::string& help = {});
    template <class T>
    void positive(const std::string& name, std::vector<T>& to, const std::string& help = {});
    void between(const std::string& name, int& to, int low, int high, const std::string& help);
    void one_of(const std::string& name, std::string& to, const std::vector<std::string>& choices,
                const std::string& help = {});
    /// Each of them one of the choices.
    template <class T>
    void one_of(const std::string& name, std::vector<T>& to, const std::vector<T>& choices, const std::string& help);
    /// Text that must be there; a name without dashes is told by its place.
    void required(const std::string& name, std::string& to, const std::string& help);
    /// A number that may end in KiB, MiB or the like.
    void bytes(const std::string& name, std::size_t& to, const std::string& help);
    void flag(const std::string& name, bool& to, const std::string& help);
    /// Not for people: the help does not show this sub-command.
    void hide();

private:
    CLI::App& app_;
};

} // namespace bench
