-- AppMetrica Push API: POST /push/v1/send-batch and the two status calls. A transfer is accepted, validated and sent
-- later; nothing is said about a single device.
local batch = require("appmetrica_batch")
local cjson = require("cjson.safe")
local json = require("json")
local knobs = require("knobs")
local ledger = require("ledger")
local outcome = require("outcome")
local page = require("page")
local settings = require("settings")
local transfers = ngx.shared.transfers
local M = {}

local statuses = {
  backend_error = 503, invalid_parameter = 400, missing_parameter = 400, invalid_json = 400, unauthorized = 401,
  access_denied = 403, not_found = 404, conflict = 409, quota = 429,
}
local kinds = { [400] = "invalid_parameter", [401] = "unauthorized", [403] = "access_denied", [409] = "conflict",
  [429] = "quota", [503] = "backend_error" }

local function refusal(kind, message, location)
  local status = statuses[kind]
  return {
    status = status,
    code = kind,
    body = json.encode({
      errors = { { error_type = kind, message = message, location = location } }, code = status, message = message,
    }),
  }
end

local function isAuthorized()
  return knobs.get("appmetrica-bearer") == "accept"
    and ngx.var.http_authorization == "OAuth " .. settings.appmetrica.token
end

-- Gives the state's word and, for a failed transfer, its error.
local function progress(transfer)
  local age, pending = ledger.milliseconds() - transfer.accepted, knobs.get("appmetrica-pending-ms")
  if age < pending then
    return "pending"
  elseif transfer.error then
    return "failed", transfer.error
  elseif age < pending + knobs.get("appmetrica-progress-ms")
    or knobs.get("appmetrica-stuck") == "on" and transfer.tag:find("^stuck") then
    return "in_progress"
  end
  return "sent"
end

local function status(id)
  local text = id and transfers:get("transfer:" .. id)
  if not text then
    return refusal("not_found", "Transfer is not found")
  end
  local transfer = cjson.decode(text)
  local word, why = progress(transfer)
  local client = transfer.client and (',"client_transfer_id":' .. transfer.client) or ""
  return {
    status = 200,
    body = ('{"transfer":{"id":%s,"group_id":%s,"status":"%s","errors":[%s],"tag":%s,"creation_date":"%s"%s}}'):format(
      id, transfer.group, word, why and json.encode(why) or "", json.encode(transfer.tag),
      os.date("!%Y-%m-%dT%H:%M:%S+00:00", math.floor(transfer.accepted / 1000)), client),
  }
end

local function accept(request, read)
  local id, client = ("%.0f"):format(request.number), ""
  if read.client then
    if not transfers:safe_add("client:" .. read.group .. "/" .. read.client, id) then
      return refusal("conflict", "client_transfer_id is not unique in the group", "client_transfer_id")
    end
    client = ',"client_transfer_id":' .. read.client
  end
  local fails = read.tag:find("^fail") or read.tag == knobs.get("appmetrica-fail-tag")
  assert(transfers:safe_set("transfer:" .. id, cjson.encode({
    group = read.group, client = read.client, tag = read.tag, accepted = ledger.milliseconds(),
    error = read.error or fails and "Invalid push credentials for Android" or nil,
  })))
  return { status = 200, body = '{"push_response":{"transfer_id":' .. id .. client .. "}}" }
end

-- nginx deletes the body's file after the answer unless it has been renamed by then.
local function keep(request)
  local name = ("appmetrica.%.0f.json"):format(request.number)
  assert(os.rename(request.bodyFile, settings.folder .. "/bodies/" .. name))
  return (',"body":"%s"'):format(name)
end

local function send(request)
  local read, fault = batch.read(request.body)
  local given, delay, wanted
  if not isAuthorized() then
    given = refusal("unauthorized", "Unauthorized")
  elseif fault then
    given = refusal(fault.kind, fault.message, fault.location)
  else
    local _
    delay, _, wanted = outcome.read("appmetrica", read.tag)
    local always = knobs.get("appmetrica-answer")
    wanted = always > 0 and always or wanted
    if not wanted then
      given = accept(request, read)
    elseif kinds[wanted] then
      given = refusal(kinds[wanted], "ordered by the tag")
    else
      given = page(wanted)
    end
  end
  local accepted = given.status == 200
  if accepted and read.tag:find("^lost") then
    given = { status = 444 }
  end
  given.delay = delay
  if request.bodyFile then
    given.messages = { { code = given.code, accepted = accepted } }
    given.more = keep(request)
    given.bodyKept = true
  end
  return given
end

function M.decide(request)
  if request.path == "/push/v1/send-batch" and request.method == "POST" then
    return send(request)
  end
  local id = request.path:match("^/push/v1/status/(%d+)$")
  local group, client = request.path:match("^/push/v1/status/(%d+)/(%-?%d+)$")
  if request.method ~= "GET" or not (id or group) then
    return page(404)
  elseif not isAuthorized() then
    return refusal("unauthorized", "Unauthorized")
  end
  return status(id or transfers:get("client:" .. group .. "/" .. client))
end

return M
