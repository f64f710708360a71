import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessKeyForm } from '../src/core/schemas/access-keys.ts';
import { checkout } from './harness/checkout.ts';
import { linesOf, runCli } from './harness/cli.ts';
import { npmRegistry } from './harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn, writeIn } from './harness/root.ts';
import { covers } from './harness/covers.ts';

const runbook = readFileSync(join(checkout, '.github/RUNBOOK.md'), 'utf8');
const day = ['--as-of', '2026-06-01'];

/** The keys under a heading comment, or the whole document, as an object. */
function sample(name: string): Record<string, unknown> {
  const match = new RegExp(`<!-- sample: ${name} -->\\s+\`\`\`json\\n(.*?)\\n\`\`\``, 's').exec(runbook);
  if (!match) throw new Error(`the runbook has no sample "${name}"`);
  const text = match[1]!;
  return JSON.parse(text.startsWith('{') ? text : `{${text}}`) as Record<string, unknown>;
}

interface Recorded {
  releases: { version: string }[];
}

const versionsIn = (root: string, path: string) =>
  readJsonIn<Recorded>(root, path).releases.map(({ version }) => version);

test('a date that is corrected as it says is in the journal with the value before', async () => {
  const root = makeRoot({
    'components/svc.json': definition(),
    'data/svc.json': { releases: [{ version: '1.0', releaseTimestamp: '2025-03-01T10:00:00Z' }] },
  });
  await runCli(['record', '--root', root, '--as-of', '2026-05-01']);
  writeIn(root, 'data/svc.json', { releases: [{ version: '1.0', releaseTimestamp: '2025-04-01' }] });

  await runCli(['record', '--root', root, ...day]);
  const explained = await runCli(['explain', 'svc', '1.0', '--root', root, ...day]);
  const built = await runCli(['build', '--root', root, ...day]);
  const checked = await runCli(['check', '--root', root, ...day]);

  expect(linesOf(explained.stdout)).toContain(
    'Recorded on 2026-06-01: 1.0: the release day was 2025-03-01 and is 2025-04-01 now.',
  );
  expect([built.status, checked.status, checked.stderr]).toEqual([0, 0, '']);
});

test('a version that is excluded as it says leaves the site, and no run brings it back', async () => {
  const registry = await npmRegistry({ agent: { '3.4.0': {}, '3.4.1': {}, '3.5.0': {} } });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  await runCli(['gather', '--root', root, ...day]);
  writeIn(root, 'components/svc.json', definition({ sources: [{ ...source, ...sample('exclusion') }] }));

  const excluded = await runCli(['start', '--root', root, ...day]);

  expect(excluded.status).toBe(0);
  expect(linesOf(excluded.stdout).at(-1)).toBe('Now: npx release-index preview');
  expect(excluded.stderr).toContain('notice: svc: the site leaves out 1 recorded release');
  expect(versionsIn(root, 'dist/svc.json')).toEqual(['3.4.0', '3.5.0']);
  expect(versionsIn(root, 'data/svc.json')).toEqual(['3.4.0', '3.4.1', '3.5.0']);

  const { releases } = readJsonIn<Recorded>(root, 'data/svc.json');
  writeIn(root, 'data/svc.json', { releases: releases.filter(({ version }) => version !== '3.4.1') });
  const again = await runCli(['start', '--root', root, ...day]);

  expect(again.status).toBe(0);
  expect(again.stderr).not.toContain('notice');
  expect(versionsIn(root, 'data/svc.json')).toEqual(['3.4.0', '3.5.0']);
});

test('an index that is made private as it says has users who get a key, and an issuer', async () => {
  covers(46);
  const access = sample('access');
  const site = { ...readJsonIn<object>(checkout, 'site/site.json'), signingPublicKey: undefined };
  const root = makeRoot({
    'components/svc.json': definition(),
    'site/site.json': site,
    'site/access.json': access,
  });
  const newKey = await runCli([
    'key',
    'new',
    '--root',
    root,
    ...day,
    '--user',
    'jane',
    '--expires',
    '2027-01-01',
  ]);
  const byKey = await runCli(['check', '--root', root, ...day]);
  writeIn(root, 'site/access.json', {
    ...access,
    accessKeys: { enabled: false },
    ...sample('issuer'),
  });
  const byToken = await runCli(['check', '--root', root, ...day]);

  expect(newKey.stdout.trim()).toMatch(accessKeyForm);
  expect([byKey.stderr, byToken.stderr]).toEqual(['', '']);
});
