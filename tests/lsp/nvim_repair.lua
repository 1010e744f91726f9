-- A real Neovim applies a quick fix: the diagnostic, the action from the server, its resolution, the edit, the save, and
-- the diagnostic is gone. Run by ctest as neovim_repair. Only the API of Neovim 0.7 is used.
-- HEDDLE: the binary. HEDDLE_SCRATCH: a folder to write into. Any failure ends with a non-zero code.
vim.o.swapfile = false
local server = assert(vim.env.HEDDLE)
local folder = assert(vim.env.HEDDLE_SCRATCH)
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

static int tickets = 1;
static int sold;

static void *buy(void *arg) {
  if (tickets > 0) {
    tickets--;
    sold++;
  }
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, buy, 0);
  pthread_create(&second, 0, buy, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(sold == 1);
  return 0;
}
]]

local endings = {}
vim.lsp.handlers['$/progress'] = function(_, result)
  if result.value.kind == 'end' then table.insert(endings, result.value.message or '') end
end

local function session()
  vim.fn.mkdir(folder, 'p')
  local file = folder .. '/tickets.c'
  local out = assert(io.open(file, 'w'))
  out:write(program)
  out:close()
  vim.cmd('edit ' .. file)
  vim.bo.filetype = 'c'
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({ name = 'heddle', cmd = { server, 'lsp' }, root_dir = folder })
  check(id and vim.lsp.buf_attach_client(buffer, id), 'client attaches')
  local client = vim.lsp.get_client_by_id(id)
  wait('the bug is found', function() return endings[1] and endings[1]:find('^violated') end)
  wait('diagnostics are shown', function() return #vim.diagnostic.get(buffer) > 0 end)

  -- The menu: choose the fix that the server prefers, or to have it found, when it is not there yet. Neovim asks for its edit
  -- and applies it.
  local titles = {}
  vim.ui.select = function(items, _, choose)
    for _, item in ipairs(items) do table.insert(titles, item[2].title) end
    for _, wanted in ipairs({ 'verified: ', 'Heddle: find and apply a verified fix' }) do
      for _, item in ipairs(items) do
        if item[2].title:find(wanted, 1, true) then return choose(item) end
      end
    end
    choose(nil)
  end
  local diagnostic = vim.diagnostic.get(buffer)[1]
  vim.api.nvim_win_set_cursor(0, { diagnostic.lnum + 1, diagnostic.col })
  vim.lsp.buf.code_action()
  wait('the menu opens', function() return #titles > 0 end)
  say('     ' .. titles[1])
  wait('the fix is applied', function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n'):find('pthread_mutex_lock', 1, true)
  end)
  vim.cmd('write')
  wait('it is verified again', function()
    return endings[#endings] and endings[#endings]:find('^verified') and #vim.diagnostic.get(buffer) == 0
  end)
  check(table.concat(vim.fn.readfile(file), '\n'):find('pthread_mutex_lock', 1, true), 'the file is saved with the fix')
  client.stop()
  wait('the server stops cleanly', function() return client.is_stopped() end)
end

-- The same over several files: one edit, applied to all of them, also those that were not open.
local function severalFiles()
  local project = folder .. '/project'
  vim.fn.mkdir(project, 'p')
  local function write(name, text)
    local out = assert(io.open(project .. '/' .. name, 'w'))
    out:write(text)
    out:close()
  end
  write('total.h', '#pragma once\nextern int total;\nvoid add_two(void);\n')
  write('total.c', '#include "total.h"\n\nvoid add_two(void) {\n  int seen = total;\n  total = seen + 2;\n}\n')
  write('main.c', [[
#include <assert.h>
#include <pthread.h>
#include "total.h"

int total;

static void *one(void *arg) {
  int seen = total;
  total = seen + 1;
  return arg;
}

static void *two(void *arg) {
  add_two();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 3);
  return 0;
}
]])
  local commands = {}
  for _, name in ipairs({ 'main.c', 'total.c' }) do
    table.insert(commands, { directory = project, file = name, command = 'cc -c ' .. name })
  end
  write('compile_commands.json', vim.json.encode(commands))
  vim.cmd('filetype on')
  local id = vim.lsp.start_client({ name = 'heddle', cmd = { server, 'lsp' }, root_dir = project })
  vim.api.nvim_create_autocmd('FileType', {
    pattern = { 'c', 'cpp' },
    callback = function(event) vim.lsp.buf_attach_client(event.buf, id) end,
  })
  endings = {}
  vim.cmd('edit ' .. project .. '/main.c')
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_client_by_id(id)
  local function shown() return vim.diagnostic.get(buffer) end
  local function race()
    for _, diagnostic in ipairs(shown()) do
      if diagnostic.message:find('race', 1, true) then return diagnostic end
    end
  end
  wait('two files: the bug is found', function() return endings[#endings] and endings[#endings]:find('^violated') and race() end)
  vim.api.nvim_win_set_cursor(0, { race().lnum + 1, race().col })
  vim.lsp.buf.code_action()
  local function textOf(name)
    local other = vim.fn.bufnr(project .. '/' .. name)
    return other < 0 and '' or table.concat(vim.api.nvim_buf_get_lines(other, 0, -1, true), '\n')
  end
  wait('two files: the fix is applied to all', function()
    return textOf('main.c'):find('PTHREAD_MUTEX_INITIALIZER', 1, true) and textOf('total.c'):find('pthread_mutex_lock', 1, true)
      and textOf('total.h'):find('extern pthread_mutex_t', 1, true)
  end)
  vim.cmd('wall')
  wait('two files: verified again', function()
    return endings[#endings] and endings[#endings]:find('^verified') and #shown() == 0
  end)
  for _, name in ipairs({ 'main.c', 'total.c', 'total.h' }) do
    check(table.concat(vim.fn.readfile(project .. '/' .. name), '\n'):find('pthread_mutex_', 1, true), name .. ' is saved with the fix')
  end
  client.stop()
  wait('two files: the server stops cleanly', function() return client.is_stopped() end)
end

local function both()
  session()
  severalFiles()
end

local ok, problem = xpcall(both, debug.traceback)
if not ok then
  say('ERROR ' .. tostring(problem))
  vim.cmd('cquit 1')
end
say('ALL OK')
vim.cmd('qall!')
