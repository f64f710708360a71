import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { findBrokenRules } from '../harness/site-rules/site-rules.ts';
import { formatFinding } from '../../src/core/schemas/finding.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { ReleaseFile } from '../../src/core/schemas/published/release-file.ts';
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

function copy(): string {
  const out = join(temporaryFolder(), 'dist');
  cpSync(sound, out, { recursive: true });
  return out;
}

function rewrite(path: string, change: (text: string) => string): string {
  const out = copy();
  edit(out, path, change);
  return out;
}

it('the site rules accept a site that was just built, for any address and with any content', async () => {
  expect(problemsOf(sound)).toEqual([]);
  expect(problemsOf(siteOfFixtureIndex('2026-11-20'))).toEqual([]);
  expect(problemsOf(await buildOddSite(today, 'http://127.0.0.1:8787/index'))).toEqual([]);
});

it('the site rules find a file that is missing, and links to it', () => {
  const out = copy();
  rmSync(join(out, 'details/strange.json'));

  expect(problemsOf(out)).toEqual([
    expect.stringContaining('strange.html: broken link: "details/strange.json"'),
    'details/strange.json: is missing',
  ]);
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

  for (const message of ['new.json: is missing', 'index.json: new is missing', 'all.json: new is missing'])
    expect(problems).toContain(message);
});

const inMain = (element: string) => (text: string) => text.replace('</main>', `${element}</main>`);

it.each<[what: string, path: string, change: (text: string) => string, message: string]>([
  [
    'null',
    'details/strange.json',
    (text) => text.replace('"strange"', 'null'),
    'details/strange.json: component is null; leave the key out instead',
  ],
  [
    'an empty string',
    'status.json',
    (text) => text.replace('"static"', '""'),
    'status.json: components.0.state is an empty string',
  ],
  [
    'a key that the schema lacks',
    'strange.json',
    (text) => text.replace('"releases"', '"more": 1, "releases"'),
    'strange.json: more: unknown key',
  ],
  [
    'keys in another order',
    'strange.json',
    (text) => text.replace(/("version": "[^"]*"), (.*?)( })/, '$2, $1$3'),
    'expected the keys in the order version, ',
  ],
  [
    'a wrong text of the latest version',
    'latest/corrected.txt',
    () => '1.1\n',
    'latest/corrected.txt: expected "1.2.1\\n"; got "1.1\\n"',
  ],
  [
    'a feed that is not XML',
    'feeds/corrected.atom',
    (text) => text.replace('</entry>', ''),
    'feeds/corrected.atom: line ',
  ],
  [
    'a calendar that is cut off',
    'support.ics',
    (text) => text.slice(0, -20),
    'support.ics: expected one whole VCALENDAR',
  ],
  ['an inline script', 'index.html', inMain('<script>1</script>'), 'contains an inline script'],
  ['an inline style', 'index.html', inMain('<p style="color: red"></p>'), 'contains an inline style'],
  [
    'a picture of another host',
    '404.html',
    inMain('<img alt="" src="https://cdn.example/x.png">'),
    'contains something from another host',
  ],
  [
    'a broken link',
    'strange.html',
    inMain('<a href="gone.html">x</a>'),
    'strange.html: broken link: "gone.html"',
  ],
  [
    'a link that runs',
    'strange.html',
    inMain('<a href="javascript:alert(1)">x</a>'),
    'strange.html: expected an https: address; got "javascript:alert(1)"',
  ],
])('the site rules find %s', (_, path, change, message) => {
  expect(problemsOf(rewrite(path, change)).join('\n')).toContain(message);
});

/** The problems of the site after a change to one of its JSON documents. */
function problemsAfter<T>(path: string, change: (document: T) => void): string[] {
  const out = rewrite(path, (text) => {
    const document = JSON.parse(text) as T;
    change(document);
    return JSON.stringify(document);
  });
  return problemsOf(out);
}

it('the site rules find releases in the wrong order, and a day after that of the site', () => {
  covers(83);
  const problems = problemsAfter<ReleaseFile>('corrected.json', ({ releases }) => {
    releases[0]!.releaseTimestamp = '2026-07-01T00:00:00Z';
    releases.reverse();
  });

  expect(problems).toContain('corrected.json: expected the oldest version first; got "1.2" after "1.2.1"');
  expect(problems).toContain(
    'corrected.json: "1.0": 2026-07-01T00:00:00Z lies after the day of the site, 2026-06-30',
  );
});

it('the site rules find a latest version that is not the greatest supported version', () => {
  const problems = problemsAfter<ReleaseFile>('corrected.json', ({ tags }) => (tags!.latest = '1.2'));

  expect(problems).toContain('corrected.json: tags.latest: expected "1.2.1"; got "1.2"');
  expect(problems).toContain('status.json: corrected: latest: expected "1.2"; got "1.2.1"');
  expect(problems).toContain(
    'details/corrected.json: onBuildDay.latest: expected "1.2" as in corrected.json; got "1.2.1"',
  );
  expect(problems).toContain('all.json: components["corrected"] is not the document of corrected.json');
});

it('the site rules find documents that disagree about releases and their states', () => {
  const detailed = problemsAfter<DetailsFile>(
    'details/corrected.json',
    ({ releases }) => (releases[0]!.onBuildDay.state = 'supported'),
  );

  expect(detailed).toContain(
    'details/corrected.json: releases[0].onBuildDay.state: isDeprecated is true in corrected.json; got "supported"',
  );
});
