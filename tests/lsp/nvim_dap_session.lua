-- A real Neovim with nvim-dap walks the bank example's bug backwards; run by ctest as neovim_dap where HEDDLE_NVIM_DAP, at
-- configuration, names the folder of nvim-dap (0.6.0 for Neovim 0.7). Any failure ends with a non-zero code.
vim.o.swapfile = false
vim.opt.runtimepath:append(assert(vim.env.HEDDLE_NVIM_DAP))
local file = assert(vim.env.HEDDLE_SCRATCH) .. '/bank.c'
local patience = 60000 -- milliseconds; what is waited for normally takes well under a second

local function say(text)
  io.stdout:write(text .. '\n')
  io.stdout:flush()
end

local function check(condition, what)
  if not condition then error('FAIL ' .. what, 2) end
  say('ok   ' .. what)
end

local function wait(what, condition)
  if not vim.wait(patience, condition, 20) then error('timeout: ' .. what, 2) end
  say('ok   ' .. what)
end

local program = [[
#include <assert.h>
#include <pthread.h>
static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int read_balance(void) {
  pthread_mutex_lock(&lock);
  int now = balance;
  pthread_mutex_unlock(&lock);
  return now;
}
static void *deposit(void *amount) {
  int before = read_balance();
  pthread_mutex_lock(&lock);
  balance = before + *(int *)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t first, second;
  int ten = 10, twenty = 20;
  pthread_create(&first, 0, deposit, &ten);
  pthread_create(&second, 0, deposit, &twenty);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 130);
  return 0;
}
]]

local function session()
  vim.fn.mkdir(vim.env.HEDDLE_SCRATCH, 'p')
  vim.fn.writefile(vim.split(program, '\n'), file)
  vim.cmd('edit ' .. file)
  vim.bo.filetype = 'c'
  local dap = require('dap')
  dap.adapters.heddle = { type = 'executable', command = assert(vim.env.HEDDLE), args = { 'dap' } }
  local stops, said = {}, {}
  dap.listeners.after.event_stopped['test'] = function(_, body) table.insert(stops, body) end
  dap.listeners.after.event_output['test'] = function(_, body) table.insert(said, body.output) end

  --- Moves, and waits until nvim-dap has the frame of the new stop.
  local function stopAfter(what, move)
    local before = #stops
    move()
    wait(what, function()
      local now = dap.session()
      return #stops > before and now and now.stopped_thread_id == stops[#stops].threadId and now.current_frame ~= nil
    end)
    vim.wait(300, function() return false end) -- its requests for frames and scopes that are under way
    return stops[#stops]
  end
  local function line() return dap.session().current_frame.line end
  local function request(command, arguments)
    local problem, answer, done
    dap.session():request(command, arguments, function(err, body)
      problem, answer, done = err, body, true
    end)
    wait(command .. ' is answered', function() return done end)
    check(not problem, command .. ' succeeds ' .. vim.inspect(problem))
    return answer
  end

  local claim = stopAfter('it stops where the assertion fails', function()
    dap.run({ type = 'heddle', request = 'launch', name = 'test', program = file })
  end)
  check(claim.reason == 'exception' and line() == 25, 'as an exception, in its line')

  local frame = dap.session().current_frame.id
  local info = request('dataBreakpointInfo', { name = 'balance', frameId = frame })
  request('setDataBreakpoints', { breakpoints = { { dataId = info.dataId, accessType = 'write' } } })
  local last = stopAfter('reverse continue goes to the last write', function() dap.reverse_continue() end)
  check(last.reason == 'data breakpoint' and line() == 14, 'right before it')
  local lost = stopAfter('and to the write that was lost', function() dap.reverse_continue() end)
  check(lost.threadId ~= last.threadId and line() == 14, 'by the other thread')
  stopAfter('one step back', function() dap.step_back() end)
  check(line() == 14, 'is the start of the line')
  stopAfter('another one', function() dap.step_back() end)
  check(line() == 13, 'is the line before')

  -- Back to the first of the two that reads, and the other one after it has written.
  request('setDataBreakpoints', { breakpoints = {} })
  request('setFunctionBreakpoints', { breakpoints = { { name = 'read_balance' } } })
  stopAfter('back to the start', function() dap.reverse_continue() end)
  while dap.session().current_frame.name ~= 'main' do
    stopAfter('further back', function() dap.reverse_continue() end)
  end
  stopAfter('the first reads', function() dap.continue() end)
  local first = stops[#stops].threadId
  stopAfter('the second reads', function() dap.continue() end)
  check(stops[#stops].threadId ~= first, 'another thread')
  local switched
  stopAfter('the thread is switched there', function() switched = request('heddle/switchThread', { threadId = first }) end)
  check(switched.passes, 'and the program passes: ' .. switched.outcome)
  request('heddle/keepSchedule', { path = vim.env.HEDDLE_SCRATCH .. '/kept.schedule' })
  check(vim.fn.filereadable(vim.env.HEDDLE_SCRATCH .. '/kept.schedule') == 1, 'the schedule is kept')
  local out = vim.fn.system({ vim.env.HEDDLE, 'replay', file, vim.env.HEDDLE_SCRATCH .. '/kept.schedule' })
  check(vim.v.shell_error == 0, 'and heddle replay follows it without a failure: ' .. out:sub(-60))
  dap.terminate()
end

local good, problem = xpcall(session, debug.traceback)
say(good and 'ALL OK' or problem)
vim.cmd(good and 'qall!' or 'cquit')
