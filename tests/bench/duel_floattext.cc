/*
 * duel_floattext.cc - floats to text and back, against the C++ library.
 *
 * Both sides do the same work in turn, round after round, and the fastest round of each counts, so
 * that only the ratio matters and the machine's mood does not. Above 1 we are faster.
 *
 * usage: duel_floattext [--json]
 */
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include "floattext.h"
}

namespace
{

constexpr size_t value_count = 100000;
constexpr int round_count = 21;

/* What a side has to do; the result keeps the compiler from leaving it out. */
using work = std::function<size_t()>;

double cpu_ns()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

double timed(const work &side, size_t &sum)
{
    double start = cpu_ns();
    sum += side();
    return cpu_ns() - start;
}

void duel(const std::string &name, bool json, const work &ours, const work &theirs)
{
    double best_ours = std::numeric_limits<double>::infinity(), best_theirs = best_ours;
    size_t sum = 0;
    for (int i = 0; i < round_count; i++) {
        best_ours = std::min(best_ours, timed(ours, sum));
        best_theirs = std::min(best_theirs, timed(theirs, sum));
    }
    double ours_ns = best_ours / value_count, theirs_ns = best_theirs / value_count;
    double ratio = theirs_ns / ours_ns;
    if (sum == 0)
        std::printf("%s: nothing was done\n", name.c_str());
    else if (json)
        std::printf("{\"duel\":\"%s\",\"ours_ns\":%.2f,\"theirs_ns\":%.2f,\"ratio\":%.3f}\n",
                    name.c_str(), ours_ns, theirs_ns, ratio);
    else
        std::printf("%-30s %6.1f ns, theirs %6.1f ns, ratio %.2f\n", name.c_str(), ours_ns,
                    theirs_ns, ratio);
}

template <typename Float> size_t our_print(Float value, char *to)
{
    if constexpr (sizeof(Float) == sizeof(float))
        return rp_print_f32(value, to);
    else
        return rp_print_f64(value, to);
}

template <typename Float> size_t our_parse(const char *text, size_t size, Float *value)
{
    if constexpr (sizeof(Float) == sizeof(float))
        return rp_parse_f32(text, size, value);
    else
        return rp_parse_f64(text, size, value);
}

template <typename Float>
void print_duel(const std::string &name, bool json, const std::vector<Float> &values)
{
    std::vector<char> text(values.size() * (RP_FLOAT_TEXT_MAX + 1));
    char *begin = text.data(), *end = begin + text.size();
    auto ours = [&] {
        char *at = begin;
        for (Float value : values) {
            at += our_print(value, at);
            *at++ = ',';
        }
        return size_t(at - begin);
    };
    auto theirs = [&] {
        char *at = begin;
        for (Float value : values) {
            at = std::to_chars(at, end, value).ptr;
            *at++ = ',';
        }
        return size_t(at - begin);
    };
    duel(name, json, ours, theirs);
}

template <typename Float>
void parse_duel(const std::string &name, bool json, const std::string &text)
{
    const char *begin = text.data(), *end = begin + text.size();
    auto ours = [=] {
        Float sum = 0, value = 0;
        for (const char *at = begin; at < end; at++) {
            at += our_parse(at, size_t(end - at), &value);
            sum += value;
        }
        return size_t(sum != 0);
    };
    auto theirs = [=] {
        Float sum = 0, value = 0;
        for (const char *at = begin; at < end; at++) {
            at = std::from_chars(at, end, value).ptr;
            sum += value;
        }
        return size_t(sum != 0);
    };
    duel(name, json, ours, theirs);
}

template <typename Float, typename Bits> std::vector<Float> random_bits(std::mt19937_64 &random)
{
    std::vector<Float> values;
    while (values.size() < value_count) {
        Bits bits = Bits(random());
        Float value;
        std::memcpy(&value, &bits, sizeof value);
        if (value - value == 0)
            values.push_back(value);
    }
    return values;
}

template <typename Float>
std::vector<Float> in_range(std::mt19937_64 &random, double range, double step)
{
    std::uniform_real_distribution<double> distribution(-range, range);
    std::vector<Float> values(value_count);
    for (Float &value : values) {
        double real = distribution(random);
        value = Float(step > 0 ? double(int64_t(real / step)) * step : real);
    }
    return values;
}

std::string decimals(std::mt19937_64 &random, double range, int places)
{
    std::string text;
    for (double value : in_range<double>(random, range, 0)) {
        char one[64];
        text.append(one, size_t(std::snprintf(one, sizeof one, "%.*f ", places, value)));
    }
    return text;
}

template <typename Float, typename Bits> void all_duels(const std::string &type, bool json)
{
    std::mt19937_64 random(1);
    print_duel("print " + type + " positions", json, in_range<Float>(random, 2000, 0));
    print_duel("print " + type + " rotations", json, in_range<Float>(random, 1, 0));
    print_duel("print " + type + " hundredths", json, in_range<Float>(random, 1000, 0.01));
    print_duel("print " + type + " whole numbers", json, in_range<Float>(random, 1000, 1));
    print_duel("print " + type + " random bits", json, random_bits<Float, Bits>(random));
    parse_duel<Float>("parse " + type + " 5 places", json, decimals(random, 10, 5));
    parse_duel<Float>("parse " + type + " 6 places", json, decimals(random, 2000, 6));
    parse_duel<Float>("parse " + type + " 16 places", json, decimals(random, 1, 16));
}

} // namespace

int main(int argc, char **argv)
{
    bool json = argc == 2 && std::strcmp(argv[1], "--json") == 0;
    all_duels<float, uint32_t>("f32", json);
    all_duels<double, uint64_t>("f64", json);
    return 0;
}
