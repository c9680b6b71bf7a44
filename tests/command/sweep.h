/*
 * sweep.h - damaged files through every verb, and the law that holds for all of them.
 *
 * A run makes one file from a sample: one bit of one part (parts.h) is flipped, or a part is cut
 * off, and everything around it is made right again. Which part, where and how follows from the
 * seed. Then every verb reads that file.
 *
 * The law: if `verify --no-simulate` exits with 5, or with 6 because of a limit (whether orders
 * lead to the recorded states is no matter of bytes, and no other verb replays them), no verb exits
 * with 0 unless it did not touch the damaged part. It did not touch it if everything that it gives
 * is byte for byte what it gives for the sample: standard output and the file it writes. Two verbs
 * are judged by another one. `diff` compares with the sample: "the same" is true only if `cat`
 * gives the same rows. A page is packed; what it shows is what `export x.json` gives. There and in
 * answers of `at`, the size of the file and the places of keyframes in it are not looked at: they
 * depend on how well things compress.
 *
 * The law of warnings, for files that are cut (`cuts`): where `verify` exits with 3 and rows are
 * missing, every verb that gives something else than for the sample exits with 3 or more and says
 * why. A warning that a rule is broken, without anything missing, is for `verify` and `info` alone.
 *
 * For all files: no crash, no report of a sanitizer, no more than 10 seconds of work, no exit code
 * that means something else (1 is for our own trouble, 2 for wrong arguments).
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "parts.h"
#include "run_command.h"

enum { SWEEP_SECONDS_MAX = 10, SWEEP_SANITIZER = 99 };

/*
 * A word that is replaced by the file, the sample, a file to be written with that ending, or a
 * track: CSV takes one, which changes from file to file.
 */
#define SWEEP_FILE   "@"
#define SWEEP_SAMPLE "="
#define SWEEP_OUTPUT ">"
#define SWEEP_TRACK  "%"

typedef struct sweep_verb {
    const char *name;
    const char *argv[9];
    bool compares; /* with the sample: 1 means different */
    size_t judge;  /* the verb that tells whether it touched the damage, or 0: it does itself */
} sweep_verb;

enum { SWEEP_VERIFY, SWEEP_CAT, SWEEP_JSON, SWEEP_CSV };
static const sweep_verb sweep_verbs[] = {
    {"verify", {"verify", "--no-simulate", "@"}, false, 0},
    {"cat", {"cat", "--track", "all", "@"}, false, 0},
    {"export-json", {"export", "@", ">.json"}, false, 0},
    {"cat-csv", {"cat", "--track", "%", "--format-out", "csv", "@"}, false, 0},
    {"stats", {"stats", "--json", "@"}, false, 0},
    {"at-start", {"at", "--json", "--time", "0", "@"}, false, 0},
    {"at-end", {"at", "--json", "--time", "999999", "@"}, false, 0},
    {"export-glb", {"export", "@", ">.glb"}, false, 0},
    {"export-html", {"export", "@", ">.html"}, false, SWEEP_JSON},
    {"export-jsonl", {"export", "--track", "all", "@", ">.jsonl"}, false, 0},
    {"plot", {"plot", "--what", "timeline", "@"}, false, 0},
    {"convert", {"convert", "@", ">.out"}, false, 0},
    {"embed", {"convert", "--embed", "minimal", "@", ">.out"}, false, 0},
    {"trim", {"trim", "--from", "0", "--to", "1", "@", ">.out"}, false, 0},
    {"trim-all", {"trim", "--from", "0", "@", ">.out"}, false, 0},
    {"anonymize", {"anonymize", "@", ">.out"}, false, 0},
    {"recompress", {"recompress", "@", ">.out"}, false, 0},
    {"strip-voice", {"strip-voice", "@", ">.out"}, false, 0},
    {"diff", {"diff", "=", "@"}, true, SWEEP_CAT},
    {"play", {"play", "--headless", "@"}, false, 0},
    {"info", {"info", "--json", "@"}, false, 0},
    {"tracks", {"tracks", "--json", "@"}, false, 0},
};
enum { SWEEP_VERBS = sizeof sweep_verbs / sizeof *sweep_verbs };

/* What a verb gave: enough to say whether it gave the same. */
typedef struct sweep_answer {
    bool known;
    int code, signal;
    size_t out_size, out_lines, file_size, peak;
    uint32_t out_crc, file_crc;
    char words[160]; /* the beginning of what it said */
} sweep_answer;

