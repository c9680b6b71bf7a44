/* fuzz_mcobj.c - the mesh of a block, in a world full of that block. */
#include "fuzz_mcreplay.h"
#include "nbt.h"

/* One section of the model "m". */
static void put_world(rp_writer *w)
{
    static const char axes[3][2] = {"x", "y", "z"};
    static const uint8_t states[4096];
    rp_nbt_put_head(w, RP_NBT_COMPOUND, "");
    rp_nbt_put_head(w, RP_NBT_LIST, "frames");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(w, RP_NBT_BYTE, "type");
    rp_put_u8(w, 0);
    rp_nbt_put_head(w, RP_NBT_DOUBLE, "time");
    rp_nbt_put_f64(w, 0);
    rp_nbt_put_head(w, RP_NBT_LIST, "sections");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    for (size_t i = 0; i < 3; i++) {
        rp_nbt_put_head(w, RP_NBT_INT, axes[i]);
        rp_nbt_put_i32(w, 0);
    }
    rp_nbt_put_head(w, RP_NBT_LIST, "palette");
    rp_nbt_put_list(w, RP_NBT_STRING, 1);
    rp_nbt_put_string(w, "m", 1);
    rp_nbt_put_head(w, RP_NBT_BYTE_ARRAY, "blocks");
    rp_nbt_put_i32(w, sizeof states);
    rp_put(w, states, sizeof states);
    for (int i = 0; i < 3; i++)
        rp_put_u8(w, RP_NBT_END);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer world;
    rp_writer_init(&world, &context, 1 << 20, &error);
    put_world(&world);
    entry entries[] = {{.name = "world.dat", .data = world.data, .size = world.size},
                       {.name = "mesh/m.obj", .data = data, .size = size}};
    fuzz_archive(entries, RP_COUNT(entries));
    rp_writer_free(&world);
    return 0;
}
