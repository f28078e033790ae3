// libpq as it is; named here so that the module has one header to grow shims in.
#ifndef SALVO_CLIBPQ_SHIMS_H
#define SALVO_CLIBPQ_SHIMS_H
#include <libpq-fe.h>
#endif
