/* A minimal JSON-RPC server on newline stdio, to start from. It needs libjansson-dev.
 *
 * Try: make && rpclab conform --expected expected.toml -- ./server
 *
 * What it still breaks is in ../README.md. Make the list shorter.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *error(int code, const char *message) {
    return json_pack("{s:{s:i,s:s}}", "error", "code", code, "message", message);
}

static json_t *result(json_t *value) {
    return json_pack("{s:o}", "result", value);
}

static json_t *number(double value) {
    json_int_t whole = (json_int_t)value;
    return (double)whole == value ? json_integer(whole) : json_real(value);
}

static json_t *subtract(json_t *params) {
    double left, right;
    if (json_unpack(params, "[F,F]", &left, &right) &&
        json_unpack(params, "{s:F,s:F}", "minuend", &left, "subtrahend", &right))
        return error(-32602, "Invalid params");
    return result(number(left - right));
}

static json_t *sum(json_t *params) {
    double total = 0;
    size_t place;
    json_t *member;
    json_array_foreach(params, place, member) total += json_number_value(member);
    return result(number(total));
}

/* Call the method that a request names: give its result, or an error. */
static json_t *call(json_t *request) {
    const char *method = json_string_value(json_object_get(request, "method"));
    json_t *params = json_object_get(request, "params");
    if (!method) return error(-32600, "Invalid Request");
    if (!strcmp(method, "echo")) return result(params ? json_incref(params) : json_array());
    if (!strcmp(method, "subtract")) return subtract(params);
    if (!strcmp(method, "sum") || !strcmp(method, "add")) return sum(params);
    if (!strcmp(method, "get_data")) return result(json_pack("[s,i]", "hello", 5));
    if (!strcmp(method, "boom")) return error(-32603, "Internal error");
    if (!strcmp(method, "update") || !strncmp(method, "notify_", 7)) return result(json_null());
    return error(-32601, "Method not found");
}

static void answer(const char *line, size_t length) {
    json_t *request = json_loadb(line, length, JSON_DECODE_ANY, NULL);
    json_t *id = request ? json_object_get(request, "id") : json_null();
    json_t *reply = request ? call(request) : error(-32700, "Parse error");
    if (id) {
        json_object_set_new(reply, "jsonrpc", json_string("2.0"));
        json_object_set(reply, "id", id);
        json_dumpf(reply, stdout, JSON_COMPACT);
        putchar('\n');
        fflush(stdout);
    }
    json_decref(reply);
    json_decref(request);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, stdin)) > 0) answer(line, (size_t)length);
    free(line);
    return 0;
}
