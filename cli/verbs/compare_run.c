/* compare_run.c - see compare_run.h. */
#include "compare_run.h"

#include "batch/batch.h"

static double number(const reprise_value *object, const char *name)
{
    return reprise_value_double(reprise_value_get(object, name), 0);
}

/* From and to in the time of the first run, how long both take, and what the second loses. */
static void put_section(cli_table *table, const reprise_value *section, double tick_s)
{
    double a0 = number(section, "a0") * tick_s, a1 = number(section, "a1") * tick_s;
    double second = (number(section, "b1") - number(section, "b0")) * tick_s;
    const double times[] = {a0, a1, a1 - a0, second};
    static const char *const lost[] = {"delta", "line", "speed"};
    for (size_t i = 0; i < CLI_COUNT(times); i++) {
        cli_put_duration(&table->text, times[i]);
        cli_table_cell(table, true);
    }
    for (size_t i = 0; i < CLI_COUNT(lost); i++)
        cli_table_printf(table, true, "%+.3f s", number(section, lost[i]));
}

/* "first difference at 0:00.016 of both timers: 1.32 m apart" */
static void put_first(cli_strbuf *to, size_t indent, const reprise_value *first)
{
    if (!first) {
        cli_printf(to, "%*sthe same places at the same times\n", (int)indent, "");
        return;
    }
    cli_printf(to, "%*sfirst difference at ", (int)indent, "");
    cli_put_duration(to, number(first, "time"));
    cli_printf(to, " of both timers: %.3g m apart\n", number(first, "apart_m"));
}

void cli_compare_run_show(const cli_render *r, size_t indent, const reprise_value *comparison)
{
    static const char *const headings[] = {
        "from", "to", "first run", "second run", "lost", "by path", "by speed",
    };
    const reprise_value *sections = reprise_value_get(comparison, "sections");
    cli_render_members(r, indent, comparison, "axis tick_s final first sections");
    put_first(r->to, indent, reprise_value_get(comparison, "first"));
    cli_render_heading(r, indent, "sections", NULL);
    cli_table table = {.columns = CLI_COUNT(headings)};
    for (size_t i = 0; i < CLI_COUNT(headings); i++)
        cli_table_text(&table, headings[i]);
    for (size_t i = 0; i < reprise_value_count(sections); i++)
        put_section(&table, reprise_value_at(sections, i), number(comparison, "tick_s"));
    cli_table_style style = {.indent = indent + 2, .colour = r->colour};
    cli_table_put(&table, &style, r->to);
    cli_table_free(&table);
}

reprise_status cli_compare_run_open(cli_compare_run *rival, const char *path,
                                    const cli_open_options *reading, reprise_scene *mine,
                                    const reprise_value **ret_comparison, reprise_error *error)
{
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.name = cli_base_name(path);
    reprise_status status = cli_open(path, reading, &rival->replay, error);
    if (status == REPRISE_OK)
        status = reprise_scene_open(rival->replay, &options, &rival->scene, error);
    rival->failed = status != REPRISE_OK;
    if (rival->failed)
        return status;
    return reprise_scene_compare(mine, rival->scene, ret_comparison, error);
}

void cli_compare_run_close(cli_compare_run *rival)
{
    reprise_scene_close(rival->scene);
    reprise_close(rival->replay);
    *rival = (cli_compare_run){0};
}
