-- What a front end in front of a provider answers: HTML, not JSON.
local titles = { [404] = "Not Found", [405] = "Method Not Allowed", [502] = "Bad Gateway", [504] = "Gateway Timeout" }

return function(status)
  local title = status .. " " .. (titles[status] or "Error")
  return {
    status = status,
    type = "text/html; charset=UTF-8",
    body = ("<!DOCTYPE html>\n<html><head><title>%s</title></head><body><h1>%s</h1></body></html>\n"):format(title,
      title),
  }
end
