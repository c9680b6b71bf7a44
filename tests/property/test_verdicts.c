/*
 * test_verdicts.c - notices changes of what verify says about damaged heads and tails. In every
 * small sample each of the first and last bytes, and some between, takes several other values; what
 * verify says then (status, findings with their places and counts, rows) is folded into a checksum
 * per sample, which tests/shown/verdicts.tsv has. Wording does not count. VERDICTS=update in the
 * environment writes that file anew: after a change that was meant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <reprise/reprise.h>

#include "samples.h"

enum { SIZE_MAX_READ = 12000, HEAD = 130, TAIL = 70, BETWEEN = 40, LINE_MAX = 700 };

typedef struct verdicts {
    uint64_t runs, opened, faulty;
    uint64_t digest; /* FNV-1a */
} verdicts;

static FILE *table;
static size_t samples_seen, samples_wrong;
static bool updates;

static void fold(verdicts *v, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        v->digest = (v->digest ^ p[i]) * UINT64_C(1099511628211);
}

static void fold_number(verdicts *v, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        fold(v, &(unsigned char){(unsigned char)(number >> 8 * i)}, 1);
}

static void fold_finding(void *ctx, const reprise_finding *f)
{
    fold(ctx, f->id, strlen(f->id));
    fold(ctx, f->stream, strlen(f->stream));
    fold_number(ctx, f->offset);
    fold_number(ctx, f->count);
    fold_number(ctx, f->severity);
    fold_number(ctx, f->status);
}

static void judge(verdicts *v, const unsigned char *data, size_t size)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    reprise_status status = reprise_open_memory(data, size, NULL, &replay, &error);
    v->runs++;
    fold_number(v, status);
    if (status == REPRISE_OK) {
        v->opened++;
        fold(v, reprise_layout(replay), strlen(reprise_layout(replay)));
        status = reprise_verify(replay, fold_finding, v, &summary, &error);
        fold_number(v, status);
        const reprise_value *rows = reprise_value_get(summary.document, "rows");
        for (size_t i = 0; i < reprise_value_count(rows); i++)
            fold_number(v, (uint64_t)reprise_value_int(reprise_value_at(rows, i), 0));
        v->faulty += summary.faults > 0;
    } else {
        fold_number(v, error.offset);
    }
    reprise_close(replay);
}

static void judge_byte(verdicts *v, const sample *s, unsigned char *copy, size_t at)
{
    const unsigned char was = s->data[at];
    const unsigned char others[] = {0, 0xFF, (unsigned char)(was ^ 1), (unsigned char)(was ^ 0x80),
                                    (unsigned char)(was + 1)};
    for (size_t i = 0; i < sizeof others; i++) {
        if (others[i] == was)
            continue;
        copy[at] = others[i];
        judge(v, copy, s->size);
    }
    copy[at] = was;
}

static void compare(const char *line)
{
    char wanted[LINE_MAX] = "";
    if (updates)
        fputs(line, table);
    else if (!fgets(wanted, sizeof wanted, table) || strcmp(wanted, line) != 0) {
        print_message("wanted %s found %s", wanted, line);
        samples_wrong++;
    }
}

static void visit(const sample *s)
{
    if (s->size > SIZE_MAX_READ || strstr(s->path, "/bad/"))
        return;
    verdicts v = {.digest = UINT64_C(14695981039346656037)};
    unsigned char *copy = malloc(s->size + 1);
    assert_non_null(copy);
    memcpy(copy, s->data, s->size);
    for (size_t at = 0; at < s->size; at++) {
        if (at < HEAD || at + TAIL >= s->size || at % (s->size / BETWEEN + 1) == 0)
            judge_byte(&v, s, copy, at);
    }
    for (size_t i = 1; i <= 16; i++) /* and every length up to the last 16 bytes */
        judge(&v, copy, s->size > i ? s->size - i : 0);
    free(copy);
    char line[LINE_MAX];
    snprintf(line, sizeof line, "%s\t%llu\t%llu\t%llu\t%016llx\n", s->path,
             (unsigned long long)v.runs, (unsigned long long)v.opened, (unsigned long long)v.faulty,
             (unsigned long long)v.digest);
    compare(line);
    samples_seen++;
}

static void damaged_heads_and_tails_are_judged_as_before(void **state)
{
    (void)state;
    const char *wish = getenv("VERDICTS");
    updates = wish && strcmp(wish, "update") == 0;
    table = fopen("tests/shown/verdicts.tsv", updates ? "w" : "r");
    assert_non_null(table);
    walk_samples("tests/data", visit);
    fclose(table);
    assert_int_equal(samples_wrong, 0);
    assert_true(samples_seen > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_heads_and_tails_are_judged_as_before),
    };
    return cmocka_run_group_tests_name("verdicts", tests, NULL, NULL);
}
