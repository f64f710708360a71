import * as z from 'zod';
import { cutDay } from '../../../core/model/dates.ts';
import { foldEdits, listChangeSentences, type EditEntry } from '../../../core/model/edits.ts';
import { listDistinct, pick } from '../../../core/model/objects.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import { describeDayRange, markInferred } from '../../../core/model/words.ts';
import { recordedBuildFields, buildFieldSet } from '../../../core/query/build-fields.ts';
import { fields, type Row } from '../../../core/query/fields.ts';
import { parseQuery } from '../../../core/query/parse.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { quote, toLine } from '../../../core/text/foreign-text.ts';
import { endSentence, formatCount, formatList } from '../../../core/text/wording.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import {
  findAvailableAt,
  readEntriesFrom,
  type Publications,
} from '../../answers/recorded-years.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { searchByQueryOrDays } from '../../search/search-releases.ts';
import { selectRuns } from '../api/builds.ts';
import { createParameterError, pastTimeForm, readPastTime } from '../api/read-request.ts';
import { defineTool, describeShare, joinLines } from './tool.ts';

export const findReleasesTool = defineTool({
  name: 'find_releases',
  title: 'Find releases',
  description: `Releases by a query. Terms separated by spaces must all match; "or", "not" and parentheses combine them. A term is field:pattern with * for any characters, field:>value, field:[a to b], the bare name of an is… or has… field, or a text in component, title or version. Examples: component:svc isLatestOfLine; ends within 90 days; component:svc isSupported:false; releaseTimestamp:>=-30d. Fields: ${fields.map(({ name }) => name).join(', ')}.`,
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
    const { total, releases, notes } = await searchByQueryOrDays(index, query, asOf, max);
    const share = describeShare(releases.length, total, 'release');
    const hint = releases.length < total ? ': narrow the query, or ask for more with max' : '';
    const head = total === 0 ? `No release matches on ${asOf}.` : `${share} on ${asOf}${hint}.`;
    return {
      text: await joinLines(index, [[head, ...notes].join(' '), ...releases.map(describeRelease)]),
      content: { asOf, total, releases: releases.map(pickFacts) },
    };
  },
});

/** `svc 2025.3: supported, the latest, released 2025-11-04, end of support 2027-01-31`. */
function describeRelease(row: Row): string {
  const { component, version, state, releaseTimestamp, timestampKind, isLatest } = row;
  const { supportedUntil: from, supportedUntilAtMost: atMost, phase, phaseUntil } = row;
  const facts = [String(state)];
  if (isLatest) {
    facts.push('the latest');
  }
  if (releaseTimestamp !== undefined) {
    const bound = timestampKind === 'observed' ? 'on or before ' : '';
    facts.push(`released ${bound}${cutDay(releaseTimestamp)}`);
  }

  const end = markInferred(describeDayRange({ from, atMost }), row.isInferred);
  if (end !== '') {
    facts.push(`end of support ${end}`);
  }
  if (phase !== undefined && phase !== onlyPhase) {
    facts.push(`phase ${phase}${phaseUntil === undefined ? '' : ` until ${phaseUntil}`}`);
  }
  return `${component} ${version}: ${facts.join(', ')}`;
}

/** The main fields of a release, without flags that are false. */
function pickFacts(row: Row): object {
  const shownFields = [
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
    ...pick(row, shownFields),
    isLatest: isLatest || undefined,
    isPrerelease: isPrerelease || undefined,
    isInferred: isInferred || undefined,
  };
}

export const changesSinceTool = defineTool({
  name: 'changes_since',
  title: 'Changes since a day',
  description:
    'Changes that the index published on a day, or at an instant (2026-01-31T10:30:00Z), and later, newest first: releases, deprecations, ends of support announced, moved or reached, withdrawals. For releases by their own day: find_releases with releaseTimestamp:>=2026-11-01.',
  example: { date: '2026-01-31', max: 3 },
  input: z.strictObject({
    date: z.string(),
    component: z.string().min(1).max(200).optional(),
    max: z.int().min(1).max(500).default(20),
  }),
  output: z.object({
    asOf: z.string(),
    total: z.number(),
    changes: z.array(z.looseObject({ component: z.string().optional() })),
  }),
  async answer({ date, component, max }, { index, day: asOf }) {
    const since = readPastTime(date);
    if (since === undefined) {
      throw createParameterError('date', pastTimeForm, quote(date));
    }

    const publications = await index.publications();
    const recorded = await Array.fromAsync(
      readEntriesFrom(index.recordedChanges, publications, since, Date.now()),
    );
    const selected =
      component === undefined ? recorded : await listOwnChanges(index, component, recorded);
    const { changes, entered } = summariseChanges(selected);
    const total = changes.length;

    const shown = changes.slice(0, max);
    const share = total === 0 ? 'Nothing changed' : describeShare(shown.length, total, 'change');
    const hint =
      shown.length < total ? ' The newest: ask for more with max, or for a later date.' : '';
    const lines = [`${share} from ${date} until ${asOf}.${hint}`, ...shown.map(describeChange)];
    if (entered) {
      lines.push(`Added to the index: ${formatList(entered, 20)}.`);
    }

    return {
      text: await joinLines(index, lines),
      content: {
        asOf,
        total,
        changes: shown.map((change) => describeFacts(change, publications)),
        entered,
      },
    };
  },
});

