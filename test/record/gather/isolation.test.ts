import { expect, test } from 'vitest';
import { bugsOf } from '../../../src/cli/commands/gather.ts';
import { defaultBudgets } from '../../../src/record/gather/ask.ts';
import { gatherAll, type Gathered } from '../../../src/record/gather/gather-all.ts';
import type { SourceContext } from '../../../src/record/sources/source.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { testHttp, today } from '../../harness/gathering.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const npm = (packageName: string) => ({ datasource: 'npm', packageName });

test('an unexpected error fails only its source, is reported as a bug, and loses nothing', async () => {
  const registry = await npmRegistry({ sound: { '1.0.0': {} }, broken: { '2.0.0': {} } });
  const dir = makeRoot({
    'components/edge-node.json': definition({ sources: [npm('sound')] }),
    'components/svc.json': definition({ sources: [npm('broken'), npm('sound')] }),
    'data/svc.json': { releases: [{ version: '0.9', source: 'npm:broken' }] },
  });

  const gathered = await gatherWith(dir, (packageName) => {
    if (packageName === 'broken') throw new TypeError('Cannot read properties of undefined');
    return registry.url;
  });

  const [edge, svc] = gathered.results;
  expect(edge!.findings).toEqual([]);
  expect(bugsOf(gathered.results)).toEqual([
    {
      level: 'error',
      subject: 'svc (npm:broken)',
      message:
        'unexpected error "Cannot read properties of undefined" (please report it). Kept the recorded release.',
      file: 'components/svc.json',
      stack: expect.stringMatching(/^TypeError: Cannot read[^]*isolation\.test\.ts/),
    },
  ]);
  expect(svc!.sources).toEqual([
    { id: 'npm:broken', kind: 'failed', reason: expect.stringContaining('please report it') },
    {
      id: 'npm:sound',
      kind: 'answered',
      taken: { definition: expect.any(String), pending: [] },
    },
  ]);
  const { releases } = readJsonIn<{ releases: { version: string }[] }>(dir, 'data/svc.json');
  expect(releases.map(({ version }) => version)).toEqual(['0.9', '1.0.0']);
});

async function gatherWith(dir: string, npmRegistry: SourceContext['npmRegistry']): Promise<Gathered> {
  const http = testHttp();
  try {
    return await gatherAll(['edge-node', 'svc'], {
      root: openRoot(dir, checkout),
      http,
      day: today,
      npmRegistry,
      trustedRoot: () => Promise.reject(new Error('no attestation is expected')),
      waiting: () => new Map(),
      recordsFreshness: true,
      budgets: defaultBudgets,
      signal: new AbortController().signal,
      onFinished: () => undefined,
    });
  } finally {
    await http.close();
  }
}
