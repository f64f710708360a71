import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { text } from '../../harness/upstream.ts';

const askIndex = (body: string, field?: string) =>
  askRegistry(
    { datasource: 'helm', packageName: 'agent', field },
    { '/index.yaml': text(body, 'application/octet-stream') },
  );
const charts = (...entries: string[]) =>
  `entries:\n  agent:\n${entries.map((entry) => `  - {${entry}}\n`).join('')}`;

test('helm reads unquoted versions as written, and all spellings of true', async () => {
  const body = charts(
    'version: 1.10, created: 2026-03-25T10:20:30.5+02:00',
    'version: 2025.3, deprecated: true',
    'version: 4, deprecated: True',
    'version: 5, deprecated: FALSE',
  );

  expect((await askIndex(body)).releases).toEqual([
    { version: '1.10', releaseTimestamp: '2026-03-25T08:20:30Z' },
    { version: '4', deprecated: 'no reason given' },
    { version: '5' },
    { version: '2025.3', deprecated: 'no reason given' },
  ]);
});

test('helm unites charts of one version of the application, and notes others', async () => {
  const body = charts(
    `version: 5.2.0, appVersion: "2026.2", created: 2026-06-20T00:00:00Z, deprecated: true, digest: ${'a'.repeat(64)}`,
    `version: 5.1.0, appVersion: "2026.2", created: 2026-06-10T09:00:00Z, digest: "sha256:${'b'.repeat(64)}"`,
    'version: 4.9.0',
  );
  const { releases, notes } = await askIndex(body, 'appVersion');

  expect(releases).toEqual([
    {
      version: '2026.2',
      releaseTimestamp: '2026-06-10T09:00:00Z',
      digests: [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`],
      digest: null,
    },
  ]);
  expect(notes).toEqual(['entry 3: appVersion: expected it. Skipped 1 of 3 entries.']);
});

test('helm says that an index does not have the chart', async () => {
  await expect(askIndex('entries: {agents: []}')).rejects.toThrow('has no chart "agent"');
});
