/* test_openra_release.c - texts of orders as other releases of OpenRA write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "openra/write.h"

static void openra__races_become_factions_in_newer_releases(void **state)
{
    (void)state;
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    const rp_text order = {"SyncLobbyClients", 16};
    static const char before[] =
        "Client@0:\n\tIndex: 0\n\tRace: allies\n\tLockRace: False\n\tName: A Race\n";
    const rp_text lobby = {before, sizeof before - 1};
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        rp_writer w;
        rp_writer_init(&w, &context, 1 << 20, &error);
        ora_convert_text(&w, &ora_dialects[i], &order, &lobby);
        const char *wanted =
            i ? "Client@0:\n\tIndex: 0\n\tFaction: allies\n\tLockFaction: False\n\tName: A Race\n"
              : lobby.data;
        assert_int_equal(w.size, strlen(wanted));
        assert_memory_equal(w.data, wanted, w.size);
        rp_writer_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openra__races_become_factions_in_newer_releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
