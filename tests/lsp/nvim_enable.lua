-- Neovim 0.11 or later takes docs/editors/nvim/lsp/heddle.lua as it is: `vim.lsp.enable`. Run by tests/other_editors.sh.
-- HEDDLE_EDITORS: docs/editors/nvim. HEDDLE_EXAMPLE: a copy of bank_transfer.c. `heddle` is in PATH.
vim.o.swapfile = false
local patience = 60000 -- milliseconds; what is waited for normally takes well under a second

local function say(text)
  io.stdout:write(text .. '\n')
  io.stdout:flush()
end

local function wait(what, condition)
  if not vim.wait(patience, condition, 20) then error('timeout: ' .. what, 2) end
  say('ok   ' .. what)
end

local function session()
  vim.opt.runtimepath:append(assert(vim.env.HEDDLE_EDITORS))
  vim.lsp.enable('heddle')
  vim.cmd('filetype on')
  vim.cmd('edit ' .. assert(vim.env.HEDDLE_EXAMPLE))
  wait('the client has attached', function() return #vim.lsp.get_clients({ bufnr = 0, name = 'heddle' }) == 1 end)
  wait('the failing assertion is shown', function()
    for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
      if diagnostic.code == 'heddle-assert' then return true end
    end
    return false
  end)
  wait('a fix is offered', function()
    local found = vim.diagnostic.get(0)[1]
    local at = { line = found.lnum, character = found.col }
    local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
      textDocument = { uri = vim.uri_from_bufnr(0) },
      range = { start = at, ['end'] = at },
      context = { diagnostics = { found.user_data.lsp } },
    }, patience)
    for _, each in pairs(answer or {}) do
      for _, action in ipairs(each.result or {}) do
        if action.title:find('verified: ', 1, true) then return true end
      end
    end
    return false
  end)
end

local good, problem = xpcall(session, debug.traceback)
say(good and 'ALL OK' or problem)
vim.cmd(good and 'qall!' or 'cquit 1')
