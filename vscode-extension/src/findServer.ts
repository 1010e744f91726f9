// Where the heddle binary is: the setting, else the one that came with the extension, else the workspace's own build, else
// PATH. Pure but for `isExecutable`.
import * as path from 'node:path';

export interface Search {
  setting: string;
  /** In the packages for one platform only. */
  bundled: string;
  folders: string[];
  pathVariable: string;
  home: string;
  isExecutable: (file: string) => boolean;
}

export interface Found {
  file?: string;
  /** For people: where it was looked for. */
  tried: string[];
}

export function findServer(search: Search): Found {
  const candidates: string[] = [];
  const setting = search.setting.trim().replace(/^~(?=\/)/, search.home);
  if (setting.includes('/')) {
    if (path.isAbsolute(setting)) candidates.push(setting);
    else candidates.push(...search.folders.map((folder) => path.join(folder, setting)));
  } else {
    if (setting === '')
      candidates.push(
        search.bundled,
        ...search.folders.map((folder) => path.join(folder, 'build', 'bin', 'heddle')),
      );
    for (const folder of search.pathVariable.split(path.delimiter))
      if (path.isAbsolute(folder)) candidates.push(path.join(folder, setting || 'heddle'));
  }
  const file = candidates.find(search.isExecutable);
  return file === undefined ? { tried: candidates } : { file, tried: candidates };
}

/** For people: why no binary was found, and who must do what. */
export function notFound(setting: string): string {
  if (setting.trim() === '')
    return 'no heddle binary was found: none came with the extension, none is in build/bin of the workspace, none in PATH. Install one, or set heddle.path.';
  return `heddle.path says '${setting.trim()}', and no program that can be run is there. Correct it, or empty it to have the server looked for.`;
}
