/*
 * test_edges.c - laws about the edges of what can be asked, over all samples of all families.
 *
 * A refused moment names the last one, which exists, and the one after it does not. A verb that
 * writes is done only if there is a replay that can be read, and what it refuses leaves nothing. A
 * conversion that would lose something names what and how much.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "samples.h"
#include "value.h"
#include "written.h"

/* ---- moments ---- */

static size_t asked, numbered;

static reprise_status at_index(reprise_replay *replay, int64_t index, const reprise_value **ret,
                               reprise_error *error)
{
    reprise_moment moment = {.by_index = true, .index = index};
    reprise_status status = reprise_at(replay, moment, ret, error);
    assert_int_equal(error->status, status);
    asked++;
    return status;
}

/* The number that a state says it has: a frame or a tick. */
static int64_t index_of(const reprise_value *state)
{
    const reprise_value *tick = reprise_value_get(state, "tick");
    return reprise_value_int(tick ? tick : reprise_value_get(state, "frame"), -1);
}

/* A refusal ends in the last number there is: "out of range (0-169)", "the nearest is 192488". */
static int64_t last_named(const char *message)
{
    size_t end = strlen(message);
    while (end && strchr(")", message[end - 1]))
        end--;
    size_t start = end;
    while (start && strchr("0123456789", message[start - 1]))
        start--;
    return start < end ? strtoll(message + start, NULL, 10) : -1;
}

static void expect_refused(reprise_replay *replay, const char *path, int64_t index, int64_t last)
{
    const reprise_value *state = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (at_index(replay, index, &state, &error) != REPRISE_E_USAGE)
        fail_msg("%s: moment %lld is not refused", path, (long long)index);
    if (index > last && last_named(error.message) != last)
        fail_msg("%s: '%s', not %lld", path, error.message, (long long)last);
    assert_null(state);
}

/*
 * Iron Curtain shows an earlier keyframe of a game that cannot be simulated here; OpenRA shows the
 * first tick of the frame that a tick belongs to.
 */
static void expect_shown(reprise_replay *replay, const char *path, int64_t index)
{
    const reprise_value *state = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(at_index(replay, index, &state, &error), &error, path);
    const char *format = reprise_format(replay);
    bool coarse = strcmp(format, "icrep") == 0 || strcmp(format, "openra") == 0;
    if (index_of(state) != index && !(coarse && index_of(state) < index))
        fail_msg("%s: moment %lld is %lld", path, (long long)index, (long long)index_of(state));
}

static void moments_end_where_refusals_say(const sample *s)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *state = NULL;
    if (strstr(s->path, "/bad/") ||
        reprise_open_memory(s->data, s->size, NULL, &replay, NULL) != REPRISE_OK)
        return;
    int64_t last = -1; /* of cameras and scenes without end, and of replays without frames */
    if (at_index(replay, INT64_MAX, &state, &error) == REPRISE_E_USAGE)
        last = last_named(error.message);
    int64_t outside[] = {-1, INT64_MIN, INT64_MAX, last + 1, last + (INT64_C(1) << 32)};
    for (size_t i = 0; last >= 0 && i < sizeof outside / sizeof outside[0]; i++)
        expect_refused(replay, s->path, outside[i], last);
    if (last >= 0)
        expect_shown(replay, s->path, last);
    numbered += last >= 0;
    reprise_close(replay);
}

static void edges__numbered_moments_end_where_refusals_say(void **state)
{
    (void)state;
    walk_samples("tests/data", moments_end_where_refusals_say);
    printf("# %zu samples with numbered moments, %zu questions\n", numbered, asked);
    assert_true(numbered > 50);
}

/* ---- verbs that write ---- */

enum { LARGE = 150000 }; /* costs minutes with sanitizers and tells nothing that others do not */

static size_t done, refused;

/* `merge` takes several replays, and `trim` its bounds. */
static const struct verb {
    const char *name;
    change how;
    bool merges;
} verbs[] = {
    {"convert", {0}, false},
    {"recompress", {.recompress = true}, false},
    {"recover", {.recover = true}, false},
    {"anonymize", {.anonymize = REPRISE_PRIVATE_ALL}, false},
    {"trim", {.trim = true, .from = 0, .to = 1}, false},
    {"merge", {0}, true},
};

