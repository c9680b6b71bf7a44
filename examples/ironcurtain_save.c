/*
 * ironcurtain_save.c - writes a save game of one tank on a small map, reads it back, and shows what
 * came out. Usage: ironcurtain_save FILE
 */
#include <reprise/ironcurtain/codec.h>
#include <stdio.h>

static int give_up(const reprise_error *error, const char *name)
{
    char text[REPRISE_ERROR_TEXT_MAX];
    fprintf(stderr, "%s\n", reprise_error_text(error, name, text, sizeof text));
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_codec *ic = NULL;
    if (reprise_ic_codec_new(NULL, &ic, &error) != REPRISE_OK)
        return give_up(&error, argv[1]);

    reprise_text names[] = {{"vehicle", 7}, {"2tnk", 4}, {"allies", 6}};
    reprise_ic_components tank = {.mask = REPRISE_IC_COMPONENT_IDENTITY |
                                          REPRISE_IC_COMPONENT_POSITION |
                                          REPRISE_IC_COMPONENT_HEALTH};
    tank.identity.unit_type = 1;
    tank.position.pos.x = tank.position.pos.y = 3 * 1024;
    tank.health.current = tank.health.max = 400;
    reprise_ic_entity entity = {.tag = {0, 1}};
    reprise_ic_player player = {.faction = 2, .credits = 5000};
    reprise_ic_snapshot state = {.core = {.game_seed = 42,
                                          .rng_state = {{1, 2, 3, 4}},
                                          .intern_table = {{names, 3}},
                                          .entities = {&entity, 1},
                                          .player_states = {&player, 1},
                                          .map_state = {.width = 16, .height = 16}}};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = argv[1];
    options.replace = true;
    if (reprise_ic_encode_components(ic, &tank, &entity, &error) != REPRISE_OK ||
        reprise_ic_write_save(ic, "{\"save_name\": \"One tank\", \"tick\": 0}", NULL, 0, &state,
                              &options, &error) != REPRISE_OK)
        return give_up(&error, argv[1]);

    reprise_replay *save = NULL;
    const reprise_value *now = NULL;
    reprise_verify_summary summary;
    if (reprise_open_file(argv[1], NULL, &save, &error) != REPRISE_OK ||
        reprise_info(save, &now, &error) != REPRISE_OK ||
        reprise_verify(save, NULL, NULL, &summary, &error) != REPRISE_OK)
        return give_up(&error, argv[1]);
    printf("%s, %llu faults\n", reprise_value_text(reprise_value_get(now, "title"), NULL),
           (unsigned long long)summary.faults);
    reprise_close(save);
    reprise_ic_codec_free(ic);
    return 0;
}
