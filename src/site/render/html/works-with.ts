import type { Version } from '../../../core/version.ts';
import {
  boundsInWords,
  entriesFor,
  partnersOf,
  statementInWords,
} from '../../../core/works-with.ts';
import {
  judgePartner,
  partsOfLine,
  type JudgedPartner,
  type Partner,
  type Partners,
} from '../../../decide/compatibility.ts';

const maxRows = 8;
const maxStatements = 12;

/** The table "Works with", by the lines of the component. */
export function worksWithView(component: string, partners: Partners): object {
  const own = partners.get(component);

  if (!own) {
    return { worksWith: undefined };
  }

  const others = partnersOf(own).flatMap((name) => partners.get(name) ?? []);
  const table = tableOf(own, others);
  const statements = statementsOf(own, others);

  return { worksWith: table.rows.length === 0 ? undefined : { ...table, statements } };
}

interface Cell {
  /** The versions that the line requires. */
  readonly needs: string | undefined;
  readonly use: string | undefined;
  readonly isRecommended: boolean;
  readonly newer: string | undefined;
  readonly isRefused: boolean;
}

interface TableRow {
  readonly label: string;
  readonly cells: readonly Cell[];
}

/** A row for each of the newest lines with statements, and a column for each component that something goes with. */
function tableOf(partner: Partner, others: readonly Partner[]) {
  const judged = others.map((other) => ({ other, pairs: judgePartner(partner, other) }));
  const rows: TableRow[] = [];

  for (const line of partner.lines.toReversed()) {
    for (const [place, part] of partsOfLine(line, partner, others).toReversed().entries()) {
      const last = part.at(-1)!;
      const cells = judged.map(({ other, pairs }) => cellOf(partner, last, other, pairs));
      const label = place === 0 ? line.name : `${line.name}, up to ${last.text}`;

      if (cells.some(isUsable)) {
        rows.push({ label, cells });
      }
    }
  }

  const shown = rows.slice(0, maxRows);
  const isUsed = others.map((_, place) => shown.some(({ cells }) => isUsable(cells[place]!)));

  return {
    title: partner.title,
    others: others.filter((_, place) => isUsed[place]),
    rows: shown.map(({ label, cells }) => ({
      label,
      cells: cells.filter((_, place) => isUsed[place]),
    })),
    more: rows.length > maxRows,
  };
}

function isUsable({ needs, use }: Cell): boolean {
  return needs !== undefined || use !== undefined;
}

/** The versions that the line requires, otherwise the release to use with it. */
function cellOf(partner: Partner, version: Version, other: Partner, pairs: JudgedPartner): Cell {
  const required = entriesFor(version, partner.worksWith?.[other.component]).find(
    ({ stated }) => stated.feature === undefined && stated.recommended === undefined,
  );
  const { greatest, recommended, newer } = pairs.companionOf(version) ?? {};

  return {
    needs: required && boundsInWords(required.stated),
    use: recommended ?? greatest,
    isRecommended: recommended !== undefined,
    newer,
    isRefused: pairs.conflictsWith(version).length > 0,
  };
}

/** The newest statements with their sources. */
function statementsOf(own: Partner, others: readonly Partner[]) {
  const all = others.flatMap((other) => [
    ...(own.worksWith?.[other.component] ?? []).map((entry) => ({
      entry,
      from: own,
      about: other,
    })),
    ...(own.statedBy?.[other.component] ?? []).map((entry) => ({ entry, from: other, about: own })),
  ]);

  return all.slice(0, maxStatements).map(({ entry, from, about }) => ({
    text: statementInWords(entry, from.title, about.title),
    url: entry.url ?? '',
  }));
}
