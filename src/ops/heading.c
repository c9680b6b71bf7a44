/* heading.c - see heading.h. */
#include "heading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SIDES_MAX = 4, /* named; of the others, the number of people is given */
    NAMES_MAX = 3, /* likewise within a side */
    PEOPLE_MAX = 64,
    NAME_SIZE = 48,
    LINE_SIZE = 512
};

typedef struct line {
    char text[LINE_SIZE];
    size_t size;
} line;

static void add(line *to, const char *text)
{
    rp_text_copy(to->text + to->size, sizeof to->text - to->size, text);
    to->size += strlen(to->text + to->size);
}

static void add_name(line *to, rp_timeline *t, const reprise_value *name)
{
    size_t size = 0;
    const char *text = reprise_value_text(name, &size);
    char shortened[NAME_SIZE];
    const char *plain = rp_timeline_plain(t, text, size);
    rp_text_copy(shortened, sizeof shortened, plain);
    add(to, shortened);
    add(to, strlen(plain) > strlen(shortened) ? "..." : "");
}

/* ---- who ---- */

static bool plays(const reprise_value *person)
{
    const char *role = rp_get_text(person, "role"), *name = rp_get_text(person, "name");
    return name && *name && (!role || strcmp(role, "player") == 0) &&
           !reprise_value_bool(rp_get(person, "observer"), false);
}

static int64_t team_of(const reprise_value *person)
{
    return reprise_value_int(rp_get(person, "team"), 0);
}

/* Adds a player and those in the same team, and marks them as named. */
static void add_side(line *to, rp_timeline *t, const reprise_value *people, size_t first,
                     bool named[PEOPLE_MAX])
{
    int64_t team = team_of(reprise_value_at(people, first));
    size_t count = RP_MIN(reprise_value_count(people), PEOPLE_MAX), members = 0;
    for (size_t i = first; i < count; i++) {
        const reprise_value *person = reprise_value_at(people, i);
        if (named[i] || !plays(person) || (i != first && (team <= 0 || team_of(person) != team)))
            continue;
        named[i] = true;
        if (members++ >= NAMES_MAX)
            continue;
        add(to, members > 1 ? ", " : "");
        add_name(to, t, rp_get(person, "name"));
    }
    char more[32];
    snprintf(more, sizeof more, " +%zu", members - NAMES_MAX);
    if (members > NAMES_MAX)
        add(to, more);
}

/* Two people, and those with a side, play against each other; others may just be there. */
static bool are_opponents(const reprise_value *people, size_t playing)
{
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        if (team_of(person) > 0 || rp_get(person, "faction") || rp_get(person, "house"))
            return true;
    }
    return playing == 2;
}

static void add_people(line *to, rp_timeline *t, const reprise_value *people)
{
    size_t count = RP_MIN(reprise_value_count(people), PEOPLE_MAX);
    size_t playing = 0, sides = 0, left = 0;
    for (size_t i = 0; i < count; i++)
        playing += plays(reprise_value_at(people, i));
    bool named[PEOPLE_MAX] = {false}, opponents = are_opponents(people, playing);
    for (size_t i = 0; i < count; i++) {
        if (named[i] || !plays(reprise_value_at(people, i)))
            continue;
        if (sides++ >= SIDES_MAX) {
            left++;
            continue;
        }
        if (sides > 1)
            add(to, opponents ? " vs " : ", ");
        add_side(to, t, people, i, named);
    }
    char more[32];
    snprintf(more, sizeof more, " and %zu more", left);
    if (left)
        add(to, more);
}

/* ---- where ---- */

static void add_map(line *to, rp_timeline *t, const reprise_value *info)
{
    const reprise_value *map = rp_get(info, "map"), *course = rp_get(info, "course");
    const reprise_value *name = reprise_value_count(map) ? rp_get(map, "name") : map;
    size_t size = 0;
    if (reprise_value_text(name, &size) && size) {
        add(to, to->size ? " on " : "");
        add_name(to, t, name);
    }
    if (reprise_value_text(course, &size) && size) {
        add(to, to->size ? ", " : "");
        add_name(to, t, course);
    }
}

/* For files that name no players: what the camera follows, such as creatures. */
static void add_followed(line *to, rp_timeline *t)
{
    size_t count = reprise_value_count(t->players);
    for (size_t i = 0; i < RP_MIN(count, NAMES_MAX); i++) {
        add(to, i ? ", " : "");
        add_name(to, t, rp_get(reprise_value_at(t->players, i), "name"));
    }
    char more[32];
    snprintf(more, sizeof more, " and %zu more", count - NAMES_MAX);
    if (count > NAMES_MAX)
        add(to, more);
}

/* "long_jump" becomes ": long jump". */
static void add_jump(line *to, const reprise_value *info)
{
    const char *jump = rp_get_text(info, "jump");
    size_t from = to->size;
    if (!jump)
        return;
    add(to, from ? ": " : "");
    add(to, strstr(jump, "invalid") ? "jump" : jump);
    for (char *c = to->text + from; *c; c++) {
        if (*c == '_')
            *c = ' ';
    }
}

/* ---- how it ended ---- */

static void add_winners(line *to, rp_timeline *t, const reprise_value *people)
{
    size_t winners = 0;
    bool draw = false;
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *outcome = rp_outcome(rp_get_text(person, "outcome"));
        draw |= outcome && strcmp(outcome, "draw") == 0;
        if (!outcome || strcmp(outcome, "win") != 0 || !plays(person) || winners++ >= NAMES_MAX)
            continue;
        add(to, winners > 1 ? ", " : "");
        add_name(to, t, rp_get(person, "name"));
    }
    if (winners)
        add(to, " won");
    else if (draw)
        add(to, "Draw");
}

static void add_run(line *to, const reprise_value *info)
{
    double time = reprise_value_double(rp_get(info, "run_time"), (double)NAN);
    double distance = reprise_value_double(rp_get(info, "distance"), (double)NAN);
    int64_t teleports = reprise_value_int(rp_get(info, "teleports"), 0);
    char text[96] = "";
    if (time > 0 && time < 1e6)
        snprintf(text, sizeof text, "%d:%06.3f with %lld teleport%s", (int)(time / 60),
                 fmod(time, 60), (long long)teleports, teleports == 1 ? "" : "s");
    else if (distance > 0 && distance < 1e6)
        snprintf(text, sizeof text, "%.1f units", distance);
    add(to, text);
}

void rp_heading_set(rp_timeline *t, const reprise_value *info, const char *file_name)
{
    const reprise_value *people = rp_get(info, "people"), *own = rp_get(info, "title");
    line title = {0}, result = {0};
    size_t size = 0;
    if (reprise_value_text(own, &size) && size) {
        add(&title, rp_timeline_plain(t, reprise_value_text(own, NULL), size));
    } else {
        add_people(&title, t, people);
        if (!title.size)
            add_followed(&title, t);
        add_jump(&title, info);
        add_map(&title, t, info);
    }
    add_winners(&result, t, people);
    if (!result.size)
        add_run(&result, info);
    rp_set_text(&t->doc, t->source, "title", title.size ? title.text : file_name);
    rp_set_text_if(&t->doc, t->source, "result", result.size ? result.text : NULL);
}
