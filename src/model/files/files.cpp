// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/files.hpp"

#include "src/runtime/environment/environment.hpp"
#include "src/runtime/trust.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace skelrt::detail
{

namespace
{

namespace fs = std::filesystem;

class descriptor
{
public:
    descriptor(const fs::path& file, int flags) : number_(::open(file.c_str(), flags | O_CLOEXEC, 0644)) {}
    ~descriptor()
    {
        if (number_ >= 0) ::close(number_);
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    int get() const noexcept { return number_; }
    bool close() noexcept { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

[[noreturn]] void fail(const fs::path& file, const std::string& reason)
{
    throw error(
        fmt::format("{} cannot be written: {} (set SKELRT_MODELS to a folder that can)", file.string(), reason));
}

std::string last_error() { return std::generic_category().message(errno); }

void write_all(int file, std::string_view text, const fs::path& name)
{
    while (!text.empty()) {
        const ssize_t done = ::write(file, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail(name, last_error());
        text.remove_prefix(static_cast<std::size_t>(done));
    }
}

void make_folder_of(const fs::path& file)
{
    if (!file.has_parent_path()) return;
    if (const std::string why = make_folder(file.parent_path()); !why.empty()) fail(file, why);
}

/// Removes the temporary file unless it became the real one.
class temporary
{
public:
    explicit temporary(const fs::path& target) : name_(fmt::format("{}.{}.{}.new", target.string(), getpid(), count_++))
    {
    }
    ~temporary()
    {
        std::error_code ignored;
        fs::remove(name_, ignored);
    }
    temporary(const temporary&) = delete;
    temporary& operator=(const temporary&) = delete;
    const fs::path& name() const noexcept { return name_; }

private:
    static inline std::atomic<unsigned> count_{0};
    fs::path name_;
};

} // namespace

std::string machine_name()
{
    std::string name = env_text("STARPU_HOSTNAME").value_or("");
    if (name.empty()) {
        char host[256] = "";
        if (gethostname(host, sizeof host - 1) == 0) name = host;
    }
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
    return name.empty() || name[0] == '.' ? "machine" + name : name;
}

fs::path models_folder()
{
    const auto own = env_text("SKELRT_MODELS");
    if (own) return *own == "none" ? fs::path() : fs::path(*own);
    if (const auto base = env_text("XDG_CACHE_HOME"); base && fs::path(*base).is_absolute())
        return fs::path(*base) / "skelrt" / "models";
    if (const auto home = env_text("HOME")) return fs::path(*home) / ".cache" / "skelrt" / "models";
    return {};
}

std::optional<std::string> read_file(const fs::path& file)
{
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) return {}; // streams open it, and throw errors of their own
    std::ifstream in(file, std::ios::binary);
    if (!in) return {};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    if (in.bad()) return {};
    return text;
}

void write_file_atomically(const fs::path& file, std::string_view text)
{
    make_folder_of(file);
    const temporary fresh(file);
    descriptor out(fresh.name(), O_WRONLY | O_CREAT | O_TRUNC);
    if (out.get() < 0) fail(file, last_error());
    write_all(out.get(), text, file);
    // The name must not get to the disk before the text.
    if (::fsync(out.get()) != 0 || !out.close()) fail(file, last_error());
    std::error_code problem;
    fs::rename(fresh.name(), file, problem);
    if (problem) fail(file, problem.message());
    const descriptor folder(file.has_parent_path() ? file.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
    if (folder.get() >= 0) ::fsync(folder.get());
}

namespace
{

/// What processes left that were killed while they wrote this file. Caller has the lock: nobody writes it now.
void remove_leftovers(const fs::path& file)
{
    const std::string begin = file.filename().string() + ".", end = ".new";
    std::error_code ignored;
    for (const auto& entry :
         fs::directory_iterator(file.has_parent_path() ? file.parent_path() : fs::path("."), ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(begin) && name.ends_with(end)) fs::remove(entry.path(), ignored);
    }
}

bool lock_whole(const descriptor& lock)
{
    while (lock.get() >= 0)
        if (flock(lock.get(), LOCK_EX) == 0) return true;
        else if (errno != EINTR) break;
    return false;
}

} // namespace

void update_file(const fs::path& file, const std::function<std::string(std::optional<std::string>)>& change)
{
    make_folder_of(file);
    const descriptor lock(file.string() + ".lock", O_RDWR | O_CREAT);
    // Without locks (some network file systems) an update may be lost, but no file is torn.
    if (lock_whole(lock)) remove_leftovers(file);
    write_file_atomically(file, change(read_file(file)));
}

fs::path set_aside(const fs::path& file)
{
    constexpr int most_kept = 9;
    fs::path aside = file.string() + ".bad";
    std::error_code problem;
    for (int k = 2; k <= most_kept && fs::exists(aside, problem); ++k)
        aside = fmt::format("{}.bad{}", file.string(), k);
    fs::rename(file, aside, problem);
    return problem ? fs::path() : aside;
}

} // namespace skelrt::detail
