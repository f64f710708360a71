import { isDeepStrictEqual } from 'node:util';
import {
  findStatements,
  listPartners,
  listStatementsFor,
} from '../../../core/model/pair-answers.ts';
import { describeBounds, describeStatement } from '../../../core/model/pair-words.ts';
import type { Version } from '../../../core/model/version.ts';
import type { Compatibility } from '../../../core/schemas/definition/works-with.ts';
import {
  judgePartner,
  type JudgedPartner,
  divideLine,
  type Partner,
  type Partners,
} from '../../../decide/partners.ts';

const maxRows = 8;
const maxNeeds = 6;

/** The table "Works with", by the lines of the component. */
export function createWorksWithView(component: string, partners: Partners): object {
  const partner = partners.get(component);
  if (!partner) {
    return { worksWith: undefined };
  }

  const others = listPartners(partner)
    .map((name) => partners.get(name))
    .filter((value) => value !== undefined);
  const table = describeTable(partner, others);
  const needs = describeNeeds(partner, others);
  return { worksWith: table.rows.length === 0 ? undefined : { ...table, needs } };
}

interface Cell {
  /** The versions that the line requires. */
  readonly needs: string | undefined;
  /** The address of the statement behind `needs` or `refusal`. */
  readonly url: string | undefined;
  readonly use: string | undefined;
  readonly isRecommended: boolean;
  readonly newer: string | undefined;
  /** Without a release to use: a release that needs a newer line, or that all are stated not to work. */
  readonly refusal: string;
}

interface Judged {
  readonly other: Partner;
  readonly pairs: JudgedPartner;
}

/** Lines or releases about which the same is stated. */
interface TableRow {
  readonly oldest: string;
  readonly newest: string;
  readonly cells: readonly Cell[];
}

/**
 * A row for each of the newest lines with statements, or for several that go with the same, and a column for each component
 * that something goes with.
 */
function describeTable(partner: Partner, others: readonly Partner[]) {
  const lines = partner.lines.toReversed();
  const judged = others.map((other) => ({ other, pairs: judgePartner(partner, other) }));
  const rows = mergeSame(lines.flatMap((line) => describeRows(line, partner, judged)));
  const start = rows.findIndex(hasUse);
  const shown = rows.filter(hasUse).slice(0, maxRows);
  const isUsed = others.map((_, index) => shown.some(({ cells }) => isUsable(cells[index]!)));

  return {
    title: partner.title,
    others: others.filter((_, index) => isUsed[index]),
    rows: shown.map((row) => ({
      label: describeLabel(row.oldest, row.newest),
      cells: row.cells.filter((_, index) => isUsed[index]),
    })),
    hasReleases: shown.some(({ cells }) =>
      cells.some(({ needs, use }) => needs === undefined && use !== undefined),
    ),
    hasNewer: shown.some(({ cells }) => cells.some(({ newer }) => newer !== undefined)),
    unstated: start > 0 ? describeLabel(rows[start - 1]!.oldest, rows[0]!.newest) : '',
  };
}

/** A row for each part of a line about which different things are stated, the newest first. */
function describeRows(line: Partner['lines'][number], partner: Partner, judged: readonly Judged[]) {
  const others = judged.map(({ other }) => other);
  const parts = divideLine(line, partner, others).toReversed();
  const rows = parts.map((part): TableRow => {
    const last = part.at(-1)!;
    return {
      oldest: part[0].text,
      newest: last.text,
      cells: judged.map((each) => describeCell(partner, last, each)),
    };
  });
  const merged = mergeSame(rows);
  return merged.length === 1
    ? merged.map((row) => ({ ...row, oldest: line.name, newest: line.name }))
    : merged;
}

/** Neighbours with the same words share a row, with the address of the newest statement. */
function mergeSame(rows: readonly TableRow[]): TableRow[] {
  const merged: TableRow[] = [];
  for (const row of rows) {
    const before = merged.at(-1);
    if (before && isDeepStrictEqual(describeWords(row), describeWords(before))) {
      merged[merged.length - 1] = { ...before, oldest: row.oldest };
    } else {
      merged.push(row);
    }
  }
  return merged;
}

function describeWords({ cells }: TableRow): object[] {
  return cells.map(({ url: _, ...words }) => words);
}

function hasUse({ cells }: TableRow): boolean {
  return cells.some(isUsable);
}

function describeLabel(oldest: string, newest: string): string {
  return oldest === newest ? oldest : `${oldest} to ${newest}`;
}

function isUsable({ needs, use }: Cell): boolean {
  return needs !== undefined || use !== undefined;
}

/** The versions that the line requires, otherwise the release to use with it. */
function describeCell(partner: Partner, version: Version, { other, pairs }: Judged): Cell {
  const entry = listStatementsFor(version, partner.worksWith?.[other.component]).find(
    ({ statement }) => statement.feature === undefined && statement.recommended === undefined,
  );
  const { greatest, recommended, newer } = pairs.findCompanion(version) ?? {};
  const refusal = describeRefusal(partner, version, { other, pairs });

  return {
    needs: entry && describeBounds(entry.statement),
    url: entry?.statement.url ?? refusal.url,
    use: recommended ?? greatest,
    isRecommended: recommended !== undefined,
    newer,
    refusal: refusal.text,
  };
}

/** The oldest release that needs a newer version of the line's component, `2.4.0 needs 2026.1 or later`; `none` if all are refused. */
function describeRefusal(partner: Partner, version: Version, { other, pairs }: Judged) {
  const conflicts = pairs.listConflicts(version);

  for (const { text } of conflicts) {
    const pair = { component: other.component, version: text };
    const match = findStatements(partner, version.text, pair).statements.find(
      ({ answer, statement, subject }) =>
        answer === 'bad' && subject.component === other.component && statement.from !== undefined,
    );
    if (match) {
      const { url } = match.statement;
      return { text: `${text} needs ${describeBounds(match.statement)}`, url };
    }
  }

  const releases = other.lines.flatMap((line) => line.releases);
  return { text: conflicts.length === releases.length ? 'none' : '', url: undefined };
}

/** The needs of single features, which the table does not show. */
function describeNeeds(partner: Partner, others: readonly Partner[]) {
  const needs = others.flatMap((other) => [
    ...describeFeatures(partner.worksWith?.[other.component], partner, other),
    ...describeFeatures(partner.statedBy?.[other.component], other, partner),
  ]);
  return needs.slice(0, maxNeeds);
}

function describeFeatures(entries: readonly Compatibility[] = [], from: Partner, about: Partner) {
  return entries
    .filter(({ feature }) => feature !== undefined)
    .map((entry) => ({ text: describeStatement(entry, from.title, about.title), url: entry.url }));
}
