/*
 * test_findings.c - findings: severity and status cannot disagree, and the lists of all formats are
 * complete sentences with unique ids.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "checked.h"
#include "format.h"

static const rp_finding_kind note = {"test.note", REPRISE_NOTE, ""};
static const rp_finding_kind first = {"test.first", REPRISE_WARNING, ""};
static const rp_finding_kind second = {"test.second", REPRISE_WARNING, ""};
static const rp_finding_kind third = {"test.third", REPRISE_WARNING, ""};
static const rp_finding_kind fourth = {"test.fourth", REPRISE_WARNING, ""};
static const rp_finding_kind fault = {"test.fault", REPRISE_FAULT, ""};

typedef struct notebook {
    rp_context context;
    rp_arena arena;
    rp_findings findings;
} notebook;

static int open_notebook(void **state)
{
    static notebook book;
    rp_context_init(&book.context, NULL);
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
    rp_note(&book->findings, &fault, "file", 1, "", "noted as if it were a remark");
    rp_fault(&book->findings, &second, REPRISE_OK, "file", 2, "", "noted without a status");
    rp_fault(&book->findings, &third, REPRISE_E_CHECKSUM, "file", 3, "", "noted with one");
    for (const rp_finding *f = book->findings.first; f; f = f->next) {
        assert_int_equal(f->about.severity, REPRISE_FAULT);
        assert_int_equal(f->about.status,
                         f->about.offset == 3 ? REPRISE_E_CHECKSUM : REPRISE_E_CORRUPT);
    }
}

static void findings__a_worse_one_of_the_same_id_is_kept(void **state)
{
    notebook *book = *state;
    rp_note(&book->findings, &first, "file", 1, "", "first");
    rp_fault(&book->findings, &first, REPRISE_E_CHECKSUM, "zip", 2, "", "second");
    rp_note(&book->findings, &first, "file", 3, "", "third");
    const rp_finding *f = book->findings.first;
    assert_null(f->next);
    assert_int_equal(f->about.count, 3);
    assert_int_equal(f->about.severity, REPRISE_FAULT);
    assert_int_equal(f->about.status, REPRISE_E_CHECKSUM);
    assert_int_equal(f->about.offset, 2);
    assert_string_equal(f->about.message, "second");
}

static void findings__the_worst_is_the_first_of_the_highest_severity(void **state)
{
    notebook *book = *state;
    assert_null(rp_worst_finding(&book->findings));
    rp_note(&book->findings, &note, "file", 1, "", "note");
    assert_int_equal(rp_worst_finding(&book->findings)->about.offset, 1);
    rp_note(&book->findings, &second, "file", 2, "", "warning");
    assert_int_equal(rp_worst_finding(&book->findings)->about.offset, 2);
    rp_fault(&book->findings, &third, REPRISE_E_LIMIT, "file", 3, "", "fault");
    rp_fault(&book->findings, &fourth, REPRISE_E_CORRUPT, "file", 4, "", "fault");
    assert_int_equal(rp_worst_finding(&book->findings)->about.offset, 3);
}

static void findings__damage_matters_to_those_who_read_that_far(void **state)
{
    notebook *book = *state;
    rp_note(&book->findings, &first, "file", 1, "", "against the rules, but there");
    assert_null(rp_first_damage(&book->findings, true));
    rp_note_lost(&book->findings, &second, REPRISE_E_TRUNCATED, "file", 2, "", "cut here");
    assert_null(rp_first_damage(&book->findings, false));
    assert_int_equal(rp_first_damage(&book->findings, true)->about.offset, 2);
    rp_note_gap(&book->findings, &third, REPRISE_E_CORRUPT, "file", 3, "", "skipped");
    assert_int_equal(rp_first_damage(&book->findings, false)->about.offset, 3);
    rp_fault(&book->findings, &fourth, REPRISE_E_CHECKSUM, "file", 4, "", "damaged");
    assert_int_equal(rp_first_damage(&book->findings, false)->about.offset, 4);
}

static void findings__the_severity_may_differ_from_the_usual_one(void **state)
{
    notebook *book = *state;
    rp_note_as(&book->findings, &first, REPRISE_NOTE, "file", 1, "", "harmless here");
    assert_int_equal(book->findings.first->about.severity, REPRISE_NOTE);
    rp_note_as(&book->findings, &first, REPRISE_FAULT, "file", 2, "", "worse here");
    assert_int_equal(book->findings.first->about.severity, REPRISE_FAULT);
    assert_int_equal(book->findings.first->about.status, REPRISE_E_CORRUPT);
}

static void check_sentence(const char *text)
{
    size_t size = strlen(text);
    assert_true(size > 10 && text[size - 1] == '.');
    assert_null(strchr(text, '|')); /* it becomes a cell of a Markdown table */
}

static void findings__every_kind_has_an_id_of_its_format_and_a_sentence(void **state)
{
    (void)state;
    for (size_t f = 0; f < rp_format_count; f++) {
        const rp_format *format = rp_formats[f];
        size_t prefix = strlen(format->name);
        assert_true(format->finding_count > 0);
        for (size_t i = 0; i < format->finding_count; i++) {
            const rp_finding_kind *kind = &format->findings[i];
            assert_memory_equal(kind->id, format->name, prefix);
            assert_int_equal(kind->id[prefix], '.');
            assert_int_equal(strspn(kind->id + prefix + 1, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                             strlen(kind->id + prefix + 1));
            check_sentence(kind->text);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(kind->id, format->findings[k].id);
        }
    }
}

static void findings__every_kind_of_damage_has_a_shared_id(void **state)
{
    (void)state;
    static const reprise_status damage[] = {REPRISE_E_TRUNCATED,   REPRISE_E_CORRUPT,
                                            REPRISE_E_CHECKSUM,    REPRISE_E_SIGNATURE,
                                            REPRISE_E_UNSUPPORTED, REPRISE_E_LIMIT};
    assert_int_equal(rp_shared_finding_count, RP_COUNT(damage));
    for (size_t i = 0; i < RP_COUNT(damage); i++) {
        size_t k = 0;
        while (k < rp_shared_finding_count &&
               strcmp(rp_shared_findings[k].id, reprise_status_name(damage[i])) != 0)
            k++;
        assert_true(k < rp_shared_finding_count);
        assert_int_equal(rp_shared_findings[k].severity, REPRISE_FAULT);
        check_sentence(rp_shared_findings[k].text);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_notebook, close_notebook)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(findings__a_fault_always_has_a_status),
        CASE(findings__a_worse_one_of_the_same_id_is_kept),
        CASE(findings__the_worst_is_the_first_of_the_highest_severity),
        CASE(findings__damage_matters_to_those_who_read_that_far),
        CASE(findings__the_severity_may_differ_from_the_usual_one),
        CASE(findings__every_kind_has_an_id_of_its_format_and_a_sentence),
        CASE(findings__every_kind_of_damage_has_a_shared_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
