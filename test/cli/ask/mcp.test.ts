/** The tools over standard input and output, for a program that agents start. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../harness/example.ts';
import { connect, expectedAnswers, tryTools } from '../../harness/mcp-client.ts';
import { buildExample } from '../../harness/site.ts';

test('a client starts the program, and asks it', async () => {
  const args = [join(program, 'src/cli.js'), 'mcp', '--out', buildExample()];
  const client = await connect({ command: process.execPath, args }, 'modern');

  expect(await tryTools(client)).toEqual(expectedAnswers);
});
