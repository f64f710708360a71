import { isCheckout } from '../io/program.ts';

/** What a command may use of the process. */
export interface Process {
  argv: string[];
  env: Record<string, string | undefined>;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  cwd(): string;
  chdir(folder: string): void;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(status: number): never;
  exitCode?: number | string | null | undefined;
}

/** The command by which the program was started: everything in front of the verb. */
export function invocationName({ argv, env }: Pick<Process, 'argv' | 'env'>): string {
  if (env['npm_command'] === 'exec') return 'npx release-index';
  if (isCheckout) return 'npm run -s release-index --';
  // The command of a dependency is not in the person's PATH, only in that of the scripts of their package.json.
  const isDependency = /[\\/]node_modules[\\/]\.bin[\\/]/.test(argv[1] ?? '');
  return isDependency || env['npm_command'] !== undefined ? 'npx release-index' : 'release-index';
}
