/* json.c - see json.h. */
#include "json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static void new_line(cli_json *json)
{
    if (!json->pretty)
        return;
    cli_putc(json->to, '\n');
    cli_fill(json->to, ' ', 2 * json->depth);
}

/* Whatever precedes a value: comma, line break and key. */
static void start(cli_json *json, const char *key)
{
    if (json->follows)
        cli_putc(json->to, ',');
    if (json->depth)
        new_line(json);
    if (key) {
        cli_put_json(json->to, key, strlen(key));
        cli_puts(json->to, json->pretty ? ": " : ":");
    }
    json->follows = true;
}

static void open_level(cli_json *json, const char *key, bool array)
{
    assert(json->depth < CLI_JSON_DEPTH_MAX);
    start(json, key);
    cli_putc(json->to, array ? '[' : '{');
    json->arrays = json->arrays << 1 | array;
    json->depth++;
    json->follows = false;
}

void cli_json_object(cli_json *json, const char *key)
{
    open_level(json, key, false);
}

void cli_json_array(cli_json *json, const char *key)
{
    open_level(json, key, true);
}

void cli_json_close(cli_json *json)
{
    assert(json->depth);
    json->depth--;
    if (json->follows)
        new_line(json);
    cli_putc(json->to, json->arrays & 1 ? ']' : '}');
    json->arrays >>= 1;
    json->follows = true;
}

void cli_json_bytes(cli_json *json, const char *key, const char *text, size_t size)
{
    start(json, key);
    cli_put_json(json->to, text, size);
}

void cli_json_text(cli_json *json, const char *key, const char *text)
{
    if (text)
        cli_json_bytes(json, key, text, strlen(text));
    else
        cli_json_value(json, key, NULL);
}

void cli_json_bool(cli_json *json, const char *key, bool value)
{
    start(json, key);
    cli_puts(json->to, value ? "true" : "false");
}

void cli_json_uint(cli_json *json, const char *key, uint64_t value)
{
    start(json, key);
    cli_printf(json->to, value > UINT32_MAX ? "\"%llu\"" : "%llu", (unsigned long long)value);
}

void cli_json_number(cli_json *json, const char *key, uint64_t value)
{
    start(json, key);
    cli_printf(json->to, "%llu", (unsigned long long)value);
}

void cli_json_real(cli_json *json, const char *key, double value)
{
    char text[40] = "null";
    bool single = (double)(float)value == value;
    for (int digits = 1; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    start(json, key);
    cli_puts(json->to, text);
}

/* The library writes values on one line faster than a walk over them does. */
void cli_json_value(cli_json *json, const char *key, const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    bool walked = json->pretty && json->depth < CLI_JSON_DEPTH_MAX;
    if (walked && kind == REPRISE_VALUE_OBJECT) {
        cli_json_object(json, key);
        cli_json_members(json, value, NULL);
        cli_json_close(json);
    } else if (walked && kind == REPRISE_VALUE_ARRAY) {
        cli_json_array(json, key);
        for (size_t i = 0; i < reprise_value_count(value); i++)
            cli_json_value(json, NULL, reprise_value_at(value, i));
        cli_json_close(json);
    } else {
        start(json, key);
        cli_put_value(json->to, value);
    }
}

void cli_json_members(cli_json *json, const reprise_value *object, const char *except)
{
    for (size_t i = 0; i < reprise_value_count(object); i++) {
        const char *key = reprise_value_key(object, i);
        if (!except || strcmp(key, except) != 0)
            cli_json_value(json, key, reprise_value_at(object, i));
    }
}
