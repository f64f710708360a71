import { upcomingChanges } from '../../decide/upcoming-changes.ts';
import type { Judgement } from '../../decide/judge.ts';
import { mostlyFalse, type CompactComponent, type CompactLine } from '../../core/query/catalogue.ts';
import { defined } from '../../core/text.ts';
import { fieldsHeldBy, type Row } from '../../core/query/fields.ts';

/** Fields that the releases of a line often share. */
const sharable = fieldsHeldBy('verdict');

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
  const latest = lines.flatMap(({ line, releases }) => {
    const latestOfLine = releases.filter(({ isLatestOfLine }) => isLatestOfLine);
    const candidates = latestOfLine.length > 0 ? latestOfLine : releases.slice(-1);
    const kept = candidates.filter(({ isSupported, isLatest }) => isSupported || isLatest);
    return kept.length > 0 ? { line: line!, releases: kept } : [];
  });
  return `${JSON.stringify(shared).slice(0, -1)},"lines":[${latest.map(renderLine).join(',')}]}\n`;
}

function renderLine({ line, releases: rows }: CompactLine): string {
  const shared: Row = defined({ line });
  for (const name of sharable) {
    const first = rows[0]![name];
    const text = typeof first === 'object' ? JSON.stringify(first) : undefined;
    const isShared = rows.every(
      (row) => row[name] === first || (text !== undefined && JSON.stringify(row[name]) === text),
    );
    if (isShared) Object.assign(shared, { [name]: first });
  }
  const releases = rows.map((row) => `\n${compact(row, shared)}`);
  return `\n${compact(shared).slice(0, -1)},"releases":[${releases.join(',')}]}`;
}

/** Without what is shared, and without flags that are false. */
function compact(row: Row, shared: Row = {}): string {
  const kept: Record<string, unknown> = {};
  for (const name in row) {
    const value = row[name as keyof Row];
    if (!(name in shared) && (value !== false || !(name in mostlyFalse))) kept[name] = value;
  }
  return JSON.stringify(kept);
}
