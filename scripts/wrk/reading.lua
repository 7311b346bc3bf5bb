-- Reads every answer that a thread of wrk gets.
--
-- On a connection where no answer had a header field yet, wrk does not tell of one without any. It can only be one
-- without a body. The harness counts them.
--
-- wrk does not tell over which connection an answer came. Where a thread has one connection, an answer belongs to the
-- last request. Elsewhere it belongs to the request whose id it holds. Where answers hold none, all are alike.
--
-- An answer that looks as a right answer of this app does, with the id of its request and the number of its fetch put
-- in, is right. Of such an answer only the number is written to the file of answers. Any other answer is written whole:
-- the harness parses it, and decides whether it is right.
--
-- What the harness asks for is the table `reading`:
--   answers      the number of an open file, to which the answers are written
--   bodies, size the number of an open file with the bodies of the forms, and how many bytes it has
--   most_bytes   how many bytes of answers all threads write. Further ones count as read
--   have_ids     whether each answer holds the id of its request
--   soonest      the fewest milliseconds after a request at which its answer may come
--   wrong        the bytes of requests with a wrong body
--   mixed, from  about half of so many requests of all threads are wrong ones. They begin after this share of the load,
--                which an app cannot know
--   rows         of how many rows answers are made: of the one that is the number's remainder when divided by it
--   forms        what right answers look like. Each answer that has none of them is written:
--     which, row     the body of the request to which it is the answer, and the row of which it is made, counted from 0
--     status, type   status and content type
--     start, length  where the bytes of a right answer are in the file of bodies
--     ids            where the id of the request stands in it: offsets, counted from 0, in this order
--     places         where the number of the fetch may stand: at the place that is the number's remainder when divided
--                    by how many there are
--
-- What is written begins with a line.
--   number N              the number of a fetch
--   answer COUNT KIND ID STATUS TYPE ENCODING BODY
--                         an answer, where TYPE, ENCODING and BODY are lengths of what follows, and KIND is that of its
--                         request: "right" or "wrong". COUNT is how many answers the thread had before. ID is "-" where
--                         it is not known, and "?" where no request with this id waits for an answer
--   wrong                 a wrong request was sent
--   refused               an answer to a wrong request has the status 400 or 422
--   closed N              a connection was closed without an answer to its N+1st request, or that answer had no header
--   closes N              the N-th answer of a connection says that it closes it, and is no error. Where a thread has
--                         several connections, N is the most that each of the closed ones can have had
--   soon MILLISECONDS     an answer came so soon after its request
--   read N                the thread has ended, and was told of so many answers

local ffi = require("ffi")
ffi.cdef([[
  int open(const char *path, int flags, ...);
  long write(int file, const void *bytes, size_t count);
  int memcmp(const void *one, const void *other, size_t count);
]])
local WRITE_ONLY, APPEND = 1, 1024
local READ, SHARED = 1, 1
local DIGITS = 10
local MOST_OF_A_LENGTH = 64
-- Numbers are written in groups, because each write is a call of the kernel.
local NUMBERS_AT_ONCE = 500
local FIRST_ERROR = 400
local REFUSED = { [400] = true, [422] = true }

