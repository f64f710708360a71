import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FreshnessState } from '../../core/schemas/freshness.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { Alert } from './alerts.ts';
import { News } from './news.ts';

/** The report of a daily run for the steps after it. */
export const DailyReport = z.object({
  verb: z.literal('daily'),
  asOf: z.string(),
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
    .object({ outcome: z.enum(['published', 'refused', 'failed', 'skipped']), lines: z.array(z.string()) })
    .optional(),
  attention: z.array(Alert),
});
export type DailyReport = z.infer<typeof DailyReport>;

export function emptyReport(day: string): DailyReport {
  return { verb: 'daily', asOf: day, news: [], components: [], isBuilt: false, attention: [] };
}

export function dailyReportPath(root: Root): string {
  return join(cacheFolder(root), 'daily.json');
}

/** Before a run, so that one that breaks off does not leave the report of an earlier one. */
export function removeDailyReport(root: Root): void {
  rmSync(dailyReportPath(root), { force: true });
}

export function saveDailyReport(root: Root, report: DailyReport): void {
  saveIfChanged(dailyReportPath(root), formatDocument(report));
}
