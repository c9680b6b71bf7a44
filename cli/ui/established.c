/* established.c - see established.h. */
#include "established.h"

#include <inttypes.h>
#include <string.h>

static const char *text_of(const reprise_value *object, const char *key)
{
    const char *text = reprise_value_text(reprise_value_get(object, key), NULL);
    return text ? text : "";
}

static uint64_t number_of(const reprise_value *object, const char *key)
{
    return reprise_value_uint(reprise_value_get(object, key), 0);
}

static bool is(const reprise_value *object, const char *key, const char *word)
{
    return strcmp(text_of(object, key), word) == 0;
}

static void put_chain(cli_strbuf *to, const reprise_value *summary, const reprise_value *e)
{
    uint64_t entries = number_of(summary, "entries");
    bool trusted = reprise_value_bool(reprise_value_get(summary, "key_trusted"), false);
    cli_printf(to, "%" PRIu64 " signature%s, %s, by the %s key %s", entries,
               entries == 1 ? "" : "s", text_of(e, "chain"), trusted ? "trusted" : "untrusted",
               text_of(summary, "relay_public_key"));
}

static void put_states(cli_strbuf *to, const reprise_value *e, const char *hashes)
{
    uint64_t keyframes = number_of(e, "keyframes");
    cli_printf(to, "%s: %" PRIu64 " keyframe%s against %s hashes", text_of(e, "states"), keyframes,
               keyframes == 1 ? "" : "s", hashes);
}

static void put_orders(cli_strbuf *to, const reprise_value *e, const char *hashes)
{
    cli_puts(to, text_of(e, "orders"));
    if (is(e, "orders", "replayed")) {
        cli_printf(to, ": they lead to every %s state", hashes);
    } else if (is(e, "orders", "diverged")) {
        cli_printf(to, " at tick %" PRIu64 ": they do not lead to the recorded states",
                   number_of(e, "diverged_at"));
    } else {
        const char *reason = text_of(e, "orders_reason");
        cli_puts(to, ": ");
        cli_put_shown(to, reason, strlen(reason));
    }
}

static void put_unsigned(cli_strbuf *to, const reprise_value *e)
{
    static const char *const parts[] = {"events", "voice", "resources"};
    cli_puts(to, "chat and other orders without effect on the state, metadata (names, outcome, "
                 "date)");
    if (is(e, "metadata", "contradicted"))
        cli_puts(to, ", which contradicts the states");
    for (size_t i = 0; i < CLI_COUNT(parts); i++) {
        if (!is(e, parts[i], "absent"))
            cli_printf(to, ", %s", parts[i]);
    }
}

static void put_rank(cli_strbuf *to, const reprise_value *summary, const reprise_value *e)
{
    const reprise_value *rank = reprise_value_get(summary, "ranked_verifiable");
    if (reprise_value_kind_of(rank) == REPRISE_VALUE_NULL)
        cli_puts(to, "not established, because the orders were not replayed");
    else
        cli_puts(to, reprise_value_bool(rank, false) ? "verifiable" : "not verifiable");
    if (reprise_value_bool(rank, false) && is(e, "end", "not proven"))
        cli_puts(to, ", but it may have been cut: the end is not proven");
}

static void end_pair(cli_table *pairs)
{
    cli_table_cell(pairs, false);
}

void cli_render_established(const cli_render *r, size_t indent, const reprise_value *summary)
{
    const reprise_value *e = reprise_value_get(summary, "established");
    bool is_signed = reprise_value_bool(reprise_value_get(summary, "signed"), false);
    const char *hashes = is_signed ? "recorded and signed" : "recorded";
    cli_table pairs = {.columns = 2};
    if (!e || (!is_signed && is(e, "orders", "not replayed")))
        return;
    if (is_signed) {
        cli_pairs_label(r, &pairs, "chain");
        put_chain(&pairs.text, summary, e);
        end_pair(&pairs);
    }
    cli_pairs_label(r, &pairs, "states");
    put_states(&pairs.text, e, hashes);
    end_pair(&pairs);
    cli_pairs_label(r, &pairs, "orders");
    put_orders(&pairs.text, e, hashes);
    end_pair(&pairs);
    if (is_signed) {
        cli_pairs_label(r, &pairs, "not_signed");
        put_unsigned(&pairs.text, e);
        end_pair(&pairs);
        cli_pairs_label(r, &pairs, "ranked");
        put_rank(&pairs.text, summary, e);
        end_pair(&pairs);
    }
    cli_pairs_put(r, indent, &pairs);
}

/* ---- one tick ---- */

static void put_signature(cli_strbuf *to, const reprise_value *signature,
                          const reprise_value *report)
{
    bool valid = reprise_value_bool(reprise_value_get(signature, "valid"), false);
    bool trusted = reprise_value_bool(reprise_value_get(report, "key_trusted"), false);
    cli_printf(to, "entry %" PRIu64 ", tick %" PRIu64 ", %s, by the %s key %s",
               number_of(signature, "entry"), number_of(signature, "tick"),
               valid ? "valid" : "invalid", trusted ? "trusted" : "untrusted",
               text_of(report, "relay_public_key"));
}

static void put_replayed(cli_strbuf *to, const reprise_value *report)
{
    const reprise_value *earlier = reprise_value_get(report, "earlier_signature");
    cli_printf(to,
               "keyframe %" PRIu64 ", %" PRIu64 " ticks to %s, %" PRIu64 " to this one, %" PRIu64
               " to the signature",
               number_of(report, "keyframe"), number_of(report, "ticks_to_start"),
               earlier ? "a signed tick" : "the start", number_of(report, "ticks_to_moment"),
               number_of(report, "ticks_to_signature"));
}

void cli_render_moment(const cli_render *r, size_t indent, const reprise_value *report)
{
    const reprise_value *signature = reprise_value_get(report, "signature");
    cli_table pairs = {.columns = 2};
    if (reprise_value_get(report, "state_hash")) {
        cli_pairs_label(r, &pairs, "state_hash");
        cli_puts(&pairs.text, text_of(report, "state_hash"));
        end_pair(&pairs);
    }
    if (signature) {
        cli_pairs_label(r, &pairs, "signature");
        put_signature(&pairs.text, signature, report);
        end_pair(&pairs);
    }
    if (reprise_value_get(report, "ticks_to_moment")) {
        cli_pairs_label(r, &pairs, "replayed");
        put_replayed(&pairs.text, report);
        end_pair(&pairs);
    }
    cli_pairs_put(r, indent, &pairs);
}
