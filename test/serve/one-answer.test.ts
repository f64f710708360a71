/** Checks that five endpoints give the same verdict on a version. They are the files, the command, the API, the MCP tool and the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../src/ask/published-index.ts';
import { nameAnchor } from '../../src/core/anchors.ts';
import { findWords } from '../../src/core/phrases.ts';
import type { Verdict } from '../../src/core/schema/documents.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { openSiteApi } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { exampleDay as asOf } from '../harness/example.ts';
import { readText } from '../harness/html.ts';
import { createFolder } from '../harness/index-folder.ts';
import { openTools } from '../harness/mcp-client.ts';
import { buildExample } from '../harness/site.ts';
import { buildUncertain, uncertainDay } from '../harness/uncertain.ts';

type Answer = Verdict & { component: string; asOf: string };

const out = buildExample();
const index = openIndex(openSite(out));
const names = Object.keys((await index.status()).components);
const components = await Promise.all(names.map(async (name) => (await index.details(name))!));

/** The verdicts in the files, with which all other endpoints are compared. */
const expected = components.flatMap(({ component, lines, releases }) =>
  releases.map((release) => {
    const line = lines.find((each) => each.line === release.line)!;
    const words = findWords(release, lines);
    return describe({ ...line, ...release, ...words, component, isListed: true, asOf });
  }),
);

/**
 * Returns the parts of an answer that must be the same everywhere. `end` has both bounds of the end-of-support date, and
 * whether they are estimated.
 */
function describe(answer: Answer) {
  const { component, version, state, moveTo, sentence, advice } = answer;
  const end = [answer.supportedUntil, answer.supportedUntilAtMost, answer.isInferred];
  const words = `${sentence} ${advice}`;
  return { name: [component, version], state, end, moveTo, asOf: answer.asOf, words };
}

test('the example site has a verdict for each of its 335 releases', () => {
  expect(expected).toHaveLength(335);
  expect(new Set(expected.map(({ state }) => state)).size).toBeGreaterThan(3);
});

const ask = openSiteApi(out);

test('the API gives the same verdicts as the files of the site', async () => {
  for (const answer of expected) {
    const response = await ask(`/api/components/${answer.name.join('/releases/')}`);
    expect(describe((await response.json()) as Answer)).toEqual(answer);
  }
});

test('explain gives the same verdicts as the files of the site, for each state of a component', async () => {
  const states = Map.groupBy(expected, ({ name: [component], state }) => `${component} ${state}`);
  for (const [answer] of states.values()) {
    const { stdout } = await runCli(['explain', ...answer!.name, '--out', out, '--json']);
    expect(describe(JSON.parse(stdout) as Answer)).toEqual(answer);
  }
});

test('the tool check_versions gives the same verdicts as the files of the site', async () => {
  const client = await openTools(index);
  for (const asked of [expected.slice(0, 200), expected.slice(200)]) {
    const list = asked.map(({ name }) => name.join(' ')).join('\n');
    const { text, content } = await client.callTool('check_versions', { text: list });
    const { asOf, items } = content as { asOf: string; items: Answer[] };
    const lines = text.split('\n');

    const answers = asked.map(({ name, words }) => {
      const place = items.findIndex(
        ({ component, version }) => `${component} ${version}` === name.join(' '),
      );
      return {
        ...describe({ ...items[place]!, asOf }),
        words: lines[place]!.includes(words) ? words : text,
      };
    });
    expect(answers).toEqual(asked);
  }
  await client.close();
});

test('search, the API and the MCP tool count the releases whose advisories are unknown', async () => {
  const note = 'isVulnerable is unknown for 335 releases: their advisories were not checked.';
  const client = await openTools(index);
  const { text } = await client.callTool('find_releases', { query: 'isVulnerable' });
  await client.close();
  const { stdout } = await runCli(['search', 'isVulnerable', '--out', out]);
  const { headers } = await ask('/api/releases?query=isVulnerable');

  expect(text.split('\n').slice(-2)).toEqual(['0 of 0 releases.', note]);
  expect(stdout).toBe(`0 releases on ${asOf}.\n${note}\n`);
  expect(headers.get('release-index-note')).toBe(note);
});

/** Returns the text of a part of a page, with dates in the format of the files. */
function readPage(html: string): string {
  return readText(html.replaceAll(/<time datetime="([^"]+)">[^<]*<\/time>/g, '$1'));
}

test.each(components)(
  'the page of $component gives the same verdicts as the files of the site',
  (details) => {
    const { component, support, lines, releases } = details;
    const page = readFileSync(join(out, `${component}.html`), 'utf8');
    for (const release of releases) {
      const { version, line } = release;
      const { sentence, advice } = findWords(release, lines);
      const [before = '', after = ''] = page.split(`<tr id="${nameAnchor(version)}">`);
      const row = after.slice(0, after.indexOf('</tr>'));
      const fold = before.split(`<details id="line-${line}"`)[1] ?? '';
      // Looks for the verdict in the release's table row, then in the section of its release line. If both lack it, the page describes the
      // support policy once for all releases.
      const words =
        /<p class="verdict-here">(.*?)<\/p>/.exec(row)?.[1] ??
        /<p class="sentence"[^>]*>(.*?)(?: <a class="note"|<\/p>)/
          .exec(fold)?.[1]
          ?.replace(line, version) ??
        page;

      if (words === page) {
        expect(sentence).toMatch(/^No end of support is stated for /);
        expect(readPage(page)).toContain(support.description);
      } else {
        expect(readPage(words)).toBe(`${sentence} ${advice}`);
      }
    }
  },
);

const digest = `sha256:${'0f'.repeat(32)}`;

test('explain prints each fact exactly once', async () => {
  const root = buildUncertain();
  const run = async (...words: string[]) =>
    (await runCli([...words, '--root', root, '--as-of', uncertainDay])).stdout;

  expect(readFileSync(join(root, 'dist/console.html'), 'utf8')).toContain(`>${digest}</`);
  for (const [word, fact] of [
    ['gateway', '1.0: vulnerable, until 2027-10-01; newest 1.0.1, 2 releases. Move to 1.1.1 now.'],
    ['gateway@1.0.9', 'Affected by CVE-2026-1.'],
    ['collector@3.1', '2026-11-19'],
    ['console@5.0', 'It loses sessions.'],
    ['console@6.0', `Digest: ${digest}\n`],
    ['runtime@26.0', 'months of phase'],
  ] as const) {
    expect((await run('explain', word)).split(fact), word).toHaveLength(2);
  }
  const list = join(createFolder(), 'list');
  writeFileSync(list, 'gateway 1.0.1');
  expect(await run('scan', list)).toMatch(/Vulnerable +2027-10-01 +1\.1\.1 +secure\n/);
});
