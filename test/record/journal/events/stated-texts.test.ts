import { expect, test } from 'vitest';
import { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import { openGatedIndex, type Statement } from '../../../harness/gated-index.ts';

const releases = ['1.0', '1.1', '1.2', '1.3'].map((version) => ({
  version,
  releaseTimestamp: '2026-01-01T00:00:00Z',
}));

const places: Readonly<Record<string, (text: string) => Statement>> = {
  'a deprecation of the definition': (reason) => ({
    definition: { deprecated: [{ versions: ['1.0'], reason }] },
  }),
  'a deprecation of a source': (deprecated) => ({
    releases: releases.map((one) => (one.version === '1.0' ? { ...one, deprecated } : one)),
  }),
  'a correction': (reason) => ({
    data: (data) => ({
      ...data,
      releases: data.releases.map((one) => ({
        ...one,
        releaseTimestamp: '2026-01-02T00:00:00Z',
        corrected: { on: '2026-03-02', reason },
      })),
    }),
  }),
  'a summary of an advisory': (summary) => ({
    definition: {
      advisories: [{ id: 'CVE-2026-1', affected: '<1.2', severity: 'low', summary }],
    },
  }),
};
const texts = ['Loses  data. ', 'Loses\u200b data.', '\u200b', 'x'.repeat(1000)];
const cases = Object.entries(places).flatMap(([place, state]) =>
  texts.map((text) => ({ place, text, statement: state(text) })),
);

test.each(cases)('$place is told once, in a line that can be read: $text', ({ statement }) => {
  const index = openGatedIndex();
  index.run('2026-03-01', { releases });

  const { events } = index.run('2026-03-02', { releases, ...statement });
  const { data, ...later } = statement;
  const next = index.run('2026-03-03', { releases, ...later });

  expect(events).not.toEqual([]);
  expect(events.map((event) => JournalEvent.safeParse(event).error)).toEqual(
    events.map(() => undefined),
  );
  expect(next.events).toEqual([]);
});
