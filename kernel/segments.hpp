// Segments: a corpus as the kernel sees it. Candidates and references are texts, or sequences of tokens already.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fetching.hpp"
#include "interning.hpp"
#include "lowering.hpp"
#include "threads.hpp"
#include "tokenizers.hpp"

namespace bleuprint {

/// The references of entry i are those from `first[i]` up to `first[i + 1]`. Each entry belongs to one segment, or to so
/// many in a row that share it.
struct Grouping {
    std::vector<std::size_t> first{0};
    std::size_t sharing = 1;

    std::size_t size() const { return sharing * (first.size() - 1); }
    std::size_t begin(std::size_t segment) const { return first[segment / sharing]; }
    std::size_t end(std::size_t segment) const { return first[segment / sharing + 1]; }
    void clear() {
        first.assign(1, 0);
        sharing = 1;
    }
    std::size_t bytes() const { return bytes_of(first); }
};

/// A corpus of texts, which are split on the way. The texts belong to somebody else.
class TextCorpus {
public:
    using Key = TextKey;

    TextCorpus() = default;
    explicit TextCorpus(Tokenizer tokenizer) : tokenizer_(tokenizer) {}

    /// Begin another corpus in the same memory.
    void begin(Tokenizer tokenizer) {
        tokenizer_ = tokenizer;
        lowering_ = nullptr;
        candidates.clear();
        references.clear();
        grouping.clear();
    }

    /// Lower texts before they are split.
    void lower_with(const Lowering& lowering) { lowering_ = &lowering; }

    std::vector<std::string_view> candidates;
    std::vector<std::string_view> references;
    Grouping grouping;

    std::size_t size() const { return candidates.size(); }

    /// The memory that is held, without the texts.
    std::size_t bytes() const { return bytes_of(candidates) + bytes_of(references) + grouping.bytes(); }

    /// How much there is to do, in bytes.
    std::size_t weight() const {
        std::size_t bytes = 0;
        for (const std::string_view text : candidates) bytes += text.size();
        for (const std::string_view text : references) bytes += text.size();
        return bytes;
    }

    /// How long the texts of a segment are together.
    std::size_t segment_bytes(std::size_t which) const {
        std::size_t bytes = candidates[which].size();
        for (std::size_t place = grouping.begin(which); place < grouping.end(which); ++place) bytes += references[place].size();
        return bytes;
    }

    /// Whether there is no need to split a candidate to see that it has more tokens than that; a guess, but a safe one.
    bool surely_longer_than(std::size_t which, std::size_t tokens) const {
        constexpr std::size_t LONG_WORDS = 12;
        return candidates[which].size() > LONG_WORDS * tokens;
    }

    /// How many slots a table of its tokens should have: four or five for each, as long as words commonly are.
    std::size_t slots(std::size_t which) const {
        const bool are_words = tokenizer_ != Tokenizer::character && tokenizer_ != Tokenizer::zh && tokenizer_ != Tokenizer::zh_corrected;
        return candidates[which].size() / (are_words ? 2 : 1);
    }

    /// Ask for the texts of a segment that will be read soon.
    void fetch(std::size_t which) const {
        if (which >= size()) return;
        fetch_text(candidates[which]);
        for (std::size_t place = grouping.first[which]; place < grouping.first[which + 1]; ++place) {
            fetch_text(references[place]);
        }
    }

    /// Whether tokens are single characters, for which there is a shorter way than to split.
    bool is_of_characters() const { return tokenizer_ == Tokenizer::character; }

    /// A text of this corpus as it is to be split.
    std::string_view cased(std::string_view text, std::string& buffer) const {
        return lowering_ ? lowering_->lower(text, buffer) : text;
    }

    template <class Sink>
    void read_candidate(std::size_t which, std::string& buffer, Sink&& sink) const {
        read(candidates[which], buffer, sink);
    }

