import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StatusFile } from '../../../../src/core/schemas/published/status-file.ts';
import { copyOfFixtureIndex, definition, readJsonIn, writeIn } from '../../../harness/root.ts';
import { renderStatusPage } from '../../../../src/site/render/html/status-page.ts';
import { componentOf, site, summariesOf } from '../sites.ts';
import { recordOn, rootOf, siteOf, siteOfFixtureIndex } from '../../../harness/site.ts';

const pageOf = (root: string, day: string) =>
  readFileSync(join(siteOf(root, day), 'status.html'), 'utf8');

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, '');
const html = readFileSync(join(siteOfFixtureIndex(), 'status.html'), 'utf8');

it('the status page shows the reason of a failure or a hold at once, and its command', () => {
  expect(html.match(/<details open>/g)).toHaveLength(2);
  expect(html.match(/npx release-index accept .*?</g)).toEqual([
    'npx release-index accept svc-0f1e2d3c4b<',
  ]);
});

it('the status page shows failed documents of a host as one problem', () => {
  const root = copyOfFixtureIndex();
  const path = 'data/freshness/edge-node.json';
  const failed = JSON.stringify(readJsonIn(root, path));
  const cause = '"cause":"api.example.com answers 503"';
  writeIn(root, path, failed.replace('"lastAnswered"', `${cause},"lastAnswered"`));
  for (const folder of ['components', 'data']) {
    writeIn(root, `${folder}/twin.json`, readJsonIn(root, `${folder}/edge-node.json`));
  }
  const other = failed.replace('api.example.com/ ', 'api.example.com/other ');
  writeIn(
    root,
    'data/freshness/twin.json',
    other.replace('"lastAnswered"', `${cause},"lastAnswered"`),
  );

  const problems = pageOf(root, '2026-11-20').split('<summary>').slice(1);

  expect(problems.filter((problem) => problem.includes('503'))).toEqual([
    expect.stringMatching(
      /^<b>api.example.com answers 503<\/b>.*<p class="note">For example: https:/s,
    ),
  ]);
});

it('the problems on the status page stay the same if the same sources fail again', () => {
  const later = copyOfFixtureIndex();
  const runs = 'data/runs/2026.ndjson';
  const lines = readFileSync(join(later, runs), 'utf8');
  const last = lines.trimEnd().split('\n').at(-1)!;
  writeIn(later, runs, `${lines}${last.replaceAll('2026-11-19', '2026-11-27')}\n`);

  const [problems] = pageOf(later, '2026-11-28').split('id="runs"');
  expect(html.startsWith(problems!)).toBe(true);
  expect(html).toContain('<a href="status.json">');
});

it.each([
  [[], /Server\s*in the last run\s*on hold/],
  [['2026-11-17'], /Server\s*17 Nov 2026\s*on hold/],
])('a component on hold whose other sources answered last on %j was checked', (days, row) => {
  const held = { source: 'npm:svc', kind: 'held', reason: 'lists less', failures: 0 } as const;
  const failed = days.map((lastAnswered) => ({
    ...({ source: 'npm:b', kind: 'failed', reason: 'answers 503', failures: 3 } as const),
    lastAnswered,
  }));
  const freshness = { state: 'held', failures: 0, troubles: [held, ...failed] } as const;
  const summaries = summariesOf({ ...componentOf([]), freshness });

  const words = wordsOf(renderStatusPage(site, { summaries, runs: [] } as never));

  expect(words).toMatch(row);
  expect(words).not.toContain('Without a complete check');
});

it('a source that is on hold and fails is two problems', () => {
  const source = 'npm:svc';
  const troubles = [
    { source, kind: 'held', reason: 'lists less', failures: 0, id: 'svc-0f1e2d3c4b' },
    { source, kind: 'failed', reason: 'answers 503', failures: 1 },
  ] as const;
  const freshness = { state: 'held', failures: 1, troubles } as const;
  const summaries = summariesOf({ ...componentOf([]), freshness });

  const page = renderStatusPage(site, { summaries, runs: [] } as never);

  const headings = Array.from(page.matchAll(/<summary><b>([^<]*)/g), ([, heading]) => heading);
  expect(headings).toEqual(['Server: on hold', 'Server: the check failed']);
});

