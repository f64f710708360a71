import * as z from 'zod';
import { AskError } from '../ask/ask-error.ts';
import { describeList, describeReadable, sortEntries } from '../ask/judged-list.ts';
import { describeDoubts, judgeUsual } from '../ask/policy-result.ts';
import { type PublishedIndex, requireComponent, searchReleases } from '../ask/published-index.ts';
import { describeRow, listRows, type SearchRow } from '../ask/query/search.ts';
import { readList } from '../ask/read-list.ts';
import type { Entry } from '../ask/verdicts.ts';
import { pick } from '../core/objects.ts';
import {
  describeDay,
  describeSuccessors,
  endKeys,
  paidKeys,
  quoteForeign,
} from '../core/phrases.ts';
import type { Verdict } from '../core/schema/documents.ts';
import type { Component } from '../core/schema/published.ts';
import { formatList } from '../core/text.ts';
import { listRuns } from './builds/list-runs.ts';
import { type Answer, countNewest, defineTool, limitSchema, takeNewest } from './tool.ts';

const nameSchema = z.string().min(1).max(200);

/**
 * The greatest number of verdicts in an answer. Each other list in the answer is cut at the same length. A longer answer would be too long
 * for a model.
 */
const maxShown = 200;

const answeredKeys = [
  'version',
  'line',
  'lines',
  'state',
  'lineState',
  'isSupported',
  ...endKeys,
  ...paidKeys,
  'mayBePatched',
  'moveTo',
  'moveToParts',
  'through',
  'moveBy',
  'moveReason',
  'advisories',
  'severity',
  'files',
] as const;

const checkVersions = defineTool({
  name: 'check_versions',
  description:
    'Judges versions in use: whether they are supported, until when, what to move to and by which date. Reads one version, a list, or an SBOM.',
  inputSchema: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(1_000_000)
      .regex(/\S/, { error: 'expected lines such as svc 2025.1' })
      .describe('For example, "svc 2025.1", several such lines, or an SBOM as JSON.'),
  }),
  async answer(index, { text }) {
    const { url, components } = await index.status();
    const { items, ...unread } = readList(text, await index.names());
    const list = sortEntries(await index.find(items), unread);
    const { judged, unjudged, unversioned, others, notRead, fault, total } = list;
    if (fault !== undefined) {
      throw new AskError(400, `text ${fault}. ${describeReadable(url)}`);
    }
    if (total === 0) {
      throw new AskError(
        400,
        'text: expected lines such as svc 2025.1; the text does not contain an entry',
      );
    }

    const shown = judged.slice(0, maxShown);
    const hidden = judged.length - shown.length;
    const nameEntries = (entries: readonly Entry[]) =>
      entries.slice(0, maxShown).map(({ item }) => item.text);
    return {
      lines: [
        ...shown.map(({ match }) => describeVerdict(match.verdict)),
        ...(hidden > 0 ? [`And ${hidden} more, none of which is due sooner.`] : []),
        describeList(list, url),
        ...(notRead.length > 0 ? [`Not read: ${formatList(notRead, 20)}.`] : []),
        ...describeDoubts(judgeUsual(judged, components)),
      ],
      content: {
        items: shown.map(({ match: { component, verdict } }) => ({
          component,
          ...listAnswered(verdict),
        })),
        withoutVerdict: nameEntries([...unjudged, ...unversioned]),
        notInThisIndex: nameEntries(others),
        notRead: notRead.slice(0, maxShown),
        total,
      },
    };
  },
});

/** The keys that are certain only if a text means a single release line. */
const keysOfLine: readonly string[] = ['line', 'lineState', 'isSupported', ...endKeys, ...paidKeys];

/**
 * Lists the facts of a verdict. A text such as `mysql 8` may mean several lines (`lines`). If some of them have ended, it is unknown whether
 * the text means a supported line.
 */
function listAnswered(verdict: Verdict) {
  const { lines = [], isSupported } = verdict;
  const isCertain = lines.length <= 1 || isSupported === false;
  return pick(
    verdict,
    answeredKeys.filter((key) => isCertain || !keysOfLine.includes(key)),
  );
}

