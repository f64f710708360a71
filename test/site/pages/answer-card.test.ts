import { expect, it } from 'vitest';
import { ask } from '../../../src/ask/answers/ask.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { listOptions } from '../../../src/site/page/answer-options.ts';
import { drawAnswer } from '../../../src/site/page/card.ts';
import { listMovedPairs } from '../../../src/site/page/moved-pairs.ts';
import { drawEvidence } from '../../../src/site/page/support-evidence.ts';
import { drawUpgradePath } from '../../../src/site/page/upgrade-path.ts';
import type { Markup } from '../../../src/site/render/html/markup.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { asOf, buildSynthetic } from './built-site.ts';
import { partners } from './synthetic.ts';

/** The card of an answer as HTML, without a browser. */
async function drawCard(folder: string, question: string): Promise<string> {
  const { index } = openFolder(folder, () => asOf);
  const answer = await ask(index, question);
  const { markup } = drawAnswer(answer, {
    moves: await listMovedPairs(answer, index),
    site: { title: 'Release index', url: 'https://releases.example.com/' },
    now: Date.parse(asOf),
  });

  return markup;
}

function readWords(html: string): string {
  return html
    .replaceAll(/<\/?(?:time|a|b|span|small)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

it('says what to take, why, what is not known, and what to cite', async () => {
  const card = await drawCard(siteOfFixtureIndex(), 'svc 2025.1');
  const words = readWords(card);

  expect(words).toMatch(/^Ended6 weeks ago Server 2025\.1 was supported until 8 Oct 2026\. Move/);
  expect(words).toContain('Move to 2026.3 Release notes: 2026.3, 2025.1');
  expect(words).toContain('All of Server');
  expect(words).toMatch(/ 2026\.3 move here.* 2025\.1 yours ended 8 Oct 2026/);
  expect(words).toMatch(
    / Why 8 Apr 2025 stated by the vendor\. Source \+ 18 months stated by the definition\. = ended/,
  );
  expect(words).toMatch(/ Not known .*Advisories: not known\. On record Stated here since/);
  expect(words).toContain(
    'Cite Server 2025.1 was supported until 8 Oct 2026. Release index, 20 Nov 2026.',
  );
  expect(words).toContain('2026: [svc 2025.1](https://releases.example.com/svc.html#v2025.1).');
  expect(words).toContain('Releases between: 6');
  expect(card).toMatch(/class="[^"]* pale"><span class="name">[\d.]+<\/span>/);
  expect(card).toMatch(/ by the vendor\. <a href="https:[^"]+">Source<\/a>/);
});

it('says what the move changes, and what replaces a component that ends', async () => {
  const card = await drawCard(buildSynthetic(partners), 'server 1.0');
  const [head = '', ...rows] = card.split('</table>')[0]!.split('<tr>');

  expect(readWords(head)).toMatch(/ What the move changes$/);
  expect(rows.slice(1).map(readWords)).toEqual([
    'Keeps up to 1.0 up to 1.0 Keeps working Source',
    'Moves up to 1.0 up to 2.0 Move to 2.0',
    'Replaced up to 1.0 up to 1.0 Move to Keeps 1.0 by 31 Dec 2026.',
    'Starts not stated up to 1.0 New: works with 2.0',
    'Tested up to 1.0 not stated 1.0: not stated',
  ]);
});

/** The head and the first row of the table of changes, with a third line of the server. */
async function readMoves(definition: object, question: string): Promise<string[]> {
  const { server, moves } = partners;
  const worksWith = {
    server: ['1.0', '2.0', '3.0'].map((version) => ({ versions: version, with: version })),
  };
  const releases = [...server.releases, { version: '3.0', releaseTimestamp: '2026-10-01' }];
  const site = buildSynthetic({
    server: { definition: { ...server.definition, ...definition }, releases },
    moves: {
      definition: { ...moves.definition, worksWith },
      releases,
    },
  });

  const card = await drawCard(site, question);
  return card
    .split('class="moved"')[1]!
    .split('</table>')[0]!
    .split('<tr>')
    .slice(1)
    .map(readWords);
}

it('says what the move to a stop changes, not what the goal behind it does', async () => {
  expect(await readMoves({ upgradeStops: ['2.0'] }, 'server 1.0')).toEqual([
    'Beside Server With 1.0 With 2.0 What to do',
    'Moves up to 1.0 up to 2.0 Move to 2.0',
  ]);
});

it('says what the move to a stop on the way to a wanted version changes', async () => {
  const definition = { support: { policy: 'none' }, upgradeStops: ['2.0'] };

  expect(await readMoves(definition, 'server 1.0 to 3.0')).toEqual([
    'Beside Server With 1.0 With 2.0 What to do',
    'Moves up to 1.0 up to 2.0 Move to 2.0',
  ]);
});

it('says what the move to a wanted version changes', async () => {
  expect(await readMoves({}, 'server 1.0 to 2.0')).toEqual([
    'Beside Server With 1.0 With 2.0 What to do',
    'Moves up to 1.0 up to 2.0 Move to 2.0',
  ]);
});

it('says that a pair works in part, and names a component that cannot be read', async () => {
  const { server, keeps, moves } = partners;
  const worksWith = {
    server: [
      { versions: '1.0', from: '1.0', testedTo: '1.0' },
      { versions: '1.0', from: '3.0', feature: 'caching' },
    ],
  };
  const site = buildSynthetic({
    server,
    keeps: { ...keeps, definition: { ...keeps.definition, worksWith } },
    moves,
  });
  const { index } = openFolder(site, () => asOf);
  const details = async (name: string) => {
    if (name === 'moves') {
      throw new Error('5000 releases');
    }
    return index.details(name);
  };

  const moved = await listMovedPairs(await ask(index, 'server 1.0'), { details });

  expect(moved?.pairs.map(({ name, effect }) => `${name}: ${effect}`)).toEqual([
    'Keeps: 1.0: works in part',
    'moves: Its releases were not read',
  ]);
});

it('says what works with the asked version, not with the newest of its line', async () => {
  const { server, moves } = partners;
  const released = (version: string) => ({ ...server.releases[0]!, version });
  const worksWith = {
    server: [
      { versions: '1.0', before: '1.0.1' },
      { versions: '2.0', from: '1.0.1' },
    ],
  };
  const site = buildSynthetic({
    server: {
      ...server,
      releases: [released('1.0'), released('1.0.1'), ...server.releases.slice(1)],
    },
    moves: { ...moves, definition: { ...moves.definition, worksWith } },
  });

  const card = readWords(await drawCard(site, 'server 1.0'));

  expect(card).toContain('Moves up to 1.0 up to 2.0 Move to 2.0');
});

it('names no withdrawn release as working with an older release of a line', async () => {
  const { server, keeps } = partners;
  const released = (version: string) => ({ ...server.releases[0]!, version });
  const worksWith = {
    server: [
      { versions: '<2', before: '1.0.1' },
      { versions: '2.0', from: '1.0.1' },
    ],
  };
  const site = buildSynthetic({
    server: {
      ...server,
      releases: [released('1.0'), released('1.0.1'), ...server.releases.slice(1)],
    },
    keeps: {
      definition: { ...keeps.definition, worksWith },
      releases: [
        released('1.0'),
        { ...released('1.1'), withdrawnSince: '2026-11-01' },
        released('2.0'),
      ],
    },
  });

  const card = readWords(await drawCard(site, 'server 1.0'));

  expect(card).toContain('Keeps up to 1.0 up to 2.0 Move to 2.0');
});

/** The card of the server with another support policy. */
function drawServer(support: object): Promise<string> {
  const { definition, releases } = partners.server;
  const changelogUrl = 'https://example.com/notes';
  const listed = releases.map((release) => ({ ...release, changelogUrl }));
  const server = { definition: { ...definition, support }, releases: listed };
  return drawCard(buildSynthetic({ server }), 'server 1.0');
}

/** The card about the component `server` with these releases. */
function drawReleases(
  releases: readonly object[],
  question: string,
  upgradeStops?: readonly string[],
): Promise<string> {
  const { definition, releases: template } = partners.server;
  const listed = releases.map((release) => ({ ...template[0]!, ...release }));
  const server = {
    definition: { ...definition, support: undefined, upgradeStops },
    releases: listed,
  };
  return drawCard(buildSynthetic({ server }), question);
}

/** The releases on the way of a card, and what is said of those left out. */
async function readRoute(...question: Parameters<typeof drawReleases>): Promise<string[]> {
  const card = await drawReleases(...question);
  return Array.from(card.matchAll(/<li>(?:<span><b>)?([^<]+)/g), ([, name]) => name!);
}

it('lists the releases to the one to move to in the order of the move', async () => {
  const deprecated = 'Loses data';
  const releases = [
    { version: '1.1' },
    { version: '1.2', deprecated },
    { version: '1.3', deprecated },
    { version: '1.4', deprecated },
  ];
  const many = Array.from({ length: 103 }, (_, index) => ({ version: `1.${index}` }));

  expect(await readRoute(releases, 'server 1.4')).toEqual(['1.3', '1.2', '1.1']);
  expect((await readRoute(many, 'server 1.0 to 1.102')).slice(-3)).toEqual([
    '1.100',
    'and 1 more',
    '1.102',
  ]);
});

it('shows the stop to go to first, also behind more releases than are shown', async () => {
  const releases = Array.from({ length: 152 }, (_, index) => ({ version: `1.${index}` }));

  const route = await readRoute(releases, 'server 1.0 to 1.151', ['1.120']);

  expect(route.slice(-4)).toEqual(['1.100', '1.120', 'and 49 more', '1.151']);
});

it('links the notes of both where another component has the same version', async () => {
  const { replaced } = partners;
  const changelogUrl = 'https://example.com/notes';
  const own = {
    definition: { ...replaced.definition, support: { policy: 'ended', until: '2026-01-01' } },
    releases: replaced.releases.map((release) => ({ ...release, changelogUrl })),
  };
  const card = await drawCard(buildSynthetic({ ...partners, replaced: own }), 'replaced 1.0');

  expect(readWords(card)).toContain('Release notes: 1.0, 1.0');
});

it('links the notes that the index has of the newest version, to which nobody has to move', async () => {
  const changelogUrl = 'https://example.com/notes';
  const releases = ['1.0', '1.1', '1.2'].map((version) => ({ version, changelogUrl }));

  const card = await drawReleases(releases, 'server 1.2');

  expect(card).toContain(`Release notes:  <a href="${changelogUrl}">1.2</a>`);
});

it('gives a reason without a full stop', async () => {
  const reason = 'Nobody maintains it';
  const card = await drawServer({ policy: 'ended', until: '2026-10-01', reason });

  expect(readWords(card)).toContain(reason);
});

const url = 'https://example.com/rule';
const ownEnd = { until: '2026-12-31', url: 'https://example.com/own' };

it.each([
  [{ policy: 'ended', until: '2026-10-01', url }, ['rule']],
  [{ policy: 'latest-lines', count: 1, url }, ['rule']],
  [{ policy: 'term', months: 12, url, lines: { '1.0': ownEnd } }, ['notes', 'rule', 'own']],
  [{ policy: 'latest-lines', count: 2, url, lines: { '1.0': ownEnd } }, ['rule', 'own']],
])('links each term of an end to its source: %j', async (support, sources) => {
  const card = await drawServer(support);

  expect(Array.from(card.matchAll(/com\/(\w+)">Source/g), ([, name]) => name)).toEqual(sources);
});

it('leaves out an origin that no text states', async () => {
  const support = { policy: 'latest-lines', count: 3, url, lines: { '1.0': ownEnd } };
  const card = readWords(await drawServer(support));

  expect(card).toContain(
    ' Why The newest 3 release lines are supported Source + until 31 Dec 2026',
  );
});

it('marks a wanted line that is not the one to move to', async () => {
  const card = readWords(await drawCard(siteOfFixtureIndex(), 'svc 2025.1 to 2026.2'));

  expect(card).toContain(' Move to 2026.3 ');
  expect(card).toMatch(/ 2026\.2 wanted /);
});

it('links the day of the first stable release, which need not be the least version, to its notes', async () => {
  const { definition, releases } = partners.server;
  const [first, ...others] = releases;
  const changelogUrl = 'https://example.com/first';
  const server = {
    definition: { ...definition, support: { policy: 'term', months: 12, url } },
    releases: [
      { ...first!, releaseTimestamp: '2026-11-01' },
      { ...first!, version: '1.0.1-rc1', changelogUrl: `${changelogUrl}-candidate` },
      { ...first!, version: '1.0.1', changelogUrl },
      ...others,
    ],
  };
  const card = await drawCard(buildSynthetic({ server }), 'server 1.0');

  expect(card).toContain(`<a href="${changelogUrl}">Source</a>`);
});

it('says that no source states the first day of a line', async () => {
  const { definition, releases } = partners.server;
  const support = { policy: 'term', months: 12, url };
  const observed = releases.map((release) => ({ ...release, timestampKind: 'observed' }));
  const server = { definition: { ...definition, support }, releases: observed };
  const words = readWords(await drawCard(buildSynthetic({ server }), 'server 1.0'));

  expect(words).toMatch(/ observed by this index\. \+ 12 months stated by example\.com\. /);
});

it('says since when the end of the last free phase is on record', () => {
  const [line, full, maintenance] = ['1.0', 'full', 'maintenance'];
  const shown = {
    answer: { component: 'server', version: '1.0.1', asOf, sentence: 'It is supported.' },
    judged: { line: { line, phases: [{ name: full }, { name: maintenance }] } },
    grounds: [],
    details: {
      ends: [
        { line, phase: full, statedSince: '2026-01-01' },
        { line, phase: maintenance, statedSince: '2026-02-02' },
      ],
    },
  };
  const { markup } = drawEvidence(shown as never, { title: 'Index', url: 'https://example.com/' });

  expect(readWords(markup)).toContain('On record Stated here since 2 Feb 2026.');
});

it('counts many releases between as the rest of the page does', () => {
  const between = Array.from({ length: 1234 }, (_, index) => ({ version: `1.${index}` }));
  const target = { version: '2.0' };
  const shown = { judged: { between, target }, details: { releases: [...between, target] } };
  const { markup } = drawUpgradePath(shown as never) as Markup;

  expect(readWords(markup)).toMatch(/^Releases between: 1,234 .* and 1,134 more 2\.0 goal/);
});

it('names the component to move to below the box, unless it is the same', async () => {
  const { index } = openFolder(buildSynthetic(partners), () => asOf);
  const readRemedies = async (question: string) =>
    listOptions(await ask(index, question), question).map(({ remedy }) => remedy);

  expect(await readRemedies('server 1.0')).toEqual(['→ 2.0']);
  expect(await readRemedies('replaced 1.0')).toEqual(['→ keeps 1.0']);
});
