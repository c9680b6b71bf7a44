/* anim_keys.c - see anim_keys.h. */
#include "anim_keys.h"

#include <assert.h>
#include <math.h>

#include "checked.h"

enum { BLOCK_KEYS = 128, BLOCK_KEYS_FIRST = 8 };

reprise_status rp_anim_keys_init(rp_anim_keys *keys, rp_context *context,
                                 const rp_anim_key_options *options, reprise_error *error)
{
    *keys = (rp_anim_keys){.context = context, .options = *options};
    return rp_sink_open_spool(context, NULL, &keys->spool, error);
}

void rp_anim_keys_free(rp_anim_keys *keys)
{
    rp_source_close(keys->readable);
    rp_sink_close(keys->spool);
    *keys = (rp_anim_keys){0};
}

void rp_channel_init(rp_channel *channel, rp_channel_kind kind, bool steps)
{
    *channel = (rp_channel){.kind = kind,
                            .steps = steps,
                            .given = {NAN},
                            .times_hash = {UINT64_C(14695981039346656037), 1}};
}

static size_t key_floats(const rp_channel *channel)
{
    return 1 + rp_channel_values(channel->kind);
}

void rp_channel_free(rp_anim_keys *keys, rp_channel *channel)
{
    rp_free(keys->context, channel->block,
            channel->block_capacity * key_floats(channel) * sizeof(float));
    rp_free(keys->context, channel->offsets, channel->offset_capacity * sizeof(uint64_t));
    channel->block = NULL;
    channel->offsets = NULL;
}

/* Whether two values have the same bits; numbers that a kind does not have are 0 in both. */
static inline bool same_value(const float a[RP_ANIM_KEY_VALUES_MAX],
                              const float b[RP_ANIM_KEY_VALUES_MAX])
{
    return memcmp(a, b, RP_ANIM_KEY_VALUES_MAX * sizeof *a) == 0;
}

static inline void copy_value(const rp_channel *c, const float *from, float *to)
{
    for (size_t i = 0; i < rp_channel_values(c->kind); i++)
        to[i] = from[i];
}

/* ---- storing ---- */

static reprise_status spill_block(rp_anim_keys *keys, rp_channel *c, reprise_error *error)
{
    uint64_t *offsets = rp_grow(keys->context, c->offsets, c->offset_count + 1, &c->offset_capacity,
                                sizeof *offsets, error);
    if (!offsets)
        return error->status;
    c->offsets = offsets;
    c->offsets[c->offset_count++] = rp_sink_size(keys->spool);
    size_t size = c->block_count * key_floats(c) * sizeof(float);
    c->block_count = 0;
    return rp_sink_write(keys->spool, c->block, size, error);
}

static reprise_status make_room(rp_anim_keys *keys, rp_channel *c, reprise_error *error)
{
    if (c->block_count == BLOCK_KEYS)
        return spill_block(keys, c, error);
    if (c->block_count < c->block_capacity)
        return REPRISE_OK;
    size_t more = c->block_capacity ? c->block_capacity * 4 : BLOCK_KEYS_FIRST;
    size_t size = key_floats(c) * sizeof(float);
    float *block = rp_realloc(keys->context, c->block, c->block_capacity * size, more * size,
                              error);
    if (!block)
        return error->status;
    c->block = block;
    c->block_capacity = more;
    return REPRISE_OK;
}

static_assert(BLOCK_KEYS_FIRST * 4 * 4 == BLOCK_KEYS, "blocks grow to exactly their full size");

static reprise_status keep(rp_anim_keys *keys, rp_channel *c, const rp_anim_key *key,
                           reprise_error *error)
{
    RP_TRY(make_room(keys, c, error));
    float *to = c->block + c->block_count++ * key_floats(c);
    to[0] = key->time;
    copy_value(c, key->value, to + 1);
    if (!c->kept)
        c->first = *key;
    c->last_time = key->time;
    uint32_t bits;
    memcpy(&bits, &key->time, sizeof bits);
    c->times_hash[0] = (c->times_hash[0] ^ bits) * UINT64_C(1099511628211);
    c->times_hash[1] = (c->times_hash[1] + bits) * UINT64_C(6364136223846793005) + 1;
    c->kept++;
    keys->kept++;
    c->anchor = *key;
    c->pending = false;
    for (size_t i = 0; i < 3; i++) {
        c->low[i] = -INFINITY;
        c->high[i] = INFINITY;
    }
    return REPRISE_OK;
}

