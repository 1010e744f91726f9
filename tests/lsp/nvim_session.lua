-- One session of a real Neovim with heddle; run by ctest as neovim_session. Only the API of Neovim 0.7 is used.
-- HEDDLE: the binary. HEDDLE_EXAMPLES: the folder of mpc_figure2.c. Any failure ends with a non-zero code.
vim.o.swapfile = false
local server = assert(vim.env.HEDDLE)
local file = assert(vim.env.HEDDLE_EXAMPLES) .. '/mpc_figure2.c'
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

local endings = {}
vim.lsp.handlers['$/progress'] = function(_, result)
  if result.value.kind == 'end' then table.insert(endings, result.value.message or '') end
end

local function assertions(buffer, stale)
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    local isStale = diagnostic.message:find('stale', 1, true) ~= nil
    if diagnostic.code == 'heddle-assert' and isStale == stale then table.insert(found, diagnostic) end
  end
  return found
end

local function lineOf(buffer, text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local column = line:find(text, 1, true)
    if column then return number - 1, column - 1 end
  end
  error('no line with ' .. text)
end

local function floatText()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
    end
  end
end

local function session()
  vim.cmd('edit ' .. file)
  vim.bo.filetype = 'c'
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({ name = 'heddle', cmd = { server, 'lsp' }, root_dir = vim.fn.fnamemodify(file, ':h') })
  check(id, 'client starts')
  check(vim.lsp.buf_attach_client(buffer, id), 'client attaches')
  local client = vim.lsp.get_client_by_id(id)

  wait('the failing assertion is shown', function() return #assertions(buffer, false) == 1 end)
  local line, column = lineOf(buffer, 'assert(0)')
  local diagnostic = assertions(buffer, false)[1]
  check(diagnostic.lnum == line and diagnostic.col == column, 'it stands at the assertion')
  check(diagnostic.end_col == column + #'assert', 'its range is the word')
  check(diagnostic.source == 'heddle', 'its source is heddle')
  check(diagnostic.severity == vim.diagnostic.severity.ERROR, 'it is an error')
  wait('the run ends with its verdict', function() return endings[1] and endings[1]:find('^violated') end)

  vim.api.nvim_win_set_cursor(0, { line + 1, column + 1 })
  vim.lsp.buf.hover()
  wait('a hover window opens', function() return floatText() ~= nil end)
  local text = floatText()
  for _, part in ipairs({ 'Inputs', 'Interleaving', 't1', 't2', 't3', 'heddle replay' }) do
    check(text:find(part, 1, true), 'the hover shows ' .. part)
  end

  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then vim.api.nvim_win_close(window, true) end
  end
  local lenses = vim.lsp.buf_request_sync(buffer, 'textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, patience)
  local titles = {}
  for _, lens in ipairs(lenses[id].result) do table.insert(titles, lens.command.title) end
  check(table.concat(titles, ' '):find('violated', 1, true), 'a code lens has the verdict')

  vim.opt.runtimepath:append(assert(vim.env.HEDDLE_EXAMPLES) .. '/../editors/nvim')
  local window = vim.api.nvim_get_current_win()
  require('heddle').interleaving()
  wait('the interleaving opens in a scratch buffer', function() return vim.api.nvim_buf_get_name(0):find('heddle://interleaving/', 1, true) end)
  local table_ = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
  check(table_:find('T0 main', 1, true) and table_:find('heddle replay', 1, true), 'with a column for each thread and the replay command')
  local row = vim.fn.search('write ')
  local wanted = tonumber(vim.fn.getline(row):match('%d+'))
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<CR>', true, false, true), 'x', false)
  check(vim.api.nvim_get_current_win() == window and vim.api.nvim_win_get_cursor(0)[1] == wanted, 'Enter goes to the line of a step')
  vim.cmd('only')

  -- Two rounds of the loop are needed; with at most one the assertion cannot fail, but a run is needed to know.
  local bound = 'j <= 2'
  line, column = lineOf(buffer, bound)
  vim.api.nvim_buf_set_text(buffer, line, column, line, column + #bound, { 'j <= 1' })
  wait('after the edit the diagnostic goes', function() return #assertions(buffer, false) + #assertions(buffer, true) == 0 end)

  vim.cmd('undo')
  wait('after undo it is back', function() return #assertions(buffer, false) == 1 end)

  client.stop()
  wait('the server stops cleanly', function() return client.is_stopped() end)
end

local ok, problem = xpcall(session, debug.traceback)
if not ok then
  say('ERROR ' .. tostring(problem))
  vim.cmd('cquit 1')
end
say('ALL OK')
vim.cmd('qall!')
