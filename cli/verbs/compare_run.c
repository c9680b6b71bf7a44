/* compare_run.c - see compare_run.h. */
#include "compare_run.h"

#include "batch/batch.h"

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
