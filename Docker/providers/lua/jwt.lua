-- Verifies compact JWTs with the libcrypto that nginx itself is linked to: RS256 for Google, ES256 for Apple.
local cjson = require("cjson.safe")
local base64 = require("ngx.base64")
local ffi = require("ffi")

ffi.cdef([[
typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct engine_st ENGINE;
BIO *BIO_new_mem_buf(const void *bytes, int count);
int BIO_free(BIO *bio);
EVP_PKEY *PEM_read_bio_PUBKEY(BIO *bio, EVP_PKEY **out, void *callback, void *user);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
const EVP_MD *EVP_sha256(void);
int EVP_DigestVerifyInit(EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *digest, ENGINE *engine,
                         EVP_PKEY *key);
int EVP_DigestVerify(EVP_MD_CTX *context, const unsigned char *signature, size_t signatureCount,
                     const unsigned char *bytes, size_t count);
void ERR_clear_error(void);
]])

local C = ffi.C
local M = {}

-- A public key from PEM text; it lives as long as the worker.
function M.publicKey(pem)
  local bio = C.BIO_new_mem_buf(pem, #pem)
  local key = C.PEM_read_bio_PUBKEY(bio, nil, nil, nil)
  C.BIO_free(bio)
  assert(key ~= nil, "settings.json holds a public key that is no PEM")
  return key
end

-- Base64url without padding, in its one canonical spelling; nil for anything else.
local function decoded(text)
  local bytes = base64.decode_base64url(text)
  if bytes and base64.encode_base64url(bytes) == text then
    return bytes
  end
end

-- JOSE carries r and s as 32 bytes each (RFC 7518, 3.4); libcrypto wants an ASN.1 sequence of two integers.
local function derSignature(raw)
  local function integer(bytes)
    bytes = bytes:gsub("^%z+", "")
    if bytes == "" or bytes:byte(1) >= 0x80 then
      bytes = "\0" .. bytes
    end
    return "\2" .. string.char(#bytes) .. bytes
  end
  local both = integer(raw:sub(1, 32)) .. integer(raw:sub(33, 64))
  return "\48" .. string.char(#both) .. both
end

local function holds(key, signature, text)
  local context = C.EVP_MD_CTX_new()
  local good = C.EVP_DigestVerifyInit(context, nil, C.EVP_sha256(), nil, key) == 1
    and C.EVP_DigestVerify(context, signature, #signature, text, #text) == 1
  C.EVP_MD_CTX_free(context)
  -- A refused signature leaves entries in the thread's error queue, and nginx would report them for its own TLS.
  C.ERR_clear_error()
  return good
end

-- Gives header and claims, or nil and which check failed: "form", "algorithm", "key" or "signature".
-- `keyFor(kid)` gives the public key of a known key id.
function M.verify(token, algorithm, keyFor)
  local head, body, tail = token:match("^([%w_-]+)%.([%w_-]+)%.([%w_-]+)$")
  local header = head and cjson.decode(decoded(head) or "")
  local claims = head and cjson.decode(decoded(body) or "")
  local signature = head and decoded(tail)
  if type(header) ~= "table" or type(claims) ~= "table" or not signature then
    return nil, "form"
  end
  if header.alg ~= algorithm then
    return nil, "algorithm"
  end
  local key = type(header.kid) == "string" and keyFor(header.kid)
  if not key then
    return nil, "key"
  end
  if algorithm == "ES256" then
    if #signature ~= 64 then
      return nil, "signature"
    end
    signature = derSignature(signature)
  end
  if not holds(key, signature, head .. "." .. body) then
    return nil, "signature"
  end
  return header, claims
end

-- Whether a claim is a whole number of seconds; a text or a fraction is not.
function M.isSeconds(value)
  return type(value) == "number" and value == math.floor(value) and value >= 0
end

return M
