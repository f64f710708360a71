import { expect, test } from 'vitest';
import { uniteAnswers, type GatherResult } from '../../src/gather/gather-component.ts';
import { Definition } from '../../src/model/definition.ts';
import { Freshness } from '../../src/model/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../src/model/recorded.ts';
import { release } from '../harness/judging.ts';
import { answer, entryOf } from '../harness/merging.ts';
import { definition } from '../harness/root.ts';

const ten = Array.from({ length: 10 }, (_, index) => `1.${index}`);
const url = 'https://example.com/releases';
const byDatasource = {
  npm: { id: 'npm:x', source: { datasource: 'npm', packageName: 'x' } },
  page: { id: `page:${url}`, source: { datasource: 'page', url, matchStrings: ['(?<version>\\d.*)'] } },
};

function recordedBy(id: string, versions: readonly string[]): RecordedRelease[] {
  return versions.map((version) => release(version, '2025-01-01', { source: id }));
}

/** What a run makes of an answer of one source; the other source of the component lists one more version. */
function gather(
  datasource: keyof typeof byDatasource,
  listed: readonly string[],
  { recorded = ten, accept = false }: { recorded?: readonly string[]; accept?: boolean } = {},
): GatherResult & { kept: string[] } {
  const { id, source } = byDatasource[datasource];
  const read = Definition.parse(
    definition({ sources: [source, { datasource: 'maven', packageName: 'g:a' }] }),
  );
  const kept: string[] = [];
  const outcomes = [answer(id, listed), answer('maven:g:a', ['0.9'])].map((one) => ({
    ...one,
    kind: 'answered' as const,
    releases: [...one.releases],
    pending: [],
    keep: () => void kept.push(one.id),
  }));
  const input = {
    component: 'svc',
    definition: read,
    recorded: recordedBy(id, recorded),
    freshness: { sources: {} },
  };
  const result = uniteAnswers(input, { outcomes, findings: [] }, { day: '2026-06-01', accept });
  return { ...result, kept };
}

function messages({ findings }: GatherResult): string[] {
  return findings.map(({ subject, message }) => `${subject}: ${message}`);
}

function withdrawn({ releases }: GatherResult): string[] {
  return releases.filter((entry) => entry.withdrawnSince !== undefined).map(({ version }) => version);
}

test('exactly a fifth may go', () => {
  const result = gather('npm', ten.slice(2));

  expect(withdrawn(result)).toEqual(['1.0', '1.1']);
  expect(messages(result)).toEqual([]);
  expect(result.sources.map(({ kind }) => kind)).toEqual(['answered', 'answered']);
});

test('more than a fifth is held: nothing of it is taken, and the run says exactly why', () => {
  const result = gather('npm', [...ten.slice(3), '2.0']);

  expect(withdrawn(result)).toEqual([]);
  expect(result.releases.map(({ version }) => version)).toEqual(['0.9', ...ten]);
  expect(messages(result)).toEqual([
    'svc (npm:x): no longer lists 3 of the 10 versions it listed (1.0, 1.1, 1.2). Nothing of it is taken. ' +
      'If upstream is right, run: gather svc --accept',
  ]);
  expect(result.freshness.sources['npm:x']).toEqual({
    heldSince: '2026-06-01',
    reason: 'no longer lists 3 of the 10 versions it listed (1.0, 1.1, 1.2). Nothing of it is taken.',
  });
  expect(result.kept).toEqual(['maven:g:a']);
});

test.each(['npm', 'page'] as const)(
  'a %s that no longer lists its greatest version is held',
  (datasource) => {
    const result = gather(datasource, ten.slice(0, 9));

    expect(withdrawn(result)).toEqual([]);
    expect(messages(result)[0]).toContain(
      'no longer lists 1.9, the greatest version it listed (missing: 1.9). Nothing of it is taken.',
    );
  },
);

test.each(['npm', 'page'] as const)('a %s that lists nothing is held', (datasource) => {
  const result = gather(datasource, []);

  expect(withdrawn(result)).toEqual([]);
  expect(messages(result)[0]).toContain(`lists nothing; it listed 10 versions (${ten.join(', ')})`);
});

test('a page may forget as many old versions as it likes, and none is withdrawn', () => {
  const result = gather('page', ['1.9', '2.0']);

  expect(messages(result)).toEqual([]);
  expect(withdrawn(result)).toEqual([]);
  expect(result.releases.map(({ version }) => version)).toEqual(['0.9', ...ten, '2.0']);
});

