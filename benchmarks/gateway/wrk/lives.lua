-- Starts a payment whenever another one has ended: IN_FLIGHT of them are in flight. The file PROGRESS tells how many
-- ended. The whole thread waits for a free slot, answers stay in their sockets meanwhile: so wrk's latencies mean
-- nothing here, and are not reported.
dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'intake.lua')

local ffi = require('ffi')
ffi.cdef('int usleep(unsigned int microseconds);')

local WAIT_US = 2000
-- Then go on without a free slot: what is missing may be rejected requests whose answers were not read yet.
local WAITS_MAX = 1000

local slots = tonumber(os.getenv('IN_FLIGHT'))
local start = request
local sent, rejected = 0, 0
local progress

accepted = 0

-- Without a buffer, which would be stale.
local function count_ended()
  if progress == nil then
    progress = io.open(os.getenv('PROGRESS'), 'rb')
    progress:setvbuf('no')
  end
  progress:seek('set', 0)
  return tonumber(progress:read(12))
end

local function is_full()
  return (sent - rejected) * thread_count - count_ended() >= slots
end

function request()
  local waits = 0
  while waits < WAITS_MAX and is_full() do
    ffi.C.usleep(WAIT_US)
    waits = waits + 1
  end
  sent = sent + 1
  return start()
end

function response(status, _, body)
  if status == 200 and body:find('"ACCEPTED"', 1, true) then accepted = accepted + 1
  else rejected = rejected + 1 end
end