    template <class Sink>
    void read_reference(std::size_t which, std::string& buffer, Sink&& sink) const {
        read(references[which], buffer, sink);
    }

private:
    static void fetch_text(std::string_view text) {
        constexpr std::size_t LINE = 64, MOST = 8 * LINE;
        const std::size_t fetched = std::min(text.size(), MOST);
        for (std::size_t place = 0; place < fetched; place += LINE) fetch_ahead(text.data() + place);
        if (fetched) fetch_ahead(text.data() + fetched - 1);  // texts begin anywhere in a line
    }

    template <class Sink>
    void read(std::string_view text, std::string& buffer, Sink&& sink) const {
        text = cased(text, buffer);
        // A token lies in the text or, with a margin behind it, in the buffer.
        const char* const readable = text.data() + text.size();
        tokenize(tokenizer_, text, buffer, [&](std::string_view token) { sink(TextKey(token, readable)); });
    }

    Tokenizer tokenizer_ = Tokenizer::whitespace;
    const Lowering* lowering_ = nullptr;
};

/// Many sequences of tokens, copied one after the other into one piece of memory.
class TokenTexts {
public:
    /// Make room for a sequence of so many tokens.
    void begin(std::size_t tokens) {
        if (count_ + tokens > sizes_.size()) sizes_.resize(2 * (count_ + tokens));
    }

    /// Add a token.
    void add(std::string_view token) {
        const std::size_t size = token.size();
        if (size > UINT32_MAX) throw std::length_error("a token of more than 4 GiB");
        char* const to = room_for(size);
        // By words: most tokens are shorter than a call of memcpy is long.
        if (size - 8 <= 8) {
            const std::uint64_t first = load<std::uint64_t>(token.data());
            const std::uint64_t last = load<std::uint64_t>(token.data() + size - 8);
            std::memcpy(to, &first, 8);
            std::memcpy(to + size - 8, &last, 8);
        } else if (size) {
            std::memcpy(to, token.data(), size);
        }
        keep(size);
    }

    /// Add a token in front of whose end sixteen bytes may be read, however short it is: no branch depends on its size.
    ALWAYS_INLINE void add_headed(std::string_view token) {
        if (token.size() - 1 >= 16 || std::endian::native != std::endian::little) return add(token);
        copy_headed(token, room_for(token.size()));
        keep(token.size());
    }

    void end() {
        first_token_.push_back(count_);
        first_byte_.push_back(used_);
    }

    std::size_t size() const { return first_token_.size() - 1; }
    std::size_t tokens(std::size_t which) const { return first_token_[which + 1] - first_token_[which]; }
    std::size_t bytes() const { return used_; }

    /// Hand out the tokens of a sequence as keys.
    template <class Sink>
    void read(std::size_t which, Sink&& sink) const {
        const char* data = bytes_.get() + first_byte_[which];
        const std::uint32_t* size = sizes_.data() + first_token_[which];
        const std::uint32_t* const end = sizes_.data() + first_token_[which + 1];
        for (; size != end; data += *size++) sink(TextKey::with_margin({data, *size}));
    }

    /// Begin another corpus in the same memory.
    void clear() {
        used_ = count_ = 0;
        first_token_.assign(1, 0);
        first_byte_.assign(1, 0);
    }

    /// The memory that is held, used or not.
    std::size_t held_bytes() const { return room_ + bytes_of(sizes_) + bytes_of(first_token_) + bytes_of(first_byte_); }

private:
    static constexpr std::size_t MARGIN = 16;

    /// Copy 1 to 16 bytes, with zeros behind them, from the sixteen that end where they do.
    static void copy_headed(std::string_view token, char* to) {
        const char* const end = token.data() + token.size();
        const std::uint64_t lower = load<std::uint64_t>(end - 16), upper = load<std::uint64_t>(end - 8);
        const std::size_t unwanted = 8 * (16 - token.size()), within = unwanted % 64;
        const bool fits_one = unwanted >= 64;
        const std::uint64_t shifted = upper >> within;
        const std::uint64_t first = fits_one ? shifted : lower >> within | upper << 1 << (63 - within);
        const std::uint64_t second = fits_one ? 0 : shifted;
        std::memcpy(to, &first, 8);
        std::memcpy(to + 8, &second, 8);
    }

