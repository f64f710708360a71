import { describe, expect, test } from 'vitest';
import { uniteAnswers } from '../../../src/record/gather/gather-component.ts';
import { Definition } from '../../../src/record/definition.ts';
import { Freshness } from '../../../src/core/schemas/freshness.ts';
import { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { release } from '../../harness/judging.ts';
import {
  again,
  byDatasource,
  day,
  gather,
  recordedBy,
  ten,
  versionsOf,
  withdrawn,
} from '../../harness/acceptance.ts';
import { answer, outcomeOf } from '../../harness/merging.ts';
import { definition } from '../../harness/root.ts';

const nextDay = '2026-06-02';

describe('a list that has shrunk', () => {
  test('by exactly a fifth is believed, and what is missing is withdrawn on the second day', () => {
    const first = gather(ten.slice(2));
    const second = again(first, ten.slice(2), { day: nextDay });

    expect(withdrawn(first)).toEqual([]);
    expect(first.messages).toEqual([
      'svc: no source lists 1.0, 1.1 any more. A version that is still missing on a later day is withdrawn.',
    ]);
    expect(first.freshness.missing).toEqual({ '1.0': day, '1.1': day });
    expect(first.sources.map(({ kind }) => kind)).toEqual(['answered', 'answered']);
    expect(withdrawn(second)).toEqual(['1.0', '1.1']);
    expect(second.messages).toEqual([]);
    expect(second.freshness).not.toHaveProperty('missing');
  });

  test('by more than a fifth is held: nothing of it is taken, and the run says exactly why', () => {
    const result = gather([...ten.slice(3), '2.0']);

    expect(withdrawn(result)).toEqual([]);
    expect(versionsOf(result)).toEqual(['0.9', ...ten]);
    expect(result.messages).toEqual([
      'svc (npm:x): no longer lists 3 of the 10 versions it listed (1.0, 1.1, 1.2). Nothing of it was accepted. ' +
        'If upstream is right, run: gather svc --accept',
    ]);
    expect(result.freshness.sources['npm:x']).toEqual({
      heldSince: day,
      held: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      reason: 'no longer lists 3 of the 10 versions it listed (1.0, 1.1, 1.2). Nothing of it was accepted.',
    });
    expect(result.kept).toEqual(['maven:g:a']);
  });

  test.each(['npm', 'page'] as const)('to nothing, of a %s, is held', (datasource) => {
    const result = gather([], { datasource });

    expect(withdrawn(result)).toEqual([]);
    expect(result.messages[0]).toContain(`lists nothing; it listed 10 versions (${ten.join(', ')})`);
  });

  test('of a page may have forgotten as many old versions as it likes, and none is withdrawn', () => {
    const result = gather(['1.9', '2.0'], { datasource: 'page' });

    expect(result.messages).toEqual([]);
    expect(withdrawn(result)).toEqual([]);
    expect(versionsOf(result)).toEqual(['0.9', ...ten, '2.0']);
  });

  test('of a page that has lost its newest versions as well is held', () => {
    const result = gather(ten.slice(0, 7), { datasource: 'page' });

    expect(result.messages[0]).toContain('no longer lists 3 of the 10 versions it listed (1.7, 1.8, 1.9)');
  });

  test('of what was withdrawn before is as long as before', () => {
    const recorded = recordedBy('npm:x', ten).map((entry, index) =>
      index < 5 ? { ...entry, withdrawnSince: '2026-01-01' } : entry,
    );

    const result = gather(ten.slice(5), { recorded });

    expect(result.messages).toEqual([]);
    expect(result.releases.slice(1)).toEqual(recorded);
  });

  test('by very much is told with as many names as a person reads', () => {
    const many = Array.from({ length: 100 }, (_, index) => `1.${index}`);

    const [message] = gather(['1.99'], { recorded: many }).messages;

    expect(message).toContain('no longer lists 99 of the 100 versions it listed (1.0, 1.1, ');
    expect(message).toContain('1.19 and 79 more)');
  });
});

describe('the greatest version alone', () => {
  test.each([{ recorded: ten }, { recorded: ['1.8', '1.9'] }, { recorded: ['1.9'] }])(
    'of $recorded.length is withdrawn at once and loudly, and what is new is taken',
    ({ recorded }) => {
      const result = gather([...recorded.slice(0, -1), '1.8.1'], { recorded });

      expect(withdrawn(result)).toEqual(['1.9']);
      expect(versionsOf(result)).toContain('1.8.1');
      expect(result.findings).toEqual([
        {
          level: 'warning',
          subject: 'svc',
          message:
            'npm:x no longer lists 1.9, the greatest version it listed. Withdrawn at once, as upstream pulled it; ' +
            'it stays recorded, and returns when it is listed again.',
        },
      ]);
    },
  );

  test('is withdrawn at once also while an older one is missing since yesterday', () => {
    const first = gather(ten.slice(1));
    const second = again(first, ten.slice(1, 9), { day });

    expect(withdrawn(second)).toEqual([]);
    expect(withdrawn(again(first, ten.slice(1, 9), { day: nextDay }))).toEqual(['1.0', '1.9']);
  });

  test('of a page stays, and a person is told what to do', () => {
    const result = gather(ten.slice(0, 9), { datasource: 'page' });

    expect(withdrawn(result)).toEqual([]);
    expect(result.messages).toEqual([
      `svc: ${byDatasource.page.id} no longer lists 1.9, the greatest version it listed. A page only adds, so it stays; ` +
        'if upstream pulled it, deprecate it in components/svc.json.',
    ]);
  });

  test('stays while another source lists it', () => {
    const recorded = [
      ...recordedBy('npm:x', ['0.8']),
      { ...release('0.9', '2025-01-01', { source: 'npm:x' }), alsoListedBy: ['maven:g:a'] },
    ];

    const result = gather(['0.8'], { recorded });

    expect(withdrawn(result)).toEqual([]);
    expect(result.messages).toEqual([]);
  });
});

describe('a list that comes and goes', () => {
  const half = ten.filter((version) => version !== '1.3' && version !== '1.4');

  test.each([
    { name: 'every second day', isFull: (index: number) => index % 2 === 0, most: 0 },
    { name: 'two days at a time', isFull: (index: number) => index % 4 < 2, most: 2 },
    { name: 'five days at a time', isFull: (index: number) => index % 10 < 5, most: 6 },
  ])('$name, leaves hardly a trace in 40 days', ({ isFull, most }) => {
    let result = gather(ten);
    let changes = 0;
    for (let index = 1; index <= 40; index += 1) {
      const on = new Date(Date.parse(day) + index * 86_400_000).toISOString().slice(0, 10);
      result = again(result, isFull(index) ? ten : half, { day: on });
      changes += result.changes.length;
      const more = again(result, isFull(index) ? ten : half, { day: on });
      expect(more.releases).toEqual(result.releases);
      expect(more.freshness).toEqual(result.freshness);
    }

    expect(result.freshness.unsteady?.['1.3 withdrawnSince']?.times ?? 0).toBeLessThanOrEqual(most);
    expect(changes).toBeLessThanOrEqual(4 * most);
  });

  test('with the greatest version, leaves hardly a trace either', () => {
    let result = gather(ten);
    for (let index = 1; index <= 40; index += 1) {
      const on = new Date(Date.parse(day) + index * 86_400_000).toISOString().slice(0, 10);
      result = again(result, index % 2 === 0 ? ten : ten.slice(0, 9), { day: on });
    }

    expect(result.freshness.unsteady?.['1.9 withdrawnSince']?.times).toBe(1);
    expect(withdrawn(result)).toEqual([]);
  });
});

test('an answer with a thousand new versions is believed, and one with more is held', () => {
  const invented = (count: number) => Array.from({ length: count }, (_, index) => `1.9.${index}`);

  expect(gather([...ten, ...invented(1000)]).messages).toEqual([]);
  expect(gather(invented(1200), { recorded: [] }).messages).toEqual([]);
  const result = gather([...ten, ...invented(1001)]);
  expect(versionsOf(result)).toEqual(['0.9', ...ten]);
  expect(result.messages).toEqual([
    expect.stringMatching(
      /^svc \(npm:x\): lists 1,001 new versions at once \(1\.9\.0, .* and 981 more\)\. Nothing of it was accepted\. /,
    ),
  ]);
  expect(versionsOf(again(result, [...ten, ...invented(1001)], { accept: true }))).toHaveLength(1012);
});

test('whatever is told of a source can be written and read again', () => {
  const long = Array.from({ length: 100 }, (_, index) => `1.${index}-${'x'.repeat(190)}`);
  const page = {
    datasource: 'page',
    url: `https://example.com/${'a'.repeat(1900)}`,
    matchStrings: ['(?<version>\\d.*)'],
  };
  const id = `page:${page.url}`;
  const outcomes = [
    outcomeOf(answer(id, [{ version: '1.0', changelogUrl: 'https://example.com/1' }])),
    outcomeOf(answer('npm:x', [long[99]!])),
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
      releases: [release('1.0', '2025-01-01'), ...recordedBy('npm:x', long)],
      freshness: { sources: {} },
    },
    { outcomes, findings: [] },
    { day, accept: false },
  );

  expect(freshness.unsteady).toHaveProperty(['1.0 changelogUrl']);
  expect(freshness.sources['npm:x']!.reason).toMatch(/^no longer lists 99 of the 100 versions .*…$/);
  expect(freshness.sources['maven:g:a']!.reason).toMatch(/^GET https:\/\/example\.com\/b+…$/);
  expect(RecordedData.parse(JSON.parse(JSON.stringify({ releases })))).toEqual({ releases });
  expect(Freshness.parse(JSON.parse(JSON.stringify(freshness)))).toEqual(freshness);
});
