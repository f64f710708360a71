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
