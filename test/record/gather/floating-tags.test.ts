import { describe, expect, it } from 'vitest';
import { versionsOf } from '../../harness/expectations.ts';
import { run } from '../../harness/gathering.ts';
import type { Listed } from '../../harness/imitated-upstream.ts';
import { dockerHub, ociRegistry } from '../../harness/upstreams/docker.ts';

const image = (at: string, ...tags: string[]): Listed[] =>
  tags.map((version) => ({ version, at, artifact: at }));

const first: Listed[] = [
  ...image('2026-01-10T09:30:00Z', '1.0.0', '1.0'),
  ...image('2026-02-10T09:30:00Z', '1.1.0', '1.1', '1'),
  ...image('2026-03-10T09:30:00Z', '2.0.0', '2.0', '2', 'latest', 'edge'),
  ...image('2026-03-11T09:30:00Z', '2.0.0-alpine', '2-alpine'),
];
/** A release was pushed, and its own tag comes later than the tags that move. */
const moved: Listed[] = [
  ...first.filter(({ version }) => !['2.0', '2', 'latest'].includes(version)),
  ...image('2026-06-20T09:30:00Z', '2.0', '2', 'latest'),
];

describe.each([dockerHub, ociRegistry])('$name', (registry) => {
  it('leaves out tags that move, on the first day and later, with one notice', async () => {
    const begun = await run(registry, { releases: first, recorded: [] });
    const { releases: recorded, freshness } = begun;
    const again = await run(registry, { releases: first, recorded, freshness });
    const later = await run(registry, { releases: moved, recorded, freshness });

    const kept = ['1.0.0', '1.1.0', '2.0.0-alpine', '2.0.0'];
    expect(begun.messages).toEqual([
      'svc: ' +
        `${Object.keys(freshness.sources)[0]} lists 8 tags that are no releases: latest, edge, 1, 1.0, 1.1, 2-alpine, 2, 2.0. Left out.`,
    ]);
    expect([begun, again, later].map(versionsOf)).toEqual([kept, kept, kept]);
    expect(again.changes).toEqual([]);
    expect(later.findings.map(({ level }) => level)).toEqual(['notice']);
  });

  it('keeps recorded tags that move, and accepts an older release next to a longer one', async () => {
    const begun = await run(registry, {
      releases: [...image('2025-12-01T09:30:00Z', '1.0'), ...first.slice(2)],
      recorded: [{ version: '1.0.1', releaseTimestamp: '2026-01-12' }, { version: '2' }],
    });

    expect(versionsOf(begun)).toEqual(['1.0', '1.0.1', '1.1.0', '2', '2.0.0-alpine', '2.0.0']);
  });
});
