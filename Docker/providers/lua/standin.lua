-- Serves one request of one stand-in: reads the body, lets the provider's module decide, writes the ledger, keeps a
-- sample body, waits as ordered, answers.
local connections = require("connections")
local knobs = require("knobs")
local ledger = require("ledger")
local M = {}

local modules = {
  ["fcm"] = require("fcm"),
  ["fcm-token"] = require("fcm_token"),
  ["apns"] = require("apns"),
  ["apns-sandbox"] = require("apns"),
  ["hms"] = require("hms"),
  ["hms-token"] = require("hms_token"),
  ["appmetrica"] = require("appmetrica"),
  ["rustore"] = require("rustore"),
}

-- nginx counts unread bodies as a flood after some 13,000 requests of an HTTP/2 connection, so every body is read.
local function readBody()
  ngx.req.read_body()
  local body = ngx.req.get_body_data()
  local path = ngx.req.get_body_file()
  if not body and path then
    local file = assert(io.open(path, "rb"))
    body = file:read("*a")
    file:close()
  end
  return body or "", path
end

local function send(answer)
  if answer.status == 444 then
    return ngx.exit(444)
  end
  ngx.status = answer.status
  for name, value in pairs(answer.headers or {}) do
    ngx.header[name] = value
  end
  local body = answer.body or ""
  ngx.header["Content-Type"] = body ~= "" and (answer.type or "application/json; charset=UTF-8") or nil
  ngx.header["Content-Length"] = #body
  ngx.print(body)
end

-- A provider's `decide(request)` gives an answer: `status`, `body`, `type`, `headers`; `messages` for the ledger
-- (nil: nothing was sent to anybody) with `more`, JSON members for each of its lines; `delay` in ms;
-- `bodyKept` when it has put the body away by itself.
function M.serve(provider)
  connections.requestBegan(provider)
  local body, path = readBody()
  local request = {
    provider = provider,
    method = ngx.req.get_method(),
    path = ngx.var.request_uri:match("^[^?]*"),
    body = body,
    bodyFile = path,
    number = ledger.nextRequest(),
  }
  local answer = modules[provider].decide(request)
  if answer.messages then
    ledger.write(provider, request.number, answer.status, answer.messages, answer.more)
    if not answer.bodyKept then
      ledger.keepBody(provider, body)
    end
  end
  local delay = math.max(answer.delay or 0, knobs.get(provider .. "-delay-ms") or 0)
  if delay > 0 then
    ngx.sleep(delay / 1000)
  end
  local wait = answer.status >= 429 and knobs.get(provider .. "-retry-after-s") or 0
  if wait > 0 then
    answer.headers = answer.headers or {}
    answer.headers["Retry-After"] = knobs.get("retry-after-form") == "date" and ngx.http_time(ngx.time() + wait) or wait
  end
  send(answer)
end

return M
