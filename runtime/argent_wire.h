/* Messages between a program (argent_remote.c) and a simulator server (argent_server.c), over a Unix socket of type
 * SOCK_SEQPACKET: one message is one packet. The client asks, the server answers each request once, in order, with the same
 * `kind`; `code` is 0 in a request and an argent_code (or, of WAIT, 1) in an answer. An answer with a negative code has a text in
 * place of the fields that belong to its kind.
 *
 * All fields are little-endian and lie at multiples of their size, so 32-bit and 64-bit sides agree. */
#ifndef ARGENT_WIRE_H
#define ARGENT_WIRE_H

#include <stdint.h>

#ifdef __BYTE_ORDER__
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the protocol of sim+unix: is spoken by little-endian machines only"
#endif
#endif

enum {
    ARGENT_WIRE_MAGIC = 0x4d535241, /* "ARSM" */
    ARGENT_WIRE_VERSION = 2,
    ARGENT_WIRE_NAME = 128,  /* bytes of a name, with its 0 */
    ARGENT_WIRE_TEXT = 2048, /* bytes of a text, with its 0 */
    ARGENT_WIRE_WINDOWS = 64,
    ARGENT_WIRE_SEGMENTS = 64,
    ARGENT_WIRE_LARGEST = 32768 /* bytes of a message */
};

enum argent_wire_kind {
    ARGENT_WIRE_HELLO = 1, /* the first message */
    ARGENT_WIRE_SHARE,     /* with a dma-buf, or a memfd that is sealed against shrinking */
    ARGENT_WIRE_MAP,
    ARGENT_WIRE_UNMAP,
    ARGENT_WIRE_READ,
    ARGENT_WIRE_WRITE,
    ARGENT_WIRE_ARM,
    ARGENT_WIRE_WAIT,
    ARGENT_WIRE_RESET,
    ARGENT_WIRE_COUNTER,
    ARGENT_WIRE_PORT,
    ARGENT_WIRE_TIME,
    ARGENT_WIRE_TRANSFER,
    ARGENT_WIRE_UNSHARE,   /* nothing of it is mapped any more */
    ARGENT_WIRE_KINDS
};

struct argent_wire_head {
    uint32_t magic;
    uint32_t kind;
    uint32_t bytes; /* of the whole message */
    int32_t code;
};

struct argent_wire_hello {
    struct argent_wire_head head;
    uint32_t version; /* asked: the client's; answered: the server's */
    uint32_t zero;
    char accelerator[ARGENT_WIRE_NAME];
};

struct argent_wire_share {
    struct argent_wire_head head;
    uint32_t segment, zero; /* the client's number, below ARGENT_WIRE_SEGMENTS; one that is not in use */
    uint64_t bytes;         /* of UNSHARE: 0 */
};

struct argent_wire_map {
    struct argent_wire_head head;
    uint32_t segment, access;
    uint64_t offset, bytes;
    uint64_t address; /* answered; asked by UNMAP */
};

struct argent_wire_register {
    struct argent_wire_head head;
    uint32_t offset, value;
};

struct argent_wire_window {
    char port[ARGENT_WIRE_NAME];
    uint32_t access;
    int32_t dimensions;
    uint64_t address;
    int64_t extent[4], stride[4];
};

/* struct argent_sim_settings without its waveforms, which are the server's own business. */
struct argent_wire_settings {
    uint32_t read_latency, write_latency, beats, clocks;
    uint32_t stalls, fresh, fault, zero;
    uint64_t seed, watchdog, fault_at;
    char fault_port[ARGENT_WIRE_NAME];
};

struct argent_wire_arm {
    struct argent_wire_head head;
    struct argent_wire_settings settings;
    uint32_t window_count; /* `given` 0: none were given, every mapping is open */
    uint32_t given;
    struct argent_wire_window windows[ARGENT_WIRE_WINDOWS]; /* only window_count of them are sent */
};

struct argent_wire_transfer {
    struct argent_wire_head head;
    uint32_t window_count, zero;
    struct argent_wire_window windows[ARGENT_WIRE_WINDOWS]; /* only window_count of them are sent */
};

struct argent_wire_number {
    struct argent_wire_head head;
    uint64_t number; /* WAIT: microseconds; COUNTER: which, then its value; TIME: clocks */
};

struct argent_wire_port {
    struct argent_wire_head head;
    uint32_t index, writes;
    uint64_t bursts, beats, bytes, expected_bytes, stalled, first, last;
    char name[ARGENT_WIRE_NAME];
};

struct argent_wire_error {
    struct argent_wire_head head;
    char text[ARGENT_WIRE_TEXT]; /* only up to its 0 is sent */
};

#endif
