import { byDayNewestFirst } from '../../decide/changes.ts';
import type { Change } from '../../decide/change.ts';
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
  /** Years with changes, newest first. */
  years(): readonly string[];
  /** `changes/<year>.json` for each of them. */
  yearFiles(): Iterable<SiteFile>;
}

/** Holds the newest as they are, and all as the bytes that will be written, because there may be a million of them. */
export function openChangeLog(): ChangeLog {
  let newest: Change[] = [];
  const years = new Map<string, Uint8Array[]>();
  const cut = () => (newest = newest.toSorted(byDayNewestFirst).slice(0, maxChanges));
  return {
    add(changes) {
      newest.push(...changes.slice(0, maxChanges));
      if (newest.length > 10 * maxChanges) cut();
      for (const [year, of] of Map.groupBy(changes, ({ on }) => on.slice(0, 4))) {
        const lines = of.map((change) => `${change.on}${JSON.stringify(change)}`);
        // Not as a Buffer: a small one keeps alive whatever small ones were made beside it.
        const bytes = new TextEncoder().encode(lines.join('\n'));
        const known = years.get(year);
        if (known) known.push(bytes);
        else years.set(year, [bytes]);
      }
    },
    newest: cut,
    years: () => [...years.keys()].sort().reverse(),
    *yearFiles() {
      for (const [year, parts] of years) yield { path: `changes/${year}.json`, body: renderYear(parts) };
    },
  };
}

/** Each part holds lines, and each of these begins with its day. */
function renderYear(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const texts = parts
    .flatMap((part) => decoder.decode(part).split('\n'))
    .map((line) => ({ on: line.slice(0, 10), text: line.slice(10) }))
    .sort(byDayNewestFirst)
    .map(({ text }) => text);
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