/* ---- reduction ---- */

/* The difference from the anchor to a key, as a vector that interpolates linearly. */
static void change_to(const rp_channel *c, const rp_anim_key *key, double ret_change[3])
{
    const float *a = c->anchor.value, *b = key->value;
    if (c->kind == RP_CHANNEL_ROTATION) {
        rp_vec3 change = rp_rotation_between((rp_quat){a[0], a[1], a[2], a[3]},
                                             (rp_quat){b[0], b[1], b[2], b[3]});
        ret_change[0] = (double)change.x;
        ret_change[1] = (double)change.y;
        ret_change[2] = (double)change.z;
        return;
    }
    for (size_t i = 0; i < 3; i++)
        ret_change[i] = (double)b[i] - (double)a[i];
}

/*
 * Turns that are far apart are never merged. Some programs interpolate quaternions linearly instead
 * of spherically; up to a quarter radian the difference is below the usual tolerance.
 */
static bool too_far(const rp_channel *c, const double change[3])
{
    return c->kind == RP_CHANNEL_ROTATION &&
           change[0] * change[0] + change[1] * change[1] + change[2] * change[2] > 0.25 * 0.25;
}

static bool on_course(const rp_channel *c, double elapsed)
{
    for (size_t i = 0; i < 3; i++) {
        if (c->change[i] < c->low[i] * elapsed || c->change[i] > c->high[i] * elapsed)
            return false;
    }
    return !too_far(c, c->change);
}

/*
 * Two rotations differ by no more than their difference vectors do, because geodesics on a sphere
 * converge. So the bound holds for rotations as it does for positions.
 */
static void narrow(const rp_anim_keys *keys, rp_channel *c, double elapsed)
{
    double tolerance = c->kind == RP_CHANNEL_ROTATION ? keys->options.tolerance_rad
                                                      : keys->options.tolerance_m;
    double each = tolerance * 0.57735; /* per axis, so that all three together are within it */
    for (size_t i = 0; i < 3; i++) {
        double low = (c->change[i] - each) / elapsed, high = (c->change[i] + each) / elapsed;
        c->low[i] = low > c->low[i] ? low : c->low[i];
        c->high[i] = high < c->high[i] ? high : c->high[i];
    }
}

static reprise_status reduce(rp_anim_keys *keys, rp_channel *c, const rp_anim_key *key,
                             reprise_error *error)
{
    if (!c->kept || keys->options.exact)
        return keep(keys, c, key, error);
    /* Much rests for a while: the change from the anchor is that of the previous value then. */
    if (!c->pending || !same_value(c->candidate.value, key->value))
        change_to(c, key, c->change);
    double elapsed = (double)key->time - (double)c->anchor.time;
    if (c->pending && !on_course(c, elapsed)) {
        RP_TRY(keep(keys, c, &c->candidate, error));
        change_to(c, key, c->change);
        elapsed = (double)key->time - (double)c->anchor.time;
    }
    narrow(keys, c, elapsed);
    c->candidate = *key;
    c->pending = true;
    return REPRISE_OK;
}

/* ---- sampling ---- */

static rp_anim_key between(const rp_channel *c, const rp_anim_key *a, const rp_anim_key *b,
                           float time)
{
    double share = ((double)time - (double)a->time) / ((double)b->time - (double)a->time);
    rp_anim_key key = {.time = time};
    if (c->kind == RP_CHANNEL_ROTATION) {
        rp_quat q = rp_rotation_mix((rp_quat){a->value[0], a->value[1], a->value[2], a->value[3]},
                                    (rp_quat){b->value[0], b->value[1], b->value[2], b->value[3]},
                                    share);
        memcpy(key.value, &q, sizeof q);
        return key;
    }
    for (size_t i = 0; i < 3; i++)
        key.value[i] = (float)((double)a->value[i] +
                               share * ((double)b->value[i] - (double)a->value[i]));
    return key;
}

