import { z } from 'zod';
import { cutDay } from '../../../core/model/dates.ts';
import { pick } from '../../../core/model/objects.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import { rangeInWords } from '../../../core/model/words.ts';
import { buildFields } from '../../../core/query/build-fields.ts';
import { fields, type Row } from '../../../core/query/fields.ts';
import { limitWork } from '../../../core/query/match.ts';
import { parseQuery } from '../../../core/query/parse.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { counted, listed } from '../../../core/text/wording.ts';
import { findReleases } from '../../answers/search-releases.ts';
import { createRunSelection } from '../api/builds.ts';
import { defineTool, listText, describeShare } from './tool.ts';

const fieldNames = fields.map(({ name }) => name).join(', ');

export const findReleasesTool = defineTool({
  name: 'find_releases',
  title: 'Find releases',
  description: `Releases by a query. Terms separated by spaces must all match; "or", "not" and parentheses combine them. A term is field:pattern with * for any characters, field:>value, field:[a to b], the bare name of an is… or has… field, or a text in component, title or version. Examples: component:svc isLatestOfLine; ends within 90 days; component:svc isSupported:false; releaseTimestamp:>=-30d. Fields: ${fieldNames}.`,
  example: { query: 'component:{component} isLatestOfLine', max: 3 },
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
    const { total, releases, notes } = await findReleases(index, query, asOf, max);
    const share = describeShare(releases.length, total, 'release');
    const rest = releases.length < total ? ': narrow the query, or ask for more with max' : '';
    const head = total === 0 ? `No release matches on ${asOf}.` : `${share} on ${asOf}${rest}.`;
    return {
      text: await listText(index, [head, ...notes].join(' '), releases.map(releaseInShort)),
      content: { asOf, total, releases: releases.map(leanRow) },
    };
  },
});

export const describeRuns = defineTool({
  name: 'list_runs',
  title: 'Runs of the index',
  description: `The newest runs that gathered this index: when, how many components, which sources failed or were held, and why. A query selects by ${buildFields.map(({ name }) => name).join(', ')}: buildOutcome:failed.`,
  example: { max: 1 },
  input: z.strictObject({
    query: z.string().default(''),
    max: z.int().min(1).max(100).default(5),
  }),
  output: z.object({
    asOf: z.string(),
    runs: z.array(z.looseObject({ id: z.string(), at: z.string() })),
  }),
  async answer({ query: text, max }, { index, day: asOf }) {
    const query = parseQuery(text, asOf, buildFields);
    const runs: Run[] = [];
    for (const year of await index.recordedBuilds.years()) {
      const ofYear = await index.recordedBuilds.of(year);
      limitWork(query, ofYear.length, 'runs');
      runs.push(...ofYear.filter(createRunSelection(query)));

      if (runs.length >= max) {
        break;
      }
    }

    const shown = runs.slice(0, max);

    return {
      text: await listText(
        index,
        `${counted(shown.length, 'run')}, newest first.`,
        shown.map(runInShort),
      ),
      content: {
        asOf,
        runs: shown.map(({ id, at, asked, events, troubles = [], waits = [] }) => {
          return { id, at, asked, events, troubles: troubles.length + waits.length };
        }),
      },
    };
  },
});

function runInShort({ at, components, asked, events, troubles = [], waits = [] }: Run): string {
  const head = `${at}: ${counted(asked, 'source')} of ${counted(components, 'component')} asked, ${counted(events, 'event')} recorded`;
  const problems = [...troubles, ...waits.map((wait) => ({ ...wait, kind: 'held' }))];
  const byCause = Map.groupBy(problems, ({ kind, reason }) => `${kind}: ${toLine(reason, 120)}`);
  const failed = Array.from(byCause, ([cause, same]) => {
    const names = [...new Set(same.map(({ component }) => component))];
    return `${listed(names, 3)} ${cause}`;
  });
  const rest = failed.length > mostCauses ? ` And ${failed.length - mostCauses} more.` : '';
  return `${[`${head}.`, ...failed.slice(0, mostCauses)].join(' ')}${rest}`;
}

/** The number of causes in the text of a run. */
const mostCauses = 3;

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

  const { isLatest, isPrerelease, isInferred } = row;
  return {
    ...pick(row, shown),
    isLatest: isLatest || undefined,
    isPrerelease: isPrerelease || undefined,
    isInferred: isInferred || undefined,
  };
}

function releaseInShort(row: Row): string {
  const { component, version, state, releaseTimestamp, timestampKind, isLatest } = row;
  const { supportedUntil: from, supportedUntilAtMost: atMost, phase, phaseUntil } = row;
  const released = releaseTimestamp && cutDay(releaseTimestamp);
  const end = rangeInWords({ from, atMost });

  const facts = [
    state,
    isLatest && 'the latest',
    released && `released ${timestampKind === 'observed' ? 'on or before ' : ''}${released}`,
    end !== '' && `end of support ${end}${row.isInferred ? ' (inferred)' : ''}`,
    phase &&
      phase !== onlyPhase &&
      `phase ${phase}${phaseUntil === undefined ? '' : ` until ${phaseUntil}`}`,
  ];
  return `${component} ${version}: ${facts.filter(Boolean).join(', ')}`;
}
