import { setWith } from '../../../core/compatible-set.ts';
import type { SetPart } from '../../../core/schemas/published/compatible-set.ts';
import { parseVersion } from '../../../core/version.ts';
import {
  boundsInWords,
  entriesFor,
  partnersOf,
  statementInWords,
} from '../../../core/works-with.ts';
import { versionOfLine, type Partner, type Partners } from '../../../decide/compatibility.ts';

const maxRows = 8;
const maxStatements = 12;

/** The tables "Works with": by the lines of the component, and by the lines of components in its statements. */
export function worksWithView(component: string, partners: Partners): object {
  const own = partners.get(component);
  if (!own) {
    return { worksWith: undefined };
  }
  const others = partnersOf(own).flatMap((name) => partners.get(name) ?? []);
  const tables = [
    tableOf(own, others, partners),
    ...others
      .filter(({ component }) => own.worksWith?.[component])
      .map((other) => tableOf(other, [own], partners)),
  ].filter(({ rows }) => rows.length > 0);
  return {
    worksWith: tables.length === 0 ? undefined : { tables, statements: statementsOf(own, others) },
  };
}

/** A row for each of the newest lines with statements, and a cell for each other component. */
function tableOf(partner: Partner, others: readonly Partner[], partners: Partners) {
  const rows = partner.lines.toReversed().flatMap((line) => {
    const given = versionOfLine(partner, line);
    const found = setWith([given], partners);
    const cells = others.map((other) => cellOf(partner, given.version, other, found));
    return cells.some(({ isStated }) => isStated) ? [{ line: line.name, cells }] : [];
  });
  return {
    title: partner.title,
    others: others.map(({ component, title }) => ({ component, title })),
    rows: rows.slice(0, maxRows),
    more: rows.length > maxRows,
  };
}

/** The versions that the line requires, otherwise the release to use with it. */
function cellOf(partner: Partner, version: string, other: Partner, { set, without }: SetPart) {
  const needs = entriesFor(parseVersion(version)!, partner.worksWith?.[other.component]).find(
    ({ stated }) => stated.feature === undefined && stated.recommended === undefined,
  );
  const isOther = ({ component }: { component: string }) => component === other.component;
  const use = needs ? undefined : set.find(isOther);
  return {
    isStated: needs !== undefined || use !== undefined || without.some(isOther),
    needs: needs && boundsInWords(needs.stated),
    use: use?.version,
    isRecommended: use?.isRecommended,
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