    /// Where a token of so many bytes goes.
    char* room_for(std::size_t size) {
        if (used_ + size + MARGIN > room_) [[unlikely]] grow(size);
        return bytes_.get() + used_;
    }

    void keep(std::size_t size) {
        used_ += size;
        sizes_[count_++] = static_cast<std::uint32_t>(size);
    }

    void grow(std::size_t more) {
        room_ = 2 * (used_ + more) + (1 << 12);
        auto larger = std::unique_ptr<char[]>(new char[room_]);
        if (used_) std::memcpy(larger.get(), bytes_.get(), used_);
        bytes_ = std::move(larger);
    }

    std::unique_ptr<char[]> bytes_;
    std::size_t used_ = 0, room_ = 0;  // at least MARGIN bytes of room are left behind the last token
    std::vector<std::uint32_t> sizes_;  // the first `count_` are in use
    std::size_t count_ = 0;
    std::vector<std::size_t> first_token_{0}, first_byte_{0};
};

/// A corpus of tokens that are pieces of text, copied once.
class TokenTextCorpus {
public:
    using Key = TextKey;

    TokenTexts candidates;
    TokenTexts references;
    Grouping grouping;

    std::size_t size() const { return candidates.size(); }
    std::size_t weight() const { return candidates.bytes() + references.bytes(); }
    std::size_t bytes() const { return candidates.held_bytes() + references.held_bytes() + grouping.bytes(); }

    /// Begin another corpus in the same memory.
    void begin() {
        candidates.clear();
        references.clear();
        grouping.clear();
    }

    bool surely_longer_than(std::size_t which, std::size_t tokens) const { return candidates.tokens(which) > tokens; }
    std::size_t slots(std::size_t which) const { return 4 * candidates.tokens(which); }
    void fetch(std::size_t) const {}  // its memory is read from one end to the other

    template <class Sink>
    void read_candidate(std::size_t which, std::string&, Sink&& sink) const {
        candidates.read(which, sink);
    }

    template <class Sink>
    void read_reference(std::size_t which, std::string&, Sink&& sink) const {
        references.read(which, sink);
    }
};

/// Many sequences of tokens, one after the other.
template <class Token>
struct Sequences {
    std::vector<Token> tokens;
    std::vector<std::size_t> starts{0};

    void clear() {
        tokens.clear();
        starts.assign(1, 0);
    }
    void end() { starts.push_back(tokens.size()); }
    std::size_t length(std::size_t which) const { return starts[which + 1] - starts[which]; }
    std::size_t bytes() const { return bytes_of(tokens) + bytes_of(starts); }

    template <class Sink>
    void read(std::size_t which, Sink&& sink) const {
        for (std::size_t place = starts[which]; place < starts[which + 1]; ++place) sink(tokens[place]);
    }
};

/// A corpus of tokens: pieces of text (`std::string_view`), which become keys on the way, or whole numbers.
template <class Token>
class TokenCorpus {
public:
    using Key = std::conditional_t<std::is_same_v<Token, std::string_view>, TextKey, Token>;

    Sequences<Token> candidates;
    Sequences<Token> references;
    Grouping grouping;

    /// Begin another corpus in the same memory.
    void begin() {
        candidates.clear();
        references.clear();
        grouping.clear();
    }

    std::size_t size() const { return candidates.starts.size() - 1; }
    std::size_t bytes() const { return candidates.bytes() + references.bytes() + grouping.bytes(); }
    std::size_t weight() const { return 8 * (candidates.tokens.size() + references.tokens.size()); }

    bool surely_longer_than(std::size_t which, std::size_t tokens) const { return candidates.length(which) > tokens; }
    std::size_t slots(std::size_t which) const { return 4 * candidates.length(which); }
    void fetch(std::size_t) const {}

    template <class Sink>
    void read_candidate(std::size_t which, std::string&, Sink&& sink) const {
        candidates.read(which, [&](const Token& token) { sink(Key(token)); });
    }

    template <class Sink>
    void read_reference(std::size_t which, std::string&, Sink&& sink) const {
        references.read(which, [&](const Token& token) { sink(Key(token)); });
    }
};

}  // namespace bleuprint