/* Adds all samples between the last value and this one. There is a kept key. */
static reprise_status sample(rp_anim_keys *keys, rp_channel *c, const rp_anim_key *key,
                             reprise_error *error)
{
    double rate = keys->options.samples_per_s;
    double n = floor((double)c->raw.time * rate) + 1;
    /* While a value holds, only its end is a sample. */
    if (same_value(c->raw.value, key->value))
        n = fmax(n, floor((double)key->time * rate));
    for (;; n++) {
        float time = (float)(n / rate);
        if (time > key->time)
            return REPRISE_OK;
        if (time <= c->anchor.time || (c->pending && time <= c->candidate.time))
            continue;
        rp_anim_key at = between(c, &c->raw, key, time);
        RP_TRY(reduce(keys, c, &at, error));
    }
}

/* A step takes effect at the next sample; of several before it, the last one counts. */
static reprise_status step(rp_anim_keys *keys, rp_channel *c, rp_anim_key key, reprise_error *error)
{
    double rate = keys->options.samples_per_s;
    if (rate > 0 && c->held)
        key.time = (float)(ceil((double)key.time * rate) / rate);
    if (c->pending && key.time > c->candidate.time) {
        rp_anim_key kept = c->candidate;
        RP_TRY(keep(keys, c, &kept, error));
    }
    /* A value that is replaced at the same time is dropped. */
    if (c->pending && !(rate > 0)) {
        c->seen--;
        keys->seen--;
    }
    if (c->kept && key.time <= c->anchor.time)
        key.time = nextafterf(c->anchor.time, INFINITY);
    c->candidate = key;
    c->pending = true;
    return REPRISE_OK;
}

/* ---- input ---- */

/*
 * Prepares a value for interpolation: finite numbers, unit rotations with the nearer sign. The same
 * value again gives the same key again, except where numbers were replaced. Numbers are compared
 * and stored one by one: copying all of them at once would wait for the single stores.
 */
static inline void clean(rp_channel *c, float time, const float *value, rp_anim_key *ret_key)
{
    const float *last = c->raw.value;
    float *to = ret_key->value;
    size_t count = rp_channel_values(c->kind);
    bool again = isfinite(c->given[0]);
    ret_key->time = time;
    for (size_t i = 0; i < count; i++)
        again = again && memcmp(&c->given[i], &value[i], sizeof *value) == 0;
    if (again) {
        memcpy(to, last, sizeof ret_key->value);
        return;
    }
    for (size_t i = 0; i < RP_ANIM_KEY_VALUES_MAX; i++)
        c->given[i] = to[i] = i < count ? value[i] : 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(to[i]))
            continue;
        to[i] = c->any ? last[i] : 0;
        c->given[0] = NAN;
    }
    if (c->kind != RP_CHANNEL_ROTATION)
        return;
    rp_quat q = rp_rotation_unit((rp_quat){to[0], to[1], to[2], to[3]});
    bool away = c->any && q.x * last[0] + q.y * last[1] + q.z * last[2] + q.w * last[3] < 0;
    to[0] = away ? -q.x : q.x;
    to[1] = away ? -q.y : q.y;
    to[2] = away ? -q.z : q.z;
    to[3] = away ? -q.w : q.w;
}

static inline reprise_status take(rp_anim_keys *keys, rp_channel *c, const rp_anim_key *key,
                                  reprise_error *error)
{
    if (c->steps)
        RP_TRY(step(keys, c, *key, error));
    else if (keys->options.samples_per_s > 0 && c->kept)
        RP_TRY(sample(keys, c, key, error));
    else
        RP_TRY(reduce(keys, c, key, error));
    c->raw = *key;
    c->any = c->held = true;
    return REPRISE_OK;
}

/* The value from before the start becomes the first key, unless there is one at the start. */
static reprise_status begin(rp_anim_keys *keys, rp_channel *c, float time, reprise_error *error)
{
    if (!c->any || c->held || time <= 0)
        return REPRISE_OK;
    rp_anim_key key = c->raw;
    key.time = 0;
    c->seen++;
    keys->seen++;
    return take(keys, c, &key, error);
}

