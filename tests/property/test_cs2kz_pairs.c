/*
 * test_cs2kz_pairs.c - the laws of writing for every pair of CS2KZ layouts: from each into each
 * other and back, what both can hold is kept, and the bytes do not depend on how often it is done.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kz_files.h"

/* What layouts can hold that others cannot. */
typedef struct layout {
    const char *name;
    bool weapon_in_ticks; /* else events tell of changes */
    bool presses;         /* of jump, and landings */
    bool fractions;       /* of calls */
    bool button_aim;      /* aim is in button moves, else in analog moves */
} layout;

static const layout layouts[] = {
    {"a1", false, false, false, false}, {"a2", false, false, false, false},
    {"a3", true, false, false, false},  {"b1", true, false, false, false},
    {"b2", true, true, false, true},    {"b3", true, true, false, true},
    {"b4", true, true, false, true},    {"b5", true, true, true, true},
    {"p", false, false, false, false},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static bytes converted(const bytes *from, const layout *to)
{
    return changed(from, (change){.convert = to->name});
}

/* What a way through another layout must keep. */
typedef struct kept {
    bool ticks, jumps, moves; /* to the last bit */
    bool weapons;             /* in hand at each tick */
} kept;

static void expect_kept(const bytes *a, const bytes *b, const layout *through, kept what)
{
    static const char *const always[] = {"events", "commands", NULL};
    static const char *const moves[] = {"subticks", "command_subticks", NULL};
    outcome o = look(b);
    assert_non_null(o.replay);
    assert_int_equal(o.summary.faults, 0);
    reprise_close(o.replay);
    expect_same_digests(a, b, always);
    if (what.ticks)
        expect_same_digests(a, b, (const char *const[]){"ticks", NULL});
    if (what.moves)
        expect_same_digests(a, b, moves);
    for (size_t i = 0; moves[i]; i++)
        assert_int_equal(row_count(a, moves[i]), row_count(b, moves[i]));
    if (what.jumps)
        expect_same_digests(a, b, (const char *const[]){"jumps", NULL});
    if (!what.weapons)
        return;
    bytes left = items_in_hand(a), right = items_in_hand(b);
    if (!left.size || !same_bytes(&left, &right))
        fail_msg("other weapons in hand by way of %s", through->name);
    bytes_free(&left);
    bytes_free(&right);
}

/* One pair: there, again, once more in place, and back. */
static void try_pair(const bytes *file, const layout *from, const layout *to, bool armed)
{
    bytes there = converted(file, to), twice = converted(file, to);
    if (!same_bytes(&there, &twice))
        fail_msg("%s to %s gives other bytes the second time", from->name, to->name);
    bytes again = converted(&there, to);
    if (!same_bytes(&there, &again))
        fail_msg("%s from %s is not written again byte by byte", to->name, from->name);
    bytes back = converted(&there, from);
    if (strcmp(from->name, to->name) == 0 && !same_bytes(file, &back))
        fail_msg("%s is not written again byte by byte", from->name);
    bool same_place = to->weapon_in_ticks == from->weapon_in_ticks;
    kept what = {.ticks = same_place && (to->presses || !from->presses),
                 .jumps = to->fractions || !from->fractions,
                 .moves = to->button_aim == from->button_aim,
                 .weapons = armed && from->weapon_in_ticks && to->weapon_in_ticks};
    expect_kept(file, &there, to, what);
    what.weapons = armed && from->weapon_in_ticks; /* also from events again */
    expect_kept(file, &back, to, what);
    bytes_free(&there);
    bytes_free(&twice);
    bytes_free(&again);
    bytes_free(&back);
}

/* `armed`: every tick has a weapon that is in the table. */
static void try_all(const bytes *original, bool armed)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = converted(original, &layouts[i]);
        for (size_t k = 0; k < LAYOUTS; k++)
            try_pair(&file, &layouts[i], &layouts[k], armed);
        bytes_free(&file);
    }
}

/* A run with weapons, jumps, presses and moves; enough of it for every kind of row. */
static void cs2kz_pairs__a_run_goes_everywhere_and_back(void **state)
{
    (void)state;
    bytes whole = load("019a9b07-044d-785c-9077-bed61db82000");
    bytes part = changed(&whole, (change){.trim = true, .from = 50000, .to = 50600});
    static const char *const tracks[] = {"ticks",  "subticks", "weapons",         "jumps",
                                         "events", "commands", "command_subticks"};
    for (size_t i = 0; i < sizeof tracks / sizeof tracks[0]; i++) {
        if (!row_count(&part, tracks[i]))
            fail_msg("no %s to try it with", tracks[i]);
    }
    try_all(&part, true);
    bytes_free(&part);
    bytes_free(&whole);
}

/* Strange numbers and texts, and every other kind of recording. */
static void cs2kz_pairs__other_kinds_go_everywhere_and_back(void **state)
{
    (void)state;
    static const char *const samples[] = {"b5-edge", "b1-jump", "a1-cheater", "b4-manual"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        bytes file = load(samples[i]);
        try_all(&file, false);
        bytes_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cs2kz_pairs__a_run_goes_everywhere_and_back),
        cmocka_unit_test(cs2kz_pairs__other_kinds_go_everywhere_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
