// OpenSSL's libcrypto, and the macros Swift cannot import.
#ifndef SALVO_COPENSSL_SHIMS_H
#define SALVO_COPENSSL_SHIMS_H
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/// Frees what OpenSSL allocated, as OPENSSL_free.
static inline void copenssl_free(void *_Nullable pointer) { OPENSSL_free(pointer); }
#endif
