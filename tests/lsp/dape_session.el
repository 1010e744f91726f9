;; A real Emacs (29 or later) with dape walks the example's bug backwards; run by tests/other_editors.sh: emacs -Q --batch -l THIS.
;; HEDDLE_EXAMPLE: a copy of bank_transfer.c. `heddle` is in PATH. Any failure ends with a non-zero code.
(setq max-lisp-eval-depth 20000) ; what dape's timers ask for comes while this script waits
(setq make-backup-files nil create-lockfiles nil auto-save-default nil)
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-[0-9]*")) (add-to-list 'load-path folder))
(require 'dape)
(setq dape-stepping-granularity 'line dape-inlay-hints nil dape-buffer-window-arrangement nil)
;; The recipe of docs/debug.md.
(add-to-list 'dape-configs
             `(heddle modes (c-mode c-ts-mode) command "heddle" command-args ("dap")
                      :type "heddle" :request "launch" :program dape-buffer-default))

(defun check (condition what)
  (message "%s %s" (if condition "ok  " "FAIL") what)
  (unless condition (kill-emacs 1)))

(defun wait (what condition)
  (let ((rounds 0))
    (while (and (not (funcall condition)) (< rounds 3000))
      (accept-process-output nil 0.02)
      (sit-for 0.001)
      (setq rounds (1+ rounds))))
  (check (funcall condition) what))

(defun stopped () (dape--live-connection 'stopped t))
(defun line () (plist-get (and (stopped) (dape--current-stack-frame (stopped))) :line))
(defun back (command)
  "Sends COMMAND, which dape has no key for, and waits for where it leads."
  (let ((before dape-stops))
    (dape-request (stopped) command (list :threadId (dape--thread-id (stopped))))
    (wait (format "%s ends" command) (lambda () (and (> dape-stops before) (line))))))

(defvar dape-stops 0)
(add-hook 'dape-stopped-hook (lambda () (setq dape-stops (1+ dape-stops))))
(find-file (getenv "HEDDLE_EXAMPLE"))
(c-mode)
(dape (dape--config-eval 'heddle nil))
(wait "it stops where the assertion fails" (lambda () (and (> dape-stops 0) (line))))
(goto-char (point-min))
(search-forward "assert(checking.balance >= 0)")
(check (= (line) (line-number-at-pos)) "in its line")
(let ((claim (line)))
  (back :stepBack) ; to the start of the line
  (back :stepBack)
  (check (/= (line) claim) "two steps back are another line")
  (back :reverseContinue)
  (check (< (line) claim) "and reverse continue goes back to the start"))
(message "ALL OK")
(kill-emacs 0)
