import { boundsInWords, partnersOf, statementInWords } from '../../../core/works-with.ts';
import {
  pairOf,
  releasesBeside,
  versionOfLine,
  type Partner,
  type PartnerLine,
  type Partners,
} from '../../../decide/compatibility.ts';
import type { Compatibility } from '../../../core/schemas/works-with.ts';

const maxRows = 8;
const maxStatements = 12;

/** The tables "Works with" of a component: by its own lines, and by the lines of each component that it states something about. */
export function worksWithView(component: string, partners: Partners): object {
  const own = partners.get(component);
  if (!own) return { worksWith: undefined };
  const others = partnersOf(own).flatMap((name) => partners.get(name) ?? []);
  const tables = [
    tableOf(own, others),
    ...others.filter(({ component }) => own.worksWith?.[component]).map((other) => tableOf(other, [own])),
  ].filter(({ rows }) => rows.length > 0);
  return {
    worksWith: tables.length === 0 ? undefined : { tables, statements: statementsOf(own, others) },
  };
}

/** A row for each of the newest lines of a component about which something is stated, with a cell for each of the others. */
function tableOf(partner: Partner, others: readonly Partner[]) {
  const rows = partner.lines.toReversed().flatMap((line) => {
    const cells = others.map((other) => cellOf(partner, line, other));
    return cells.some(({ isStated }) => isStated) ? [{ line: line.name, cells }] : [];
  });
  return {
    title: partner.title,
    others: others.map(({ component, title }) => ({ component, title })),
    rows: rows.slice(0, maxRows),
    more: rows.length > maxRows,
  };
}

/** What the line itself asks for, or else the greatest release of the other that works with it. */
function cellOf(partner: Partner, line: PartnerLine, other: Partner) {
  const version = versionOfLine(line);
  const { good } = releasesBeside(partner, line, other);
  const needs = partner.worksWith?.[other.component]?.filter(
    ({ feature, recommended }) => feature === undefined && recommended === undefined,
  );
  const [first] = (needs ?? []).filter((entry) => covers(partner, version, other, entry));
  return {
    isStated: first !== undefined || good !== undefined,
    needs: first ? boundsInWords(first) : '',
    good: first ? '' : (good ?? ''),
  };
}

/** Whether a statement is about this version. */
function covers(partner: Partner, version: string, other: Partner, entry: Compatibility): boolean {
  const alone = { ...partner, worksWith: { [other.component]: [entry] }, statedBy: {} };
  const bound = entry.from ?? entry.testedTo ?? '0';
  return pairOf(alone, version, other, bound).answer !== 'not-stated';
}

/** The newest statements with the addresses of their words. */
function statementsOf(own: Partner, others: readonly Partner[]) {
  const all = others.flatMap((other) => [
    ...(own.worksWith?.[other.component] ?? []).map((entry) => ({ entry, from: own, about: other })),
    ...(own.statedBy?.[other.component] ?? []).map((entry) => ({ entry, from: other, about: own })),
  ]);
  return all.slice(0, maxStatements).map(({ entry, from, about }) => ({
    text: statementInWords(entry, from.title, about.title),
    url: entry.url ?? '',
  }));
}
