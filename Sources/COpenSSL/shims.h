// OpenSSL's functions and the macros Swift cannot import.
#ifndef SALVO_COPENSSL_SHIMS_H
#define SALVO_COPENSSL_SHIMS_H
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#endif
