-- Neovim 0.11 and later: with this folder's parent in 'runtimepath', `vim.lsp.enable('heddle')` is all.
return {
  cmd = { 'heddle', 'lsp' },
  filetypes = { 'c' },
  root_markers = { '.heddle.yaml', 'compile_commands.json', 'compile_flags.txt', '.git' },
}
