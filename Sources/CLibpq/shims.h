// libpq, and what Swift can't import of it.
#ifndef SALVO_CLIBPQ_SHIMS_H
#define SALVO_CLIBPQ_SHIMS_H
#include <libpq-fe.h>

// Field codes of PQresultErrorField: Swift imports no macro that is a character.
static const int clibpq_diag_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int clibpq_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int clibpq_diag_message = PG_DIAG_MESSAGE_PRIMARY;
static const int clibpq_diag_detail = PG_DIAG_MESSAGE_DETAIL;
static const int clibpq_diag_context = PG_DIAG_CONTEXT;
static const int clibpq_diag_constraint = PG_DIAG_CONSTRAINT_NAME;
#endif