static reprise_status write_with(const struct verb *verb, reprise_replay *replay, bytes *result,
                                 reprise_error *error)
{
    reprise_sink sink = {.ctx = result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    options.sink = &sink;
    options.lossy = true;
    reprise_status status;
    if (verb->merges) {
        double offsets[] = {0, 0};
        reprise_replay *both[] = {replay, replay};
        status = reprise_merge(both, 2, offsets, &options, &report, error);
    } else {
        status = apply(replay, &verb->how, &options, &report, error);
    }
    assert_true((status == REPRISE_OK) == (report != NULL));
    return status;
}

static bool is_sound(reprise_replay *replay)
{
    reprise_verify_summary summary = {0};
    return reprise_verify(replay, NULL, NULL, &summary, NULL) == REPRISE_OK && !summary.faults;
}

static void expect_replay(const sample *s, const struct verb *verb, reprise_replay *from,
                          const bytes *result)
{
    reprise_replay *written = NULL;
    reprise_verify_summary summary = {0};
    if (!result->size)
        fail_msg("%s of %s is done and wrote nothing", verb->name, s->path);
    if (reprise_open_memory(result->data, result->size, NULL, &written, NULL) != REPRISE_OK)
        fail_msg("%s of %s cannot be opened", verb->name, s->path);
    assert_string_equal(reprise_format(written), reprise_format(from));
    assert_int_equal(reprise_verify(written, NULL, NULL, &summary, NULL), REPRISE_OK);
    if (summary.faults && is_sound(from))
        fail_msg("%s of %s is damaged", verb->name, s->path);
    reprise_close(written);
}

static void verbs_write_or_refuse(const sample *s)
{
    if (s->size > LARGE)
        return;
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        bytes result = {0};
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_replay *replay = NULL;
        if (reprise_open_memory(s->data, s->size, NULL, &replay, NULL) != REPRISE_OK)
            return;
        if (write_with(&verbs[i], replay, &result, &error) == REPRISE_OK) {
            expect_replay(s, &verbs[i], replay, &result);
            done++;
        } else {
            if (result.size || !error.message[0])
                fail_msg("%s of %s failed: '%s', after %zu bytes", verbs[i].name, s->path,
                         error.message, result.size);
            refused++;
        }
        bytes_free(&result);
        reprise_close(replay);
    }
}

static void edges__verbs_that_write_give_a_replay_or_nothing(void **state)
{
    (void)state;
    walk_samples("tests/data", verbs_write_or_refuse);
    printf("# %zu written, %zu refused\n", done, refused);
    assert_true(done > 200 && refused > 100);
}

/* ---- losses ---- */

static size_t lost, lost_several;

static reprise_status convert_to(const sample *s, const char *layout, bool lossy,
                                 reprise_replay **ret_replay, const reprise_value **ret_report,
                                 reprise_error *error)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = layout;
    options.lossy = lossy;
    reprise_status status = reprise_open_memory(s->data, s->size, NULL, ret_replay, error);
    if (status == REPRISE_OK)
        status = reprise_convert(*ret_replay, &options, ret_report, error);
    assert_true(status == REPRISE_OK || !result.size);
    bytes_free(&result);
    return status;
}

/* A conversion that is refused names the first of the losses that the same one reports if allowed.
 */
static void expect_losses_named(const sample *s, const char *layout)
{
    reprise_replay *strict = NULL, *lossy = NULL;
    reprise_error refusal = REPRISE_ERROR_INIT, error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_status status = convert_to(s, layout, false, &strict, &report, &refusal);
    assert_true(status != REPRISE_OK ||
                reprise_value_count(reprise_value_get(report, "losses")) == 0);
    if (status == REPRISE_E_LOSSY &&
        convert_to(s, layout, true, &lossy, &report, &error) == REPRISE_OK) {
        const reprise_value *losses = reprise_value_get(report, "losses");
        size_t count = reprise_value_count(losses);
        const char *first = reprise_value_text(reprise_value_at(losses, 0), NULL);
        char wanted[512];
        assert_true(count > 0);
        snprintf(wanted, sizeof wanted, "layout %s cannot hold %s", layout, first);
        if (count > 1)
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), ", and %zu more",
                     count - 1);
        if (strcmp(refusal.message, wanted) != 0)
            fail_msg("%s: '%s' instead of '%s'", s->path, refusal.message, wanted);
        lost++;
        lost_several += count > 1;
    }
    reprise_close(strict);
    reprise_close(lossy);
}

static void losses_are_named(const sample *s)
{
    static const char *const layouts[] = {"l1", "z4", "a1", "a3", "b2", "p8", "p20"};
    if (strstr(s->path, "/bad/") || s->size > LARGE)
        return;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        expect_losses_named(s, layouts[i]);
}

static void edges__refused_conversions_name_what_would_be_lost(void **state)
{
    (void)state;
    walk_samples("tests/data", losses_are_named);
    printf("# %zu conversions with losses, %zu with several\n", lost, lost_several);
    assert_true(lost > 40 && lost_several > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges__numbered_moments_end_where_refusals_say),
        cmocka_unit_test(edges__verbs_that_write_give_a_replay_or_nothing),
        cmocka_unit_test(edges__refused_conversions_name_what_would_be_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
