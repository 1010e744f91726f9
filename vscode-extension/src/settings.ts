// The editor's settings in the words of the server (docs/editors/other.md).
import * as vscode from 'vscode';

export interface ServerSettings {
  trigger: string;
  budget: string;
  saveBudget: string;
  entry: string;
  properties: string[];
  unroll: number;
  inlayHints: boolean;
  memoryLimit: number;
  memoryModel: string;
  signals: string;
  environment: string;
  unknown: string[];
  workers?: number;
}

/** What signal handlers do; `noSignals: false` is the older form of `refused`. */
export function signalsOf(config: vscode.WorkspaceConfiguration): string {
  return config.get('verify.noSignals', true) ? config.get('verify.signals', 'none') : 'refused';
}

/** What is set for a resource: folders of a workspace may differ. Without one: for the window. */
export function serverSettings(scope?: vscode.Uri): ServerSettings {
  const config = vscode.workspace.getConfiguration('heddle', scope);
  const settings: ServerSettings = {
    trigger: config.get('verify.trigger', 'onIdle'),
    budget: config.get('verify.timeBudget', '10s'),
    saveBudget: config.get('verify.saveTimeBudget', '60s'),
    entry: config.get('verify.entry', 'main'),
    properties: config.get<string[]>('verify.properties', []),
    unroll: config.get('verify.unroll', 0),
    memoryLimit: config.get('verify.memoryLimit', 4096),
    memoryModel: config.get('verify.memoryModel', 'c11'),
    signals: signalsOf(config),
    environment: config.get('verify.environment', 'usual'),
    unknown: config.get<string[]>('verify.unknown', ['arguments']),
    inlayHints: config.get('inlayHints.sharedReads', false),
  };
  const jobs = config.get('verify.jobs', 0);
  return jobs > 0 ? { ...settings, workers: jobs } : settings;
}
