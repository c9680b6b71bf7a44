/* players.c - lists who played in each replay. Usage: players FILE... */
#include <reprise/reprise.h>
#include <stdio.h>

static int list(const char *path)
{
    reprise_replay *replay = NULL;
    const reprise_value *info = NULL;
    reprise_error error;
    if (reprise_open_file(path, NULL, &replay, &error) != REPRISE_OK ||
        reprise_info(replay, &info, &error) != REPRISE_OK) {
        char text[REPRISE_ERROR_TEXT_MAX];
        fprintf(stderr, "%s\n", reprise_error_text(&error, path, text, sizeof text));
        reprise_close(replay);
        return 1;
    }
    printf("%s: %s, layout %s\n", path, reprise_format(replay), reprise_layout(replay));
    const reprise_value *people = reprise_value_get(info, "people");
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *name = reprise_value_text(reprise_value_get(person, "name"), NULL);
        printf("  %s\n", name ? name : "(no name)");
    }
    reprise_close(replay);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= list(argv[i]);
    return failed;
}
