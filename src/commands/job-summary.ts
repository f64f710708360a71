import { setOutput, summary } from '@actions/core';
import type { Day } from '../dates.ts';
import type { DailyReport } from '../daily/report.ts';
import { newsKinds } from '../daily/news.ts';
import type { GatheredComponent } from './gather-report.ts';
import type { Table } from './reporter.ts';

/** The summary of a GitHub workflow run: Markdown and HTML, so that every text from elsewhere is escaped. */
export async function writeDailySummary(report: DailyReport): Promise<void> {
  summary.addHeading(`Release index as of ${report.asOf}`, 2);
  if (report.attention.length > 0) {
    summary.addHeading('Needs attention', 3);
    summary.addTable([
      headings('what', 'about', 'why'),
      ...report.attention.map(({ kind, subject, message }) => [kind, subject, message].map(escape)),
    ]);
  }
  summary.addHeading('News', 3);
  if (report.news.length === 0) summary.addRaw('Nothing new.', true);
  else {
    const rows = report.news.flatMap((item) =>
      newsKinds
        .filter((kind) => item[kind].length > 0)
        .map((kind) => [item.component, kind, item[kind].join(', ')]),
    );
    summary.addTable([headings('component', 'what', 'versions'), ...rows.map((row) => row.map(escape))]);
  }
  if (report.publication) {
    summary.addHeading('Publication', 3);
    summary.addList([report.publication.outcome, ...report.publication.lines].map(escape));
  }
  summary.addHeading('Components', 3);
  summary.addTable([
    headings('component', 'latest', 'releases', 'freshness'),
    ...report.components.map(({ component, latest = '-', releases, state }) =>
      [component, latest, String(releases), state].map(escape),
    ),
  ]);
  await summary.write();
}

/** Of a run that only gathered: what is new, what waits for a person or did not answer, and how the index stands. */
export async function writeGatherSummary(
  day: Day,
  results: readonly GatheredComponent[],
  components: Table,
): Promise<void> {
  summary.addHeading(`Gathered on ${day}`, 2);
  const troubles = results.flatMap(({ component, sources }) =>
    sources.flatMap((source) =>
      source.kind === 'answered' ? [] : [[component, source.id, source.kind, source.reason]],
    ),
  );
  if (troubles.length > 0) {
    summary.addHeading('Sources that were not taken', 3);
    summary.addTable([
      headings('component', 'source', 'what', 'why'),
      ...troubles.map((row) => row.map(escape)),
    ]);
  }
  summary.addHeading('News', 3);
  const news = results.flatMap((result) =>
    result.news.map(({ kind, versions }) => [result.component, kind, versions]),
  );
  if (news.length === 0) summary.addRaw('Nothing new.', true);
  else summary.addTable([headings('component', 'what', 'versions'), ...news.map((row) => row.map(escape))]);
  summary.addHeading('Components', 3);
  summary.addTable([
    headings(...components.headings),
    ...components.rows.map((row) => row.map((cell) => escape(String(cell)))),
  ]);
  await summary.write();
}

/** A heading, and a table under it; or a sentence where there is nothing to tell. */
export async function writeTableSummary(
  title: string,
  names: readonly string[],
  rows: readonly (readonly string[])[],
  nothing: string,
): Promise<void> {
  summary.addHeading(title, 2);
  if (rows.length === 0) summary.addRaw(nothing, true);
  else summary.addTable([headings(...names), ...rows.map((row) => row.map(escape))]);
  await summary.write();
}

/** For the conditions of later steps of the job. */
export function writeOutputs(outputs: Readonly<Record<string, boolean>>): void {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

function headings(...names: string[]): { data: string; header: true }[] {
  return names.map((data) => ({ data, header: true }));
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replaceAll(/\s+/g, ' ');
}
