import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { detailsOn, factsOn } from '../../../src/ask/answers/details-on.ts';
import { packDetails, unpackDetails } from '../../../src/ask/answers/packed-details.ts';
import { answerVersion } from '../../../src/ask/answers/version-answer.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import { addDays } from '../../../src/core/model/dates.ts';
import { detailsOf } from '../../../src/decide/details.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { componentOf } from '../../site/render/sites.ts';

const folder = siteOfFixtureIndex();
const names = readdirSync(join(folder, 'details')).map((file) => file.replace(/\.json$/, ''));

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), 'utf8'));

describe.each(names)('%s, packed for pages', (name) => {
  const whole = readJson(`details/${name}.json`) as DetailsFile;
  const packed = packDetails(whole);

  test('gives the answer of its document for each release and line, on any day', () => {
    for (const day of [fixtureDay, '2027-06-01', '2030-01-01']) {
      const [one, other] = [detailsOn(whole, day), factsOn(unpackDetails(packed), day)];
      const asked = [...one.releases.map(({ version }) => version), '0.1', '999.1'];

      for (const version of [...asked, ...one.lines.map(({ line }) => line)]) {
        expect(answerVersion(other, { version })).toEqual(answerVersion(one, { version }));
      }
    }
  });

  test('keeps the facts of lines and statements', () => {
    const { releases, lines, ...head } = unpackDetails(packed);

    expect(whole).toMatchObject(head);
    expect(releases.map(({ version }) => version)).toEqual(
      whole.releases.map(({ version }) => version),
    );
    expect(lines).toEqual(whole.lines.map(({ releases: _, ...line }) => line));
  });
});

test('versions, links and days of every form are read as they were written', () => {
  const [whole] = names.map((name) => readJson(`details/${name}.json`) as DetailsFile);
  const versions = [
    'v1.2',
    '1.2-rc.1',
    '1.2',
    '1.2~1',
    '1.2+b',
    '1.2.9',
    '1.2.10',
    '1.2.10.4',
    '1.2.11.0',
    '1.2+',
  ];

  const releases = versions.map((version, place) => ({
    version,
    line: '1.2',
    ...(place === 1 && { isPrerelease: true as const }),
    changelogUrl: `https://example.com/${version}?of=${version}`,
    releaseTimestamp: place > 0 ? `20${20 - place}-02-03T04:05:06Z` : undefined,
    ...(place > 1 && { timestampKind: 'observed' as const }),
  }));

  const line = { line: '1.2', latest: '1.2+b', releases: 5, supportedUntil: '2027-01-01' };
  const unpacked = unpackDetails(
    packDetails({
      ...whole!,
      releases,
      lines: [line, { line: '1.3', releases: 0 }],
    } as DetailsFile),
  );

  expect(unpacked.releases.map(({ version }) => version)).toEqual(versions);
  expect(unpacked.releases.map(({ changelogUrl }) => changelogUrl)).toEqual(
    releases.map(({ changelogUrl }) => changelogUrl),
  );
  expect(unpacked.releases.map(({ releaseTimestamp }) => releaseTimestamp)).toEqual(
    releases.map(({ releaseTimestamp }) => releaseTimestamp?.slice(0, 10)),
  );
  expect(unpacked.releases.map(({ isPrerelease }) => isPrerelease)).toEqual(
    releases.map((_, place) => place === 1),
  );
  expect(unpacked.lines[0]).toEqual({
    line: '1.2',
    latest: '1.2+',
    supportedUntil: '2027-01-01',
  });
  expect(unpacked.lines[1]).toEqual({ line: '1.3' });
});

test('takes a fraction of the bytes of many releases', () => {
  const recorded = Array.from({ length: 300 }, (_, place) => {
    const day = addDays('2020-01-01', (place * 7919) % 2000);
    return { version: `1.${Math.floor(place / 10)}.${place % 10}`, releaseTimestamp: day };
  });

  const support = { policy: 'term', months: 18 } as const;
  const details = detailsOf(componentOf(recorded, { support }));
  const sizeOf = (document: object) => gzipSync(JSON.stringify(document)).length;

  expect(sizeOf(packDetails(details))).toBeLessThan(sizeOf(details) * 0.45);
});
