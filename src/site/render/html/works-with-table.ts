import { isDeepStrictEqual } from 'node:util';
import { groupNeighbours } from '../../../core/model/objects.ts';
import { listCovering, listStatementsOn } from '../../../core/model/pair-answers.ts';
import { describeBounds, describeStatement } from '../../../core/model/pair-words.ts';
import type { Version } from '../../../core/model/version.ts';
import { formatRange } from '../../../core/text/wording.ts';
import {
  divideReleases,
  findCompanion,
  listConflicts,
  listPairs,
  type ComparedComponent,
  type PartnerPair,
  type ComparedComponents,
} from '../../../decide/partners.ts';

const maxRows = 8;
const maxNeeds = 6;

/**
 * The section "Works with": a table by the lines of the component, which has no rows if only needs of single features are stated.
 * Undefined if nothing is stated to go with it.
 */
export function createWorksWithView(name: string, comparedComponents: ComparedComponents) {
  const component = comparedComponents.get(name);
  if (!component) {
    return undefined;
  }

  const pairs = listPairs(component, comparedComponents);
  const table = createTable(component, pairs);
  const needs = listFeatureNeeds(component, pairs);
  return table.rows.length + needs.length > 0 ? { ...table, needs } : undefined;
}

/** A line, or neighbouring lines or releases with equal cells. */
interface TableRow {
  readonly oldest: string;
  readonly newest: string;
  /** One for each other component. */
  readonly cells: readonly Cell[];
}

/** The versions of another component that work with a release: `needs`, `use` or `refusal`, or none of them. */
interface Cell {
  readonly component: string;
  /** The versions that the release requires. */
  readonly needs?: string;
  /** The version to use with the release. */
  readonly use?: string;
  readonly isRecommended?: boolean;
  /** A version above `use` about which nothing is stated. */
  readonly newer?: string | undefined;
  /** Why no version is known to go with the release. */
  readonly refusal?: string;
  /** The address of the first statement behind `needs` or `refusal`. */
  readonly url?: string | undefined;
}

/** A row for each of the newest lines with statements, and a column for each component that a shown row says something about. */
function createTable(component: ComparedComponent, pairs: readonly PartnerPair[]) {
  const newestFirst = component.lines.toReversed();
  const rows = mergeEqual(newestFirst.flatMap((line) => createLineRows(line, component, pairs)));
  const shown = rows.filter(hasStatedCell).slice(0, maxRows);
  const [newest] = rows;
  const above = rows[rows.findIndex(hasStatedCell) - 1];
  const cells = shown.flatMap((row) => row.cells);
  const statedComponents = new Set(cells.filter(isStated).map(({ component }) => component));
  const isShown = (column: { component: string }) => statedComponents.has(column.component);

  return {
    title: component.title,
    others: pairs.map(({ partner }) => partner).filter(isShown),
    rows: shown.map((row) => ({
      label: formatRange(row.oldest, row.newest),
      cells: row.cells.filter(isShown),
    })),
    hasReleases: cells.some(({ use }) => use !== undefined),
    hasNewer: cells.some(({ newer }) => newer !== undefined),
    // The lines above the first row that the table shows; empty if there are none.
    unstated: newest && above ? formatRange(above.oldest, newest.newest) : '',
  };
}

function hasStatedCell({ cells }: TableRow): boolean {
  return cells.some(isStated);
}

function isStated({ needs, use }: Cell): boolean {
  return needs !== undefined || use !== undefined;
}

/** The rows of a line, newest first: a row of its own for each group of releases with different statements. */
function createLineRows(
  line: ComparedComponent['lines'][number],
  component: ComparedComponent,
  pairs: readonly PartnerPair[],
): TableRow[] {
  const partners = pairs.map(({ partner }) => partner);
  const groups = divideReleases(line.releases, component, partners).toReversed();
  const rows = mergeEqual(
    groups.map((releases) => {
      const newest = releases.at(-1) ?? releases[0];
      return {
        oldest: releases[0].text,
        newest: newest.text,
        cells: pairs.map((pair) => createCell(newest, pair)),
      };
    }),
  );

  // A row for all releases of a line has the name of the line.
  return rows.length === 1
    ? rows.map((row) => ({ ...row, oldest: line.name, newest: line.name }))
    : rows;
}

/** Neighbours with the same words become one row, with the addresses of the newest. */
function mergeEqual(rows: readonly TableRow[]): TableRow[] {
  const groups = groupNeighbours(rows, (row, newest) =>
    isDeepStrictEqual(omitUrls(row), omitUrls(newest)),
  );
  return groups.map((group) => ({ ...group[0], oldest: (group.at(-1) ?? group[0]).oldest }));
}

function omitUrls({ cells }: TableRow): object[] {
  return cells.map(({ url: _, ...words }) => words);
}

function createCell(version: Version, pair: PartnerPair): Cell {
  const { component } = pair.partner;
  const statements = listStatementsOn(pair.component.worksWith, component);
  const needs = listCovering(statements, version)
    .map(({ statement }) => statement)
    .filter(({ feature, recommended }) => feature === undefined && recommended === undefined);
  if (needs.length > 0) {
    // Every statement about the release applies.
    const bounds = new Set(needs.map(describeBounds));
    return { component, needs: [...bounds].join('; and '), url: needs[0]?.url };
  }

  const companion = findCompanion(pair, version);
  if (companion) {
    const { greatest, recommended, newer } = companion;
    const isRecommended = recommended !== undefined;
    return { component, use: recommended ?? greatest, isRecommended, newer };
  }

  return { component, ...findRefusal(version, pair) };
}

/**
 * Why no release of the partner goes with the version: the need of the oldest one that states the versions it needs, as
 * `2.4.0 needs 2026.1 or later`, or `none` if every release conflicts with it.
 */
function findRefusal(version: Version, pair: PartnerPair): Pick<Cell, 'refusal' | 'url'> {
  const { partner, segments } = pair;
  const conflicts = listConflicts(pair, version);

  for (const { releases, statements } of conflicts) {
    const match = statements.find(
      ({ answer, statement, subject }) =>
        answer === 'bad' && subject.component === partner.component && statement.from !== undefined,
    );
    if (match) {
      const { statement } = match;
      return {
        refusal: `${releases[0].text} needs ${describeBounds(statement)}`,
        url: statement.url,
      };
    }
  }

  return segments.length > 0 && conflicts.length === segments.length ? { refusal: 'none' } : {};
}

/** The needs of single features, which the table does not show. */
function listFeatureNeeds(component: ComparedComponent, pairs: readonly PartnerPair[]) {
  const needs = pairs.flatMap(({ partner }) => [
    ...describeFeatures(component, partner),
    ...describeFeatures(partner, component),
  ]);
  return needs.slice(0, maxNeeds);
}

/** The needs that one component states about another. */
function describeFeatures({ title, worksWith }: ComparedComponent, about: ComparedComponent) {
  return listStatementsOn(worksWith, about.component)
    .filter(({ feature }) => feature !== undefined)
    .map((entry) => ({ text: describeStatement(entry, title, about.title), url: entry.url }));
}