function describeVerdict({ label, sentence, advice, because }: Verdict): string {
  return [`${label}.`, sentence, advice, ...because].map(quoteForeign).join(' ');
}

const rowKeys = [
  'component',
  'version',
  'line',
  'state',
  'releaseTimestamp',
  'timestampKind',
  ...endKeys,
  'isVulnerable',
] as const;

const findReleases = defineTool({
  name: 'find_releases',
  description:
    'Finds the releases that a query selects, such as component:svc isSupported, or supportedUntil:<2027-01-31. A release must match all terms.',
  inputSchema: z.strictObject({ query: z.string(), max: limitSchema(50) }),
  async answer(index, { query, max }) {
    const { releases, hints } = await searchReleases(index, query);
    const shown = listRows(releases.slice(0, max));
    const total = releases.length;
    return {
      lines: [`${shown.length} of ${total} releases.`, ...hints, ...shown.map(describeRelease)],
      content: { total, releases: shown.map((row) => pick(row, rowKeys)) },
    };
  },
});

function describeRelease(row: SearchRow): string {
  const { component, version, releaseTimestamp } = row;
  const { label, until } = describeRow(row);
  const released = releaseTimestamp ? `, released ${describeDay(row, 'on or before')}` : '';
  return `${component} ${version}: ${label}${released}, end of support ${until}`;
}

const showComponent = defineTool({
  name: 'show_component',
  description:
    'Gives the support policy, latest version, release lines with their ends, packages and homepage of a component. Without a component, lists the names of all components.',
  inputSchema: z.strictObject({ component: nameSchema.optional() }),
  async answer(index, { component }) {
    return component === undefined
      ? listComponents(index)
      : describeComponent(await requireComponent(index, component));
  },
});

async function listComponents(index: PublishedIndex): Promise<Answer> {
  const { components } = await index.status();
  const names = Object.keys(components);
  const titles = Object.entries(components).map(([name, { title }]) => `${name} (${title})`);
  return { lines: [`${names.length} components.`, ...titles], content: { components: names } };
}

function describeComponent(details: Component): Answer {
  const { component, title, homepage, support, latest, packages } = details;
  const { replacedBy, splitInto } = details;
  const stops = details.requiredStops?.description;
  const policy = support.description;
  const lines = details.lines.filter(({ isSupported }) => isSupported).slice(-20);
  const sentences = [
    `${title} (${component}): ${policy}`,
    stops,
    latest ? `The latest version is ${latest}.` : 'It has no latest version.',
    describeSuccessors(details),
    ...lines.map(({ sentence }) => sentence),
    packages.length > 0 && `Packages: ${packages.join(', ')}.`,
    homepage,
  ];
  return {
    lines: [sentences.filter(Boolean).join(' ')],
    content: {
      ...{ component, title, homepage, latest, policy, replacedBy, splitInto },
      ...{ stops, packages, lines },
    },
  };
}

const changesSince = defineTool({
  name: 'changes_since',
  description:
    'Lists what the index recorded since a date, the newest first: releases, deprecations, withdrawals, and ends of support that were announced, moved or reached.',
  inputSchema: z.strictObject({
    date: z.iso.date(),
    component: nameSchema.optional(),
    max: limitSchema(20),
  }),
  async answer(index, { date, component: name, max }) {
    const asked = name === undefined ? undefined : await requireComponent(index, name);
    const newest = await takeNewest(index.changesByYear(Date.parse(date)), max, (changes) =>
      asked ? changes.filter(({ component }) => component === asked.component) : changes,
    );
    const shown = newest.map((change) => ({ ...change, text: quoteForeign(change.text) }));
    return {
      lines: [
        `${countNewest(shown, max, 'change')} since ${date}, newest first.`,
        ...shown.map(({ at, component, text }) => `${at.slice(0, 10)}: ${component}: ${text}`),
      ],
      content: { changes: shown },
    };
  },
});

/** All MCP tools. None of them changes anything. */
export const tools = [checkVersions, findReleases, showComponent, changesSince, listRuns] as const;
