-- Drives wrk for restbench: sends one request shape with a new integer id in each request, ends on time, and prints a
-- report.
--
-- Arguments after "--": METHOD PATH BODY_FILE FIRST_ID IDS START THREADS CONNECTIONS SECONDS [HEADER VALUE]...
-- PATH may hold {id}. IDS is a power of 2. The ids are FIRST_ID to FIRST_ID + IDS - 1. Their order looks random and
-- depends on START. A thread repeats an id only after it has sent all of its own. CONNECTIONS is the number per thread.
--
-- wrk takes whole seconds only, and looks every 100 ms whether its time is over. It also times the opening of
-- connections, and at its end it drops the requests that are under way. Here each thread times itself, from its first
-- request on. After SECONDS, a connection whose answer has come sends nothing more. The thread stops with its last
-- answer. So every request is answered and counted. wrk's own --duration ends a load only when answers do not come.
--
-- wrk opens all connections of a thread at once. A socket queues no more connections than its backlog, which is 100 in
-- asyncio and 128 in many libraries. A connection that does not fit is dropped, and TCP tries it again after a second.
-- So threads begin one after the other, and none sends a request before all threads have a connection. A thread
-- waits for the others for LONGEST_WAIT_SECONDS at most.

local ffi = require("ffi")
ffi.cdef([[
  struct restbench_time { long seconds; long nanoseconds; };
  int clock_gettime(int clock, struct restbench_time *time);
  int getpid(void);
  int kill(int pid, int signal);
  int usleep(unsigned int microseconds);
]])
local CLOCK_MONOTONIC, SIGINT = 1, 2
-- A linear congruential generator. Its period is its modulus, a power of 2 (Knuth, TAOCP 2, 3.2.1.2, theorem A). The
-- constants are those of Numerical Recipes. All products are below 2^53, so doubles hold them exactly.
local MULTIPLIER, INCREMENT = 1664525, 1013904223
local time = ffi.new("struct restbench_time")
local threads = {}
-- The time that a thread has to open its connections before the next thread begins, and the longest time that a thread
-- waits for the others.
local OPENING_MICROSECONDS, LONGEST_WAIT_SECONDS = 5000, 1
-- Flags that all threads share: which threads have a connection, and which have stopped. Each thread has its own Lua
-- state, so it gets the addresses of these arrays.
local opened = ffi.new("int32_t[4096]")
local stopped = ffi.new("int32_t[4096]")
local quiet = 0
local before, after, first, modulus, state, lanes, step, connections, seconds, is_check

local function clock()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

-- wrk calls this before it starts a thread.
function setup(thread)
  if #threads > 0 then
    ffi.C.usleep(OPENING_MICROSECONDS)
  end
  thread:set("number", #threads)
  thread:set("opened_at", tonumber(ffi.cast("uintptr_t", opened)))
  thread:set("stopped_at", tonumber(ffi.cast("uintptr_t", stopped)))
  table.insert(threads, thread)
end

function init(args)
  local method, path, body_file = args[1], args[2], args[3]
  local ids, start = tonumber(args[5]), tonumber(args[6])
  first, step, connections, seconds = tonumber(args[4]), tonumber(args[7]), tonumber(args[8]), tonumber(args[9])
  local file = assert(io.open(body_file, "rb"))
  local body = file:read("*a")
  file:close()
  local lines = { method .. " " .. path .. " HTTP/1.1", "Host: " .. wrk.headers["Host"], "Connection: keep-alive" }
  for i = 10, #args, 2 do
    table.insert(lines, args[i] .. ": " .. args[i + 1])
  end
  if #body > 0 then
    table.insert(lines, "Content-Length: " .. #body)
  end
  -- the request is built once and cut at the id, because building each request would make wrk the bottleneck
  local request = table.concat(lines, "\r\n") .. "\r\n\r\n" .. body
  local from, to = request:find("{id}", 1, true)
  if from then
    before, after = request:sub(1, from - 1), request:sub(to + 1)
    -- each thread sends every lanes-th id: lanes is the next power of 2, so the modulus is a power of 2 too
    lanes = 1
    while lanes < step do
      lanes = lanes * 2
    end
    modulus = ids / lanes
    state = (start + number) % modulus
  else
    before = request
  end
  opened = ffi.cast("int32_t *", opened_at)
  stopped = ffi.cast("int32_t *", stopped_at)
  -- at its start, wrk asks the first thread for a request that it only parses and does not send
  is_check = number == 0
end

-- A connection has had its last answer. The thread stops when all of its connections have. The last thread to stop ends
-- the sleep of wrk's main thread. An earlier one must not, because the main thread then stops all other threads.
local function fall_quiet(now)
  quiet = quiet + 1
  if quiet < connections then
    return
  end
  ended = now
  wrk.thread:stop()
  stopped[number] = 1
  local wrk_itself = ffi.C.getpid()
  for i = 0, step - 1 do
    if stopped[i] == 0 then
      return
    end
  end
  ffi.C.kill(wrk_itself, SIGINT)
end

local function wait_for_all_threads()
  opened[number] = 1
  local latest = clock() + LONGEST_WAIT_SECONDS
  for i = 0, step - 1 do
    while opened[i] == 0 and clock() < latest do
      ffi.C.usleep(100)
    end
  end
end

-- wrk calls this when a connection may send. `began` and `ended` are global, because done reads them from the thread.
-- An empty request sends nothing, and the connection goes on waiting.
function request()
  if is_check then
    is_check = false
  else
    if not began then
      wait_for_all_threads()
      began = clock()
    end
    local now = clock()
    if now >= began + seconds then
      fall_quiet(now)
      return ""
    end
  end
  if not state then
    return before
  end
  state = (state * MULTIPLIER + INCREMENT) % modulus
  return before .. string.format("%d", first + state * lanes + number) .. after
end

-- Returns the seconds from a thread's first request to its stop. For a thread that did not stop, because answers did
-- not come, it counts until now. For a thread without a request, it returns the whole duration.
local function span(thread, now, duration)
  local from = thread:get("began")
  return from and (thread:get("ended") or now) - from or duration
end

function done(summary, latency, _)
  local now, total = clock(), 0
  for _, thread in ipairs(threads) do
    total = total + span(thread, now, summary.duration / 1e6)
  end
  local e = summary.errors
  io.write(string.format(
    'restbench {"requests":%d,"received":%d,"seconds":%.6f,"mean":%.3f,"p50":%d,"p75":%d,"p90":%d,"p99":%d,"p999":%d,"max":%d,'
      .. '"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.bytes, total / #threads, latency.mean, latency:percentile(50), latency:percentile(75),
    latency:percentile(90), latency:percentile(99), latency:percentile(99.9), latency.max,
    e.connect, e.read, e.write, e.status, e.timeout
  ))
end
