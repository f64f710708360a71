import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { copyOfFixtureIndex, definition, readJsonIn, writeIn } from '../../harness/root.ts';
import { recordOn, rootOf, siteOf } from '../../harness/site.ts';

const pageOf = (root: string, day: string) => readFileSync(join(siteOf(root, day), 'status.html'), 'utf8');

const root = copyOfFixtureIndex();
const html = pageOf(root, '2026-11-20');

it('names every component under its state, what needs a person first', () => {
  const places = [
    '<h2 id="held">',
    'id="component-svc"',
    '<h2 id="stale">',
    'id="component-edge-node"',
    '<h2 id="static">',
    'href="dashboard-bundle.html"',
  ];
  const found = places.map((place) => html.indexOf(place));

  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

it('says what is held since when, and the command that takes it', () => {
  expect(html).toContain(
    'helm:server: would withdraw 5 of 9 versions. Its answer has waited for review since <time datetime="2026-11-18">18 Nov 2026</time>.',
  );
  expect(html).toContain('<code>npx release-index gather svc --accept</code>');
  expect(html).not.toContain('npx release-index gather edge-node');
});

it('says what failed, since when, and when the data last changed', () => {
  expect(html).toContain(
    'answered 503 four times in 21 s. It last answered on <time datetime="2026-11-17">17 Nov 2026</time>.',
  );
  expect(html).toContain('Last change <time datetime="2026-10-30">30 Oct 2026</time>.');
});

it('does not move with a day on which the same sources fail again, and so leaves the last check to status.json', () => {
  const later = copyOfFixtureIndex();
  const path = 'data/freshness/edge-node.json';
  const text = JSON.stringify(readJsonIn(later, path));
  writeIn(later, path, text.replaceAll('2026-11-20', '2026-11-28').replace('"failures":3', '"failures":11'));

  expect(pageOf(later, '2026-11-28')).toBe(html);
  expect(html).toContain('<span data-checked="edge-node" hidden>');
  expect(html).toContain('<a href="status.json">');
});

it('shows the runs of the last 90 days and how late releases were recorded', async () => {
  const releases = [{ version: '1.0', releaseTimestamp: '2026-01-01T00:00:00Z', firstSeen: '2026-01-02' }];
  const recorded = rootOf({ svc: { definition: definition(), releases } });
  await recordOn(recorded, '2026-01-02');
  for (const [day, version, releaseTimestamp] of [
    ['2026-03-01', '1.1', '2026-02-28T20:00:00Z'],
    ['2026-03-02', '1.2', '2026-03-01T12:00:00Z'],
    ['2026-03-04', '1.3', '2026-03-01T12:00:00Z'],
  ] as const) {
    releases.push({ version, releaseTimestamp, firstSeen: day });
    writeIn(recorded, 'data/svc.json', { releases });
    await recordOn(recorded, day);
  }
  const out = siteOf(recorded, '2026-04-20');

  const { runs, delay } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as StatusFile;
  expect(runs!.map(({ asOf, events }) => [asOf, events])).toEqual([
    ['2026-03-04', 1],
    ['2026-03-02', 1],
    ['2026-03-01', 1],
  ]);
  expect(delay).toEqual({ releases: 3, medianHours: 12, worstHours: 60 });
  expect(readFileSync(join(out, 'status.html'), 'utf8')).toContain('3 runs on 3 days recorded 3 events.');
});
