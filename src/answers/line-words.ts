import { isLineOpen, type JudgedLine } from '../policy/judge.ts';
import { counted, sentence } from '../text.ts';

export type LineStatus = 'supported' | 'listed' | 'deprecated' | 'unsupported';

/** The verdict on a release line in a word. */
export function lineStatus(line: JudgedLine): LineStatus {
  if (line.isSupported === false) return 'unsupported';
  if (!isLineOpen(line)) return 'deprecated';
  return line.isSupported ? 'supported' : 'listed';
}

/** How long a release line is supported, in a few words. */
export function supportInShort(line: JudgedLine): string {
  const { eolFrom } = line;
  const status = lineStatus(line);
  switch (status) {
    case 'unsupported':
      return eolFrom === undefined ? 'not supported' : `left support on ${eolFrom}`;
    case 'supported':
      return eolFrom === undefined ? 'supported, no end stated' : `leaves support on ${eolFrom}`;
    case 'deprecated':
    case 'listed':
      return eolFrom === undefined ? status : `${status}, leaves support on ${eolFrom}`;
  }
}

/** The same in a sentence, with the reason where there is no day. */
export function supportSentence(line: JudgedLine): string {
  const { eolFrom, reason } = line;
  const status = lineStatus(line);
  if (status === 'listed') return 'No support policy covers it.';
  if (status === 'unsupported') {
    if (eolFrom !== undefined) return `Left support on ${eolFrom}.`;
    return reason ? sentence(reason.text) : 'Since when is not stated.';
  }
  const verdict = status === 'deprecated' ? 'Every release of it is deprecated. ' : '';
  if (eolFrom !== undefined) return `${verdict}Leaves support on ${eolFrom}.`;
  return verdict === '' ? 'No end of its support is stated.' : verdict.trim();
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

/** Which lines are open, in a sentence. `open`: newest first; `all`: how many lines there are. */
export function openLines(open: readonly JudgedLine[], all: number): string {
  const newest = open[0]?.name;
  const oldest = open.at(-1)?.name;
  if (all === 0) return 'No release line is known yet.';
  if (newest === undefined) return 'Every release of every line is deprecated.';
  if (open.length === 1) return `Release line ${newest}.`;
  return `${counted(open.length, 'release line')}, ${oldest} to ${newest}.`;
}
