import { join } from 'node:path';
import * as z from 'zod';
import { FreshnessState } from '../../core/schemas/recorded/freshness.ts';
import {
  EventType,
  type HeldChange,
  type JournalEvent,
} from '../../core/schemas/recorded/journal.ts';
import { capitalise, formatCount } from '../../core/text/wording.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { Alert } from './alerts.ts';

/** The events of one type that a run recorded for one component. */
export const News = z.object({
  component: z.string(),
  type: EventType,
  /** The versions or release lines, in the order of the journal. */
  subjects: z.array(z.string()),
});
export type News = z.infer<typeof News>;

export function listNews(events: ReadonlyMap<string, readonly JournalEvent[]>): News[] {
  return Array.from(events).flatMap(([component, eventsOfComponent]) =>
    Array.from(
      Map.groupBy(eventsOfComponent, ({ type }) => type),
      ([type, group]) => ({
        component,
        type,
        subjects: group.map(({ version, line, to, from, field }) =>
          field === 'releaseTimestamp' && from !== undefined
            ? `${version} from ${from} to ${to}`
            : (version ?? line ?? to ?? ''),
        ),
      }),
    ),
  );
}

export interface CommitMessage {
  readonly subject: string;
  readonly body?: string;
}

/** The usual limit for the subject of a commit. */
const maxSubjectLength = 72;

/** The decisions of a run, apart from its news. */
interface Decisions {
  readonly held: readonly Pick<HeldChange, 'id' | 'component'>[];
  /** The decisions that it used. */
  readonly used: readonly string[];
}

/** The subject begins with what a person has to know: accepted, withdrawn, held, new. The body lists all events, and what waits. */
export function commitMessage(
  news: readonly News[],
  components: number,
  { held, used }: Decisions = { held: [], used: [] },
): CommitMessage {
  const waiting = held.length === 0 ? '' : `, ${formatCount(held.length, 'decision')} open`;
  if (news.length === 0 && used.length === 0) {
    return { subject: `Check ${formatCount(components, 'component')}: nothing new${waiting}` };
  }

  // List items, since git would read a plain line as a trailer.
  const lines = news.map(
    ({ component, type, subjects }) =>
      `- ${component}: ${type} ${subjects.map(escapeCommands).join(', ')}`,
  );
  lines.push(...used.map((id) => `- accepted ${id}`));
  lines.push(...held.map(({ component, id }) => `- ${component}: waits, ${id}`));
  return { subject: describeNews(news, used, held.length), body: lines.join('\n') };
}

/** The types of events that a subject names, with their verbs, the most urgent first. */
const typeVerbs = [
  ['withdrawn', 'withdraw'],
  ['deprecated', 'deprecate'],
  ['released', 'record'],
] as const;

function describeNews(news: readonly News[], used: readonly string[], held: number): string {
  const phrases: string[] = [];
  const shortPhrases: string[] = [];
  const add = (phrase: string, shortPhrase = phrase) => {
    phrases.push(phrase);
    shortPhrases.push(shortPhrase);
  };

  if (used.length > 0) {
    add(`accept ${used.join(', ')}`, `accept ${formatCount(used.length, 'decision')}`);
  }

  for (const [type, verb] of typeVerbs) {
    const newsOfType = news.filter((event) => event.type === type);

    // A held component is more urgent than a new release.
    if (type === 'released' && held > 0) {
      add(`hold ${formatCount(held, 'change')}`);
    }
    if (newsOfType.length > 0) {
      add(
        `${verb} ${nameSubjects(newsOfType)}`,
        `${verb} ${formatCount(countSubjects(newsOfType), 'release')}`,
      );
    }
  }

  const otherCount = countSubjects(
    news.filter(({ type }) => typeVerbs.every(([name]) => name !== type)),
  );
  if (phrases.length === 0) {
    const [component, ...more] = new Set(news.map((event) => event.component));
    const where = more.length === 0 ? component : formatCount(more.length + 1, 'component');
    return `Record ${formatCount(otherCount, 'event')} of ${where}`;
  }

  if (otherCount > 0) {
    add(formatCount(otherCount, 'other event'));
  }

  const subject = capitalise(phrases.join(', '));
  return subject.length <= maxSubjectLength ? subject : capitalise(shortPhrases.join(', '));
}

function nameSubjects(news: readonly News[]): string {
  return news
    .map(({ component, subjects }) => `${component} ${subjects.map(escapeCommands).join(', ')}`)
    .join(', ');
}

function countSubjects(news: readonly News[]): number {
  return news.reduce((sum, { subjects }) => sum + subjects.length, 0);
}

/** Hosts act on texts such as `[skip ci]`, `@someone` and `closes #1`. A version must not bring them into a message. */
function escapeCommands(version: string): string {
  return version.replaceAll(/[^\w.+~!: -]/g, '?');
}

/** The report of a daily run for the steps after it. */
export const DailyReport = z.object({
  verb: z.literal('daily'),
  asOf: z.string(),
  /** GitHub's id of the run; outside GitHub, `finishedAt` identifies the run. */
  run: z.string().optional(),
  finishedAt: z.iso.datetime(),
  news: z.array(News),
  commit: z.object({ id: z.string(), subject: z.string(), isPushed: z.boolean() }).optional(),
  components: z.array(
    z.object({
      component: z.string(),
      latest: z.string().optional(),
      releases: z.number(),
      state: FreshnessState,
    }),
  ),
  isBuilt: z.boolean(),
  publication: z
    .object({
      outcome: z.enum(['published', 'ready', 'unchanged', 'refused', 'failed', 'skipped']),
      lines: z.array(z.string()),
    })
    .optional(),
  attention: z.array(Alert),
});
export type DailyReport = z.infer<typeof DailyReport>;

export function dailyReportPath(root: Root): string {
  return join(cacheFolder(root), 'daily.json');
}

/** The report of the last run in this checkout; undefined if it cannot be read. */
export function readReport(root: Root): DailyReport | undefined {
  const path = dailyReportPath(root);
  return isAbsent(path) ? undefined : readDocument(path, path, DailyReport).value;
}
