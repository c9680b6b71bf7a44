/* opus.c - see opus.h. */
#include "opus.h"

enum {
    PRE_SKIP = 312, /* samples of encoder delay */
    FRAME_20MS = 960,
    PAGE_SAMPLES = RP_OPUS_RATE, /* a page at least every second */
    PAGE_FIRST = 2,
    PAGE_LAST = 4,
    OPUS_FRAMES_MAX = 48,
};

unsigned rp_opus_packet_samples(const void *data, size_t size)
{
    static const uint16_t silk[4] = {480, 960, 1920, 2880};
    static const uint16_t celt[4] = {120, 240, 480, 960};
    const uint8_t *bytes = data;
    if (!size)
        return 0;
    unsigned config = bytes[0] >> 3, code = bytes[0] & 3;
    unsigned frame = config < 12   ? silk[config & 3]
                     : config < 16 ? silk[config & 1]
                                   : celt[config & 3];
    unsigned frames = code == 0 ? 1 : code < 3 ? 2 : size > 1 ? bytes[1] & 63 : 0;
    if (!frames || frames > OPUS_FRAMES_MAX || (code == 1 && size % 2 == 0))
        return 0;
    return frame * frames > RP_OPUS_PACKET_MAX ? 0 : frame * frames;
}

/* The polynomial of CRC-32, most significant bit first. */
static void make_table(rp_opus *opus)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i << 24;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (crc >> 31 ? UINT32_C(0x04C11DB7) : 0);
        opus->table[i] = crc;
    }
}

static uint32_t checksum(const rp_opus *opus, const uint8_t *data, size_t size)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < size; i++)
        crc = crc << 8 ^ opus->table[(crc >> 24 ^ data[i]) & 0xFF];
    return crc;
}

static void put_page(rp_opus *opus, unsigned flags)
{
    enum { CHECKSUM_AT = 22 };
    rp_writer *w = opus->to;
    size_t start = w->size;
    rp_put(w, "OggS\0", 5);
    rp_put_u8(w, (uint8_t)flags);
    rp_put_u64(w, opus->samples);
    rp_put_u32(w, opus->serial);
    rp_put_u32(w, opus->page++);
    rp_put_u32(w, 0);
    rp_put_u8(w, (uint8_t)opus->segment_count);
    rp_put(w, opus->segments, opus->segment_count);
    rp_put(w, opus->body, opus->body_size);
    if (rp_writer_ok(w))
        rp_store32(w->data + start + CHECKSUM_AT, checksum(opus, w->data + start, w->size - start));
    opus->segment_count = 0;
    opus->body_size = 0;
    opus->page_samples = opus->samples;
}

static void add_packet(rp_opus *opus, const void *data, size_t size)
{
    memcpy(opus->body + opus->body_size, data, size);
    opus->body_size += size;
    for (; size >= 255; size -= 255)
        opus->segments[opus->segment_count++] = 255;
    opus->segments[opus->segment_count++] = (uint8_t)size;
}

void rp_opus_begin(rp_opus *opus, rp_writer *to, uint32_t serial, bool stereo)
{
    opus->to = to;
    opus->serial = serial;
    opus->page = 0;
    opus->samples = opus->page_samples = 0;
    opus->segment_count = 0;
    opus->body_size = 0;
    opus->toc = 0;
    make_table(opus);
    uint8_t head[19] = "OpusHead\1";
    head[9] = stereo ? 2 : 1;
    rp_store16(head + 10, PRE_SKIP);
    rp_store32(head + 12, RP_OPUS_RATE);
    add_packet(opus, head, sizeof head);
    put_page(opus, PAGE_FIRST);
    static const char tags[] = "OpusTags\7\0\0\0reprise\0\0\0";
    add_packet(opus, tags, sizeof tags);
    put_page(opus, 0);
}

void rp_opus_put(rp_opus *opus, const void *data, size_t size)
{
    /* The last page is marked, so a page is written only when the next one has content. */
    if (opus->samples - opus->page_samples >= PAGE_SAMPLES ||
        opus->segment_count + size / 255 + 1 > 255)
        put_page(opus, 0);
    add_packet(opus, data, size);
    opus->toc = *(const uint8_t *)data;
    opus->samples += rp_opus_packet_samples(data, size);
}

void rp_opus_skip(rp_opus *opus, uint64_t samples)
{
    /* Empty frames of 20 ms in the mode of the last packet. */
    unsigned config = opus->toc >> 3;
    config = config < 12 ? (config & ~3U) + 1 : config < 16 ? config | 1 : config | 3;
    uint8_t toc = (uint8_t)(config << 3 | (opus->toc & 4));
    for (uint64_t frames = samples / FRAME_20MS; frames;) {
        uint64_t n = frames < 6 ? frames : 6;
        uint8_t packet[2] = {(uint8_t)(toc | 3), (uint8_t)n};
        rp_opus_put(opus, packet, sizeof packet);
        frames -= n;
    }
}

uint64_t rp_opus_position(const rp_opus *opus)
{
    return opus->samples;
}

void rp_opus_end(rp_opus *opus)
{
    put_page(opus, PAGE_LAST);
}
