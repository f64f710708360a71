import { upcomingChanges } from '../../decide/upcoming-changes.ts';
import { compactDetails } from '../../ask/compact-details.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { Judgement } from '../../decide/judge.ts';
import { mostlyFalse, type CompactLine } from '../../core/query/catalogue.ts';
import { fieldsHeldBy } from '../../core/query/fields.ts';

/** Fields that the releases of a line often share. */
const sharable = fieldsHeldBy('verdict');

/**
 * The entry of a component in `search.json`: a line of text for each release, so that a diff shows single ones. It has no
 * freshness and nothing that depends on the day of a query: the file changes only with its data.
 */
export function renderSearchedComponent(details: DetailsFile, judgement: Judgement): string {
  const { lines, ...shared } = compactDetails(details);
  const coming = upcomingChanges(judgement);
  const fields = JSON.stringify({ ...shared, ...(coming.length > 0 && { coming }) }).slice(0, -1);
  return `${fields},"lines":[${lines.map(renderLine).join(',')}]}\n`;
}

/**
 * Its entry in `lines.json`: the latest release of each supported line, the greatest one where all of them are deprecated, and
 * the latest of the component.
 */
export function renderLatestOfLines(details: DetailsFile): string {
  const { lines, ...shared } = compactDetails(details);
  const latest = lines.flatMap(({ line, releases }) => {
    const latestOfLine = releases.filter(({ isLatestOfLine }) => isLatestOfLine);
    const candidates = latestOfLine.length > 0 ? latestOfLine : releases.slice(-1);
    const kept = candidates.filter(({ isSupported, isLatest }) => isSupported || isLatest);
    return kept.length > 0 ? { line: line!, releases: kept } : [];
  });
  return `${JSON.stringify(shared).slice(0, -1)},"lines":[${latest.map(renderLine).join(',')}]}\n`;
}

function renderLine({ line, releases: rows }: CompactLine): string {
  const shared = sharable.filter((name) => {
    const first = rows[0]![name];
    const text = typeof first === 'object' ? JSON.stringify(first) : undefined;
    return rows.every(
      (row) => row[name] === first || (text !== undefined && JSON.stringify(row[name]) === text),
    );
  });
  const ofLine = shared.map((name) => [name, rows[0]![name]]);
  const releases = rows.map((row) =>
    Object.entries(row).filter(([name]) => !(shared as readonly string[]).includes(name)),
  );
  const fields = compact([['line', line], ...ofLine] as [string, unknown][]).slice(0, -1);
  return `\n${fields},"releases":[${releases.map((own) => `\n${compact(own)}`).join(',')}]}`;
}

function compact(entries: readonly [name: string, value: unknown][]): string {
  const kept = entries.filter(([name, value]) => value !== false || !(name in mostlyFalse));
  return JSON.stringify(Object.fromEntries(kept));
}
