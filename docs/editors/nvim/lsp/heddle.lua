---@brief
---
--- Heddle explores all schedules and all inputs of C programs with POSIX threads, and shows data races, deadlocks, failed
--- assertions and memory errors with the interleaving that causes them. It lives beside clangd: no completion, no symbols.
---
--- The archive of a release holds `bin/heddle`, which runs on any Linux on x86-64. Compile flags come from
--- `compile_commands.json`, else `compile_flags.txt`, else they are guessed. Settings are `init_options`:
---
--- ```lua
--- vim.lsp.config('heddle', { init_options = { budget = '10s', trigger = 'onSave' } })
--- ```

-- Neovim 0.11 and later: with this folder's parent in 'runtimepath', `vim.lsp.enable('heddle')` is all. The file is also what
-- nvim-lspconfig takes as lsp/heddle.lua.

---@type vim.lsp.Config
return {
  cmd = { 'heddle', 'lsp' },
  filetypes = { 'c' },
  root_markers = { '.heddle.yaml', 'compile_commands.json', 'compile_flags.txt', '.git' },
}
