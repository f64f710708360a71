import { expect, test } from 'vitest';
import { runProgram } from '../../src/core/run-program.ts';

test('a program that is killed without a word is reported with the signal', async () => {
  const start = { subject: 'git fetch', signal: new AbortController().signal };

  const output = runProgram('sh', ['-c', 'kill -9 $$'], start);

  await expect(output).rejects.toThrow('git fetch was ended by SIGKILL');
});
