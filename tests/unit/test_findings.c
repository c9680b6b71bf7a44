/* test_findings.c - what a reader noticed: severity and status cannot disagree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings.h"

typedef struct notebook {
    rp_context context;
    rp_arena arena;
    rp_findings findings;
} notebook;

static int open_notebook(void **state)
{
    static notebook book;
    reprise_options options;
    reprise_options_init(&options);
    rp_context_init(&book.context, &options);
    rp_arena_init(&book.arena, &book.context);
    rp_findings_init(&book.findings, &book.arena);
    *state = &book;
    return 0;
}

static int close_notebook(void **state)
{
    notebook *book = *state;
    rp_arena_free(&book->arena);
    return 0;
}

static void findings__a_fault_always_has_a_status(void **state)
{
    notebook *book = *state;
    rp_note(&book->findings, REPRISE_FAULT, "a", "file", 1, "", "noted as if it were a remark");
    rp_fault(&book->findings, REPRISE_OK, "b", "file", 2, "", "noted without a status");
    rp_fault(&book->findings, REPRISE_E_CHECKSUM, "c", "file", 3, "", "noted with one");
    for (const rp_finding *f = book->findings.first; f; f = f->next) {
        assert_int_equal(f->about.severity, REPRISE_FAULT);
        assert_int_equal(f->about.status,
                         f->about.offset == 3 ? REPRISE_E_CHECKSUM : REPRISE_E_CORRUPT);
    }
}

static void findings__a_worse_one_of_the_same_id_is_kept(void **state)
{
    notebook *book = *state;
    rp_note(&book->findings, REPRISE_WARNING, "a", "file", 1, "", "first");
    rp_fault(&book->findings, REPRISE_E_CHECKSUM, "a", "zip", 2, "", "second");
    rp_note(&book->findings, REPRISE_WARNING, "a", "file", 3, "", "third");
    const rp_finding *f = book->findings.first;
    assert_null(f->next);
    assert_int_equal(f->about.count, 3);
    assert_int_equal(f->about.severity, REPRISE_FAULT);
    assert_int_equal(f->about.status, REPRISE_E_CHECKSUM);
    assert_int_equal(f->about.offset, 2);
    assert_string_equal(f->about.message, "second");
}

static void findings__the_worst_is_the_first_of_the_gravest(void **state)
{
    notebook *book = *state;
    assert_null(rp_worst_finding(&book->findings));
    rp_note(&book->findings, REPRISE_NOTE, "a", "file", 1, "", "note");
    assert_int_equal(rp_worst_finding(&book->findings)->about.offset, 1);
    rp_note(&book->findings, REPRISE_WARNING, "b", "file", 2, "", "warning");
    assert_int_equal(rp_worst_finding(&book->findings)->about.offset, 2);
    rp_fault(&book->findings, REPRISE_E_LIMIT, "c", "file", 3, "", "fault");
    rp_fault(&book->findings, REPRISE_E_CORRUPT, "d", "file", 4, "", "fault");
    assert_int_equal(rp_worst_finding(&book->findings)->about.offset, 3);
}

static void findings__damage_counts_for_those_who_came_to_it(void **state)
{
    notebook *book = *state;
    rp_note(&book->findings, REPRISE_WARNING, "a", "file", 1, "", "against the rules, but there");
    assert_null(rp_first_damage(&book->findings, true));
    rp_note_lost(&book->findings, REPRISE_E_TRUNCATED, "b", "file", 2, "", "cut here");
    assert_null(rp_first_damage(&book->findings, false));
    assert_int_equal(rp_first_damage(&book->findings, true)->about.offset, 2);
    rp_note_gap(&book->findings, REPRISE_E_CORRUPT, "c", "file", 3, "", "skipped");
    assert_int_equal(rp_first_damage(&book->findings, false)->about.offset, 3);
    rp_fault(&book->findings, REPRISE_E_CHECKSUM, "d", "file", 4, "", "damaged");
    assert_int_equal(rp_first_damage(&book->findings, false)->about.offset, 4);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_notebook, close_notebook)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(findings__a_fault_always_has_a_status),
        CASE(findings__a_worse_one_of_the_same_id_is_kept),
        CASE(findings__the_worst_is_the_first_of_the_gravest),
        CASE(findings__damage_counts_for_those_who_came_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
