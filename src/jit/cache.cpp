// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/cache.hpp"

#include "src/runtime/log.hpp"
#include "src/runtime/trust.hpp"

#include <xxhash.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace skelrt::detail
{
namespace
{

namespace fs = std::filesystem;

/// In front of every entry. The cache belongs to one machine, so the machine's own byte order will do.
struct entry_header {
    char magic[8];
    std::uint64_t length;
    std::uint64_t checksum[2];
};

constexpr char entry_magic[8] = {'s', 'k', 'e', 'l', 'r', 't', 'k', '1'};

entry_header header_of(std::string_view payload)
{
    const XXH128_hash_t hash = XXH3_128bits(payload.data(), payload.size());
    entry_header header{{}, payload.size(), {hash.low64, hash.high64}};
    std::memcpy(header.magic, entry_magic, sizeof entry_magic);
    return header;
}

/// The payload of a whole entry; nothing if a byte is missing, added or changed.
std::optional<std::string> payload_of(std::ifstream& entry)
{
    entry_header header{};
    if (!entry.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
    entry.seekg(0, std::ios::end);
    if (static_cast<std::uint64_t>(entry.tellg()) != sizeof header + header.length) return std::nullopt;
    entry.seekg(sizeof header);
    std::string payload(header.length, '\0');
    if (!entry.read(payload.data(), static_cast<std::streamsize>(payload.size()))) return std::nullopt;
    const entry_header expected = header_of(payload);
    if (std::memcmp(&expected, &header, sizeof expected) != 0) return std::nullopt;
    return payload;
}

void warn_once(const std::string& what, const std::string& reason)
{
    static std::atomic_flag warned;
    if (warned.test_and_set()) return;
    if (is_known_that_nothing_is_kept() && std::getenv("SKELRT_CACHE") == nullptr) return;
    log_warning(
        "kernels are not cached on disk, so each process builds them anew: {}: {} (set SKELRT_CACHE to a folder that "
        "can be written)",
        what, reason);
}

/// SKELRT_CACHE=none, as SKELRT_MODELS has it.
bool is_switched_off()
{
    const char* const folder = std::getenv("SKELRT_CACHE");
    return folder != nullptr && std::string_view{folder} == "none";
}

/// Kernels are code.
bool is_trusted(const fs::path& what)
{
    const std::string why = why_not_trusted(what);
    if (!why.empty()) warn_once("kernels that others may have put there are not run", why);
    return why.empty();
}

std::string errno_text() { return std::generic_category().message(errno); }

/// A name that no other thread or process uses: two writers of one key must not share a half-written file.
fs::path temporary_name(const fs::path& target)
{
    static std::atomic<unsigned> count{0};
    return target.string() + "." + std::to_string(getpid()) + "." + std::to_string(count++) + ".new";
}

bool write_all(int file, const char* data, std::size_t size)
{
    while (size > 0) {
        const ssize_t done = ::write(file, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        data += done;
        size -= static_cast<std::size_t>(done);
    }
    return true;
}

/// O_EXCL: process numbers repeat across the nodes that share a home folder; then the second writer leaves it to the
/// first.
bool write_file(const fs::path& name, const entry_header& header, std::string_view payload)
{
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) return false;
    const bool written = write_all(file, reinterpret_cast<const char*>(&header), sizeof header) &&
                         write_all(file, payload.data(), payload.size());
    const int write_error = errno;
    const bool closed = ::close(file) == 0;
    if (!written) errno = write_error;
    return written && closed;
}

} // namespace

std::string cache_key(std::initializer_list<std::string_view> parts)
{
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state{XXH3_createState(), &XXH3_freeState};
    if (!state) throw std::bad_alloc{};
    XXH3_128bits_reset(state.get());
    for (const std::string_view part : parts) {
        const std::uint64_t length = part.size(); // {"ab", "c"} and {"a", "bc"} must differ
        XXH3_128bits_update(state.get(), &length, sizeof length);
        XXH3_128bits_update(state.get(), part.data(), part.size());
    }
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(state.get()));

    std::string key;
    for (const unsigned char byte : bytes.digest) {
        key += "0123456789abcdef"[byte >> 4];
        key += "0123456789abcdef"[byte & 15];
    }
    return key;
}

std::string key_of_program(std::string_view what)
{
    std::error_code unknown;
    return cache_key({what, fs::read_symlink("/proc/self/exe", unknown).native()});
}

fs::path cache_folder()
{
    const auto variable = [](const char* name) -> fs::path {
        const char* value = std::getenv(name);
        return value != nullptr ? value : "";
    };
    if (is_switched_off()) return {};
    if (const fs::path own = variable("SKELRT_CACHE"); !own.empty()) return own;
    if (const fs::path base = variable("XDG_CACHE_HOME"); base.is_absolute()) return base / "skelrt" / "kernels";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "skelrt" / "kernels";
    return {};
}

std::optional<std::string> cache_load(const std::string& key)
{
    const fs::path folder = cache_folder();
    if (folder.empty() || !is_trusted(folder) || !is_trusted(folder / key)) return std::nullopt;

    std::ifstream file{folder / key, std::ios::binary};
    if (!file) return std::nullopt;
    auto payload = payload_of(file);
    if (!payload) {
        std::error_code ignored; // another process may have removed it already
        fs::remove(folder / key, ignored);
    }
    return payload;
}

void cache_store(const std::string& key, std::string_view payload)
{
    const fs::path folder = cache_folder();
    if (is_switched_off()) return;
    if (folder.empty()) return warn_once("no cache folder", "neither SKELRT_CACHE nor HOME is set");

    if (const std::string why = make_own_folder(folder); !why.empty()) return warn_once("no cache folder", why);
    std::error_code error;

    const fs::path target = folder / key;
    const fs::path temporary = temporary_name(target);
    if (!write_file(temporary, header_of(payload), payload)) {
        warn_once(temporary.string(), errno_text());
        fs::remove(temporary, error);
        return;
    }
    fs::rename(temporary, target, error); // atomic: a reader finds the old file, the new one, or none
    if (error) {
        warn_once(target.string(), error.message());
        fs::remove(temporary, error);
    }
}

} // namespace skelrt::detail
