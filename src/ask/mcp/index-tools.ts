import * as z from 'zod';
import { latestVersions, searchReleases } from '../search-releases.ts';
import type { PublishedIndex } from '../published-index.ts';
import { dayOf } from '../../core/dates.ts';
import { TooMuchToSearchError } from '../../core/query/budget.ts';
import { fields, type Row } from '../../core/query/fields.ts';
import type { Run } from '../../core/schemas/journal.ts';
import { counted, pick, quote } from '../../core/text.ts';
import { onlyPhase } from '../../core/phases.ts';
import { parsePurl } from '../../core/purl.ts';
import { rangeInWords } from '../../core/words.ts';
import { componentsOfPackage, expectedPurl } from '../resolve.ts';
import { defineTool, listText, shareOf, WrongArgumentError } from './tool.ts';

const mostComponents = 1000;

export const listComponents = defineTool({
  name: 'list_components',
  title: 'List components',
  description: 'Every component with title, latest version, number of releases and freshness.',
  input: z.strictObject({
    purl: z
      .string()
      .max(1000)
      .optional()
      .describe('Only components of a package, such as pkg:npm/%40example/agent'),
  }),
  output: z.object({
    asOf: z.string(),
    total: z.number(),
    components: z.array(z.object({ component: z.string(), latest: z.string().optional() })),
  }),
  async answer({ purl }, { index, day: asOf }) {
    const { components } = await index.status();
    const named = purl === undefined ? undefined : parsePurl(purl);
    if (purl !== undefined && !named) {
      throw new WrongArgumentError(`purl: expected ${expectedPurl}; got ${quote(purl)}`);
    }
    const wanted = named && (await componentsOfPackage(index, named));
    const searched = await searchedIfSmall(index);
    const latestToday = searched && (await latestVersions(index));
    const all = Object.entries(components).filter(
      ([component]) => wanted?.has(component) !== false,
    );
    const shown = all
      .slice(0, mostComponents)
      .map(([component, { latest, releases, state: freshness }]) => {
        const found = searched?.get(component);
        const current = latestToday ? latestToday.get(component) : latest;
        return { component, releases, freshness, title: found?.title, latest: current };
      });
    const lines = shown.map(({ component, title, latest, releases, freshness }) => {
      const newest = latest === undefined ? 'no latest version' : `latest ${latest}`;
      return `${component}${title === undefined ? '' : ` (${title})`}: ${newest}, ${counted(releases, 'release')}, ${freshness}`;
    });
    const share = shareOf(shown.length, all.length, 'component');
    const rest = shown.length < all.length ? ' find_releases with isLatest finds the others.' : '';
    return {
      text: await listText(index, `${share} on ${asOf}.${rest}`, lines),
      content: { asOf, total: all.length, components: shown },
    };
  },
});

const fieldNames = fields.map(({ name }) => name).join(', ');

export const findReleasesTool = defineTool({
  name: 'find_releases',
  title: 'Find releases',
  description: `Releases by a query. Terms separated by spaces must all hold; "or", "not" and parentheses combine them. A term is field:pattern with * for any characters, field:>value, field:[a to b], the bare name of an is… or has… field, or a text in component, title or version. Examples: component:svc isLatestOfLine; supportLeft:<90d isLatestOfLine; component:svc isSupported:false; releaseTimestamp:>=-30d. Fields: ${fieldNames}.`,
  input: z.strictObject({
    query: z.string().describe('Empty for every release'),
    max: z.int().min(1).max(500).default(50),
  }),
  output: z.object({
    asOf: z.string(),
    total: z.number(),
    releases: z.array(z.looseObject({ component: z.string(), version: z.string() })),
  }),
  async answer({ query, max }, { index, day: asOf }) {
    const { total, releases, notes } = await searchReleases(index, query, asOf, max);
    const share = shareOf(releases.length, total, 'release');
    const rest = releases.length < total ? ': narrow the query, or ask for more with max' : '';
    const head = total === 0 ? `No release matches on ${asOf}.` : `${share} on ${asOf}${rest}.`;
    return {
      text: await listText(index, [head, ...notes].join(' '), releases.map(releaseInShort)),
      content: { asOf, total, releases: releases.map(leanRow) },
    };
  },
});

export const runsTool = defineTool({
  name: 'runs',
  title: 'Runs of the index',
  description:
    'The newest runs that gathered this index: when, how many components, and which sources failed or were held, and why.',
  input: z.strictObject({ max: z.int().min(1).max(100).default(5) }),
  output: z.object({
    asOf: z.string(),
    runs: z.array(z.looseObject({ id: z.string(), at: z.string() })),
  }),
  async answer({ max }, { index, day: asOf }) {
    const runs: Run[] = [];
    for (const year of await index.recordedBuilds.years()) {
      runs.push(...(await index.recordedBuilds.of(year)));
      if (runs.length >= max) {
        break;
      }
    }
    const shown = runs.slice(0, max);
    const lines = shown.map(({ at, components, asked, events, troubles = [] }) => {
      const failed = troubles.map(
        ({ component, source, kind, reason }) => `${component} (${source}) ${kind}: ${reason}`,
      );
      const head = `${at}: ${asked} of ${counted(components, 'component')} asked, ${counted(events, 'event')} recorded`;
      return [`${head}.`, ...failed].join(' ');
    });
    return {
      text: await listText(index, `${counted(shown.length, 'run')}, newest first.`, lines),
      content: { asOf, runs: shown },
    };
  },
});

/** Undefined for an index so large that it can only search one component at a time. */
async function searchedIfSmall(index: PublishedIndex) {
  try {
    return await index.searched();
  } catch (error) {
    if (error instanceof TooMuchToSearchError) {
      return undefined;
    }
    throw error;
  }
}

/** The main fields of a release, without flags that are false. */
function leanRow(row: Row): object {
  const shown = [
    'component',
    'version',
    'line',
    'state',
    'releaseTimestamp',
    'supportedUntil',
    'supportedUntilAtMost',
    'phase',
  ] as const;
  const { isLatest, isPrerelease } = row;
  return {
    ...pick(row, shown),
    isLatest: isLatest || undefined,
    isPrerelease: isPrerelease || undefined,
  };
}

function releaseInShort(row: Row): string {
  const { component, version, state, releaseTimestamp, timestampKind, isLatest } = row;
  const { supportedUntil: from, supportedUntilAtMost: atMost, phase, phaseUntil } = row;
  const released = releaseTimestamp && dayOf(releaseTimestamp);
  const end = rangeInWords({ from, atMost });
  const facts = [
    state,
    isLatest && 'the latest',
    released && `released ${timestampKind === 'observed' ? `by ${released}` : released}`,
    end !== '' && `end of support ${end}`,
    phase &&
      phase !== onlyPhase &&
      `phase ${phase}${phaseUntil === undefined ? '' : ` until ${phaseUntil}`}`,
  ];
  return `${component} ${version}: ${facts.filter(Boolean).join(', ')}`;
}
