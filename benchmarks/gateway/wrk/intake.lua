-- Starts payments: each prepared request in turn, with a new identifier (version 4) and another payer.
dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'run.lua')

local turn = 0
-- Bytes that stand in the prepared texts for the identifier, and for the last seven digits of a phone number.
local fresh = {}

function request()
  local random = math.random
  turn = turn % #requests + 1
  fresh['\1'] = string.format('%08x-%04x-4%03x-%04x-%04x%08x', random(0, 0xffffffff), random(0, 0xffff),
    random(0, 0xfff), random(0x8000, 0xbfff), random(0, 0xffff), random(0, 0xffffffff))
  fresh['\2'] = string.format('%07d', random(0, 9999999))
  return (requests[turn]:gsub('[\1\2]', fresh))
end