it('two waits with one reason have a command each, and the day of the first', () => {
  const held = { source: 'npm:svc', kind: 'held', reason: 'lists less', failures: 0 } as const;
  const troubles = [
    { ...held, id: 'svc-1', heldSince: '2026-11-19' },
    { ...held, source: 'npm:b', id: 'svc-2', heldSince: '2026-11-17' },
  ] as const;
  const freshness = { state: 'held', failures: 0, troubles } as const;
  const summaries = summariesOf({ ...componentOf([]), freshness });

  const page = renderStatusPage(site, { summaries, runs: [] } as never);

  expect(page.match(/accept svc-\d/g)).toEqual(['accept svc-1', 'accept svc-2']);
  expect(wordsOf(page)).toContain('on hold since 17 Nov 2026');
});

it('the words beside the command for an edit that waits do not speak of upstream', () => {
  const edit = { source: 'components/svc.json@0123456789', kind: 'held', waits: 'change' } as const;
  const troubles = [{ ...edit, id: 'svc-1', reason: 'withdraws 5 of 9', failures: 0 }] as const;
  const freshness = { state: 'held', failures: 0, troubles } as const;
  const summaries = summariesOf({ ...componentOf([]), freshness });

  const words = wordsOf(renderStatusPage(site, { summaries, runs: [] } as never));

  expect(words).toContain('accept svc-1');
  expect(words).not.toMatch(/upstream|answer/);
});

it('a damaged file is named, and has no command to accept it', () => {
  const damaged = { source: 'data/svc.json', kind: 'held', waits: 'files', id: 'svc-1' } as const;
  const troubles = [{ ...damaged, reason: 'not JSON', failures: 0 }] as const;
  const freshness = { state: 'held', failures: 0, troubles } as const;
  const summaries = summariesOf({ ...componentOf([]), freshness });

  const page = renderStatusPage(site, { summaries, runs: [] } as never);

  expect(page).toContain('<code>data/svc.json</code>');
  expect(page).not.toContain('release-index accept');
});

it('the status page shows the runs of the last 90 days and the delay of releases', async () => {
  const releases = [
    { version: '1.0', releaseTimestamp: '2026-01-01T00:00:00Z', firstSeen: '2026-01-02' },
  ];
  const recorded = rootOf({ svc: { definition: definition(), releases } });
  await recordOn(recorded, '2026-01-02');
  for (const [day, version, releaseTimestamp] of [
    ['2026-03-01', '1.1', '2026-02-28T20:00:00Z'],
    ['2026-03-02', '1.2', '2026-03-01T12:00:00Z'],
    ['2026-03-04', '1.3', '2026-03-01T12:00:00Z'],
    // The instant is unknown.
    ['2026-03-08', '1.4', '2026-03-01'],
  ] as const) {
    releases.push({ version, releaseTimestamp, firstSeen: day });
    writeIn(recorded, 'data/svc.json', { releases });
    await recordOn(recorded, day);
  }
  const out = siteOf(recorded, '2026-04-20');

  const { runs, delay } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as StatusFile;
  expect(runs!.map(({ asOf, events }) => [asOf, events])).toEqual([
    ['2026-03-08', 1],
    ['2026-03-04', 1],
    ['2026-03-02', 1],
    ['2026-03-01', 1],
  ]);
  expect(delay).toEqual({ releases: 3, medianHours: 12, worstHours: 60 });
  expect(readFileSync(join(out, 'status.html'), 'utf8')).toContain(
    '4 runs on 4 days recorded 4 events.',
  );
});
