// libcurl's variadic calls, one typed shim for each C type, because Swift imports no variadics.
#ifndef SALVO_CCURL_SHIMS_H
#define SALVO_CCURL_SHIMS_H
#define CURL_STRICTER 1
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#endif
