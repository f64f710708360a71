import { join } from 'node:path';
import { z } from 'zod';
import { FreshnessState } from '../../core/schemas/recorded/freshness.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { Alert } from './alerts.ts';
import { EventType, type JournalEvent } from '../../core/schemas/recorded/journal.ts';
import type { HeldChange } from '../../core/schemas/recorded/held.ts';
import { counted } from '../../core/text/text.ts';

/** The events of one type that a run recorded for one component. */
export const News = z.object({
  component: z.string(),
  type: EventType,
  /** The versions or release lines, in the order of the journal. */
  subjects: z.array(z.string()),
});
export type News = z.infer<typeof News>;

export function newsOf(events: ReadonlyMap<string, readonly JournalEvent[]>): News[] {
  return Array.from(events).flatMap(([component, all]) =>
    Array.from(
      Map.groupBy(all, ({ type }) => type),
      ([type, ofType]) => ({
        component,
        type,
        subjects: ofType.map(({ version, line, to, from, field }) =>
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

/** The subject names the new releases and counts the other events; the body lists all of them, and what waits. */
export function commitMessage(
  news: readonly News[],
  components: number,
  held: readonly HeldChange[] = [],
): CommitMessage {
  const waiting = held.length === 0 ? '' : `, ${counted(held.length, 'decision')} open`;

  if (news.length === 0) {
    return { subject: `Check ${counted(components, 'component')}: nothing new${waiting}` };
  }

  // List items, since git would read a plain line as a trailer.
  const lines = news.map(
    ({ component, type, subjects }) => `- ${component}: ${type} ${subjects.map(plain).join(', ')}`,
  );

  lines.push(...held.map(({ component, id }) => `- ${component}: waits, ${id}`));

  const named = namedReleases(news);
  const subject = named && named.length <= maxSubjectLength ? named : countedEvents(news);

  return { subject, body: lines.join('\n') };
}

function namedReleases(news: readonly News[]): string | undefined {
  const { released = [], others = [] } = Object.groupBy(news, ({ type }) =>
    type === 'released' ? 'released' : 'others',
  );
  if (released.length === 0) {
    return undefined;
  }

  const names = released.map(
    ({ component, subjects }) => `${component} ${subjects.map(plain).join(', ')}`,
  );
  const count = others.reduce((sum, { subjects }) => sum + subjects.length, 0);
  const more = count === 0 ? '' : ` and ${counted(count, 'other event')}`;

  return `Record ${names.join(', ')}${more}`;
}

function countedEvents(news: readonly News[]): string {
  const count = news.reduce((sum, { subjects }) => sum + subjects.length, 0);
  const [component, ...others] = new Set(news.map((one) => one.component));
  const of = others.length === 0 ? component : counted(others.length + 1, 'component');

  return `Record ${counted(count, 'event')} of ${of}`;
}

/** Hosts act on texts such as `[skip ci]`, `@someone` and `closes #1`. A version must not bring them into a message. */
function plain(version: string): string {
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
