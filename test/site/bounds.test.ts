import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../src/core/model/dates.ts';
import { runCli } from '../harness/cli.ts';
import { definition, makeRoot } from '../harness/root.ts';
import { recordOn, siteOf } from '../harness/site.ts';

/** The observed first day of a release line, and the bounds of its end of support. */
const [first, earliest, end] = ['2026-03-04', '2026-09-01', '2027-09-04'] as const;
const today = '2027-08-20';

let root: string;
let texts: Map<string, string>;

beforeAll(async () => {
  root = makeRoot({
    'components/svc.json': definition({ support: { policy: 'term', months: 18 } }),
    'data/svc.json': {
      releases: [
        { version: '1.0', releaseTimestamp: '2025-03-01' },
        { version: '2.0', releaseTimestamp: first, timestampKind: 'observed', firstSeen: first },
        { version: '2.1', releaseTimestamp: '2027-08-01' },
        { version: '2.0.1', releaseTimestamp: '2027-08-02' },
      ],
    },
  });
  await recordOn(root, '2027-08-01', today);
  const out = siteOf(root, today);
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.\w+$/.test(path),
  );
  texts = new Map(paths.map((path) => [path, plain(readFileSync(join(out, path), 'utf8'))]));
  for (const question of ['explain svc', 'explain svc 2.0', 'explain svc 2.0.9', 'search svc']) {
    const { stdout, stderr } = await runCli([
      ...question.split(' '),
      '--root',
      root,
      '--as-of',
      today,
    ]);
    texts.set(question, stdout + stderr);
  }
});

/** The text of a page, with days as in the documents. */
function plain(text: string): string {
  return text
    .replaceAll(/<time [^>]*datetime="([^"]+)"[^>]*>[^<]*<\/time>/g, '$1')
    .replaceAll(/<[^>]+>/g, '');
}

/** Every object in a document. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if (!Array.isArray(value)) {
    yield value as Record<string, unknown>;
  }
  for (const each of Object.values(value)) {
    yield* objectsIn(each);
  }
}

describe('an observed day and the end that follows from it', () => {
  test('are bounds in every text, never exact days', () => {
    const exact =
      /(?<!first seen |at most )\b(?:on|since|until|from) (?:2026-03-04|2027-09-04)(?! at the latest)/i;
    const wrong = [...texts]
      .filter(([, text]) => exact.test(text))
      .map(([path, text]) => [path, exact.exec(text)]);
    const bound =
      /\b(?:by|no later than|≤) (?:2026-03-04|2027-09-04)|2027-09-04 at the latest|between \S+ and (?:2026-03-04|2027-09-04)/;
    const right = [...texts].filter(([, text]) => bound.test(text)).map(([path]) => path);

    expect(wrong).toEqual([]);
    expect(right).toEqual(
      expect.arrayContaining([
        'svc.html',
        'index.html',
        'details/svc.json',
        'changes.json',
        'explain svc',
        'explain svc 2.0',
        'explain svc 2.0.9',
        'search svc',
      ]),
    );
    expect(texts.get('support.ics')).toContain('2.0: support may end');
    expect(texts.get('support.ics')).toContain(`between ${earliest} and ${end}`);
  });

  test('are bounds in every document', () => {
    let found = 0;
    for (const path of ['details/svc.json', 'search.json', 'changes.json']) {
      for (const object of objectsIn(JSON.parse(texts.get(path)!))) {
        for (const [key, value] of Object.entries(object)) {
          if (
            ![first, end, dayAfter(end)].includes(String(value).slice(0, 10)) ||
            key === 'firstSeen'
          ) {
            continue;
          }
          const isBound = key.endsWith('AtMost') || object['timestampKind'] === 'observed';
          expect(
            isBound || key === 'nextChangeOn',
            `${path}: ${key} of ${JSON.stringify(object)}`,
          ).toBe(true);
          found += 1;
        }
      }
    }
    expect(found).toBeGreaterThan(10);
  });
});
