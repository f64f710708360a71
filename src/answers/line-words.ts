import { isLineSupported, type JudgedLine } from '../policy/judge.ts';
import { counted, sentence } from '../text.ts';

/** How long a release line is supported, in a few words. */
export function supportInShort(line: JudgedLine): string {
  const { eolFrom, isSupported } = line;
  if (isLineSupported(line)) {
    return eolFrom === undefined ? 'supported, no end stated' : `supported until ${eolFrom}`;
  }
  if (isSupported) return 'deprecated';
  return eolFrom === undefined ? 'not supported' : `support ended ${eolFrom}`;
}

/** The same in a sentence, with the reason where there is no day. */
export function supportSentence(line: JudgedLine): string {
  const { eolFrom, isSupported, reason } = line;
  if (isLineSupported(line)) {
    return eolFrom === undefined ? 'No end of its support is stated.' : `Leaves support on ${eolFrom}.`;
  }
  if (isSupported) return 'Every release of it is deprecated.';
  if (eolFrom !== undefined) return `Left support on ${eolFrom}.`;
  return reason ? sentence(reason.text) : 'Since when is not stated.';
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

/** Which lines are supported, in a sentence. `supported`: newest first; `all`: how many lines there are. */
export function supportedLines(supported: readonly JudgedLine[], all: number): string {
  const newest = supported[0]?.name;
  const oldest = supported.at(-1)?.name;
  if (all === 0) return 'No release line is known yet.';
  if (newest === undefined) return 'No release line is supported.';
  if (supported.length === 1) return `Release line ${newest}.`;
  return `${counted(supported.length, 'release line')}, ${oldest} to ${newest}.`;
}

/** That these supported lines have no known end, in a few words. */
export function noEndStated(lines: readonly { name: string }[]): string {
  return `${lines.length === 1 ? lines[0]!.name : counted(lines.length, 'release line')}: no end stated`;
}
