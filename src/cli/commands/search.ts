import { readFileSync } from 'node:fs';
import { foundInWords } from '../../ask/found.ts';
import { dayOf } from '../../core/dates.ts';
import { answeredRow } from '../../core/query/ages.ts';
import { fields, type Row } from '../../core/query/fields.ts';
import { matches } from '../../core/query/match.ts';
import { parseQuery, type Query } from '../../core/query/parse.ts';
import { pointAt, QueryError } from '../../core/query/query-error.ts';
import { UsageError, type Invocation } from './command.ts';
import type { Table } from './report.ts';
import { checkoutRows, publishedRows } from './searched-rows.ts';
import { siteUrlOf } from './site-url.ts';

interface Answer {
  query: string;
  releases: Row[];
}

export async function search(invocation: Invocation): Promise<number> {
  const { options, day, report } = invocation;
  if (options['csv'] === true && options['json'] === true) {
    throw new UsageError('search takes --csv or --json, not both');
  }
  const isList = options['queries'] !== undefined;
  const queries = parseQueries(invocation);
  const index = siteUrlOf('--index', options['index']);
  const found = index === undefined ? checkoutRows(invocation) : await publishedRows(invocation, index);
  const rows = found.map((row) => answeredRow(row, day));
  const answers: Answer[] = queries.map(({ text, query }) => ({
    query: text,
    releases: rows.filter((row) => matches(query, row)),
  }));

  if (options['csv'] === true) {
    for (const line of csvOf(answers, isList)) report.line(line);
  } else {
    for (const { query, releases } of answers) {
      if (isList) report.line(query);
      if (releases.length > 0) report.table(tableOf(releases));
      report.line(foundInWords(releases));
      if (isList) report.line('');
    }
  }
  report.result(isList ? answers : answers[0]!.releases);
  const isEmpty = answers.some(({ releases }) => releases.length === 0);
  return isEmpty && options['fail-empty'] === true ? 1 : 0;
}

/** Every query that cannot be read is told, and then none is answered. */
function parseQueries({ arguments: [argument], options, day }: Invocation): { text: string; query: Query }[] {
  const file = options['queries'];
  if ((argument === undefined) === (file === undefined)) {
    throw new UsageError(
      `search takes <query>, or --queries FILE; got ${argument === undefined ? 'none' : 'both'}`,
    );
  }
  const wrong: string[] = [];
  const parsed = textsOf(argument, file).flatMap(({ text, place }) => {
    try {
      return [{ text, query: parseQuery(text, day) }];
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      wrong.push(
        `${place}: ${error.message}`,
        ...pointAt(text, error)
          .split('\n')
          .map((line) => `  ${line}`),
      );
      return [];
    }
  });
  if (wrong.length > 0) throw new UsageError(...wrong);
  return parsed;
}

function textsOf(argument: string | undefined, file: Invocation['options'][string]) {
  if (argument !== undefined) return [{ text: argument, place: 'query' }];
  return readFileSync(String(file), 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((text, index) => ({ text, place: `${file}: line ${index + 1}` }))
    .filter(({ text }) => text.trim() !== '');
}

function tableOf(releases: readonly Row[]): Table {
  return {
    headings: ['component', 'version', 'status', 'released', 'leaves support', 'latest of'],
    rows: releases.map((row) => {
      const released = row.releaseTimestamp && dayOf(row.releaseTimestamp);
      const latestOf = row.isLatest ? 'component' : row.isLatestOfLine ? row.line : undefined;
      const cells = [row.component, row.version, row.status, released, row.supportedUntil, latestOf];
      return cells.map((cell) => String(cell ?? '-'));
    }),
  };
}

/** RFC 4180, but for its line ends: those of every other text here. */
function csvOf(answers: readonly Answer[], withQuery: boolean): string[] {
  const heading = [...(withQuery ? ['query'] : []), ...fields.map(({ name }) => name)];
  const rows = answers.flatMap(({ query, releases }) =>
    releases.map((row) => [
      ...(withQuery ? [query] : []),
      ...fields.map(({ name }) => row[name as keyof Row]),
    ]),
  );
  return [heading, ...rows].map((row) => row.map(csvCell).join(','));
}

function csvCell(value: Row[keyof Row]): string {
  const text =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([key, text]) => (Array.isArray(value) ? text : `${key}=${text}`))
          .join('; ')
      : String(value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
