/*
 * test_length.c - a recording has one length, whoever is asked: info, stats, tracks, the timeline
 * that the page is drawn from, and the scene.
 *
 * The numbers must be equal, not close: they are one number of the library, and every document has
 * it with the digits that give it back exactly.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_command.h"
#include "samples.h"

enum { SECONDS_MAX = 60, ANSWERS = 5 };

typedef struct question {
    const char *name, *verb;
    const char *after; /* the length is the first one after this text */
    const char *file;  /* what is written, or NULL: it is printed */
} question;

static const question questions[ANSWERS] = {
    {"info", "info", "{", NULL},
    {"stats", "stats", "\"derived\":{", NULL},
    {"tracks", "tracks", "\"layout\":", NULL},
    {"timeline", "export", "\"source\":{", "x.json"},
    {"scene", "export", "\"reprise\":{", "x.glb"},
};

static char directory[] = "/tmp/reprise-length-XXXXXX";
static size_t asked, compared;

/* A scene begins with bytes of 0, so this is no matter of strings. */
static const char *find_text(const char *text, size_t size, const char *wanted)
{
    size_t length = strlen(wanted);
    for (size_t i = 0; text && i + length <= size; i++) {
        if (memcmp(text + i, wanted, length) == 0)
            return text + i;
    }
    return NULL;
}

/* NAN: there is no length in it. */
static double length_in(const char *text, size_t size, const char *after)
{
    static const char key[] = "\"duration\":";
    const char *from = find_text(text, size, after);
    const char *at = find_text(from, from ? size - (size_t)(from - text) : 0, key);
    return at ? strtod(at + strlen(key), NULL) : (double)NAN;
}

/* Like what is printed, a file ends with a 0 that is not part of it. */
static char *read_result(const char *path, size_t *ret_size)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return NULL;
    unlink(path);
    return command_read_back(fd, ret_size);
}

static double ask(const question *q, const char *path, int *ret_code)
{
    char written[64] = "";
    if (q->file)
        snprintf(written, sizeof written, "%s/%s", directory, q->file);
    const char *argv[] = {q->verb, "--json", "--quiet", path, q->file ? written : NULL, NULL};
    command_result r = command_run(argv, SECONDS_MAX);
    assert_int_equal(r.signal, 0);
    *ret_code = r.code;
    double length;
    if (q->file) {
        size_t size = 0;
        char *text = read_result(written, &size);
        length = length_in(text, size, q->after);
        free(text);
    } else {
        length = length_in(r.out, r.out_size, q->after);
    }
    command_free(&r);
    return length;
}

static bool ends_with(const char *path, const char *end)
{
    return strlen(path) >= strlen(end) && strcmp(path + strlen(path) - strlen(end), end) == 0;
}

/* Whether a verb may leave it out: saves have no statistics, proofs show what is at one tick. */
static bool may_lack(const question *q, const char *path)
{
    return strstr(path, "/bad/") || ends_with(path, ".icproof") ||
           (ends_with(path, ".icsave") && strcmp(q->name, "stats") == 0);
}

static void compare_sample(const sample *s)
{
    double first = (double)NAN;
    asked++;
    for (size_t i = 0; i < ANSWERS; i++) {
        const question *q = &questions[i];
        int code = 0;
        double length = ask(q, s->path, &code);
        if (length != length) {
            if (!may_lack(q, s->path))
                fail_msg("%s: %s gives no length and exits with %d", s->path, q->name, code);
            continue;
        }
        if (first != first)
            first = length;
        if (length != first)
            fail_msg("%s: %s says %.17g seconds, the verbs before it %.17g", s->path, q->name,
                     length, first);
        compared += i > 0;
    }
}

static void length__every_verb_gives_the_same(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    walk_samples("tests/data", compare_sample);
    assert_int_equal(rmdir(directory), 0);
    /* A rule that was never applied proves nothing. */
    assert_true(asked > 150);
    assert_true(compared > 2 * asked);
}

/* The definitions, each by a sample that tells it from what it could be mistaken for. */
static void length__is_what_the_family_defines(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double seconds;
    } cases[] = {
        /* 1500 ticks with a gap: 49738 to 51563 on the server's clock, 64 a second. */
        {"tests/data/cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay", 28.515625},
        /* 700 ticks of 66667 microseconds; the metadata say 46 and 4600 seconds. */
        {"tests/data/ironcurtain/basic.icrep", 700 * (66667 / 1e6)},
        {"tests/data/ironcurtain/variants/bad/duration-contradicts.icrep", 700 * (66667 / 1e6)},
        {"tests/data/ironcurtain/checkpoint.icsave", 0},
        /* 18000 frames of 20 a second; the last one is shown as long as the others. */
        {"tests/data/mcreplay/static_15_minutes.replay", 900},
        /* Entities end at 0.2 seconds, the world changes until 1.5. */
        {"tests/data/mcreplay/materials_full.replay", 1.5},
        {"tests/data/mcreplay/world_frames.vcap", 2.55},
        {"tests/data/mccamera/pan.xml", 0.2},
        /* 61 frames of 3 ticks, the first of them at 0, 40 milliseconds each. */
        {"tests/data/openra/p21-2p.orarep", 7.2},
        /* The last record has no event. */
        {"tests/data/remastered/td-events-modem.bin", 2.8833333333333333},
        /* A layout whose header says nothing. */
        {"tests/data/rumble/tiny/l1_tiny.replay", 0.06500584},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int code = 0;
        double length = ask(&questions[0], cases[i].path, &code);
        if (length != cases[i].seconds)
            fail_msg("%s: %.17g seconds, %.17g expected", cases[i].path, length, cases[i].seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(length__every_verb_gives_the_same),
        cmocka_unit_test(length__is_what_the_family_defines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
