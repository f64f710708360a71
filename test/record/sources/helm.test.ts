import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask } from '../../harness/asking.ts';

const source = (registryUrl: string): TypedSource => ({
  datasource: 'helm',
  packageName: 'agent',
  registryUrl,
});
const byAppVersion = (registryUrl: string): TypedSource =>
  ({ ...source(registryUrl), field: 'appVersion' }) as TypedSource;

const index = (body: string, type = 'text/yaml') => ({
  documents: { '/index.yaml': { type, body } },
});
const charts = (...entries: string[]) =>
  index(`entries:\n  agent:\n${entries.map((entry) => `  - {${entry}}\n`).join('')}`);

it('helm reads unquoted versions as written', async () => {
  const { releases } = await ask(
    source,
    charts(
      'version: 1.10, created: 2026-03-25T10:20:30.5+02:00',
      'version: 2025.3, deprecated: true',
      'version: 3, deprecated: false',
      // YAML also has these spellings of a boolean value.
      'version: 4, deprecated: True',
      'version: 5, deprecated: FALSE',
    ),
  );

  expect(releases).toEqual([
    { version: '1.10', releaseTimestamp: '2026-03-25T08:20:30Z' },
    { version: '2025.3', deprecated: '' },
    { version: '3' },
    { version: '4', deprecated: '' },
    { version: '5' },
  ]);
});

it('helm reads an index that is JSON', async () => {
  const body = '{"entries": {"agent": [{"version": "1.10"}]}}';
  const { releases } = await ask(source, index(body, 'application/octet-stream'));

  expect(releases).toEqual([{ version: '1.10' }]);
});

it('helm unites charts with the same version of the application', async () => {
  const { releases } = await ask(
    byAppVersion,
    charts(
      'version: 5.2.0, appVersion: "2026.2", created: 2026-07-10T00:00:00Z, deprecated: true',
      'version: 5.1.0, appVersion: "2026.2", created: 2026-06-30T09:00:00Z',
      'version: 5.0.0, appVersion: "2026.1", created: 2026-03-25T00:00:00Z, deprecated: true',
    ),
  );

  expect(releases).toEqual([
    { version: '2026.2', releaseTimestamp: '2026-06-30T09:00:00Z' },
    { version: '2026.1', releaseTimestamp: '2026-03-25T00:00:00Z', deprecated: '' },
  ]);
});

it('helm joins the digests of entries with one version, in whatever form they are', async () => {
  const { releases } = await ask(
    source,
    charts(
      'version: 1.0.0, digest: ab12',
      'version: 1.0.0, digest: "sha256:ab12"',
      'version: 1.0.0, digest: cd34',
    ),
  );

  expect(releases).toEqual([{ version: '1.0.0', digests: { '1.0.0': 'ab12 sha256:ab12 cd34' } }]);
});

it('helm leaves out a chart without a version of the application', async () => {
  const { releases, skipped } = await ask(
    byAppVersion,
    charts('version: 5.2.0', 'version: 5.1.0, appVersion: "2026.2"'),
  );

  expect(releases).toEqual([{ version: '2026.2' }]);
  expect(skipped).toEqual([
    expect.stringMatching(
      /index\.yaml: entry 1: expected a version; got none\. Skipped 1 of 2 entries\.$/,
    ),
  ]);
});

it.each([
  ['agents: []\n  other: []', 'has no chart "agent". Did you mean "agents"?'],
  ['{}', 'has no chart "agent".'],
])('helm names a similar chart in place of one that is not there: %#', async (others, message) => {
  await expect(ask(source, index(`entries:\n  ${others}\n`))).rejects.toThrow(message);
});
