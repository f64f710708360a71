import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainRelease, readRecordedData } from '../../src/model/plain/recorded.ts';
import { RecordedData, RecordedRelease } from '../../src/model/recorded.ts';

const url = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http'], withFragments: true, withQueryParameters: true }),
  fc.constantFrom(
    'https://products.example.com/svc/changelog#1-2',
    'https://xn--a.example.com/',
    'https://example.com:99999/',
    'https://user@example.com/',
    'https://256.256.256.256/',
    'https://example/',
    'https://a.b.0x10',
    'https://example.com/%',
    'https://example.com/\n',
  ),
);
const day = fc.oneof(
  fc.constantFrom(
    '2026-02-28',
    '2026-02-29',
    '2024-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
);
const instant = fc
  .tuple(
    day,
    fc.constantFrom('T00:00:00Z', 'T23:59:59Z', 'T24:00:00Z', 'T09:30:00.123Z', 'T09:30Z', ' 09:30:00', ''),
  )
  .map((parts) => parts.join(''));
const line = fc.oneof(
  fc.string(),
  fc.constantFrom('Use 2.x instead.', ' ', '\t', 'a\nb', ' led by a space', 'ü'),
);
const wrong = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.nat(),
  fc.constant(''),
  fc.object({ maxDepth: 1 }),
);
const or = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: values, weight: 9 }, { arbitrary: wrong, weight: 1 });

const correction = fc.record(
  {
    on: or(day),
    field: fc.constantFrom('deprecated', 'deprecated', 'sauce'),
    from: or(fc.constant('1')),
    to: or(fc.string()),
    reason: or(line),
  },
  { requiredKeys: ['on', 'field', 'reason'] },
);
const pairs = fc.record(
  {
    version: or(fc.oneof(fc.constant('1.2.3'), fc.string({ maxLength: 210 }))),
    releaseTimestamp: or(instant),
    timestampKind: or(fc.constantFrom('published', 'observed', 'guessed')),
    changelogUrl: or(url),
    source: or(fc.constant('npm:svc')),
    alsoListedBy: or(fc.array(or(fc.constant('maven:a:b')), { maxLength: 2 })),
    firstSeen: or(day),
    deprecated: or(line),
    withdrawnSince: or(day),
    isPrerelease: or(fc.boolean()),
    corrections: or(fc.array(correction, { maxLength: 2 })),
    unknown: fc.constant('key'),
  },
  { requiredKeys: [] },
);
const usual = {
  version: '2026.2',
  releaseTimestamp: '2026-06-30T09:30:00Z',
  timestampKind: 'observed',
  changelogUrl: 'https://products.example.com/svc/release-history/#2026-2',
  source: 'maven:com.example:svc',
  alsoListedBy: ['docker:example/svc'],
  firstSeen: '2026-06-30',
  deprecated: 'Use 2026.3 instead.',
  withdrawnSince: '2026-07-01',
  isPrerelease: false,
};

/** A usual entry, of which some keys are left out, and a few are replaced by anything that may stand there. */
const keys = fc.subarray([...Object.keys(usual), 'corrections', 'unknown'], { maxLength: 3 });
const entry = fc
  .tuple(fc.subarray(Object.keys(usual)), keys, pairs, fc.integer({ min: 0, max: 4 }))
  .map(([kept, replaced, drawn, turn]) => {
    const all = { ...pick(usual, kept), ...pick(drawn, replaced) };
    const entries = Object.entries(all);
    return turn > 1 ? all : Object.fromEntries([...entries.slice(turn), ...entries.slice(0, turn)]);
  });

function pick(record: object, kept: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => kept.includes(key)));
}

describe('the quick look at recorded data', () => {
  it('vouches only for what the schema leaves as it is, key by key', () => {
    let vouched = 0;
    fc.assert(
      fc.property(fc.oneof(entry, fc.anything()), (input) => {
        if (!isPlainRelease(input)) return;
        vouched += 1;
        const parsed = RecordedRelease.safeParse(input);

        expect(parsed.error).toBeUndefined();
        expect(JSON.stringify(parsed.data)).toBe(JSON.stringify(input));
      }),
      { numRuns: 20_000 },
    );
    expect(vouched).toBeGreaterThan(200);
  });

  it('reads a document exactly as its schema does, and nothing that the schema refuses', () => {
    const document = fc.oneof(
      fc.record({ releases: fc.array(entry, { maxLength: 3 }) }),
      fc.record({ releases: fc.array(entry, { maxLength: 1 }), more: fc.nat() }),
      fc.anything(),
    );
    fc.assert(
      fc.property(document, (input) => {
        expect(JSON.stringify(readRecordedData(input))).toBe(
          JSON.stringify(RecordedData.safeParse(input).data),
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('vouches for the entries that a gather usually writes', () => {
    const correction = { on: '2026-07-02', field: 'source', from: 'npm:svc', reason: 'Listed elsewhere.' };

    expect(isPlainRelease(usual)).toBe(true);
    expect(isPlainRelease({ ...usual, corrections: [correction] })).toBe(true);
  });
});
