-- Heddle in Neovim 0.7 and later: start() for versions without vim.lsp.enable, interleaving() as a scratch buffer.
local M = {}

-- Starts the server for the buffer, or joins the one that runs for the same folder.
function M.start(buffer, options)
  options = vim.tbl_extend('keep', options or {}, { name = 'heddle', cmd = { 'heddle', 'lsp' } })
  if not options.root_dir then
    local marker = vim.fs and vim.fs.find({ '.heddle.yaml', 'compile_commands.json', '.git' }, { upward = true })[1]
    options.root_dir = marker and vim.fs.dirname(marker) or vim.fn.getcwd()
  end
  for _, client in ipairs(vim.lsp.get_active_clients()) do
    if client.name == options.name and client.config.root_dir == options.root_dir then
      vim.lsp.buf_attach_client(buffer, client.id)
      return client.id
    end
  end
  local id = vim.lsp.start_client(options)
  if id then vim.lsp.buf_attach_client(buffer, id) end
  return id
end

-- The finding under the cursor, else the file's first one, is shown with one column a thread. Enter on a row goes to its line.
function M.interleaving()
  local source, window = vim.api.nvim_get_current_buf(), vim.api.nvim_get_current_win()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local finding
  for _, diagnostic in ipairs(vim.diagnostic.get(source, { lnum = line })) do
    local data = diagnostic.user_data and diagnostic.user_data.lsp and diagnostic.user_data.lsp.data
    finding = finding or (diagnostic.source == 'heddle' and data and data.finding) or nil
  end
  local argument = { uri = vim.uri_from_bufnr(source), finding = finding }
  local request = { command = 'heddle.server.interleaving', arguments = { argument } }
  vim.lsp.buf_request(source, 'workspace/executeCommand', request, function(problem, result)
    if problem or not result or result == vim.NIL then
      vim.notify('heddle: there is no finding here', vim.log.levels.INFO)
      return
    end
    local buffer = vim.api.nvim_create_buf(false, true)
    local text = result.message .. '\n' .. table.concat(result.executions[1].inputs, '\n') .. '\n' .. result.text .. '\n' .. result.replay
    vim.api.nvim_buf_set_lines(buffer, 0, -1, true, vim.split(text, '\n'))
    vim.api.nvim_buf_set_option(buffer, 'modifiable', false)
    vim.api.nvim_buf_set_option(buffer, 'bufhidden', 'wipe')
    vim.api.nvim_buf_set_name(buffer, 'heddle://interleaving/' .. result.finding)
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, buffer)
    vim.wo.wrap = false
    vim.keymap.set('n', '<CR>', function()
      local row = tonumber(vim.api.nvim_get_current_line():match('^%s*(%d+)%s'))
      if row and vim.api.nvim_win_is_valid(window) then
        vim.api.nvim_set_current_win(window)
        vim.api.nvim_win_set_cursor(window, { math.min(row, vim.api.nvim_buf_line_count(source)), 0 })
      end
    end, { buffer = buffer })
  end)
end

return M
