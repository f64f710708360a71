import { byDayNewestFirst } from '../policy/changes.ts';
import type { Change } from '../policy/change.ts';
import type { SiteFile } from './site-context.ts';

/** How many changes `changes.json` holds. */
export const maxChanges = 1000;

/** Hosts take files up to 25 MiB: of a year with more changes than that, the oldest are left out. */
const maxYearLength = 20 * 2 ** 20;

/** The changes of all components, taken up one component after the other. */
export interface ChangeLog {
  add(changes: readonly Change[]): void;
  /** Newest first; changes of one day stay in the order in which they were added. */
  newest(): readonly Change[];
  /** `changes/<year>.json` for every year in which something changed. */
  yearFiles(): SiteFile[];
}

/** Holds the newest as they are, and all others as the lines that will be written, because there may be a million of them. */
export function openChangeLog(): ChangeLog {
  let newest: Change[] = [];
  const years = new Map<string, YearLine[]>();
  const cut = () => (newest = newest.toSorted(byDayNewestFirst).slice(0, maxChanges));
  return {
    add(changes) {
      newest.push(...changes.slice(0, maxChanges));
      if (newest.length > 10 * maxChanges) cut();
      for (const change of changes) {
        const year = change.on.slice(0, 4);
        const line = { on: change.on, text: JSON.stringify(change) };
        const lines = years.get(year);
        if (lines) lines.push(line);
        else years.set(year, [line]);
      }
    },
    newest: cut,
    yearFiles: () =>
      Array.from(years, ([year, lines]) => ({ path: `changes/${year}.json`, body: renderYear(lines) })),
  };
}

interface YearLine {
  readonly on: Change['on'];
  readonly text: string;
}

function renderYear(lines: readonly YearLine[]): string {
  const texts = lines.toSorted(byDayNewestFirst).map(({ text }) => text);
  let length = 0;
  const tooMany = texts.findIndex((text) => (length += Buffer.byteLength(text) + 2) > maxYearLength);
  return renderLines(tooMany === -1 ? texts : texts.slice(0, tooMany));
}

/** `changes.json`. */
export function renderChangesFile(changes: readonly Change[]): string {
  return renderLines(changes.map((change) => JSON.stringify(change)));
}

function renderLines(texts: readonly string[]): string {
  return texts.length === 0 ? '{"changes": []}\n' : `{"changes": [\n${texts.join(',\n')}\n]}\n`;
}
