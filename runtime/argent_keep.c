#define _POSIX_C_SOURCE 200809L
#include "argent_keep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct kept_text {
    struct kept_text *next;
    char text[1];
} *kept_texts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *keep_locked(const char *text) {
    for (struct kept_text *k = kept_texts; k != NULL; k = k->next)
        if (strcmp(k->text, text) == 0) return k->text;
    size_t n = strlen(text);
    struct kept_text *k = malloc(sizeof *k + n);
    if (k == NULL) return NULL;
    memcpy(k->text, text, n + 1);
    k->next = kept_texts;
    kept_texts = k;
    return k->text;
}

const char *argent_keep(const char *text) {
    if (text == NULL) return NULL;
    pthread_mutex_lock(&lock);
    const char *kept = keep_locked(text);
    pthread_mutex_unlock(&lock);
    return kept;
}
