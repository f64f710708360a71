import { isDeepStrictEqual } from 'node:util';
import {
  judgePair,
  listCovering,
  listStatementsOn,
  describeBounds,
  describeStatement,
} from '../../../core/model/pair-answers.ts';
import type { Version } from '../../../core/model/version.ts';
import type { Compatibility } from '../../../core/schemas/definition/works-with.ts';
import { formatRange } from '../../../core/text/wording.ts';
import {
  divideReleases,
  findCompanion,
  listConflicts,
  listPairs,
  type Partner,
  type PartnerPair,
  type Partners,
} from '../../../decide/partners.ts';

const maxRows = 8;
const maxNeeds = 6;

/** The table "Works with", by the lines of the component; undefined if nothing goes with it. */
export function createWorksWithView(component: string, partners: Partners): object | undefined {
  const partner = partners.get(component);
  if (!partner) {
    return undefined;
  }

  const pairs = listPairs(partner, partners);
  const table = describeTable(partner, pairs);
  return table.rows.length > 0 ? { ...table, needs: listFeatureNeeds(partner, pairs) } : undefined;
}

type Cell = ReturnType<typeof describeCell>;

/** Lines or releases with equal statements. */
interface TableRow {
  readonly oldest: string;
  readonly newest: string;
  readonly cells: readonly Cell[];
}

/**
 * A row for each of the newest lines with statements, or for several that go with the same, and a column for each component
 * that something goes with.
 */
function describeTable(partner: Partner, pairs: readonly PartnerPair[]) {
  const newestFirst = partner.lines.toReversed();
  const rows = mergeEqual(newestFirst.flatMap((line) => describeLine(line, partner, pairs)));
  const shown = rows.filter(hasStatedCell).slice(0, maxRows);
  const cells = shown.flatMap((row) => row.cells);
  const statedComponents = new Set(cells.filter(isStated).map(({ component }) => component));
  const isShown = ({ component }: { component: string }) => statedComponents.has(component);

  return {
    title: partner.title,
    others: pairs.map(({ other }) => other).filter(isShown),
    rows: shown.map((row) => ({
      label: formatRange(row.oldest, row.newest),
      cells: row.cells.filter(isShown),
    })),
    hasReleases: cells.some(({ needs, use }) => needs === undefined && use !== undefined),
    hasNewer: cells.some(({ newer }) => newer !== undefined),
    unstated: describeUnstated(rows),
  };
}

/** The lines above the first row that the table shows; empty if there are none. */
function describeUnstated(rows: readonly TableRow[]): string {
  const above = rows.slice(0, Math.max(0, rows.findIndex(hasStatedCell)));
  const [newest] = above;
  const oldest = above.at(-1);
  return newest && oldest ? formatRange(oldest.oldest, newest.newest) : '';
}

function hasStatedCell({ cells }: TableRow): boolean {
  return cells.some(isStated);
}

/** A row for each part of a line about which different things are stated, the newest first. */
function describeLine(
  line: Partner['lines'][number],
  partner: Partner,
  pairs: readonly PartnerPair[],
): TableRow[] {
  const others = pairs.map(({ other }) => other);
  const parts = divideReleases(line.releases, partner, others).toReversed();
  const rows = mergeEqual(
    parts.map((releases) => {
      const newest = releases.at(-1) ?? releases[0];
      return {
        oldest: releases[0].text,
        newest: newest.text,
        cells: pairs.map((pair) => describeCell(newest, pair)),
      };
    }),
  );

  // A row for all releases of a line has the name of the line.
  return rows.length === 1
    ? rows.map((row) => ({ ...row, oldest: line.name, newest: line.name }))
    : rows;
}

/** Neighbours with the same words share a row, with the address of the newest statement. */
function mergeEqual(rows: readonly TableRow[]): TableRow[] {
  const merged: TableRow[] = [];
  for (const row of rows) {
    const above = merged.at(-1);
    if (above && isDeepStrictEqual(describeWords(row), describeWords(above))) {
      merged[merged.length - 1] = { ...above, oldest: row.oldest };
    } else {
      merged.push(row);
    }
  }
  return merged;
}

function describeWords({ cells }: TableRow): object[] {
  return cells.map(({ url: _, ...words }) => words);
}

function isStated({ needs, use }: Cell): boolean {
  return needs !== undefined || use !== undefined;
}

/** What goes with a release, of one other component: the versions that it requires, otherwise the release to use with it. */
function describeCell(version: Version, pair: PartnerPair) {
  const { partner, other } = pair;
  const { component } = other;
  const entry = listCovering(listStatementsOn(partner.worksWith, component), version).find(
    ({ statement }) => statement.feature === undefined && statement.recommended === undefined,
  );
  const { greatest, recommended, newer } = findCompanion(pair, version) ?? {};
  const refusal = describeRefusal(version, pair);

  return {
    component,
    needs: entry && describeBounds(entry.statement),
    // The address of the statement behind `needs` or `refusal`.
    url: entry?.statement.url ?? refusal.url,
    use: recommended ?? greatest,
    isRecommended: recommended !== undefined,
    newer,
    refusal: refusal.text,
  };
}

/** The oldest release that needs a newer version of the line's component, `2.4.0 needs 2026.1 or later`; `none` if all are refused. */
function describeRefusal(version: Version, pair: PartnerPair) {
  const { component, lines } = pair.other;
  const conflicts = listConflicts(pair, version);

  for (const { text } of conflicts) {
    const release = { component, version: text };
    const match = judgePair(pair.partner, version.text, release).statements.find(
      ({ answer, statement, subject }) =>
        answer === 'bad' && subject.component === component && statement.from !== undefined,
    );
    if (match) {
      const { url } = match.statement;
      return { text: `${text} needs ${describeBounds(match.statement)}`, url };
    }
  }

  const releases = lines.flatMap((line) => line.releases);
  return { text: conflicts.length === releases.length ? 'none' : '', url: undefined };
}

/** The needs of single features, which the table does not show. */
function listFeatureNeeds(partner: Partner, pairs: readonly PartnerPair[]) {
  const needs = pairs.flatMap(({ other }) => [
    ...describeFeatures(listStatementsOn(partner.worksWith, other.component), partner, other),
    ...describeFeatures(listStatementsOn(partner.statedBy, other.component), other, partner),
  ]);
  return needs.slice(0, maxNeeds);
}

function describeFeatures(entries: readonly Compatibility[], { title }: Partner, about: Partner) {
  return entries
    .filter(({ feature }) => feature !== undefined)
    .map((entry) => ({ text: describeStatement(entry, title, about.title), url: entry.url }));
}
