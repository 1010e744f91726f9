// `heddle check` as a task, for the whole report of a file, with the problem matcher $heddle.
import * as vscode from 'vscode';
import type { HeddleServer } from './server';

interface HeddleTask extends vscode.TaskDefinition {
  file: string;
  arguments?: string[];
}

export class CheckTasks implements vscode.TaskProvider {
  constructor(private readonly server: HeddleServer) {}

  provideTasks(): vscode.Task[] {
    return [this.make({ type: 'heddle', file: '${file}' }, 'check the open file')];
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as HeddleTask;
    return typeof definition.file === 'string' ? this.make(definition, task.name) : undefined;
  }

  private make(definition: HeddleTask, name: string): vscode.Task {
    const binary = this.server.binary ?? this.server.find() ?? 'heddle';
    const run = new vscode.ProcessExecution(binary, [
      'check',
      definition.file,
      ...(definition.arguments ?? []),
    ]);
    const task = new vscode.Task(definition, vscode.TaskScope.Workspace, name, 'heddle', run, '$heddle');
    task.group = vscode.TaskGroup.Test;
    return task;
  }
}
