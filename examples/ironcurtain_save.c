/* ironcurtain_save.c - writes and checks a save of one tank. Usage: ironcurtain_save FILE */
#include <reprise/ironcurtain/codec.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    enum { VEHICLE, TANK, ALLIES };
    reprise_text names[] = {{"vehicle", 7}, {"2tnk", 4}, {"allies", 6}};
    reprise_ic_components tank = {.mask = REPRISE_IC_COMPONENT_IDENTITY |
                                          REPRISE_IC_COMPONENT_POSITION |
                                          REPRISE_IC_COMPONENT_HEALTH,
                                  .identity.unit_type = TANK,
                                  .position.pos = {.x = 3 * 1024, .y = 3 * 1024},
                                  .health = {.current = 400, .max = 400}};
    reprise_ic_entity entity = {.tag = {0, 1}};
    reprise_ic_player player = {.faction = ALLIES, .credits = 5000};
    reprise_ic_snapshot state = {.core = {.game_seed = 42,
                                          .rng_state = {{1, 2, 3, 4}},
                                          .intern_table = {{names, 3}},
                                          .entities = {&entity, 1},
                                          .player_states = {&player, 1},
                                          .map_state = {.width = 16, .height = 16}}};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = argv[argc - 1];
    options.replace = true;
    reprise_ic_codec *codec = NULL;
    reprise_replay *save = NULL;
    reprise_verify_summary found = {0};
    const char metadata[] = "{\"save_name\": \"One tank\", \"tick\": 0}";
    reprise_error error;
    if (reprise_ic_codec_new(NULL, &codec, &error) != REPRISE_OK ||
        reprise_ic_encode_components(codec, &tank, &entity, &error) != REPRISE_OK ||
        reprise_ic_write_save(codec, metadata, NULL, 0, &state, &options, &error) != REPRISE_OK ||
        reprise_open_file(options.path, NULL, &save, &error) != REPRISE_OK ||
        reprise_verify(save, NULL, NULL, &found, &error) != REPRISE_OK || found.faults)
        fprintf(stderr, "%s: %s\n", options.path, error.message);
    reprise_close(save);
    reprise_ic_codec_free(codec);
    return error.status != REPRISE_OK || found.faults;
}
