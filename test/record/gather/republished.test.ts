import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
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

test('a release that was republished is held and told everywhere until a person accepts it, and new ones come all the same', async () => {
  const registry = await npmRegistry({ agent: listing({ '1.0.0': 'one', '1.1.0': 'two' }) });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  const run = (verb: string, day: string, ...args: string[]) =>
    runCli([verb, ...args, '--root', root, '--as-of', day]);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  await run('gather', '2026-06-01');
  registry.packages.set('agent', listing({ '1.0.0': 'one', '1.1.0': 'tampered', '1.2.0': 'three' }));

  const held = await run('gather', '2026-06-02');
  await run('build', '2026-06-02');

  expect(linesOf(held.stdout)).toContain('svc 1.2.0: new');
  expect(linesOf(held.stderr)).toContain(
    'error: svc (npm:agent): was republished, as artifacts have other bytes than those recorded: ' +
      `1.1.0 (agent@1.1.0 was ${hex('two')} and is ${hex('tampered')}). ` +
      'Held the new digests; the recorded ones stay, and the rest was accepted. If upstream is right, run: gather svc --accept',
  );
  const digestsIn = (file: Pick<DetailsFile | RecordedData, 'releases'>) =>
    file.releases.map(({ digests }) => Object.values(digests?.['npm:agent'] ?? {})[0]);
  const recorded = [hex('one'), hex('two'), hex('three')];
  expect(digestsIn(readJsonIn<RecordedData>(root, 'data/svc.json'))).toEqual(recorded);
  expect(digestsIn(readJsonIn<DetailsFile>(root, 'dist/details/svc.json'))).toEqual(recorded);
  expect(readJsonIn<StatusFile>(root, 'dist/status.json').components['svc']).toMatchObject({
    state: 'held',
    troubles: [{ reason: expect.stringContaining('1.1.0 (agent@1.1.0 was') as string }],
  });
  expect(read('dist/status.html')).toContain('svc --accept');

  registry.packages.set('agent', listing({ '1.0.0': 'one', '1.1.0': 'again', '1.2.0': 'three' }));
  const other = await run('gather', '2026-06-03', 'svc', '--accept');
  expect(other.stderr).toContain(
    'It differs from what has been held since 2026-06-02, so it is not accepted yet.',
  );

  await run('record', '2026-06-02');
  const accepted = await run('gather', '2026-06-03', 'svc', '--accept');
  await run('record', '2026-06-03');
  await run('build', '2026-06-03');
  const explained = await run('explain', '2026-06-03', 'svc', '1.1.0');

  expect(linesOf(accepted.stdout)).toContain('svc 1.1.0: republished (agent@1.1.0)');
  const [from, to] = [`agent@1.1.0 ${hex('two')}`, `agent@1.1.0 ${hex('again')}`];
  const text = `1.1.0 was republished: ${from} before, ${to} now.`;
  expect(readJsonIn<ChangesFile>(root, 'dist/changes.json').changes[0]).toEqual({
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
  expect((await run('gather', '2026-06-03')).stderr).not.toContain('republished');
});
