/* verify.c - reprise verify: reads everything and reports findings. */
#include <string.h>

#include <reprise/ironcurtain/codec.h>

#include "batch/batch.h"
#include "pubkey_file.h"
#include "ui/established.h"
#include "ui/render.h"

typedef struct settings {
    cli_common common;
    cli_keys keys;
    bool simulate, no_simulate;
    cli_moment tick;
} settings;

/* The meaning of an exit code in one word. */
static const char *verdict(int code, reprise_status status)
{
    switch (code) {
    case CLI_DONE:
        return "ok";
    case CLI_WARNED:
        return "warning";
    case CLI_UNRECOGNIZED:
        return "unrecognized";
    case CLI_REFUSED:
        return status == REPRISE_E_UNSUPPORTED || status == REPRISE_E_AMBIGUOUS
                   ? reprise_status_name(status)
                   : "damaged";
    case CLI_LIMIT:
        return "limit";
    default:
        return "failed";
    }
}

static void put_count(cli_strbuf *to, uint64_t count, const char *what)
{
    if (count)
        cli_printf(to, ", %llu %s%s", (unsigned long long)count, what, count > 1 ? "s" : "");
}

static uint64_t rows_of(const reprise_value *document)
{
    const reprise_value *rows = reprise_value_get(document, "rows");
    uint64_t sum = 0;
    for (size_t i = 0; i < reprise_value_count(rows); i++)
        sum += reprise_value_uint(reprise_value_at(rows, i), 0);
    return sum;
}

static void put_text(cli_job *job, const reprise_verify_summary *summary)
{
    cli_render r = {.to = &job->out, .width = job->run->width, .colour = job->run->out_colour};
    const char *word = verdict(job->code, summary->worst);
    cli_paint paint = job->code == CLI_DONE     ? CLI_GREEN
                      : job->code == CLI_WARNED ? CLI_YELLOW
                                                : CLI_RED;
    cli_put_shown(r.to, job->path, strlen(job->path));
    cli_puts(r.to, ": ");
    cli_put_painted(r.to, r.colour, paint, word);
    cli_printf(r.to, ": %s %s, %llu rows read", reprise_format(job->replay),
               reprise_layout(job->replay), (unsigned long long)rows_of(summary->document));
    put_count(r.to, summary->faults, "fault");
    put_count(r.to, summary->warnings, "warning");
    put_count(r.to, summary->notes, "note");
    cli_putc(r.to, '\n');
    cli_render_established(&r, 2, summary->document);
    cli_render_findings(&r, 2, reprise_value_get(summary->document, "findings"));
}

static void put_json(cli_job *job, const reprise_verify_summary *summary)
{
    cli_json json = cli_job_document(job);
    cli_json_text(&json, "status", verdict(job->code, summary->worst));
    cli_json_value(&json, "summary", summary->document);
    cli_json_close(&json);
}

static void put_failure(cli_job *job)
{
    cli_json json = cli_job_document(job);
    reprise_status status = job->error.status;
    cli_json_text(&json, "status", verdict(cli_exit_of(status), status));
    cli_json_error(&json, "error", &job->error);
    cli_json_close(&json);
}

static void check(cli_job *job)
{
    reprise_verify_summary summary = {0};
    if (reprise_verify(job->replay, NULL, NULL, &summary, &job->error) != REPRISE_OK)
        return;
    job->code = cli_exit_of_findings(summary.severity, summary.worst);
    if (job->run->common->json)
        put_json(job, &summary);
    else
        put_text(job, &summary);
}

/* ---- one tick ---- */

static bool is_invalid(const reprise_value *report, const char *key)
{
    const reprise_value *signature = reprise_value_get(report, key);
    return signature && !reprise_value_bool(reprise_value_get(signature, "valid"), false);
}

static int exit_of_moment(const reprise_value *report, const char *verdict_word)
{
    if (strcmp(verdict_word, "confirmed") == 0)
        return CLI_DONE;
    bool failed = reprise_value_bool(reprise_value_get(report, "contradiction"), false) ||
                  is_invalid(report, "signature") || is_invalid(report, "earlier_signature");
    return failed ? CLI_REFUSED : CLI_WARNED;
}

static void put_moment(cli_job *job, const reprise_value *report, const char *word)
{
    cli_render r = {.to = &job->out, .width = job->run->width, .colour = job->run->out_colour};
    const char *reason = reprise_value_text(reprise_value_get(report, "reason"), NULL);
    cli_paint paint = job->code == CLI_DONE     ? CLI_GREEN
                      : job->code == CLI_WARNED ? CLI_YELLOW
                                                : CLI_RED;
    cli_put_shown(r.to, job->path, strlen(job->path));
    cli_printf(r.to, ": tick %llu: ",
               (unsigned long long)reprise_value_uint(reprise_value_get(report, "tick"), 0));
    cli_put_painted(r.to, r.colour, paint, word);
    cli_puts(r.to, ": ");
    cli_put_shown(r.to, reason ? reason : "", reason ? strlen(reason) : 0);
    cli_putc(r.to, '\n');
    cli_render_moment(&r, 2, report);
}

