import * as z from 'zod';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { cachePath, type Root } from '../../io/files/root.ts';

/** A problem that needs a person. One cause gives one alert, even if it affects many components. */
export const Alert = z.object({
  /** The id of a change that waits, or a digest of several ids; else a digest of kind and cause, equal on every day. */
  id: z.string(),
  /** Of a wait or a silence, the first day on which it needed a person; of any other problem, the day of the run. */
  since: DaySchema,
  /**
   * - `held`: a change waits for a decision.
   * - `stale`: a source, a job or the live site gives nothing new for too long.
   * - `input`: a file or a setting cannot be used.
   * - `clock`: the clock is wrong.
   * - `commit`: the data could not be committed.
   * - `publish`: the site was not published.
   * - `key`: an access key ends soon.
   */
  kind: z.enum(['held', 'stale', 'input', 'clock', 'commit', 'publish', 'key']),
  cause: z.string(),
  /** The affected components; empty if the whole index is affected. */
  components: z.array(z.string()),
  /** Sentences with the problem and the remedy. */
  message: z.string(),
  /**
   * Whether the run fails for it. A wait or a silence fails it when it begins or grows, and in every week of its duration; a key
   * that ends soon never does; any other problem always does.
   */
  isDue: z.boolean(),
});
export type Alert = z.infer<typeof Alert>;

/** The report of a daily run for the steps after it. */
export const DailyReport = z.object({
  verb: z.literal('daily'),
  asOf: DaySchema,
  /** GitHub's id of the run. Outside GitHub, readers judge by `finishedAt` whether the report is recent. */
  run: z.string().optional(),
  finishedAt: z.iso.datetime(),
  isBuilt: z.boolean(),
  /**
   * Absent before the publication, and if the run ended without trying it.
   *
   * - `published`, `unchanged`: the live site is the built one.
   * - `ready`: a workflow is to deploy the built site.
   * - `refused`: nothing was sent, because of an error in site or settings.
   * - `failed`: the live site could not be read, or sending broke off.
   * - `skipped`: something else publishes the site, or nothing does.
   */
  publication: z
    .enum(['published', 'ready', 'unchanged', 'refused', 'failed', 'skipped'])
    .optional(),
  /** The alerts, under a name that titles of issues repeat. */
  attention: z.array(Alert),
});
export type DailyReport = z.infer<typeof DailyReport>;

/** The report of a run that is not over. */
export type OpenReport = Omit<DailyReport, 'finishedAt'>;

/** The path of the report, in the cache folder, which may be absent. */
export function dailyReportPath(root: Root): string {
  return cachePath(root, 'daily.json');
}

/** The report of the last run in this checkout; undefined if there is none, or an invalid one. */
export function readDailyReport(root: Root): DailyReport | undefined {
  const path = dailyReportPath(root);
  return readDocument(path, path, DailyReport).value;
}

/** Adds the alerts of a step to the report, except those with the id of an earlier one: steps of a run may find the same problem. */
export function addAlerts(daily: OpenReport, alerts: readonly Alert[]): void {
  for (const alert of alerts) {
    if (daily.attention.every(({ id }) => id !== alert.id)) {
      daily.attention.push(alert);
    }
  }
}