test('--accept takes what is held, and withdraws what is gone', () => {
  const result = gather('npm', [...ten.slice(3, 9), '2.0'], { accept: true });

  expect(withdrawn(result)).toEqual(['1.0', '1.1', '1.2', '1.9']);
  expect(result.releases.at(-1)!.version).toBe('2.0');
  expect(messages(result)).toEqual([]);
  expect(result.kept).toEqual(['npm:x', 'maven:g:a']);
});

test('--accept of a page expects no more of it what it has forgotten, and withdraws nothing', () => {
  const result = gather('page', ten.slice(0, 9), { accept: true });

  expect(withdrawn(result)).toEqual([]);
  expect(entryOf(result, '1.9')).not.toHaveProperty('source');
  expect(messages(gather('page', ten.slice(0, 9), { recorded: ten.slice(0, 9) }))).toEqual([]);
});

test('a first answer is believed, and so is one that only adds', () => {
  expect(messages(gather('npm', ['1.0'], { recorded: [] }))).toEqual([]);
  expect(messages(gather('npm', [...ten, '2.0']))).toEqual([]);
});

test('what was withdrawn before is not expected again', () => {
  const { id, source } = byDatasource.npm;
  const recorded = recordedBy(id, ten).map((entry, index) =>
    index < 5 ? { ...entry, withdrawnSince: '2026-01-01' } : entry,
  );
  const one = answer(id, ten.slice(5));
  const outcome = {
    ...one,
    kind: 'answered' as const,
    releases: [...one.releases],
    pending: [],
    keep() {},
  };

  const result = uniteAnswers(
    {
      component: 'svc',
      definition: Definition.parse(definition({ sources: [source] })),
      recorded,
      freshness: { sources: {} },
    },
    { outcomes: [outcome], findings: [] },
    { day: '2026-06-01', accept: false },
  );

  expect(messages(result)).toEqual([]);
  expect(result.releases).toEqual(recorded);
});

test('a long list of what is missing is cut to what a person reads', () => {
  const many = Array.from({ length: 100 }, (_, index) => `1.${index}`);

  const [message] = messages(gather('npm', ['1.99'], { recorded: many }));

  expect(message).toContain('no longer lists 99 of the 100 versions it listed (1.0, 1.1, ');
  expect(message).toContain('1.19 and 79 more)');
});

test('whatever is told of a source can be written and read again', () => {
  const long = Array.from({ length: 100 }, (_, index) => `1.${index}-${'x'.repeat(190)}\u2060😀`);
  const page = {
    datasource: 'page',
    url: `https://example.com/${'a'.repeat(1900)}`,
    matchStrings: ['(?<version>\\d.*)'],
  };
  const id = `page:${page.url}`;
  const one = answer(id, [{ version: '1.0', changelogUrl: 'https://example.com/1' }]);
  const held = { ...answer('npm:x', [long[99]!]), kind: 'answered' as const, pending: [], keep() {} };
  const outcomes = [
    { ...one, kind: 'answered' as const, releases: [...one.releases], pending: [], keep() {} },
    { ...held, releases: [...held.releases] },
    {
      kind: 'failed' as const,
      id: 'maven:g:a',
      reason: `GET https://example.com/${'b'.repeat(1990)}\nanswered 404`,
    },
  ];

  const { releases, freshness } = uniteAnswers(
    {
      component: 'svc',
      definition: Definition.parse(
        definition({
          sources: [page, byDatasource.npm.source, { datasource: 'maven', packageName: 'g:a' }],
        }),
      ),
      recorded: [release('1.0', '2025-01-01'), ...recordedBy('npm:x', long)],
      freshness: { sources: {} },
    },
    { outcomes, findings: [] },
    { day: '2026-06-01', accept: false },
  );

  expect(entryOf({ releases }, '1.0').corrections).toHaveLength(1);
  expect(freshness.sources['npm:x']!.reason).toMatch(/^no longer lists 99 of the 100 versions .*…$/);
  expect(freshness.sources['maven:g:a']!.reason).toMatch(/^GET https:\/\/example\.com\/b+…$/);
  expect(RecordedData.parse(JSON.parse(JSON.stringify({ releases })))).toEqual({ releases });
  expect(Freshness.parse(JSON.parse(JSON.stringify(freshness)))).toEqual(freshness);
});
