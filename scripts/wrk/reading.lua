-- Reads every answer of a thread of wrk that has one connection, so that an answer belongs to the last request.
--
-- An answer that looks as a right answer of this app does, with the id of its request and the number of its fetch put
-- in, is right. Of such an answer only the number is written to the file of answers. Any other answer is written whole:
-- the harness parses it, and decides whether it is right.
--
-- The arguments are lines in a file, each with a key and a value:
--   answers PATH          the file of answers, which exists
--   requests N            how many requests each connection sends at most
--   most_bytes N          how many bytes of answers all threads write at most
--   status N, type TEXT   status and content type of right answers
--   ids N N …             where the id of the request stands in the body: offsets, counted from 0
--   places N N …          where the number of the fetch may stand: at the place that is the number's remainder when
--                         divided by how many there are
--   probe LENGTH          then the bytes of a request which each connection sends first and last: its answers show how
--                         many fetches there were between them
--   body LENGTH           then the bytes of a right answer, the last of the arguments
-- Without `body` every answer is written.
--
-- What is written begins with a line.
--   number N              the number of a fetch
--   answer CONNECTION COUNT KIND ID STATUS TYPE ENCODING BODY
--                         an answer, where TYPE, ENCODING and BODY are lengths of what follows, KIND is "probe" or "load",
--                         and ID may be "-"
--   closed CONNECTION N   the connection was closed without an answer to its N+1st request
--   closes CONNECTION N   the N-th answer says that it closes the connection, and is no error

local ffi = require("ffi")
ffi.cdef([[
  int open(const char *path, int flags, ...);
  long write(int file, const void *bytes, size_t count);
  int memcmp(const void *one, const void *other, size_t count);
]])
local WRITE_ONLY, APPEND = 1, 1024
local DIGITS = 10
-- Numbers are written in groups, because each write is a call of the kernel.
local NUMBERS_AT_ONCE = 500
local FIRST_ERROR = 400

local function numbers_in(text)
  local found = {}
  for number in text:gmatch("%d+") do
    table.insert(found, tonumber(number))
  end
  return found
end

local function read_arguments(path)
  local file = assert(io.open(path, "rb"))
  local arguments = {}
  for line in file:lines() do
    local key, value = line:match("^(%S+) (.*)$")
    if key == "probe" or key == "body" then
      value = file:read(tonumber(value)) or ""
      file:read(1)
    end
    arguments[key] = value
  end
  file:close()
  return arguments
end

return function(path, connection)
  local arguments = read_arguments(path)
  local file = ffi.C.open(arguments.answers, WRITE_ONLY + APPEND)
  assert(file >= 0, "the file of answers cannot be opened")
  local requests, most_bytes = tonumber(arguments.requests), tonumber(arguments.most_bytes)
  local status, content_type, body = tonumber(arguments.status), arguments.type, arguments.body
  local ids, places = numbers_in(arguments.ids or ""), numbers_in(arguments.places or "")
  local right = body and ffi.new("char[?]", #body + 1, body)
  local sent, written, numbers = 0, 0, {}
  local id, kind, has_begun, has_ended
  -- Whether an answer is waited for, and how many requests were answered since the connection was opened.
  local waits, answered_here = false, 0

  local function write(text)
    -- an answer that is not written would count as right
    assert(ffi.C.write(file, text, #text) == #text, "the file of answers cannot be written")
    written = written + #text
  end

  local function write_numbers()
    if #numbers > 0 then
      write("number " .. table.concat(numbers, "\nnumber ") .. "\n")
      numbers = {}
    end
  end

  -- Returns content type, content encoding, and whether the connection is closed. Absent headers are empty texts.
  local function read_headers(headers)
    local of_type, encoding, closes = "", "", false
    for name, value in pairs(headers) do
      -- lengths are compared first, because each answer under load is read
      if #name == 12 and name:lower() == "content-type" then
        of_type = value
      elseif #name == 16 and name:lower() == "content-encoding" then
        encoding = value
      elseif #name == 10 and name:lower() == "connection" then
        closes = value:lower():find("close", 1, true) ~= nil
      end
    end
    return of_type, encoding, closes
  end

  -- Returns the place of the number of the fetch, and the number as text; nothing where there is none. A right answer
  -- has letters at all other places.
  local function number_in(answer)
    for i, place in ipairs(places) do
      local character = answer:byte(place + 1)
      if #places == 1 or (character >= 48 and character <= 57) then
        local number = answer:sub(place + 1, place + DIGITS)
        local is_number = #number == DIGITS and not number:find("%D")
        return place, is_number and tonumber(number) % #places == i - 1 and number or nil
      end
    end
  end

  local function is_right(answered, of_type, answer)
    if not right or answered ~= status or #answer ~= #body or of_type ~= content_type then
      return false
    end
    for _, place in ipairs(ids) do
      ffi.copy(right + place, id, #id)
    end
    local place, number = number_in(answer)
    if #places > 0 and not number then
      return false
    end
    if number then
      ffi.copy(right + place, number, DIGITS)
    end
    local is_equal = ffi.C.memcmp(right, answer, #answer) == 0
    if number then
      ffi.copy(right + place, body:sub(place + 1, place + DIGITS), DIGITS)
    end
    -- the harness finds the number of an answer that it parses
    if number and is_equal then
      table.insert(numbers, number)
      if #numbers == NUMBERS_AT_ONCE then
        write_numbers()
      end
    end
    return is_equal
  end

  -- A request is sent while an answer is waited for: wrk has opened the connection anew.
  local function note_request()
    if waits then
      write(string.format("closed %d %d\n", connection, answered_here))
      answered_here = 0
    end
    waits = true
  end

  local reader = {}

  -- Returns the request that shows the number of a fetch where it is to be sent now: first, and last. Else nothing.
  function reader.probe(is_last)
    if not arguments.probe or has_ended or (has_begun and not is_last) then
      return nil
    end
    has_ended = has_begun
    has_begun = true
    kind, id = "probe", nil
    note_request()
    return arguments.probe
  end

  -- The next request is one of the load, with this id.
  function reader.expect(next_id)
    kind, id = "load", next_id
    sent = sent + 1
    note_request()
  end

  function reader.has_enough()
    return sent >= requests or written >= most_bytes
  end

  -- wrk calls this with each answer.
  function reader.read(answered, headers, answer)
    local of_type, encoding, closes = read_headers(headers)
    waits, answered_here = false, answered_here + 1
    if closes then
      if answered < FIRST_ERROR then
        write(string.format("closes %d %d\n", connection, answered_here))
      end
      answered_here = 0
    end
    if kind == "load" and encoding == "" and is_right(answered, of_type, answer) then
      return
    end
    write(string.format(
      "answer %d %d %s %s %d %d %d %d\n",
      connection, sent, kind, id or "-", answered, #of_type, #encoding, #answer
    ) .. of_type .. encoding .. answer)
  end

  -- The connection has had its last answer.
  function reader.finish()
    write_numbers()
  end

  return reader
end
