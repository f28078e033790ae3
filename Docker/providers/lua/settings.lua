-- What prepare.sh wrote for this stack: its folder, the credentials the stand-ins know, the ports they listen on.
local cjson = require("cjson.safe")

cjson.decode_invalid_numbers(false)

local folder = os.getenv("STANDINS_FOLDER")
local file = assert(io.open(folder .. "/settings.json"))
local settings = assert(cjson.decode(file:read("*a")))
file:close()
settings.folder = folder
return settings
