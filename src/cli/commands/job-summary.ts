import { setOutput, summary } from '@actions/core';
import { newsKinds } from '../../deliver/daily/news.ts';
import type { DailyReport } from '../../deliver/daily/daily-report.ts';
import type { Day } from '../../core/dates.ts';
import type { GatherResult } from '../../record/gather/gather-component.ts';
import { changesByKind } from './gather-report.ts';
import type { Table } from './report.ts';

/** The summary of a GitHub workflow run is Markdown and HTML, so every text is escaped. */
export async function writeDailySummary(report: DailyReport): Promise<void> {
  summary.addHeading(`Release index as of ${report.asOf}`, 2);
  const alerts = report.attention.map(({ kind, subject, message }) => [kind, subject, message]);
  if (alerts.length > 0) addTable('Needs attention', ['what', 'about', 'why'], alerts);
  const news = report.news.flatMap((item) =>
    newsKinds
      .filter((kind) => item[kind].length > 0)
      .map((kind) => [item.component, kind, item[kind].join(', ')]),
  );
  addTable('News', ['component', 'what', 'versions'], news, 'Nothing new.');
  if (report.publication) {
    summary.addHeading('Publication', 3);
    summary.addList([report.publication.outcome, ...report.publication.lines].map(escape));
  }
  const components = report.components.map(({ component, latest = '-', releases, state }) => [
    component,
    latest,
    releases,
    state,
  ]);
  addTable('Components', ['component', 'latest', 'releases', 'freshness'], components);
  await summary.write();
}

/** Of a run that only gathered. */
export async function writeGatherSummary(
  day: Day,
  results: readonly GatherResult[],
  components: Table,
): Promise<void> {
  summary.addHeading(`Gathered on ${day}`, 2);
  const troubles = results.flatMap(({ component, sources }) =>
    sources.flatMap((source) =>
      source.kind === 'answered' ? [] : [[component, source.id, source.kind, source.reason]],
    ),
  );
  if (troubles.length > 0)
    addTable('Sources that were not taken', ['component', 'source', 'what', 'why'], troubles);
  const news = results.flatMap(({ component, changes }) =>
    changesByKind(changes).map(({ kind, versions }) => [component, kind, versions]),
  );
  addTable('News', ['component', 'what', 'versions'], news, 'Nothing new.');
  addTable('Components', components.headings, components.rows);
  await summary.write();
}

/** A table under a heading, or a sentence instead of it where there are no rows. */
export async function writeTableSummary(
  title: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  nothing: string,
): Promise<void> {
  addTable(title, headings, rows, nothing, 2);
  await summary.write();
}

/** For the conditions of later steps of the job. */
export function writeOutputs(outputs: Readonly<Record<string, boolean>>): void {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

function addTable(
  title: string,
  headings: readonly string[],
  rows: Table['rows'],
  nothing?: string,
  level = 3,
): void {
  summary.addHeading(title, level);
  if (rows.length === 0 && nothing !== undefined) summary.addRaw(nothing, true);
  else
    summary.addTable([
      headings.map((data) => ({ data, header: true })),
      ...rows.map((row) => row.map((cell) => escape(String(cell)))),
    ]);
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replaceAll(/\s+/g, ' ');
}
