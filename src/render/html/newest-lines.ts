import type { JudgedLine } from '../../policy/judge.ts';

/** A row takes up to a kilobyte, and hosts take files up to 25 MiB. */
const maxRows = 20_000;

/** The lines of the newest releases, oldest line first, and how many older releases a page has no room for. */
export function newestLines(
  lines: readonly JudgedLine[],
  limit = maxRows,
): { shown: JudgedLine[]; leftOut: number } {
  const shown: JudgedLine[] = [];
  let room = limit;
  let leftOut = 0;
  for (const line of lines.toReversed()) {
    const kept = room >= line.releases.length ? line.releases : room > 0 ? line.releases.slice(-room) : [];
    room -= kept.length;
    leftOut += line.releases.length - kept.length;
    if (kept.length > 0) shown.push(kept === line.releases ? line : { ...line, releases: kept });
  }
  return { shown: shown.reverse(), leftOut };
}
