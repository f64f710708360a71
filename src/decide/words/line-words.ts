import { isLineOpen, isLineSupported, type JudgedLine } from '../judge.ts';
import type { UndatedEnd } from '../undated-end.ts';
import { counted, countedInWords, listed } from '../../core/text.ts';

export type LineStatus = 'supported' | 'listed' | 'deprecated' | 'unsupported';

/** The verdict on a release line in a word. */
export function lineStatus(line: JudgedLine): LineStatus {
  if (line.isSupported === false) return 'unsupported';
  if (!isLineOpen(line)) return 'deprecated';
  return line.isSupported ? 'supported' : 'listed';
}

/** How long a release line is supported, in a few words. */
export function supportInShort(line: JudgedLine): string {
  const { eolFrom, undatedEnd } = line;
  const status = lineStatus(line);
  switch (status) {
    case 'unsupported':
      return eolFrom === undefined ? 'ended' : `ended on ${eolFrom}`;
    case 'supported':
      if (eolFrom !== undefined) return `supported until ${eolFrom}`;
      return undatedEnd ? `supported, ${describeUndatedEnd(undatedEnd)}` : 'supported';
    case 'deprecated':
    case 'listed':
      return eolFrom === undefined ? status : `${status}, supported until ${eolFrom}`;
  }
}

/** What is certain of an end without a day, in a few words. */
export function describeUndatedEnd(end: UndatedEnd): string {
  if (end.kind === 'next line') return 'leaves with the next line';
  const words = `${countedInWords(end.months, 'month')} from its day, which no source states`;
  return end.notBefore === undefined ? words : `${words}; not before ${end.notBefore}`;
}

/** What leaves support as soon as one more release line appears, in a sentence; empty where nothing does. */
export function endWithNextLine(lines: readonly JudgedLine[]): string {
  const leaving = lines.filter((line) => isLineSupported(line) && line.undatedEnd?.kind === 'next line');
  if (leaving.length === 0) return '';
  const names = leaving.map(({ name }) => name);
  return `${listed(names, 3)} ${names.length === 1 ? 'leaves' : 'leave'} support with the next release line.`;
}

/** When it began, its newest release and how many it has. */
export function lineFacts({ firstReleaseDay, releases }: JudgedLine): string {
  const first =
    firstReleaseDay === undefined ? 'First release on an unknown day' : `First release ${firstReleaseDay}`;
  return `${first}, newest is ${newestRelease(releases).version}, ${counted(releases.length, 'release')}.`;
}

/** The newest release of a line; a prerelease only where it has nothing else. */
export function newestRelease<R extends { isPrerelease: boolean }>(releases: readonly R[]): R {
  return releases.findLast((release) => !release.isPrerelease) ?? releases.at(-1)!;
}

/** From which to which release line, oldest first; empty where there is none. */
export function lineRange(lines: readonly JudgedLine[]): string {
  const [oldest, newest] = [lines[0]?.name, lines.at(-1)?.name];
  if (oldest === undefined) return '';
  return oldest === newest ? oldest : `${oldest} to ${newest}`;
}
