-- Drives wrk for restbench: sends one request shape with a new integer id in each request, ends on time, and prints a
-- report. Where it is asked to, it also reads every answer (reading.lua).
--
-- Arguments after "--": METHOD PATH BODY_FILE FIRST_ID IDS START THREADS CONNECTIONS SECONDS READING [HEADER VALUE]...
-- PATH and the body may hold {id}. IDS is a power of 2. The ids are FIRST_ID to FIRST_ID + IDS - 1. Their order looks
-- random and depends on START. All ids have the same number of digits. CONNECTIONS is the number per thread. READING is
-- the file with the arguments of reading.lua, or empty.
--
-- One request in REPEAT_EVERY asks again for the id of some requests before, with the same body: an app that keeps its
-- answers then gives an old one. A thread repeats another id only after it has sent all of its own.
--
-- wrk takes whole seconds only, and looks every 100 ms whether its time is over. It also times the opening of
-- connections, and at its end it drops the requests that are under way. Here each thread times itself, from its first
-- request on. After SECONDS, a connection whose answer has come sends nothing more. The thread stops with its last
-- answer. So every request is answered and counted. wrk's own --duration ends a load only when answers do not come.
--
-- wrk opens all connections of a thread at once. A socket queues no more connections than its backlog, which is 100 in
-- asyncio and 128 in many libraries. A connection that does not fit is dropped, and TCP tries it again after a second.
-- So threads begin in groups of OPENED_AT_ONCE connections, and none sends a request before all threads have a
-- connection. A thread waits for the others for LONGEST_WAIT_SECONDS at most.

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
local REPEAT_EVERY = 32
local FOLDER = debug.getinfo(1, "S").source:match("^@(.*/)")
local time = ffi.new("struct restbench_time")
local threads = {}
-- The time that threads have to open their connections before the next ones begin, how many connections are opened at
-- once, and the longest time that a thread waits for the others.
local OPENING_MICROSECONDS, OPENED_AT_ONCE, LONGEST_WAIT_SECONDS = 5000, 64, 1
-- How often a thread looks whether the others have a connection: times the number of threads, as all look.
local WAITING_MICROSECONDS = 50
-- What threads tell each other: which have a connection, which have stopped, and how many requests each has sent. Each
-- thread has its own Lua state, so it gets the addresses of these arrays.
local opened = ffi.new("int32_t[4096]")
local stopped = ffi.new("int32_t[4096]")
local counted = ffi.new("int32_t[4096]")
local quiet, asked = 0, 0
local parts, first, modulus, state, lanes, step, connections, seconds, is_check, repeated, reader

local function clock()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local function address(array)
  return tonumber(ffi.cast("uintptr_t", array))
end

