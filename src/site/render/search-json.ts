import { upcomingChanges } from '../../decide/upcoming-changes.ts';
import type { Judgement } from '../../decide/judge.ts';
import { shareByLine } from '../../ask/compact-details.ts';
import { mostlyFalse, type CompactComponent, type CompactLine } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';

/**
 * The entry of a component in `search.json`: a line of text for each release, so that a diff shows single ones. It has no
 * freshness and nothing that depends on the day of a query: the file changes only with its data.
 */
export function renderSearchedComponent(
  { lines, ...shared }: CompactComponent,
  judgement: Judgement,
): string {
  const coming = upcomingChanges(judgement);
  const fields = JSON.stringify({ ...shared, ...(coming.length > 0 && { coming }) }).slice(0, -1);
  return `${fields},"lines":[${lines.map(renderLine).join(',')}]}\n`;
}

/**
 * Its entry in `lines.json`: the latest release of each supported line, the greatest one where all of them are deprecated, and
 * the latest of the component.
 */
export function renderLatestOfLines({ lines, ...shared }: CompactComponent): string {
  const latest = lines.flatMap(({ releases, ...ofLine }) => {
    const latestOfLine = releases.filter(({ isLatestOfLine }) => isLatestOfLine);
    const candidates = latestOfLine.length > 0 ? latestOfLine : releases.slice(-1);
    const kept = candidates
      .map((own) => ({ ...ofLine, ...own }))
      .filter(({ isSupported, supportedUntil, isLatest }) => (isSupported ?? supportedUntil) || isLatest);
    return kept.length > 0 ? shareByLine(ofLine.line!, kept) : [];
  });
  return `${JSON.stringify(shared).slice(0, -1)},"lines":[${latest.map(renderLine).join(',')}]}\n`;
}

function renderLine({ releases, ...shared }: CompactLine): string {
  const rows = releases.map((row) => `\n${JSON.stringify(withoutFalseFlags(row))}`);
  return `\n${JSON.stringify(withoutFalseFlags(shared)).slice(0, -1)},"releases":[${rows.join(',')}]}`;
}

function withoutFalseFlags(row: Row): Row {
  const kept: Record<string, unknown> = {};
  for (const name in row) {
    const value = row[name as keyof Row];
    if (value !== false || !(name in mostlyFalse)) kept[name] = value;
  }
  return kept;
}