static void check_tick(cli_job *job)
{
    const settings *s = job->run->settings;
    const reprise_value *report = NULL;
    uint64_t tick = (uint64_t)s->tick.moment.index;
    if (reprise_ic_verify_tick(job->replay, tick, &report, &job->error) != REPRISE_OK)
        return;
    const char *word = reprise_value_text(reprise_value_get(report, "verdict"), NULL);
    job->code = exit_of_moment(report, word ? word : "");
    if (!job->run->common->json) {
        put_moment(job, report, word ? word : "");
        return;
    }
    cli_json json = cli_job_document(job);
    cli_json_text(&json, "status", verdict(job->code, REPRISE_OK));
    cli_json_value(&json, "moment", report);
    cli_json_close(&json);
}

static int run_verify(cli_run *run)
{
    const settings *s = run->settings;
    cli_common common = *run->common;
    if (s->simulate + s->no_simulate + s->tick.given > 1)
        return cli_usage(run, "verify", "takes only one of --simulate, --no-simulate, --tick");
    common.reading.trusted_keys = s->keys.bytes;
    common.reading.trusted_key_count = s->keys.count;
    common.reading.simulate = s->no_simulate ? REPRISE_SIMULATE_NEVER
                              : s->simulate  ? REPRISE_SIMULATE_ALL
                                             : REPRISE_SIMULATE_SIGNED;
    common.reading.no_digests = !common.json; /* the text does not show them */
    const cli_common *before = run->common;
    run->common = &common; /* cppcheck-suppress autoVariables ; only while this function runs */
    int code = cli_batch_run(run, &(cli_work){.work = s->tick.given ? check_tick : check,
                                              .walks = true,
                                              .judges = true,
                                              .put_failure = put_failure});
    run->common = before;
    cli_keys_free(&s->keys);
    return code;
}

static const cli_option options[] = {
    CLI_OPTION_TRUSTED_KEYS(settings),
    {.name = "simulate",
     .group = "Checks",
     .doc = "Re-simulate the orders of all Iron Curtain replays, unsigned and long ones included, "
            "and compare every state with the recorded one.",
     .offset = offsetof(settings, simulate),
     .parse = cli_parse_flag},
    {.name = "no-simulate",
     .group = "Checks",
     .doc = "Do not re-simulate the orders of signed Iron Curtain replays. Changed orders are then "
            "not detected.",
     .offset = offsetof(settings, no_simulate),
     .parse = cli_parse_flag},
    {.name = "tick",
     .value = "N",
     .group = "Checks",
     .doc = "Check only tick N of a signed Iron Curtain replay by re-simulating from the signed "
            "tick before it to the one after it. The exit code is 0 if it is confirmed, 3 if it is "
            "not established and 5 if it is refuted.",
     .offset = offsetof(settings, tick),
     .parse = cli_parse_index},
};

const cli_command cli_verify = {
    .name = "verify",
    .summary = "check checksums, bounds, rules and signatures",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Reads a replay to its end and checks all checksums, bounds and rules of its format. Each "
        "finding has an id that does not change between versions. The exit code is 0 if there are "
        "no findings or only notes, 3 for warnings, 5 for faults and 6 if a limit was reached. "
        "Directories are searched for replays; the exit code is then the highest of all, or 4 if "
        "there are none.\n\n"
        "The signatures of an Iron Curtain replay cover hashes of states. They do not cover "
        "orders, "
        "names, outcome, date, events, voice or resources. Therefore the orders of a signed replay "
        "are re-simulated if its game is known, and the report says for each part what was "
        "established. A match is verifiable for ranking if there are no faults and its orders were "
        "re-simulated.",
    .examples = {{"reprise verify match.replay", "Check one file."},
                 {"reprise verify --quiet archive/ >/dev/null || echo 'not all replays are sound'",
                  "Test a directory in a script. Warnings count, and so does a directory without "
                  "replays."},
                 {"reprise verify --trusted-keys relays.txt match.icrep",
                  "Show what a trusted relay signed."},
                 {"reprise verify --tick 3017 match.icrep", "Check one tick of a signed replay."},
                 {"reprise verify --simulate match.icrep",
                  "Re-simulate the orders of an unsigned replay."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .walks = true,
    .settings_size = sizeof(settings),
    .run = run_verify,
};
