/* Texts that stay: what another thread, or a caller, may still read. */
#ifndef ARGENT_KEEP_H
#define ARGENT_KEEP_H

/* The same text, at an address that holds until the program ends; each text once. NULL: it was NULL, or there is no memory. */
const char *argent_keep(const char *text);

#endif