-- `asked_for`: what the harness asks for in scenario.lua. `thread`: the number of this thread, counted from 0.
return function(asked_for, reading, thread)
  local is_alone, requests = asked_for.connections == 1, #asked_for.requests
  -- opened anew, as threads that append to one open file at the same time would overwrite each other
  local file = ffi.C.open("/proc/self/fd/" .. reading.answers, WRITE_ONLY + APPEND)
  assert(file >= 0, "the file of answers cannot be opened")
  -- Forms by the length of their answers, for each body of a request, and where ids stand in answers of that length.
  -- More of these offsets are learned, as it takes long to search a large answer.
  local forms, id_places = {}, {}
  for which = 1, requests do
    forms[which] = {}
  end
  local function add(lists, length, value)
    lists[length] = lists[length] or {}
    if #lists[length] < MOST_OF_A_LENGTH then
      table.insert(lists[length], value)
    end
  end
  for _, form in ipairs(reading.forms) do
    add(forms[form.which + 1], form.length, form)
    for _, place in ipairs(form.ids) do
      add(id_places, form.length, place)
    end
  end
  -- threads share the bodies, as those of 64 sprints are 2 MB
  local size = math.max(1, reading.size)
  local bodies = ffi.cast("const char *", ffi.C.mmap(nil, size, READ, SHARED, reading.bodies, 0))
  assert(bodies ~= ffi.cast("const char *", -1), "the bodies of the forms cannot be read")
  local kept, numbers, answered, closed = 0, {}, 0, 0
  -- The last request of the only connection: its id, its form, its kind, when it was sent, and whether its answer is
  -- still waited for. `answered_here` counts the answers since that connection was opened. After an error the app may
  -- close it.
  local last_id, last_form, last_is_wrong, last_at, waits, answered_here = nil, 1, false, 0, false, 0
  local may_close = false
  -- Requests that wait for their answers. By id: how many, their kind, and when the first was sent. Where answers hold
  -- no ids: when each was sent, in that order, and how many of them are wrong.
  local waiting, are_wrong, since = {}, {}, {}
  local queue, first, behind, wrong_ones, had_wrong_ones = {}, 1, 1, 0, false
  local left, soonest = math.ceil(reading.mixed / asked_for.threads), reading.soonest / 1000
  math.randomseed(asked_for.seed + thread)

  local function write(text)
    -- an answer that is not written would count as right
    assert(ffi.C.write(file, text, #text) == #text, "the file of answers cannot be written")
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
  local function number_in(answer, places)
    for i, place in ipairs(places) do
      local character = answer:byte(place + 1)
      if #places == 1 or (character >= 48 and character <= 57) then
        local number = answer:sub(place + 1, place + DIGITS)
        local is_number = #number == DIGITS and not number:find("%D")
        return place, is_number and tonumber(number) % #places == i - 1 and number or nil
      end
    end
  end

  -- Whether an answer of its length has a form, with this id as text.
  local function has_form(form, id, status, of_type, answer)
    if status ~= form.status or of_type ~= form.type then
      return false
    end
    local place, number = number_in(answer, form.places)
    if #form.places > 0 and (not number or tonumber(number) % reading.rows ~= form.row) then
      return false
    end
    local right, got = bodies + form.start, ffi.cast("const char *", answer)
    -- what stands between the ids and the number is compared piece by piece
    local from, ids, next_id, has_number = 0, form.ids, 1, number ~= nil
    while ids[next_id] or has_number do
      local at, length = ids[next_id], nil
      if at and not id then
        return false
      elseif at and not (has_number and place < at) then
        next_id, length = next_id + 1, #id
        if ffi.C.memcmp(got + at, id, length) ~= 0 then
          return false
        end
      else
        at, length, has_number = place, DIGITS, false
      end
      if ffi.C.memcmp(right + from, got + from, at - from) ~= 0 then
        return false
      end
      from = at + length
    end
    if ffi.C.memcmp(right + from, got + from, #answer - from) ~= 0 then
      return false
    end
    -- the harness finds the number of an answer that it parses
    if number then
      table.insert(numbers, number)
      if #numbers == NUMBERS_AT_ONCE then
        write_numbers()
      end
    end
    return true
  end

  -- Returns the id in an answer for which a request waits, or nothing.
  local function find_id(answer)
    for _, place in ipairs(id_places[#answer] or {}) do
      local id = tonumber(answer:sub(place + 1, place + DIGITS))
      if id and waiting[id] then
        return id
      end
    end
    for start, digits in answer:gmatch("()(%d+)") do
      local id = #digits == DIGITS and tonumber(digits)
      if id and waiting[id] then
        add(id_places, #answer, start - 1)
        return id
      end
    end
  end

  -- Takes the request to which an answer belongs from those that wait. Returns its id, its form, whether it is wrong, and
  -- when it was sent at the earliest; of these, what is known.
  local function take(answer, is_refused)
    if is_alone then
      return last_id, last_form, last_is_wrong, last_at
    end
    if reading.have_ids then
      local id = find_id(answer)
      if not id then
        return "?", nil, is_refused and wrong_ones > 0
      end
      local is_wrong, at = are_wrong[id], since[id]
      waiting[id] = waiting[id] > 1 and waiting[id] - 1 or nil
      if not waiting[id] then
        are_wrong[id], since[id] = nil, nil
      end
      return id, id % requests + 1, is_wrong, at
    end
    local at
    if first < behind then
      at, queue[first] = queue[first], nil
      first = first + 1
    end
    -- refusals come at once, and would make other answers seem too soon
    return nil, nil, is_refused and wrong_ones > 0, not had_wrong_ones and at or nil
  end

  local function is_right(id, which, status, of_type, answer)
    local text = id and string.format("%d", id)
    for each = which or 1, which or requests do
      for _, form in ipairs(forms[each][#answer] or {}) do
        if has_form(form, text, status, of_type, answer) then
          return true
        end
      end
    end
    return false
  end

  local reader = {}

  -- Returns a wrong request, or nothing where the next one is to be right. `share`: how much of the load is over.
  function reader.wrong(share)
    if left == 0 or #reading.wrong == 0 or share < reading.from then
      return nil
    end
    left = left - 1
    return math.random() < 0.5 and reading.wrong[math.random(#reading.wrong)] or nil
  end

  -- The next request has this id and this body, and is sent now.
  function reader.expect(id, which, is_wrong, now)
    if is_wrong then
      write("wrong\n")
      wrong_ones, had_wrong_ones = wrong_ones + 1, true
    end
    if is_alone then
      if waits then -- wrk has opened the connection anew
        if not may_close then
          write(string.format("closed %d\n", answered_here))
        end
        answered_here = 0
      end
      waits = true
    elseif reading.have_ids then
      waiting[id] = (waiting[id] or 0) + 1
      are_wrong[id] = is_wrong or nil
      since[id] = since[id] or now
    else
      queue[behind] = now
      behind = behind + 1
    end
    last_id, last_form, last_is_wrong, last_at = id, which + 1, is_wrong, now
  end

  -- wrk calls this with each answer.
  function reader.read(status, headers, answer, now)
    local of_type, encoding, closes = read_headers(headers)
    local id, which, is_wrong, at = take(answer, REFUSED[status])
    waits, answered, answered_here, may_close = false, answered + 1, answered_here + 1, status >= FIRST_ERROR
    if closes then
      closed = closed + 1
      if status < FIRST_ERROR then
        write(string.format("closes %d\n", is_alone and answered_here or math.floor(answered / closed)))
      end
      answered_here = 0
    end
    if is_wrong and REFUSED[status] then
      wrong_ones = wrong_ones - 1
      write("refused\n")
      return
    end
    if at and status < FIRST_ERROR and now - at < soonest then
      write(string.format("soon %.3f\n", (now - at) * 1000))
    end
    if not is_wrong and id ~= "?" and encoding == "" and is_right(id, which, status, of_type, answer) then
      return
    end
    if kept > reading.most_bytes / asked_for.threads then
      return
    end
    kept = kept + #answer
    write(string.format(
      "answer %d %s %s %d %d %d %d\n",
      answered, is_wrong and "wrong" or "right", id == "?" and id or id and string.format("%d", id) or "-",
      status, #of_type, #encoding, #answer
    ) .. of_type .. encoding .. answer)
  end

  -- All connections have had their last answers.
  function reader.finish()
    write_numbers()
    write(string.format("read %d\n", answered))
  end

  return reader
end
