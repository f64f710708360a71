import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry, type Listing } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const hash = (bytes: string) => createHash('sha512').update(bytes);
const hex = (bytes: string) => `sha512:${hash(bytes).digest('hex')}`;

function listing(artifacts: Readonly<Record<string, string>>): Listing {
  return Object.fromEntries(
    Object.entries(artifacts).map(([version, bytes]) => [
      version,
      { at: '2026-01-01T00:00:00.000Z', integrity: `sha512-${hash(bytes).digest('base64')}` },
    ]),
  );
}

test('a republished release is reported everywhere once it is recorded', async () => {
  const registry = await npmRegistry({ agent: listing({ '1.0.0': 'one', '1.1.0': 'two' }) });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  const run = (verb: string, day: string, ...args: string[]) =>
    runCli([verb, ...args, '--root', root, '--as-of', day]);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  await run('gather', '2026-06-01');
  await run('record', '2026-06-01');
  registry.packages.set('agent', listing({ '1.0.0': 'one', '1.1.0': 'again', '1.2.0': 'three' }));

  const gathered = await run('gather', '2026-06-03');
  await run('record', '2026-06-03');
  await run('build', '2026-06-03');
  const explained = await run('explain', '2026-06-03', 'svc', '1.1.0');

  expect(linesOf(gathered.stdout)).toContain('svc 1.1.0: republished (agent@1.1.0)');
  const digestsIn = (file: Pick<DetailsFile | RecordedData, 'releases'>) =>
    file.releases.map(({ digests }) => Object.values(digests?.['npm:agent'] ?? {})[0]);
  const recorded = [hex('one'), hex('again'), hex('three')];
  expect(digestsIn(readJsonIn<RecordedData>(root, 'data/svc.json'))).toEqual(recorded);
  expect(digestsIn(readJsonIn<DetailsFile>(root, 'dist/details/svc.json'))).toEqual(recorded);
  const [from, to] = [`agent@1.1.0 ${hex('two')}`, `agent@1.1.0 ${hex('again')}`];
  const text = `1.1.0 was republished: ${from} before, ${to} now.`;
  expect(readJsonIn<ChangesFile>(root, 'dist/changes.json').changes).toContainEqual({
    id: 'svc/4',
    at: '2026-06-03T00:00:00.000Z',
    type: 'republished',
    on: '2026-06-03',
    component: 'svc',
    version: '1.1.0',
    from,
    to,
    text,
  });
  for (const path of ['dist/svc.html', 'dist/changes.html', 'dist/feed.atom'])
    expect(read(path)).toContain('1.1.0 was republished: ');
  expect(linesOf(explained.stdout)).toEqual(
    expect.arrayContaining([
      `Digest: agent@1.1.0 ${hex('again')} (npm:agent).`,
      `Recorded on 2026-06-03: ${text}`,
    ]),
  );
  expect((await run('check', '2026-06-03')).status).toBe(0);
});
