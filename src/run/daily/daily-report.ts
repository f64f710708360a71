import * as z from 'zod';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { cachePath, type Root } from '../../io/files/root.ts';

/** A problem that needs a person. One cause gives one alert, even if it affects many components. */
export const Alert = z.object({
  /** The id of a change that waits, or a digest of several ids; else a digest of kind and cause, equal on every day. */
  id: z.string(),
  /** The first day on which it needed a person. */
  since: DaySchema,
  kind: z.enum(['held', 'stale', 'input', 'clock', 'commit', 'publish', 'key']),
  cause: z.string(),
  /** The affected components; empty if the whole index is affected. */
  components: z.array(z.string()),
  /** Sentences with the problem and the remedy. */
  message: z.string(),
  /** Whether the run fails for it: on its first day, when it grows, and on every seventh day since. */
  isDue: z.boolean(),
});
export type Alert = z.infer<typeof Alert>;

/** The report of a daily run for the steps after it. */
export const DailyReport = z.object({
  verb: z.literal('daily'),
  asOf: DaySchema,
  /** GitHub's id of the run; outside GitHub, `finishedAt` identifies the run. */
  run: z.string().optional(),
  finishedAt: z.iso.datetime(),
  isBuilt: z.boolean(),
  publication: z
    .enum(['published', 'ready', 'unchanged', 'refused', 'failed', 'skipped'])
    .optional(),
  attention: z.array(Alert),
});
export type DailyReport = z.infer<typeof DailyReport>;

/** The report of a run that is not over. */
export type OpenReport = Omit<DailyReport, 'finishedAt'>;

/** The cache folder may be absent. */
export function dailyReportPath(root: Root): string {
  return cachePath(root, 'daily.json');
}

/** The report of the last run in this checkout; undefined if it cannot be read. */
export function readReport(root: Root): DailyReport | undefined {
  const path = dailyReportPath(root);
  return isAbsent(path) ? undefined : readDocument(path, path, DailyReport).value;
}

/** Adds the alerts of a step. Several steps of a run may find the same problem. */
export function addAlerts(daily: OpenReport, alerts: readonly Alert[]): void {
  for (const alert of alerts) {
    if (daily.attention.every(({ id }) => id !== alert.id)) {
      daily.attention.push(alert);
    }
  }
}
