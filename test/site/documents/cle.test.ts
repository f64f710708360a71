import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/schema/events.ts';
import { listCleEvents } from '../../../src/site/documents/cle.ts';
import { judgeComponents, readFiles, renderFiles } from '../../harness/components.ts';
import { program } from '../../harness/example.ts';
import { buildExample } from '../../harness/site.ts';

const at = '2026-06-10T00:00:00.000Z';
type Told = Partial<Event>;

function tell(...events: Told[]): object[] {
  const journal = events.map((event, place) => ({ id: place + 1, at, on: '2026-06-10', ...event }));
  return listCleEvents(journal as Event[]).map(({ published, ...event }) => {
    expect(published).toBe(at);
    return event;
  });
}

const released: Told = { type: 'released', on: '2026-01-31', version: '1.9.0', line: '1.9' };
const ends = (to?: string, more: Told = {}): Told => ({
  type: 'support-changed',
  line: '1.9',
  to,
  reason: 'End of support.',
  ...more,
});
const ended: Told = { type: 'support-ended', line: '1.9', on: '2026-05-31' };
const effective = '2026-06-01T00:00:00Z';
const versions = [{ range: 'vers:intdot/>=1.9|<1.10' }];
const ofEnd = (id: number, from = effective) => ({
  id,
  type: 'endOfSupport',
  effective: from,
  versions,
  supportId: 'support',
});
const ofRelease = (id: number, day = '2026-01-31') => ({
  id,
  type: 'released',
  effective: `${day}T00:00:00Z`,
  version: '1.9.0',
});
const withdrawn = (id: number, eventId: number) => ({
  id,
  type: 'withdrawn',
  effective: at,
  eventId,
  reason: expect.any(String) as string,
});
const corrected: Told = { type: 'corrected', version: '1.9.0', field: 'day', to: '2026-02-01' };

test.each<[string, Told[], object[]]>([
  [
    'a release, the end of its line, and that it is over',
    [released, ends('2026-05-31'), ended],
    [ofRelease(10), ofEnd(20), { id: 30, type: 'endOfLife', effective, versions }],
  ],
  [
    'an end that moved',
    [ends('2026-05-31'), ends('2026-06-30')],
    [ofEnd(10), withdrawn(20, 10), ofEnd(21, '2026-07-01T00:00:00Z')],
  ],
  ['an end that was taken back', [ends('2026-05-31'), ends()], [ofEnd(10), withdrawn(20, 10)]],
  [
    'an end that moved after it had come',
    [ends('2026-04-30'), ended, ends('2026-05-31'), ends('2026-04-30')],
    [
      ...[ofEnd(10, '2026-05-01T00:00:00Z')],
      ...[{ id: 20, type: 'endOfLife', effective: '2026-05-01T00:00:00Z', versions }],
      ...[withdrawn(30, 10), withdrawn(31, 20), ofEnd(32)],
      ...[withdrawn(40, 32), ofEnd(41, '2026-05-01T00:00:00Z')],
    ],
  ],
  ['an estimated end', [ends('2026-05-31', { isInferred: true }), ended], []],
  [
    'one that only words call estimated',
    [ends('2026-05-31', { reason: '1 year: estimated.' })],
    [],
  ],
  ['an end between bounds', [ends('2026-05-31', { toAtMost: '2026-07-31' }), ended], []],
  ['an end without a day', [ended], []],
  [
    'an exact end that is estimated later',
    [ends('2026-05-31'), ends('2026-06-30', { isInferred: true })],
    [ofEnd(10), withdrawn(20, 10)],
  ],
  ['a first day that is a bound', [{ ...released, isObserved: true }], []],
  [
    'a bound that becomes a day',
    [{ ...released, isObserved: true }, corrected],
    [ofRelease(20, '2026-02-01')],
  ],
  [
    'a day that is corrected',
    [released, corrected],
    [ofRelease(10), withdrawn(20, 10), ofRelease(21, '2026-02-01')],
  ],
  [
    'what CLE has no word for',
    [
      { type: 'withdrawn', version: '1.9.0' },
      { type: 'deprecated', version: '1.9.0' },
      { type: 'support-ending', line: '1.9' },
      { ...corrected, field: 'link', to: 'https://example.com' },
    ],
    [],
  ],
])('tells %s', (_, events, expected) => {
  expect(tell(...events)).toEqual(expected);
});

test.each([
  ['2025.1', '2025.1', '2025.2'],
  ['26', '26', '27'],
  ['24.04', '24.04', '24.05'],
  ['1.99', '1.99', '1.100'],
  [`1.${'9'.repeat(30)}`, `1.${'9'.repeat(30)}`, `1.1${'0'.repeat(30)}`],
])('the range of line %s', (line, from, to) => {
  expect(tell(ends('2026-05-31', { line }))).toMatchObject([
    { versions: [{ range: `vers:intdot/>=${from}|<${to}` }] },
  ]);
});

test('a document of a reader has its schema, the newest event first, each id once', () => {
  const path = join(program, 'test/fixtures/cle/tea-cle-schema.yaml');
  const schemas = load(readFileSync(path, 'utf8').replaceAll(/^ {4}/gm, '')) as object;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({
    $id: 'https://tea.example/',
    components: { schemas: { ...schemas, identifier: {} } },
  });
  const validate = ajv.getSchema('https://tea.example/#/components/schemas/cle')!;
  const files = [...readFiles(buildExample())].filter(([file]) => file.startsWith('cle/'));

  // A component without a day of its own has no events.
  expect(files.length).toBe(14);
  for (const [file, text] of files) {
    const document = JSON.parse(text) as { events: { id: number; eventId?: number }[] };
    expect(validate(document) || [file, validate.errors]).toBe(true);
    const ids = document.events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  }
});

test('the component is called by its package, if that is the only one', () => {
  const journal = [{ ...released, at, id: 1 }];
  const sources = [{ datasource: 'npm', packageName: 'a' }];
  const files = renderFiles(
    judgeComponents({
      one: { journal, definition: { sources } },
      two: {
        journal,
        definition: {
          sources: [...sources, { datasource: 'pypi', packageName: 'b' }],
          renamedFrom: ['old'],
        },
      },
    }),
  );
  const read = (name: string) =>
    (JSON.parse(files.get(`cle/${name}.json`)!) as { identifier: string }).identifier;

  expect(['one', 'two', 'old'].map(read)).toEqual([
    'pkg:npm/a',
    'pkg:generic/two',
    'pkg:generic/two',
  ]);
});