reprise_status rp_channel_put(rp_anim_keys *keys, rp_channel *c, float before, float time,
                              const float *value, reprise_error *error)
{
    RP_TRY(begin(keys, c, time, error));
    rp_anim_key key;
    clean(c, time, value, &key);
    /* An unchanged value is not a key. */
    if (c->steps && c->held && same_value(c->raw.value, key.value))
        return REPRISE_OK;
    c->seen++;
    keys->seen++;
    if (!c->steps && c->held && c->raw.time < before) {
        rp_anim_key hold = c->raw;
        hold.time = before;
        c->seen++;
        keys->seen++;
        RP_TRY(take(keys, c, &hold, error));
    }
    return take(keys, c, &key, error);
}

reprise_status rp_channel_jump(rp_anim_keys *keys, rp_channel *c, float time, const float *value,
                               reprise_error *error)
{
    float before = nextafterf(time, -INFINITY);
    RP_TRY(begin(keys, c, time, error));
    return rp_channel_put(keys, c, before, time, value, error);
}

void rp_channel_prime(rp_channel *channel, const float *value)
{
    rp_anim_key key;
    clean(channel, 0, value, &key);
    channel->raw = key;
    channel->any = true;
}

/* If all values are near the only kept key, that key is enough. */
static bool constant(const rp_anim_keys *keys, const rp_channel *c)
{
    if (c->steps)
        return memcmp(c->anchor.value, c->candidate.value, sizeof c->anchor.value) == 0;
    for (size_t i = 0; i < 3; i++) {
        if (c->low[i] > 0 || c->high[i] < 0)
            return false;
    }
    return !keys->options.exact;
}

reprise_status rp_channel_end(rp_anim_keys *keys, rp_channel *c, reprise_error *error)
{
    RP_TRY(begin(keys, c, INFINITY, error));
    if (c->pending && !(c->kept == 1 && constant(keys, c))) {
        rp_anim_key last = c->candidate;
        RP_TRY(keep(keys, c, &last, error));
    }
    c->pending = false;
    return REPRISE_OK;
}

/* ---- output ---- */

/* The times of keys, or their values. Constant widths make the inner loop straight code. */
static inline size_t take_columns(const float *block, size_t count, size_t step, size_t first,
                                  size_t width, float *to)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < width; j++)
            to[taken++] = block[i * step + first + j];
    }
    return taken;
}

static reprise_status write_block(const rp_channel *c, const float *block, size_t count, bool times,
                                  rp_sink *sink, reprise_error *error)
{
    float out[BLOCK_KEYS * RP_ANIM_KEY_VALUES_MAX];
    size_t taken, step = key_floats(c);
    if (times)
        taken = take_columns(block, count, step, 0, 1, out);
    else if (step == 5)
        taken = take_columns(block, count, 5, 1, 4, out);
    else if (step == 4)
        taken = take_columns(block, count, 4, 1, 3, out);
    else
        taken = take_columns(block, count, step, 1, step - 1, out);
    return rp_sink_write_floats(sink, out, taken, error);
}

static reprise_status write_channel(rp_anim_keys *keys, const rp_channel *c, bool times,
                                    rp_sink *sink, reprise_error *error)
{
    if (!keys->readable)
        RP_TRY(rp_sink_reopen(keys->spool, &keys->readable, error));
    float block[BLOCK_KEYS * (1 + RP_ANIM_KEY_VALUES_MAX)];
    size_t size = BLOCK_KEYS * key_floats(c) * sizeof(float);
    for (size_t i = 0; i < c->offset_count; i++) {
        RP_TRY(rp_source_read(keys->readable, c->offsets[i], block, size, error));
        RP_TRY(write_block(c, block, BLOCK_KEYS, times, sink, error));
    }
    return write_block(c, c->block, c->block_count, times, sink, error);
}

reprise_status rp_channel_write_times(rp_anim_keys *keys, const rp_channel *channel, rp_sink *sink,
                                      reprise_error *error)
{
    return write_channel(keys, channel, true, sink, error);
}

reprise_status rp_channel_write_values(rp_anim_keys *keys, const rp_channel *channel, rp_sink *sink,
                                       reprise_error *error)
{
    return write_channel(keys, channel, false, sink, error);
}
