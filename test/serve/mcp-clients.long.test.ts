/** Checks that each kind of MCP client gets the same answers from the Worker in workerd, and from `release-index mcp`. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { program } from '../harness/example.ts';
import { clientKinds, connect, expectedAnswers, tryTools } from '../harness/mcp-client.ts';
import { buildExample } from '../harness/site.ts';
import { startWorker } from '../harness/worker.ts';

const worker = await startWorker(buildExample());
afterAll(() => worker.close());

test.each(clientKinds)(
  'an MCP client of the kind "%s" gets all answers from the Worker',
  async (kind) => {
    const client = await connect({ url: `${worker.url}/mcp` }, kind);

    expect(await tryTools(client)).toEqual(expectedAnswers);
  },
);

test.each(clientKinds)(
  'an MCP client of the kind "%s" gets all answers from the local server that the client starts',
  async (kind) => {
    const args = [join(program, 'src/cli.js'), 'mcp', '--out', buildExample()];
    const client = await connect({ command: process.execPath, args }, kind);

    expect(await tryTools(client)).toEqual(expectedAnswers);
  },
);
