import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder } from '../store/cache.ts';
import type { Root } from '../store/root.ts';
import { formatDocument, saveIfChanged } from '../store/save.ts';

/** What a daily run leaves for the steps after it. */
export const DailyReport = z.object({
  verb: z.literal('daily'),
  asOf: z.string(),
  news: z.array(
    z.object({
      component: z.string(),
      recorded: z.array(z.string()),
      withdrawn: z.array(z.string()),
      returned: z.array(z.string()),
      deprecated: z.array(z.string()),
      corrected: z.array(z.string()),
      removed: z.array(z.string()),
    }),
  ),
  commit: z.object({ id: z.string(), subject: z.string(), isPushed: z.boolean() }).optional(),
  components: z.array(
    z.object({
      component: z.string(),
      latest: z.string().optional(),
      releases: z.number(),
      state: z.enum(['live', 'stale', 'held', 'static']),
    }),
  ),
  isBuilt: z.boolean(),
  publication: z
    .object({ outcome: z.enum(['published', 'refused', 'failed', 'skipped']), lines: z.array(z.string()) })
    .optional(),
  attention: z.array(
    z.object({
      kind: z.enum(['held', 'stale', 'input', 'commit', 'publish']),
      subject: z.string(),
      message: z.string(),
    }),
  ),
});
export type DailyReport = z.infer<typeof DailyReport>;

export function dailyReportPath(root: Root): string {
  return join(cacheFolder(root), 'daily.json');
}

/** A run that breaks off must not be told by the report of an earlier one. */
export function removeDailyReport(root: Root): void {
  rmSync(dailyReportPath(root), { force: true });
}

export function saveDailyReport(root: Root, report: DailyReport): void {
  saveIfChanged(dailyReportPath(root), formatDocument(report));
}