typedef struct sweep_counts {
    uint64_t files, refused, runs, crashes, hangs, over_budget, wrong_codes, broken_laws;
    unsigned memory_percent; /* of the budget, at most */
} sweep_counts;

enum { SWEEP_TRACKS_MAX = 32, SWEEP_TRACK_SIZE = 32 };

typedef struct sweep {
    char directory[64];
    char damaged[96], original[96];
    const sample *sample;
    part_list *parts;
    sweep_answer sound[SWEEP_VERBS];
    char tracks[SWEEP_TRACKS_MAX][SWEEP_TRACK_SIZE]; /* of the sample */
    size_t track_count, track;
    sweep_counts counts;
    bool only_refused;    /* files that verify does not refuse are not shown to other verbs */
    bool cuts;            /* the files are cut ones: the law of warnings holds as well */
    bool measures_memory; /* not under a sanitizer */
    bool tells;           /* each violation on standard error */
} sweep;

static inline uint64_t sweep_random(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline void sweep_put_file(const char *path, const bytes *content)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content->data, 1, content->size, file), content->size);
    assert_int_equal(fclose(file), 0);
}

/* ---- asking a verb ---- */

static inline size_t sweep_resident(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Takes numbers that only say how something is stored out of a document. */
static inline void sweep_forget(char *text, size_t *size, const char *before)
{
    size_t length = strlen(before);
    for (size_t i = 0; i + length < *size; i++) {
        if (memcmp(text + i, before, length) != 0)
            continue;
        size_t from = i + length, to = from;
        while (to < *size && text[to] >= '0' && text[to] <= '9')
            to++;
        memmove(text + from, text + to, *size - to);
        *size -= to - from;
    }
}

static inline void sweep_forget_storage(char *text, size_t *size)
{
    sweep_forget(text, size, "\"Size\",\"");
    sweep_forget(text, size, "\"blob_offset\":");
    sweep_forget(text, size, "\"blob_length\":");
}

static inline sweep_answer sweep_ask(const sweep *s, const sweep_verb *verb, const char *path)
{
    const char *argv[16] = {0};
    char output[128] = "";
    for (size_t i = 0; verb->argv[i]; i++) {
        const char *word = verb->argv[i];
        if (word[0] == '>') {
            snprintf(output, sizeof output, "%s/result%s", s->directory, word + 1);
            unlink(output);
            word = output;
        }
        argv[i] = strcmp(word, "@") == 0   ? path
                  : strcmp(word, "=") == 0 ? s->original
                  : strcmp(word, "%") == 0 ? s->tracks[s->track]
                                           : word;
    }
    size_t before = sweep_resident();
    command_result r = command_run(argv, SWEEP_SECONDS_MAX);
    if (strcmp(verb->argv[0], "at") == 0)
        sweep_forget_storage(r.out, &r.out_size);
    sweep_answer a = {.known = true,
                      .code = r.code,
                      .signal = r.signal,
                      .peak = r.peak > before ? r.peak - before : 0,
                      .out_size = r.out_size,
                      .out_crc = rp_crc32(0, r.out, r.out_size)};
    for (size_t i = 0; i < r.out_size; i++)
        a.out_lines += r.out[i] == '\n';
    snprintf(a.words, sizeof a.words, "%s", *r.err ? r.err : r.out);
    a.words[strcspn(a.words, "\n")] = 0;
    struct stat about;
    if (*output && stat(output, &about) == 0) {
        sample file = load_sample(output);
        if (strstr(output, ".json"))
            sweep_forget_storage((char *)file.data, &file.size);
        a.file_size = file.size;
        a.file_crc = rp_crc32(0, file.data, file.size);
        free(file.data);
        unlink(output);
    }
    command_free(&r);
    return a;
}

static inline bool sweep_same(const sweep_answer *a, const sweep_answer *b)
{
    return a->code == b->code && a->out_size == b->out_size && a->out_crc == b->out_crc &&
           a->file_size == b->file_size && a->file_crc == b->file_crc;
}

/* What the verb gives for the sample, under the name that damaged files have. */
static inline const sweep_answer *sweep_sound(sweep *s, size_t verb)
{
    if (!s->sound[verb].known) {
        bytes whole = {.data = s->sample->data, .size = s->sample->size};
        char aside[112];
        snprintf(aside, sizeof aside, "%s.aside", s->damaged);
        assert_int_equal(rename(s->damaged, aside), 0);
        sweep_put_file(s->damaged, &whole);
        s->sound[verb] = sweep_ask(s, &sweep_verbs[verb], s->damaged);
        assert_int_equal(rename(aside, s->damaged), 0);
    }
    return &s->sound[verb];
}

/* ---- the laws ---- */

static inline void sweep_tell(const sweep *s, const char *what, const char *how, size_t verb,
                              const sweep_answer *a)
{
    if (s->tells)
        fprintf(stderr, "%s: %s: %s: %s: exit %d, signal %d: %s\n", what, s->sample->path, how,
                sweep_verbs[verb].name, a->code, a->signal, a->words);
}

/* Whether a verb ended in a way that is never right. */
static inline bool sweep_failed(sweep *s, size_t verb, const sweep_answer *a, size_t size,
                                const char *how)
{
    bool hung = a->signal == SIGXCPU || a->signal == SIGALRM || a->signal == SIGKILL;
    if (hung) {
        s->counts.hangs++;
        sweep_tell(s, "hang", how, verb, a);
        return true;
    }
    if (a->signal || a->code == SWEEP_SANITIZER) {
        s->counts.crashes++;
        sweep_tell(s, "crash", how, verb, a);
        return true;
    }
    size_t budget = ((size_t)64 << 20) + 16 * size;
    unsigned percent = (unsigned)(100 * a->peak / budget);
    if (percent > s->counts.memory_percent)
        s->counts.memory_percent = percent;
    if (s->measures_memory && a->peak > budget) {
        s->counts.over_budget++;
        sweep_tell(s, "memory", how, verb, a);
    }
    bool different = a->code == 1 && sweep_verbs[verb].compares;
    bool ours = a->code == 1 || a->code == 2;
    if (a->code < 0 || a->code > 6 ||
        (ours && !different && sweep_sound(s, verb)->code != a->code)) {
        s->counts.wrong_codes++;
        sweep_tell(s, "wrong code", how, verb, a);
        return true;
    }
    return false;
}

static inline bool sweep_untouched(sweep *s, size_t verb, const sweep_answer *answers)
{
    size_t judge = sweep_verbs[verb].judge ? sweep_verbs[verb].judge : verb;
    return sweep_same(&answers[judge], sweep_sound(s, judge));
}

static inline bool sweep_refused(const sweep_answer *verify)
{
    return verify->code == 5 || verify->code == 6;
}

/* Whether `verify` only warned, and rows are missing. */
static inline bool sweep_lost_rows(sweep *s, size_t verb, const sweep_answer *answers)
{
    return s->cuts && verb >= SWEEP_CAT && answers[SWEEP_VERIFY].code == 3 &&
           !sweep_same(&answers[SWEEP_CAT], sweep_sound(s, SWEEP_CAT));
}

/* One damaged file through all verbs. */
static inline void sweep_file(sweep *s, const bytes *file, const char *how)
{
    sweep_answer answers[SWEEP_VERBS] = {0};
    sweep_put_file(s->damaged, file);
    const char *keep = getenv("SWEEP_KEEP"); /* a name for a copy of the last file */
    const char *only = getenv("SWEEP_VERB"); /* besides verify, for what it costs */
    if (keep)
        sweep_put_file(keep, file);
    s->counts.files++;
    for (size_t i = 0; i < SWEEP_VERBS; i++) {
        if (i && s->only_refused && !sweep_refused(&answers[SWEEP_VERIFY]))
            return;
        if (i && only && strcmp(only, sweep_verbs[i].name) != 0)
            continue;
        answers[i] = sweep_ask(s, &sweep_verbs[i], s->damaged);
        s->counts.runs++;
        if (sweep_failed(s, i, &answers[i], file->size, how))
            continue;
        bool looks_only = strcmp(sweep_verbs[i].name, "info") == 0 ||
                          strcmp(sweep_verbs[i].name, "tracks") == 0;
        bool judged = sweep_refused(&answers[SWEEP_VERIFY]) || sweep_lost_rows(s, i, answers);
        if (!judged || answers[i].code != 0 || looks_only || only)
            continue;
        if (!sweep_untouched(s, i, answers)) {
            s->counts.broken_laws++;
            sweep_tell(s, "silent", how, i, &answers[i]);
        }
    }
    s->counts.refused += sweep_refused(&answers[SWEEP_VERIFY]);
}

/* ---- damage ---- */

/* One part with one bit flipped, or cut off. */
typedef struct sweep_injury {
    const part *part;
    bool cuts;
    size_t at; /* of the part's content */
    unsigned bit;
} sweep_injury;

static inline sweep_injury sweep_choose(const sweep *s, uint64_t seed)
{
    uint64_t state = seed;
    sweep_injury injury = {.part = &s->parts->items[sweep_random(&state) % s->parts->count]};
    injury.cuts = sweep_random(&state) % 4 == 0;
    injury.at = (size_t)(sweep_random(&state) % injury.part->content.size);
    injury.bit = (unsigned)(sweep_random(&state) % 8);
    return injury;
}

static inline bytes sweep_injured(const sweep_injury *injury)
{
    bytes content = part_copy(injury->part->content.data, injury->part->content.size);
    if (injury->cuts)
        content.size = injury->at;
    else
        content.data[injury->at] ^= (unsigned char)(1u << injury->bit);
    bytes file = part_replace(injury->part, &content);
    bytes_free(&content);
    return file;
}

static inline void sweep_injure(sweep *s, const sweep_injury *injury, const char *which)
{
    bytes file = sweep_injured(injury);
    char how[192];
    if (injury->cuts)
        snprintf(how, sizeof how, "%s: %s cut at %zu", which, injury->part->name, injury->at);
    else
        snprintf(how, sizeof how, "%s: %s byte %zu bit %u", which, injury->part->name, injury->at,
                 injury->bit);
    sweep_file(s, &file, how);
    bytes_free(&file);
}

static inline void sweep_damage(sweep *s, uint64_t seed)
{
    char which[32];
    snprintf(which, sizeof which, "seed %llu", (unsigned long long)seed);
    sweep_injury injury = sweep_choose(s, seed);
    uint64_t state = ~seed;
    s->track = (size_t)(sweep_random(&state) % s->track_count);
    s->sound[SWEEP_CSV].known = false;
    sweep_injure(s, &injury, which);
}

static inline const part *sweep_part(const sweep *s, const char *name)
{
    for (size_t i = 0; i < s->parts->count; i++) {
        if (strcmp(s->parts->items[i].name, name) == 0)
            return &s->parts->items[i];
    }
    return NULL;
}

static inline void sweep_open(sweep *s)
{
    const char *where = getenv("TMPDIR");
    snprintf(s->directory, sizeof s->directory, "%.40s/reprise-sweep-XXXXXX",
             where && *where ? where : "/tmp");
    assert_non_null(mkdtemp(s->directory));
    snprintf(s->damaged, sizeof s->damaged, "%s/damaged", s->directory);
    snprintf(s->original, sizeof s->original, "%s/original", s->directory);
}

/* In the document, a track's name is followed by what it is, a column's by its kind. */
static inline void sweep_list_tracks(sweep *s)
{
    static const char before[] = "{\"name\":\"", after[] = "\",\"doc\":";
    command_result r = command_run((const char *[]){"tracks", "--json", s->original, NULL},
                                   SWEEP_SECONDS_MAX);
    s->track = s->track_count = 0;
    for (const char *at = strstr(r.out, before); at; at = strstr(at, before)) {
        at += strlen(before);
        size_t size = strcspn(at, "\"");
        if (strncmp(at + size, after, strlen(after)) != 0 || size >= SWEEP_TRACK_SIZE ||
            s->track_count == SWEEP_TRACKS_MAX)
            continue;
        memcpy(s->tracks[s->track_count], at, size);
        s->tracks[s->track_count++][size] = 0;
    }
    command_free(&r);
    assert_true(s->track_count > 0);
}

static inline void sweep_take(sweep *s, const sample *of)
{
    s->sample = of;
    s->parts = parts_of(of->data, of->size);
    memset(s->sound, 0, sizeof s->sound);
    sweep_put_file(s->original, &s->parts->items[0].content);
    sweep_list_tracks(s);
}

static inline void sweep_drop(sweep *s)
{
    parts_free(s->parts);
    s->parts = NULL;
}

static inline void sweep_close(sweep *s)
{
    printf("# %llu runs\n", (unsigned long long)s->counts.runs);
    unlink(s->damaged);
    unlink(s->original);
    rmdir(s->directory);
}

#endif
