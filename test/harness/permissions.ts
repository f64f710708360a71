import { execFileSync } from 'node:child_process';

/** Root may write everywhere, unless it has given up that right. */
function withoutRights(): string[] | undefined {
  if (process.getuid?.() !== 0) {
    return [];
  }
  try {
    const command = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
    execFileSync(command[0]!, [...command.slice(1), 'true'], { stdio: 'ignore' });
    return command;
  } catch {
    return undefined;
  }
}

/** A command that takes from the program what only root may do; undefined where there is none. */
export const unprivileged = process.platform === 'win32' ? undefined : withoutRights();
