import { Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, with the environment of a bare shell and `env`. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const stdout = collect();
  const stderr = collect();
  const { PATH = '', HOME = '' } = process.env;
  const status = await main({
    argv: ['node', 'release-index', ...args],
    env: { PATH, HOME, NO_COLOR: '1', CI: 'true', ...env },
    stdout: stdout.stream,
    stderr: stderr.stream,
    on: () => process,
    exit: (code): never => {
      throw new Error(`exit ${code}`);
    },
  });
  return { status, stdout: stdout.text(), stderr: stderr.text() };
}

function collect() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return {
    stream: stream as never,
    text: () => chunks.join(''),
  };
}
