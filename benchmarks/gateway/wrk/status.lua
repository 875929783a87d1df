-- Sends one of the prepared requests, chosen at random.
dofile(debug.getinfo(1, 'S').source:match('@(.*/)') .. 'run.lua')

function request()
  return requests[math.random(#requests)]
end
