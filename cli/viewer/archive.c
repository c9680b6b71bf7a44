/* archive.c - see archive.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/batch.h"
#include "batch/catalog_rows.h"
#include "batch/file_list.h"
#include "batch/record_query.h"

enum { TEXT_COLUMNS = 120 }; /* longer texts are cut off */

const char *const cli_archive_text_names[CLI_ARCHIVE_TEXTS] = {
    [CLI_ARCHIVE_FORMAT] = "format", [CLI_ARCHIVE_MAP] = "map",       [CLI_ARCHIVE_MODE] = "mode",
    [CLI_ARCHIVE_COURSE] = "course", [CLI_ARCHIVE_STYLES] = "styles", [CLI_ARCHIVE_TYPE] = "type",
    [CLI_ARCHIVE_STATUS] = "status", [CLI_ARCHIVE_RESULT] = "result", [CLI_ARCHIVE_TITLE] = "title",
    [CLI_ARCHIVE_FOLDER] = "folder"};

/* ---- texts ---- */

static char *copy_of(const char *text, size_t size)
{
    char *copy = cli_memory(NULL, size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static char *shown(const char *text, size_t size)
{
    cli_strbuf to = {0};
    cli_put_cut(&to, text, size, TEXT_COLUMNS);
    return to.data ? to.data : copy_of("", 0);
}

static size_t hash(const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 32);
}

/* The slot of a text, or the empty one where it belongs. */
static uint32_t *slot_of(const cli_texts *texts, const char *text)
{
    size_t at = hash(text) & (texts->slot_count - 1);
    while (texts->slots[at] && strcmp(texts->items[texts->slots[at] - 1], text) != 0)
        at = (at + 1) & (texts->slot_count - 1);
    return &texts->slots[at];
}

static void enlarge(cli_texts *texts)
{
    texts->slot_count = texts->slot_count ? 2 * texts->slot_count : 64;
    size_t size = texts->slot_count * sizeof *texts->slots;
    texts->slots = cli_memory(texts->slots, size);
    memset(texts->slots, 0, size);
    for (size_t i = 0; i < texts->count; i++)
        *slot_of(texts, texts->items[i]) = (uint32_t)i + 1;
    texts->capacity = texts->slot_count / 2;
    texts->items = cli_memory(texts->items, texts->capacity * sizeof *texts->items);
}

/* Takes ownership of the text. */
static int32_t number_of(cli_texts *texts, char *text)
{
    if (texts->count == texts->capacity)
        enlarge(texts);
    uint32_t *slot = slot_of(texts, text);
    if (*slot) {
        free(text);
    } else {
        texts->items[texts->count++] = text;
        *slot = (uint32_t)texts->count;
    }
    return (int32_t)*slot - 1;
}

static void free_texts(cli_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    free(texts->slots);
}

/* ---- rows ---- */

typedef struct loading {
    cli_archive *archive;
    size_t capacity;
} loading;

static int32_t add_text(cli_archive *a, cli_archive_text which, const reprise_value *row,
                        const char *name)
{
    size_t size = 0;
    const char *text = reprise_value_text(reprise_value_get(row, name), &size);
    return text && size ? number_of(&a->texts[which], shown(text, size)) : -1;
}

static double real_of(const reprise_value *row, const char *name)
{
    return reprise_value_double(reprise_value_get(row, name), NAN);
}

/* Seconds after the start of 2000 for "2026-02-19 13:07:43" or its first ten characters. */
static int64_t parse_date(const char *text)
{
    int year, month, day, hour = 0, minute = 0, second = 0;
    if (!text ||
        sscanf(text, "%4d-%2d-%2d%*c%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second) < 3)
        return -1;
    if (year < 2000 || month < 1 || month > 12 || day < 1 || day > 31)
        return -1;
    /* Days since the first of March, 2000. */
    int y = year - 2000 - (month < 3), m = (month + 9) % 12;
    int64_t days = (int64_t)y * 365 + (y >= 0 ? y / 4 - y / 100 + y / 400 : -1) +
                   (153 * m + 2) / 5 + day - 1;
    return (days + 60) * 86400 + (hour * 60 + minute) * 60 + second;
}

static void set_path(cli_archive *a, cli_archive_row *to, const reprise_value *row)
{
    size_t size = 0;
    const char *path = reprise_value_text(reprise_value_get(row, "path"), &size);
    to->path = copy_of(path ? path : "", path ? size : 0);
    const char *slash = strrchr(to->path, '/');
    size_t folder = slash ? (size_t)(slash - to->path) : 0;
    to->texts[CLI_ARCHIVE_FOLDER] = number_of(&a->texts[CLI_ARCHIVE_FOLDER],
                                              shown(to->path, folder));
}

static void set_digest(cli_archive_row *to, const reprise_value *row)
{
    const char *digest = reprise_value_text(reprise_value_get(row, "sha256"), NULL);
    size_t size = digest ? strspn(digest, "0123456789abcdef") : 0;
    if (size >= CLI_ARCHIVE_PAGE_SIZE)
        memcpy(to->digest, digest, CLI_ARCHIVE_PAGE_SIZE);
}

static bool add_row(void *ctx, const reprise_value *row)
{
    loading *l = ctx;
    cli_archive *a = l->archive;
    if (a->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 1024;
        a->rows = cli_memory(a->rows, l->capacity * sizeof *a->rows);
    }
    cli_archive_row *to = &a->rows[a->count++];
    *to = (cli_archive_row){.id = reprise_value_uint(reprise_value_get(row, "id"), 0)};
    for (size_t i = 0; i < CLI_ARCHIVE_TEXTS; i++)
        to->texts[i] = add_text(a, (cli_archive_text)i, row, cli_archive_text_names[i]);
    set_path(a, to, row);
    set_digest(to, row);
    to->date = parse_date(reprise_value_text(reprise_value_get(row, "date"), NULL));
    to->length = real_of(row, "length");
    to->time = real_of(row, "time");
    to->teleports = reprise_value_int(reprise_value_get(row, "teleports"), -1);
    to->sound = reprise_value_int(reprise_value_get(row, "sound"), 0) != 0;
    return true;
}

static const char rows_sql[] =
    "select f.id, f.path, f.sha256, f.format, f.status, f.length, f.map, f.date, c.course,"
    " coalesce(c.mode, o.mod, r.game, m.kind, s.campaign) as mode, c.type, c.time,"
    " case when json_valid(c.styles) then (select group_concat(value, ', ') from"
    " json_each(c.styles)) end as styles,"
    " c.teleports, coalesce(ru.result, i.outcome) as result, s.title,"
    " f.status in ('ok', 'warning', 'damaged') and f.format <> 'icproof' as sound"
    " from file f left join cs2kz c on c.file_id = f.id left join openra o on o.file_id = f.id"
    " left join remastered r on r.file_id = f.id left join mcreplay m on m.file_id = f.id"
    " left join icsave s on s.file_id = f.id left join rumble ru on ru.file_id = f.id"
    " left join icrep i on i.file_id = f.id"
    " where f.removed = 0 and f.format is not null order by f.date desc, f.path";

/* A sort with a context, which the C library does not have: merges halves. */
static void sort_by_id(const cli_archive_row *rows, uint32_t *items, size_t count, uint32_t *spare)
{
    if (count < 2)
        return;
    size_t half = count / 2, left = 0, right = half;
    sort_by_id(rows, items, half, spare);
    sort_by_id(rows, items + half, count - half, spare);
    for (size_t i = 0; i < count; i++) {
        bool first = right == count ||
                     (left < half && rows[items[left]].id < rows[items[right]].id);
        spare[i] = items[first ? left++ : right++];
    }
    memcpy(items, spare, count * sizeof *items);
}

static void order_by_id(cli_archive *a)
{
    uint32_t *spare = cli_memory(NULL, (a->count + 1) * sizeof *spare);
    a->by_id = cli_memory(NULL, (a->count + 1) * sizeof *a->by_id);
    for (size_t i = 0; i < a->count; i++)
        a->by_id[i] = (uint32_t)i;
    sort_by_id(a->rows, a->by_id, a->count, spare);
    free(spare);
}

size_t cli_archive_find(const cli_archive *a, uint64_t id)
{
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->rows[a->by_id[middle]].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->count && a->rows[a->by_id[low]].id == id ? a->by_id[low] : SIZE_MAX;
}

/* ---- people ---- */

static const char people_sql[] =
    "select p.id, p.name, max(coalesce(fp.bot, 0)) as bot from player p"
    " join file_player fp on fp.player_id = p.id join file f on f.id = fp.file_id"
    " where f.removed = 0 and f.format is not null group by p.id order by p.id";

static bool add_person(void *ctx, const reprise_value *row)
{
    loading *l = ctx;
    cli_archive *a = l->archive;
    size_t size = 0;
    const char *name = reprise_value_text(reprise_value_get(row, "name"), &size);
    if (a->people_count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 256;
        a->people = cli_memory(a->people, l->capacity * sizeof *a->people);
    }
    a->people[a->people_count++] = (cli_archive_person){
        .id = reprise_value_uint(reprise_value_get(row, "id"), 0),
        .name = shown(name ? name : "", name ? size : 0),
        .bot = reprise_value_int(reprise_value_get(row, "bot"), 0) != 0};
    return true;
}

static uint32_t person_of(const cli_archive *a, uint64_t id)
{
    size_t low = 0, high = a->people_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->people[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static const char seats_sql[] =
    "select fp.file_id, fp.player_id, fp.outcome = 'won' as won from file_player fp"
    " join file f on f.id = fp.file_id where f.removed = 0 and f.format is not null"
    " order by fp.file_id, fp.slot";

static bool add_seat(void *ctx, const reprise_value *row)
{
    loading *l = ctx;
    cli_archive *a = l->archive;
    size_t at = cli_archive_find(a, reprise_value_uint(reprise_value_get(row, "file_id"), 0));
    if (at == SIZE_MAX)
        return true;
    if (a->seat_count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 1024;
        a->seats = cli_memory(a->seats, l->capacity * sizeof *a->seats);
    }
    if (!a->rows[at].people_count++)
        a->rows[at].people = a->seat_count;
    a->seats[a->seat_count++] = (cli_archive_seat){
        .person = person_of(a, reprise_value_uint(reprise_value_get(row, "player_id"), 0)),
        .won = reprise_value_int(reprise_value_get(row, "won"), 0) != 0};
    return true;
}

/* ---- records ---- */

typedef struct found_runs {
    const cli_archive *archive;
    uint32_t *rows;
    size_t count, capacity;
} found_runs;

static bool add_run(void *ctx, const reprise_value *row)
{
    found_runs *f = ctx;
    uint64_t id = reprise_value_uint(reprise_value_get(row, "file_id"), 0);
    size_t at = cli_archive_find(f->archive, id);
    if (at == SIZE_MAX)
        return true;
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 256;
        f->rows = cli_memory(f->rows, f->capacity * sizeof *f->rows);
    }
    f->rows[f->count++] = (uint32_t)at;
    return true;
}

static reprise_status find_runs(cli_archive *a, reprise_catalog *catalog, bool history,
                                reprise_error *error)
{
    found_runs found = {.archive = a};
    cli_strbuf sql = {0};
    cli_parameters values = cli_parameters_new();
    cli_parameters_text(&values, "");
    if (history)
        cli_put_run_history(&sql, CLI_RECORD_KEYS, "file_id");
    else
        cli_put_best_runs(&sql, CLI_RECORD_KEYS, "file_id");
    reprise_status status = reprise_catalog_query(catalog, sql.data, values.list, add_run, &found,
                                                  error);
    cli_parameters_free(&values);
    cli_strbuf_free(&sql);
    *(history ? &a->history : &a->records) = found.rows;
    *(history ? &a->history_count : &a->record_count) = found.count;
    return status;
}

/* ---- opening ---- */

static bool set_root(void *ctx, const reprise_value *row)
{
    cli_archive *a = ctx;
    size_t size = 0;
    const char *root = reprise_value_text(reprise_value_get(row, "value"), &size);
    if (root && !a->root)
        a->root = copy_of(root, size);
    return true;
}

static reprise_status load(cli_archive *a, reprise_catalog *catalog, reprise_error *error)
{
    loading rows = {.archive = a}, people = rows, seats = rows;
    reprise_status status = reprise_catalog_query(
        catalog, "select value from meta where key = 'root'", NULL, set_root, a, error);
    if (status == REPRISE_OK)
        status = reprise_catalog_query(catalog, rows_sql, NULL, add_row, &rows, error);
    order_by_id(a);
    if (status == REPRISE_OK)
        status = reprise_catalog_query(catalog, people_sql, NULL, add_person, &people, error);
    if (status == REPRISE_OK)
        status = reprise_catalog_query(catalog, seats_sql, NULL, add_seat, &seats, error);
    if (status == REPRISE_OK)
        status = find_runs(a, catalog, false, error);
    if (status == REPRISE_OK)
        status = find_runs(a, catalog, true, error);
    const char *root = a->root ? a->root : "";
    const char *slash = strrchr(root, '/');
    const char *name = slash && slash[1] ? slash + 1 : root;
    a->name = shown(name, strlen(name));
    return status;
}

bool cli_is_archive(const char *operand)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = {0};
    if (cli_is_directory(operand))
        return true;
    int fd = strcmp(operand, "-") == 0 ? -1 : open(operand, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, start, sizeof start) : 0;
    if (fd >= 0)
        close(fd);
    return size == (ssize_t)sizeof start && memcmp(start, magic, sizeof magic) == 0;
}

/*
 * Runs 'reprise index' with the options of this verb. Its report is not printed, because standard
 * output belongs to the verb.
 */
static int update(cli_run *run, const char *operand, const char *catalog)
{
    cli_common *settings = cli_memory(NULL, cli_index.settings_size);
    memset(settings, 0, cli_index.settings_size);
    *settings = *run->common;
    settings->json = false;
    for (size_t i = 0; i < cli_index.option_count; i++) {
        const cli_option *option = &cli_index.options[i];
        if (strcmp(option->name, "catalog") == 0)
            *(const char **)(void *)((char *)settings + option->offset) = catalog;
    }
    char *operands[] = {(char *)operand, NULL};
    cli_run indexing = *run;
    indexing.command = &cli_index;
    indexing.settings = indexing.common = settings;
    indexing.operands = operands;
    indexing.operand_count = 1;
    indexing.out = (cli_out){.fd = open("/dev/null", O_WRONLY | O_CLOEXEC)};
    int code = cli_index.run(&indexing);
    run->progress = indexing.progress;
    cli_out_flush(&indexing.out);
    cli_out_free(&indexing.out);
    close(indexing.out.fd);
    free(settings);
    return code;
}

/* Whether no file would be indexed, so that no catalog is made for a directory without files. */
static bool is_empty(const cli_run *run, const char *operand)
{
    char *operands[] = {(char *)operand, NULL};
    cli_run listing = *run;
    listing.operands = operands;
    listing.operand_count = 1;
    cli_file_list files = cli_file_list_of(&listing, true);
    bool empty = files.count == 0;
    cli_file_list_free(&files);
    return empty;
}

static int report_empty(cli_run *run, const char *operand)
{
    reprise_error error = REPRISE_ERROR_INIT;
    cli_fail(&error, REPRISE_E_UNRECOGNIZED, "no replay in this directory");
    return cli_report(run, operand, &error);
}

int cli_archive_open(cli_run *run, const char *operand, const char *catalog_path,
                     cli_archive *ret_archive)
{
    *ret_archive = (cli_archive){0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_catalog *catalog = NULL;
    if (cli_is_directory(operand)) {
        if (is_empty(run, operand))
            return report_empty(run, operand);
        int code = update(run, operand, catalog_path);
        if (code != CLI_DONE && code != CLI_WARNED)
            return code;
        ret_archive->root = realpath(operand, NULL);
    }
    char *path = cli_catalog_path(operand, cli_is_directory(operand) ? catalog_path : NULL);
    reprise_status status = reprise_catalog_open(path, NULL, &catalog, &error);
    if (status == REPRISE_OK)
        status = load(ret_archive, catalog, &error);
    int code = CLI_DONE;
    if (status != REPRISE_OK) {
        cli_catalog_advise(&error, operand);
        code = cli_report(run, path, &error);
    } else if (ret_archive->count == 0 && cli_is_directory(operand)) {
        code = report_empty(run, operand);
    }
    if (code != CLI_DONE)
        cli_archive_close(ret_archive);
    reprise_catalog_close(catalog);
    free(path);
    return code;
}

void cli_archive_close(cli_archive *a)
{
    for (size_t i = 0; i < a->count; i++)
        free(a->rows[i].path);
    for (size_t i = 0; i < a->people_count; i++)
        free(a->people[i].name);
    for (size_t i = 0; i < CLI_ARCHIVE_TEXTS; i++)
        free_texts(&a->texts[i]);
    free(a->root);
    free(a->name);
    free(a->rows);
    free(a->by_id);
    free(a->seats);
    free(a->people);
    free(a->records);
    free(a->history);
    *a = (cli_archive){0};
}

/* A catalog may come from another machine: paths in it must stay below the directory. */
static bool stays_below(const char *path)
{
    if (*path == '/')
        return false;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
            return false;
    }
    return true;
}

char *cli_archive_path(const cli_archive *a, size_t row)
{
    if (!a->root || !stays_below(a->rows[row].path))
        return NULL;
    cli_strbuf path = {0};
    cli_printf(&path, "%s/%s", a->root, a->rows[row].path);
    return path.data;
}
