import * as z from 'zod';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { cachePath, type Root } from '../../io/files/root.ts';
import { Alert } from './alerts.ts';

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