/**
 * The changes of a component, by any name that it had: the ids of its changes begin with the first one. Only a component that was removed
 * has changes and no details. Throws a `QuestionError` for an unknown name.
 */
async function listOwnChanges(
  index: PublishedIndex,
  text: string,
  recorded: readonly PublishedChange[],
): Promise<PublishedChange[]> {
  const findFirstName = ({ id }: PublishedChange) => id.slice(0, id.indexOf('/'));
  const isRecorded = recorded.some(
    (change) => change.component === text || findFirstName(change) === text,
  );
  const name = isRecorded ? text : (await requireComponent(index, text)).component;

  const named = recorded.filter(({ component }) => component === name);
  const firstNames = new Set([name, ...named.map(findFirstName)]);
  return recorded.filter((change) => firstNames.has(findFirstName(change)));
}

/** Changes newest first, and the components that were added to the index with some of them. */
function summariseChanges(recorded: readonly PublishedChange[]) {
  const newestFirst = recorded.toReversed();
  const initialChanges = newestFirst.filter(({ initial }) => initial);
  return {
    changes: foldEdits(newestFirst.filter(({ initial }) => !initial)),
    entered: listDistinct(initialChanges.map((change) => change.component)),
  };
}

/** A change with the instant from which all readers could see it, and an edit with a sentence for each of its changes. */
function describeFacts(change: PublishedChange | EditEntry, publications: Publications): object {
  const availableAt = new Date(findAvailableAt(publications, change.at)).toISOString();
  return change.type === 'edited'
    ? { ...change, changes: listChangeSentences(change), availableAt }
    : { ...change, availableAt };
}

function describeChange(change: PublishedChange | EditEntry): string {
  const subject = change.type === 'edited' ? '' : `${change.component}: `;
  return `${cutDay(change.at)}: ${subject}${change.text}`;
}

export const listRunsTool = defineTool({
  name: 'list_runs',
  title: 'Runs of the index',
  description: `The newest runs that gathered this index: when, how many components, which sources failed or were held, and why. A query selects by ${recordedBuildFields.map(({ name }) => name).join(', ')}: buildOutcome:failed.`,
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
    const query = parseQuery(text, asOf, buildFieldSet);
    const publications = await index.publications();
    const runs = await Array.fromAsync(
      readEntriesFrom(index.recordedBuilds, publications, 0, Date.now()),
    );
    const selectedRuns = selectRuns(query, runs, 'Use fewer terms.');
    const shown = selectedRuns.toReversed().slice(0, max);

    const share = describeShare(shown.length, selectedRuns.length, 'run');
    return {
      text: await joinLines(index, [`${share}, newest first.`, ...shown.map(describeRun)]),
      content: {
        asOf,
        runs: shown.map(({ id, at, asked, events, troubles = [], waits = [] }) => {
          return { id, at, asked, events, troubles: troubles.length, waits: waits.length };
        }),
      },
    };
  },
});

/** Maximum number of causes in the text of a run. */
const maxCauses = 3;

/** `2026-11-20T…: 14 sources of 8 components asked, 2 events recorded. svc failed: … old held: …` */
function describeRun({ at, components, asked, events, troubles = [], waits = [] }: Run): string {
  const sources = `${formatCount(asked, 'source')} of ${formatCount(components, 'component')}`;
  const problems = [...troubles, ...waits.map((wait) => ({ ...wait, kind: 'held' }))];
  const byCause = Map.groupBy(problems, ({ kind, reason }) => `${kind}: ${toLine(reason, 120)}`);
  const causes = Array.from(byCause, ([cause, failures]) => {
    const names = new Set(failures.map(({ component }) => component));
    return endSentence(`${formatList([...names], 3)} ${cause}`);
  });

  const sentences = [
    `${at}: ${sources} asked, ${formatCount(events, 'event')} recorded.`,
    ...causes.slice(0, maxCauses),
  ];
  if (causes.length > maxCauses) {
    sentences.push(`And ${causes.length - maxCauses} more.`);
  }
  return sentences.join(' ');
}
