import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findBrokenRules } from '../harness/site-rules/site-rules.ts';
import { formatFinding } from '../../src/core/schemas/finding.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { SearchFile } from '../../src/core/schemas/published/search-file.ts';
import { digestsFile, formatDigests, parseDigests } from '../../src/site/digests.ts';
import { sha256 } from '../../src/io/files/sha256.ts';
import { temporaryFolder } from '../harness/root.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { buildOddSite, today } from './render/sites.ts';
import { covers } from '../harness/covers.ts';

function problemsOf(out: string, components?: readonly string[]): string[] {
  return findBrokenRules(out, components).map(formatFinding);
}

describe('the rules of a built site', () => {
  let sound: string;

  beforeAll(async () => {
    sound = await buildOddSite(today);
  });

  function copy(): string {
    const out = join(temporaryFolder(), 'dist');
    cpSync(sound, out, { recursive: true });
    return out;
  }

  /** Changes files as if a faulty build had written them: the digests are right. */
  function rewrite(changes: Record<string, (text: string) => string>): string {
    const out = copy();
    const digests = parseDigests(readFileSync(join(out, digestsFile), 'utf8'));
    for (const [path, change] of Object.entries(changes)) {
      const before = readFileSync(join(out, path), 'utf8');
      const after = change(before);
      if (after === before) throw new Error(`${path} did not change`);
      writeFileSync(join(out, path), after);
      digests.set(path, sha256(after));
    }
    writeFileSync(join(out, digestsFile), formatDigests(digests));
    return out;
  }

  function rewriteJson<T>(path: string, change: (document: T) => void): string {
    return rewrite({
      [path]: (text) => {
        const document = JSON.parse(text) as T;
        change(document);
        return JSON.stringify(document);
      },
    });
  }

  it('finds nothing wrong with a site that was just built, however strange its content', () => {
    expect(problemsOf(sound)).toEqual([]);
    expect(problemsOf(siteOfFixtureIndex('2026-11-20'))).toEqual([]);
  });

  it('finds nothing wrong with a site that is to be tried on loopback, below a path', async () => {
    expect(problemsOf(await buildOddSite(today, 'http://127.0.0.1:8787/index'))).toEqual([]);
  });

  it('finds files that changed, vanished or came from elsewhere', () => {
    const out = copy();
    writeFileSync(join(out, 'strange.json'), `${readFileSync(join(out, 'strange.json'), 'utf8')}\n`);
    rmSync(join(out, 'details/strange.json'));
    writeFileSync(join(out, 'notes.txt'), 'mine');

    const problems = problemsOf(out);
    expect(problems).toEqual(
      expect.arrayContaining([
        'notes.txt: is not listed in SHA256SUMS; no build made it',
        expect.stringMatching(
          /^strange\.json: changed since the build: expected the digest [0-9a-f]{64}; got [0-9a-f]{64}$/,
        ),
        'details/strange.json: is listed in SHA256SUMS, but does not exist',
        'details/strange.json: is missing',
        expect.stringContaining('strange.html: broken link: "details/strange.json"'),
      ]),
    );
    expect(problems).toHaveLength(5);
  });

  it('finds that the list of digests is missing or is none', () => {
    const out = copy();
    rmSync(join(out, digestsFile));
    expect(problemsOf(out)).toContain('SHA256SUMS: is missing; build the site again');

    writeFileSync(join(out, digestsFile), 'what?\n');
    expect(problemsOf(out)).toEqual(['SHA256SUMS: line 1: expected a digest and a path; got "what?"']);
  });

  it('finds a component that the site lacks', () => {
    const names = ['0', 'all-deprecated', 'corrected', 'new', 'only-prereleases', 'strange'];

    const problems = problemsOf(sound, names);
    expect(problems).toContain('new.json: is missing');
    expect(problems).toContain('calendars/new.ics: is missing');
    expect(problems).toContain('index.json: new is missing');
    expect(problems).toContain('all.json: new is missing');
  });

  it.each<[string, string, (text: string) => string, string]>([
    [
      'a byte order mark',
      'strange.json',
      (text) => `\uFEFF${text}`,
      'strange.json: begins with a byte order mark',
    ],
    ['broken JSON', 'index.json', (text) => text.slice(0, -3), 'index.json: not JSON: Unterminated string'],
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
      'an unknown key',
      'strange.json',
      (text) => text.replace('"releases"', '"more": 1, "releases"'),
      'strange.json: more: unknown key',
    ],
    [
      'an http: link',
      'strange.json',
      (text) => text.replace('https://', 'http://'),
      'strange.json: homepage: expected an https: address; got "http://example.com/svc"',
    ],
    [
      'a word for a boolean',
      'strange.json',
      (text) => text.replace('"isDeprecated": true', '"isDeprecated": "true"'),
      'strange.json: releases[0].isDeprecated: expected boolean; got "true"',
    ],
    [
      'a day for a timestamp',
      'strange.json',
      (text) => text.replace('T00:00:00Z', ''),
      'strange.json: releases[1].releaseTimestamp: expected a UTC instant, YYYY-MM-DDTHH:MM:SSZ; got "',
    ],
    [
      'a wrong badge',
      'badges/strange.json',
      (text) => text.replace(/"message":"[^"]*/, '"message":"9'),
      'badges/strange.json: message: expected ',
    ],
    [
      'a wrong latest version',
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
    [
      'a link of a calendar that is not https:',
      'support.ics',
      (text) =>
        text.replace('BEGIN:VEVENT\r\n', 'BEGIN:VEVENT\r\nURL;VALUE=URI:http://example.\r\n com/\r\n'),
      'support.ics: expected an https: address; got "http://example.com/"',
    ],
    [
      'keys in another order',
      'strange.json',
      (text) => text.replace(/("version": "[^"]*"), (.*?)( })/, '$2, $1$3'),
      'expected the keys in the order version, ',
    ],
    [
      'an inline script',
      'index.html',
      (text) => text.replace('</main>', '<script>1</script></main>'),
      'contains an inline script',
    ],
    [
      'an inline style',
      'index.html',
      (text) => text.replace('<main', '<main style="color: red"'),
      'contains an inline style',
    ],
    [
      'a picture of another host',
      '404.html',
      (text) => text.replace('</main>', '<img alt="" src="https://cdn.example/x.png"></main>'),
      'contains something from another host',
    ],
    [
      'a link into nothing',
      'strange.html',
      (text) => text.replace('</main>', '<a href="gone.html">x</a></main>'),
      'strange.html: broken link: "gone.html"',
    ],
    [
      'a link that runs',
      'strange.html',
      (text) => text.replace('</main>', '<a href="javascript:alert(1)">x</a></main>'),
      'strange.html: expected an https: address; got "javascript:alert(1)"',
    ],
  ])('finds %s', (_, path, change, message) => {
    expect(problemsOf(rewrite({ [path]: change })).join('\n')).toContain(message);
  });

  interface Releases {
    releases: { version: string; releaseTimestamp?: string; isDeprecated: boolean }[];
    tags?: { latest: string };
  }

  it('finds releases in the wrong order', () => {
    covers(83);
    const problems = problemsOf(
      rewriteJson<Releases>('corrected.json', ({ releases }) => releases.reverse()),
    );

    expect(problems).toContain('corrected.json: expected the oldest version first; got "1.2" after "1.2.1"');
  });

  it('finds a timestamp that lies ahead', () => {
    const problems = problemsOf(
      rewriteJson<Releases>(
        'corrected.json',
        ({ releases }) => (releases[0]!.releaseTimestamp = '2026-07-01T00:00:00Z'),
      ),
    );

    expect(problems).toContain(
      'corrected.json: "1.0": 2026-07-01T00:00:00Z lies after the day of the site, 2026-06-30',
    );
  });

  it('finds a latest version that is not the greatest that is supported', () => {
    const problems = problemsOf(
      rewriteJson<Releases>('corrected.json', ({ tags }) => (tags!.latest = '1.2')),
    );

    expect(problems).toContain('corrected.json: tags.latest: expected "1.2.1"; got "1.2"');
    expect(problems).toContain('status.json: corrected: latest: expected "1.2"; got "1.2.1"');
    expect(problems).toContain(
      'details/corrected.json: onBuildDay.latest: expected "1.2" as in corrected.json; got "1.2.1"',
    );
    expect(problems).toContain('all.json: components["corrected"] is not the document of corrected.json');
  });

  it('finds a latest version of a component that has none', () => {
    const problems = problemsOf(
      rewriteJson<Releases>('all-deprecated.json', (file) => (file.tags = { latest: '1.1' })),
    );

    expect(problems).toContain('all-deprecated.json: tags.latest: expected none; got "1.1"');
    expect(problems).toContain('latest/all-deprecated.txt: is missing');
  });

  it('finds that what is searched is not what is published', () => {
    const changed = rewriteJson<SearchFile>('search.json', ({ components }) => {
      components['corrected']!.lines[0]!.releases[0]!.version = '9.9';
      delete components['strange'];
    });
    const problems = problemsOf(changed);

    expect(problems).toContain('search.json: strange is missing');
    expect(problems).toContain(
      'search.json: corrected 1.0: version: expected "1.0" as in corrected.json; got "9.9"',
    );
  });

  it('finds documents that disagree about a verdict', () => {
    const problems = problemsOf(
      rewriteJson<DetailsFile>(
        'details/corrected.json',
        ({ releases }) => (releases[0]!.onBuildDay.state = 'supported'),
      ),
    );

    expect(problems).toContain(
      'details/corrected.json: releases[0].onBuildDay.state: isDeprecated is true in corrected.json; got "supported"',
    );
  });

  it('finds changes of the wrong order, of one id, or ahead of their time', () => {
    interface Changes {
      changes: { at: string; id: string }[];
    }
    const problems = problemsOf(
      rewriteJson<Changes>('changes.json', ({ changes }) => {
        Object.assign(changes[1]!, { at: '2026-07-05T00:00:00.000Z', id: changes[0]!.id });
      }),
    );

    expect(problems).toEqual([
      'changes.json: changes[1]: expected the newest first; got corrected/14 of 2026-07-05T00:00:00.000Z after corrected/14 of 2026-06-30T00:00:00.000Z',
      'changes.json: changes[1]: 2026-07-05T00:00:00.000Z is after the day of the site, 2026-06-30',
      'changes.json: changes[1]: the id "corrected/14" is not unique',
      'changes.json: does not hold the newest changes of changes/<year>.json',
    ]);
  });

  it('finds a change in the file of another year', () => {
    interface Changes {
      changes: { at: string }[];
    }
    const problems = problemsOf(
      rewriteJson<Changes>(
        'changes/2026.json',
        ({ changes }) => (changes.at(-1)!.at = '2025-12-31T00:00:00.000Z'),
      ),
    );

    expect(problems).toContain('changes/2026.json: holds a change of 2025-12-31T00:00:00.000Z');
  });
});
