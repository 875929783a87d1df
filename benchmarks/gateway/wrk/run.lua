-- What every script needs: a thread for each port, the requests of a file, random numbers of its own for each thread,
-- and the result as one line of JSON. Settings come from the environment, because both kinds of Lua state read it.

local threads = {}

function setup(thread)
  local ports = {}
  for port in os.getenv('PORTS'):gmatch('%d+') do ports[#ports + 1] = port end
  threads[#threads + 1] = thread
  thread.addr = wrk.lookup('127.0.0.1', ports[#threads])[1]
  thread:set('thread_no', #threads)
  thread:set('thread_count', #ports)
end

function init()
  math.randomseed(tonumber(os.getenv('SEED')) + thread_no)
  local file = io.open(os.getenv('REQUESTS'), 'rb')
  requests = {}
  for text in file:read('*a'):gmatch('[^\30]+') do requests[#requests + 1] = text end
  file:close()
end

function done(summary, latency)
  local errors = summary.errors
  local accepted = 0
  for _, thread in ipairs(threads) do accepted = accepted + (thread:get('accepted') or 0) end
  io.write(string.format(
    '{"answered":%d,"refused":%d,"broken":%d,"accepted":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout, accepted,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
