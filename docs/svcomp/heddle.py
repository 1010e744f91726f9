# How BenchExec runs Heddle (its tool-info interface, BaseTool2): put this file into benchexec/tools/, or name
# it as a module on Python's path.

import os
import re

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Heddle explores all schedules and all inputs of C programs with threads."""

    REQUIRED_PATHS = ["bin", "lib"]

    # What stands behind "false" in Heddle's verdict, as BenchExec calls it.
    VIOLATIONS = {
        "unreach-call": result.RESULT_FALSE_REACH,
        "no-data-race": result.RESULT_FALSE_DATARACE,
        "no-overflow": result.RESULT_FALSE_OVERFLOW,
        "valid-deref": result.RESULT_FALSE_DEREF,
        "valid-free": result.RESULT_FALSE_FREE,
        "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
    }

    def name(self):
        return "Heddle"

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--svcomp", task.property_file]
        about = task.options if isinstance(task.options, dict) else {}
        if about.get("data_model"):
            command += ["--data-model", about["data_model"]]
        if rlimits.cputime and "--budget" not in options:
            # All cores count, and the verdict must be out before the limit.
            seconds = int(rlimits.cputime * 0.9 / (rlimits.cpu_cores or 1))
            command += ["--budget", f"{max(1, seconds)}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(max(1, int(rlimits.memory * 0.9) >> 20))]
        for file in task.input_files:
            if os.path.basename(file) == about.get("witness_input_file"):
                command.append("--validate")
            command.append(file)
        return command + list(options)

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            verdict = re.fullmatch(r"verdict: (true|false|unknown)(?:\((.*)\))?", line.strip())
            if not verdict:
                continue
            if verdict[1] == "true":
                return result.RESULT_TRUE_PROP
            if verdict[1] == "unknown":
                return result.RESULT_UNKNOWN
            return self.VIOLATIONS.get(verdict[2], result.RESULT_FALSE_PROP)
        return result.RESULT_ERROR
