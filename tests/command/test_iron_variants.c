/*
 * test_iron_variants.c - Iron Curtain files of other writers and future engines, through every verb
 * that writes a file (docs/spec/ironcurtain.md, section 21).
 *
 * For accepted variants the result verifies and equals the result for the same replay in profile 1.
 * For unknown types a verb refuses the file, names the part and what to do next, and writes
 * nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_command.h"
#include "samples.h"

#define DATA     "tests/data/ironcurtain/"
#define VARIANTS DATA "variants/"

enum { SECONDS_MAX = 30, DONE = 0, WARNED = 3, REFUSED = 5 };

/* "@" is the file, ">" the result, "K" the key. */
typedef struct verb {
    const char *name;
    const char *argv[10];
    bool makes_ids;     /* results of equal files differ in their ids */
    bool is_no_replay;  /* of the same kind, that is */
    bool keeps_rest;    /* campaign and scripts after a valid core are written back */
    bool can_leave_out; /* parts without a checksum may be dropped as damaged, and are named */
} verb;

static const verb verbs[] = {
    {"convert", {"convert", "@", ">"}, false, false, false, false},
    {"embed", {"convert", "--embed", "minimal", "@", ">"}, false, false, false, false},
    {"embed map", {"convert", "--embed", "map", "@", ">"}, false, false, false, false},
    {"sign", {"sign", "--key", "K", "--every", "20", "@", ">"}, false, false, false, false},
    {"recompress", {"recompress", "@", ">"}, false, false, true, false},
    {"strip-voice", {"strip-voice", "@", ">"}, false, false, false, false},
    {"anonymize", {"anonymize", "@", ">"}, true, false, false, false},
    {"share", {"anonymize", "--share", "@", ">"}, true, false, false, false},
    {"trim", {"trim", "--from", "#0", "--to", "#19", "@", ">"}, false, false, false, false},
    {"recover", {"recover", "@", ">"}, false, false, false, true},
    {"branch",
     {"record", "--branch", "@", "--at", "20", "--ticks", "9", ">"},
     true,
     false,
     false,
     false},
    {"prove", {"prove", "--tick", "90", "--part", "map", "@", ">"}, false, true, false, false},
    {"restore", {"convert", "--to", "openra", "@", ">"}, false, true, false, false},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static char directory[] = "/tmp/reprise-variants-XXXXXX";
static char key[64], normal[64], from_variant[64], from_normal[64];

static command_result run(const verb *v, const char *file, const char *result)
{
    const char *argv[12] = {"--json"};
    size_t count = 0;
    for (; v->argv[count]; count++) {
        const char *word = v->argv[count];
        argv[count] = strcmp(word, "@") == 0   ? file
                      : strcmp(word, ">") == 0 ? result
                      : strcmp(word, "K") == 0 ? key
                                               : word;
    }
    argv[count] = "--json";
    unlink(result);
    return command_run(argv, SECONDS_MAX);
}

static int code_of(const verb *v, const char *file, const char *result)
{
    command_result r = run(v, file, result);
    int code = r.code;
    command_free(&r);
    return code;
}

static int ask(const char *one, const char *two, const char *three, const char *four)
{
    const char *argv[] = {one, two, three, four, NULL};
    command_result r = command_run(argv, SECONDS_MAX);
    int code = r.code;
    command_free(&r);
    return code;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int make_place(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return 1;
    snprintf(key, sizeof key, "%s/key", directory);
    snprintf(normal, sizeof normal, "%s/normal", directory);
    snprintf(from_variant, sizeof from_variant, "%s/variant.out", directory);
    snprintf(from_normal, sizeof from_normal, "%s/normal.out", directory);
    return ask("sign", "--new-key", key, NULL);
}

static int remove_place(void **state)
{
    (void)state;
    const char *const all[] = {key, normal, from_variant, from_normal};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        unlink(all[i]);
    return rmdir(directory);
}

/* ---- variants ---- */

static size_t compared;

static void check_same(const char *path, const verb *v)
{
    int verified = ask("verify", "--simulate", from_variant, NULL);
    int wanted = ask("verify", "--simulate", from_normal, NULL);
    if (verified != wanted || (verified != DONE && verified != WARNED))
        fail_msg("%s: %s: verify of the result exits with %d, and %d of our own", path, v->name,
                 verified, wanted);
    if (!v->makes_ids && !v->is_no_replay && ask("diff", from_variant, from_normal, NULL) != DONE)
        fail_msg("%s: %s: not what our own file gives", path, v->name);
    compared++;
}

static void check_variant(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    unlink(normal);
    assert_int_equal(ask("convert", s->path, normal, NULL), DONE);
    for (size_t i = 0; i < VERBS; i++) {
        int wanted = code_of(&verbs[i], normal, from_normal);
        int code = code_of(&verbs[i], s->path, from_variant);
        if (code != wanted)
            fail_msg("%s: %s exits with %d, and with %d for our own file", s->path, verbs[i].name,
                     code, wanted);
        if (exists(from_variant) != exists(from_normal))
            fail_msg("%s: %s: one of two results is missing", s->path, verbs[i].name);
        if (exists(from_variant))
            check_same(s->path, &verbs[i]);
    }
}

static void variants__every_verb_makes_of_them_what_it_makes_of_our_own(void **state)
{
    (void)state;
    compared = 0;
    walk_samples(VARIANTS, check_variant);
    assert_true(compared > 80);
}

/* ---- types that are not known ---- */

typedef struct future {
    const char *file, *sample;
    const char *part;
} future;

static const future futures[] = {
    {"future-rest.icrep", "basic.icrep", "campaign or scripts"},
    {"future-rest.icsave", "skirmish.icsave", "campaign or scripts"},
    {"future-core.icrep", "all-events.icrep", "keyframes"},
    {"future-core.icsave", "skirmish.icsave", "core"},
    {"future-orders.icrep", "full.icrep", "orders"},
    {"future-events.icrep", "all-events.icrep", "events"},
    {"future-voice.icrep", "full.icrep", "voice"},
    {"future-resources.icrep", "self-contained.icrep", "embedded"},
    {"future-imported.icrep", "imported-lossless.icrep", "keyframes"},
};

static bool names(const char *text, const char *before, const char *part)
{
    const char *at = strstr(text, before);
    return at && strncmp(at + strlen(before), part, strlen(part)) == 0;
}

static void check_refusal(const future *f, const char *path, const verb *v)
{
    command_result r = run(v, path, from_variant);
    bool left_out = v->can_leave_out && r.code == WARNED && strstr(r.out, "left out");
    /* A proof is about one state and does not depend on other sections. */
    if (strcmp(v->name, "prove") == 0 && r.code == DONE) {
        assert_int_equal(ask("verify", from_variant, NULL, NULL), DONE);
        command_free(&r);
        return;
    }
    if (v->keeps_rest && strcmp(f->part, "campaign or scripts") == 0) {
        assert_int_equal(r.code, WARNED);
        command_free(&r);
        return;
    }
    if (!left_out && r.code != REFUSED)
        fail_msg("%s: %s exits with %d: %s", f->file, v->name, r.code, r.out);
    if (!left_out && (!names(r.out, "schema unknown: ", f->part) ||
                      !strstr(r.out, "\"status\":\"unsupported\"") || !strstr(r.out, path) ||
                      !strstr(r.out, "decompressed bytes")))
        fail_msg("%s: %s does not name the part, the file and the next step: %s", f->file, v->name,
                 r.out);
    if (!left_out && exists(from_variant))
        fail_msg("%s: %s leaves a file", f->file, v->name);
    command_free(&r);
}

static void unknown_types__every_verb_that_writes_refuses_and_names_the_part(void **state)
{
    (void)state;
    size_t refusals = 0;
    for (size_t i = 0; i < sizeof futures / sizeof *futures; i++) {
        char path[256], sound[256];
        snprintf(path, sizeof path, VARIANTS "bad/%s", futures[i].file);
        snprintf(sound, sizeof sound, DATA "%s", futures[i].sample);
        for (size_t k = 0; k < VERBS; k++) {
            int code = code_of(&verbs[k], sound, from_normal);
            if (code != DONE && code != WARNED)
                continue;
            check_refusal(&futures[i], path, &verbs[k]);
            refusals++;
        }
    }
    assert_true(refusals > 60);
}

static void unknown_types__sections_that_are_known_are_still_printed(void **state)
{
    (void)state;
    const char *argv[] = {"cat", "--track", "signatures", VARIANTS "bad/future-orders.icrep", NULL};
    command_result r = command_run(argv, SECONDS_MAX);
    assert_true(r.code == DONE || r.code == WARNED);
    assert_non_null(strstr(r.out, "\"tick\":3300"));
    command_free(&r);
}

/* ---- damage ---- */

/* Signatures are expensive to check, so reads of other tracks do not check them. */
static void signatures__are_checked_for_those_who_read_them(void **state)
{
    (void)state;
    const char *forged = DATA "bad/sig-bytes.icrep";
    assert_int_equal(ask("cat", "--track", "signatures", forged), WARNED);
    assert_int_equal(ask("cat", "--track", "players", forged), DONE);
    assert_int_equal(ask("verify", "--no-simulate", forged, NULL), REFUSED);
    /* A state that does not match its hash is always reported. */
    assert_int_equal(ask("cat", "--track", "keyframes", DATA "bad/sig-hash.icrep"), WARNED);
}

static void damage__recover_keeps_the_events_before_a_broken_one_and_says_so(void **state)
{
    (void)state;
    const verb *recover = &verbs[9];
    assert_string_equal(recover->name, "recover");
    command_result r = run(recover, VARIANTS "bad/damaged-event.icrep", from_variant);
    assert_int_equal(r.code, WARNED);
    assert_non_null(strstr(r.out, "events left out"));
    command_free(&r);
    assert_int_equal(ask("diff", from_variant, DATA "all-events.icrep", NULL), DONE);
}

static void damage__a_signer_does_not_vouch_for_it(void **state)
{
    (void)state;
    const verb *sign = &verbs[3];
    assert_string_equal(sign->name, "sign");
    assert_int_equal(code_of(sign, DATA "basic.icrep", from_normal), DONE);
    assert_int_equal(code_of(sign, VARIANTS "bad/flag-without-section.icrep", from_variant),
                     REFUSED);
    assert_false(exists(from_variant));
}

static void damage__a_branch_does_not_take_over_orders_that_lead_elsewhere(void **state)
{
    (void)state;
    const verb *branch = &verbs[10];
    assert_string_equal(branch->name, "branch");
    assert_int_equal(code_of(branch, VARIANTS "bad/changed-order.icrep", from_variant), REFUSED);
    assert_false(exists(from_variant));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants__every_verb_makes_of_them_what_it_makes_of_our_own),
        cmocka_unit_test(unknown_types__every_verb_that_writes_refuses_and_names_the_part),
        cmocka_unit_test(unknown_types__sections_that_are_known_are_still_printed),
        cmocka_unit_test(damage__recover_keeps_the_events_before_a_broken_one_and_says_so),
        cmocka_unit_test(signatures__are_checked_for_those_who_read_them),
        cmocka_unit_test(damage__a_signer_does_not_vouch_for_it),
        cmocka_unit_test(damage__a_branch_does_not_take_over_orders_that_lead_elsewhere),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