-- wrk calls this before it starts a thread.
function setup(thread)
  thread:set("number", #threads)
  thread:set("opened_at", address(opened))
  thread:set("stopped_at", address(stopped))
  thread:set("counted_at", address(counted))
  table.insert(threads, thread)
end

-- Returns the request without its ids: the text before, between and after them. It is built once, because building each
-- request would make wrk the bottleneck.
local function request_parts(method, path, body, headers, id)
  local lines = { method .. " " .. path .. " HTTP/1.1", "Host: " .. wrk.headers["Host"], "Connection: keep-alive" }
  for _, header in ipairs(headers) do
    table.insert(lines, header)
  end
  if #body > 0 then
    table.insert(lines, "Content-Length: " .. #(body:gsub("{id}", id)))
  end
  local text, found, from = table.concat(lines, "\r\n") .. "\r\n\r\n" .. body, {}, 1
  for before, after in text:gmatch("(){id}()") do
    table.insert(found, text:sub(from, before - 1))
    from = after
  end
  table.insert(found, text:sub(from))
  assert(#found <= 3, "a request has its id at most twice")
  return found
end

function init(args)
  local method, path, body_file, reading = args[1], args[2], args[3], args[10]
  local ids, start = tonumber(args[5]), tonumber(args[6])
  first, step, connections, seconds = tonumber(args[4]), tonumber(args[7]), tonumber(args[8]), tonumber(args[9])
  local file = assert(io.open(body_file, "rb"))
  local body = file:read("*a")
  file:close()
  local headers = {}
  for i = 11, #args, 2 do
    table.insert(headers, args[i] .. ": " .. args[i + 1])
  end
  parts = request_parts(method, path, body, headers, args[4])
  if #parts > 1 then
    -- each thread sends every lanes-th id: lanes is the next power of 2, so the modulus is a power of 2 too
    lanes = 1
    while lanes < step do
      lanes = lanes * 2
    end
    modulus = ids / lanes
    state = (start + number) % modulus
  end
  opened = ffi.cast("int32_t *", opened_at)
  stopped = ffi.cast("int32_t *", stopped_at)
  counted = ffi.cast("int32_t *", counted_at)
  -- at its start, wrk asks the first thread for a request that it only parses and does not send
  is_check = number == 0
  if reading ~= "" then
    reader = dofile(FOLDER .. "reading.lua")(reading, number)
    response = reader.read
  end
  local before = number * connections
  if math.floor(before / OPENED_AT_ONCE) > math.floor((before - connections) / OPENED_AT_ONCE) and number > 0 then
    ffi.C.usleep(OPENING_MICROSECONDS)
  end
end

-- A connection has had its last answer. The thread stops when all of its connections have. The last thread to stop ends
-- the sleep of wrk's main thread. An earlier one must not, because the main thread then stops all other threads.
local function fall_quiet(now)
  quiet = quiet + 1
  if quiet < connections then
    return
  end
  ended = now
  if reader then
    reader.finish()
  end
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
      ffi.C.usleep(WAITING_MICROSECONDS * step)
    end
  end
end

-- Returns the id of the next request.
local function next_id()
  local phase = asked % REPEAT_EVERY
  if phase == 0 and repeated then
    return repeated
  end
  state = (state * MULTIPLIER + INCREMENT) % modulus
  local id = string.format("%d", first + state * lanes + number)
  if phase == REPEAT_EVERY / 2 then
    repeated = id
  end
  return id
end

-- wrk calls this when a connection may send. `began` and `ended` are global, because done reads them from the thread.
-- An empty request sends nothing, and the connection goes on waiting.
function request()
  if is_check then
    is_check = false
    return parts[1] .. (#parts > 1 and first .. parts[2] or "") .. (#parts > 2 and first .. parts[3] or "")
  end
  if not began then
    wait_for_all_threads()
    began = clock()
  end
  local now = clock()
  local is_last = now >= began + seconds or (reader and reader.has_enough())
  local probe = reader and reader.probe(is_last)
  if is_last and not probe then
    fall_quiet(now)
    return ""
  end
  asked = asked + 1
  counted[number] = asked
  if probe then
    return probe
  end
  if not state then
    if reader then
      reader.expect(nil)
    end
    return parts[1]
  end
  local id = next_id()
  if reader then
    reader.expect(id)
  end
  if #parts == 2 then
    return parts[1] .. id .. parts[2]
  end
  return parts[1] .. id .. parts[2] .. id .. parts[3]
end

-- Returns the seconds from a thread's first request to its stop. For a thread that did not stop, because answers did
-- not come, it counts until now. For a thread without a request, it returns the whole duration.
local function span(thread, now, duration)
  local from = thread:get("began")
  return from and (thread:get("ended") or now) - from or duration
end

function done(summary, latency, _)
  local now, total, sent = clock(), 0, 0
  for i, thread in ipairs(threads) do
    total = total + span(thread, now, summary.duration / 1e6)
    sent = sent + counted[i - 1]
  end
  local e = summary.errors
  io.write(string.format(
    'restbench {"sent":%d,"requests":%d,"received":%d,"seconds":%.6f,"mean":%.3f,"connect":%d,"read":%d,'
      .. '"write":%d,"status":%d,"timeout":%d}\n',
    sent, summary.requests, summary.bytes, total / #threads, latency.mean, e.connect, e.read, e.write, e.status, e.timeout
  ))
end
