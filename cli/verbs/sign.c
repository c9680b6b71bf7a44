/* sign.c - reprise sign: signs a replay as a relay does, and creates keys. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <reprise/ironcurtain/codec.h>

#include "batch/outfile.h"
#include "pubkey_file.h"
#include "rewrite.h"
#include "ui/report.h"
#include <reprise/write.h>

enum { CADENCE_DEFAULT = 30 };

typedef struct settings {
    cli_rewrite change;
    cli_keys key;
    const char *new_key;
    cli_moment every;
} settings;

/* ---- keys ---- */

static void put_hex(cli_strbuf *to, const uint8_t bytes[32])
{
    for (size_t i = 0; i < 32; i++)
        cli_printf(to, "%02x", bytes[i]);
}

/* Readable by the owner only, and never replacing another key. */
static reprise_status write_key(const char *path, const cli_strbuf *text, reprise_error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int cause = fd < 0 ? errno : cli_write(fd, text->data, text->size);
    if (fd >= 0 && !cause && fsync(fd) != 0)
        cause = errno;
    if (fd >= 0 && close(fd) != 0 && !cause)
        cause = errno;
    if (!cause)
        return REPRISE_OK;
    if (fd >= 0)
        unlink(path);
    if (cause == EEXIST)
        return cli_outfile_exists("choose another name, because a key is never replaced", error);
    cli_fail(error, REPRISE_E_IO, "cannot create: %s", strerror(cause));
    error->cause = cause;
    return error->status;
}

static void print_key(cli_run *run, const cli_strbuf *hex)
{
    cli_strbuf text = {0};
    cli_json json = {.to = &text};
    if (run->common->json) {
        cli_json_object(&json, NULL);
        cli_json_bytes(&json, "public_key", hex->data, hex->size);
        cli_json_close(&json);
    } else {
        cli_put(&text, hex->data, hex->size);
    }
    cli_putc(&text, '\n');
    cli_out_put(&run->out, text.data, text.size);
    cli_strbuf_free(&text);
}

static int make_key(cli_run *run, const char *path)
{
    uint8_t secret[32], public[32];
    reprise_error error = REPRISE_ERROR_INIT;
    cli_strbuf text = {0};
    reprise_status status = reprise_ic_new_key(secret, public, &error);
    if (status == REPRISE_OK) {
        cli_puts(&text, CLI_SECRET_KEY ": whoever has it can sign in its name\n");
        put_hex(&text, secret);
        cli_putc(&text, '\n');
        status = write_key(path, &text, &error);
        memset(text.data, 0, text.size);
    }
    memset(secret, 0, sizeof secret);
    cli_strbuf_clear(&text);
    if (status == REPRISE_OK) {
        put_hex(&text, public);
        print_key(run, &text);
    }
    cli_strbuf_free(&text);
    return status == REPRISE_OK ? CLI_DONE : cli_report(run, path, &error);
}

/* ---- signing ---- */

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    uint64_t every = s->every.given ? (uint64_t)s->every.moment.index : CADENCE_DEFAULT;
    return reprise_ic_sign(replay, s->key.bytes, every, options, ret_report, error);
}

static int run_sign(cli_run *run)
{
    const settings *s = run->settings;
    int code;
    if (s->new_key && !run->operand_count && !s->key.count)
        code = make_key(run, s->new_key);
    else if (s->new_key || !run->operand_count || s->key.count != 1)
        code = cli_usage(run, "sign", "needs --key and a replay, or only --new-key");
    else
        code = cli_rewrite_run(run, &(cli_rewriter){.apply = apply});
    cli_keys_free(&s->key);
    return code;
}

static const cli_option options[] = {
    {.name = "key",
     .value = "FILE",
     .choices = "<file>",
     .group = "Keys",
     .doc = "Sign with the secret key in FILE, as written by --new-key. A file that others can "
            "access is refused.",
     .offset = offsetof(settings, key),
     .parse = cli_parse_secret_key},
    {.name = "new-key",
     .value = "FILE",
     .choices = "<file>",
     .group = "Keys",
     .doc =
         "Write a new secret key to FILE, readable only by you, and print the public key for use "
         "with --trusted-keys.",
     .offset = offsetof(settings, new_key),
     .parse = cli_parse_text},
    {.name = "every",
     .value = "TICKS",
     .group = "Keys",
     .doc = "Sign every TICKS ticks and at the end (default: 30)",
     .offset = offsetof(settings, every),
     .parse = cli_parse_index},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_sign = {
    .name = "sign",
    .summary = "sign a replay as a relay does, or create a key",
    .operands = "[FILE [NEW]]",
    .operand_choices = "<file>",
    .operands_min = 0,
    .operands_max = 2,
    .description =
        "Creates the signature chain of a finished, complete and unsigned Iron Curtain replay. The "
        "match is re-simulated, every state is compared with the recorded one, and the states at "
        "regular ticks and at the end are signed. Nothing else changes.",
    .examples = {{"reprise sign --new-key relay.key >>trusted.txt",
                  "Create a key and trust its public half."},
                 {"reprise sign --key relay.key unsigned.icrep signed.icrep", "Sign a replay."},
                 {"reprise verify --trusted-keys trusted.txt signed.icrep",
                  "Verify the signatures."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_sign,
};
