import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { findBrokenRules } from '../harness/site-rules/site-rules.ts';
import { formatFinding } from '../../src/core/schemas/finding.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { ReleaseFile } from '../../src/core/schemas/published/release-documents.ts';
import { temporaryFolder } from '../harness/root.ts';
import { edit } from '../harness/signed-site.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { buildOddSite, today } from './render/sites.ts';
import { covers } from '../harness/covers.ts';

let sound: string;

beforeAll(async () => {
  sound = await buildOddSite(today);
});

function problemsOf(out: string, components?: readonly string[]): string[] {
  return findBrokenRules(out, components).map(formatFinding);
}

/** The problems of the site after changes to its files. */
function problemsAfter(
  ...changes: readonly [path: string, change: (text: string) => string][]
): string[] {
  const out = join(temporaryFolder(), 'dist');
  cpSync(sound, out, { recursive: true });
  for (const [path, change] of changes) {
    edit(out, path, change);
  }
  return problemsOf(out);
}

const json =
  <T>(change: (document: T) => void) =>
  (text: string) => {
    const document = JSON.parse(text) as T;
    change(document);
    return JSON.stringify(document);
  };

it('the site rules accept a site that was just built, for any address and with any content', async () => {
  expect(problemsOf(sound)).toEqual([]);
  expect(problemsOf(siteOfFixtureIndex('2026-11-20'))).toEqual([]);
  expect(problemsOf(await buildOddSite(today, 'http://127.0.0.1:8787/index'))).toEqual([]);
});

it('the site rules find a component that the site lacks', () => {
  const problems = problemsOf(sound, [
    '0',
    'all-deprecated',
    'corrected',
    'new',
    'only-prereleases',
    'strange',
  ]);

  for (const message of [
    'new.json: is missing',
    'index.json: new is missing',
    'all.json: new is missing',
  ]) {
    expect(problems).toContain(message);
  }
});

const inMain = (element: string) => (text: string) => text.replace('</main>', `${element}</main>`);

it('the site rules find what is wrong in single documents', () => {
  const problems = problemsAfter(
    ['details/strange.json', (text) => text.replace('"strange"', 'null')],
    ['status.json', (text) => text.replace('"static"', '""')],
    ['strange.json', (text) => text.replace(/("version":"[^"]*"),(.*?)(})/, '$2,$1$3')],
    ['only-prereleases.json', (text) => text.replace('"releases"', '"more": 1, "releases"')],
    ['latest/corrected.txt', () => '1.1\n'],
    ['feeds/corrected.atom', (text) => text.replace('</entry>', '')],
    ['support.ics', (text) => text.slice(0, -20)],
    ['index.html', inMain('<script>1</script>')],
    ['index.html', inMain('<p style="color: red"></p>')],
    ['404.html', inMain('<img alt="" src="https://cdn.example/x.png">')],
    ['strange.html', inMain('<a href="gone.html">x</a>')],
    ['strange.html', inMain('<a href="javascript:alert(1)">x</a>')],
  ).join('\n');

  for (const message of [
    'details/strange.json: component is null; leave the key out instead',
    'status.json: components.0.state is an empty string',
    'expected the keys in the order version, ',
    'only-prereleases.json: more: unknown key',
    'latest/corrected.txt: expected "1.2.1\\n"; got "1.1\\n"',
    'feeds/corrected.atom: line ',
    'support.ics: expected one whole VCALENDAR',
    'contains an inline script',
    'contains an inline style',
    'contains something from another host',
    'strange.html: broken link: "gone.html"',
    'strange.html: expected an https: address; got "javascript:alert(1)"',
  ]) {
    expect(problems).toContain(message);
  }
});

it('the site rules find releases in the wrong order, and a day after that of the site', () => {
  covers('Oldest first');
  const change = json<ReleaseFile>(({ releases }) => {
    releases[0]!.releaseTimestamp = '2026-07-01T00:00:00Z';
    releases.reverse();
  });

  expect(problemsAfter(['corrected.json', change])).toEqual(
    expect.arrayContaining([
      'corrected.json: expected the oldest version first; got "1.2" after "1.2.1"',
      'corrected.json: "1.0": 2026-07-01T00:00:00Z lies after the day of the site, 2026-06-30',
    ]),
  );
});

it('the site rules find documents that disagree about the latest version and about a release', () => {
  const problems = problemsAfter(
    ['corrected.json', json<ReleaseFile>(({ tags }) => (tags!.latest = '1.2'))],
    [
      'details/corrected.json',
      json<DetailsFile>(({ releases }) => (releases[0]!.isPrerelease = true)),
    ],
  );

  expect(problems).toEqual(
    expect.arrayContaining([
      'corrected.json: tags.latest: expected "1.2.1"; got "1.2"',
      'status.json: corrected: latest: expected "1.2"; got "1.2.1"',
      'details/corrected.json: onBuildDay.latest: expected "1.2" as in corrected.json; got "1.2.1"',
      'all.json: components["corrected"] is not the document of corrected.json',
      'details/corrected.json: releases[0].isPrerelease: expected false as in corrected.json; got true',
    ]),
  );
});
