import { dayOf } from '../../dates.ts';
import type { JudgedLine, JudgedRelease } from '../../policy/judge.ts';
import type { Reason } from '../../policy/reason.ts';
import { releaseAnchor } from '../anchors.ts';
import { statusOf, type ReleaseStatus } from '../details-file.ts';
import { basisOf, counted, endSentence } from './words.ts';

/** A row of a table of releases, ready to be shown. */
interface ReleaseRow {
  anchor: string;
  version: string;
  line: string;
  /** Empty where it is not known. */
  day: string;
  basis: string;
  status: ReleaseStatus;
  isPrerelease: boolean;
  why: string;
  /** Where reasons can be read about. */
  links: string[];
  /** Empty where there is none. */
  changelogUrl: string;
}

/** The releases of a line that stand together, newest first. */
interface ReleaseGroup {
  rows: ReleaseRow[];
}

export interface ReleaseTable {
  id: string;
  caption: string;
  /** How many releases, in words. */
  size: string;
  groups: ReleaseGroup[];
}

export interface ReleaseTables {
  /** What most people look for, at most `maxOpenRows` releases. */
  open: ReleaseTable;
  /** The rest, closed until somebody asks for it. */
  closed: ReleaseTable[];
}

const maxOpenRows = 40;

/** Supported lines first; what is too much for a first look, and what is not supported any more, comes closed. */
export function releaseTables(lines: readonly JudgedLine[]): ReleaseTables {
  const newestFirst = lines.toReversed();
  const supported = newestFirst.filter(isLineSupported);
  const unsupported = newestFirst.filter((line) => !isLineSupported(line));
  const isSupported = supported.length > 0;
  const [shown, more] = splitAfter(isSupported ? supported : unsupported, maxOpenRows);
  const kind = isSupported ? 'supported' : 'unsupported';
  const closed = [
    tableOf('older-releases', `Older releases of ${kind} lines`, more),
    ...(isSupported
      ? [tableOf('unsupported-releases', 'Releases of unsupported lines', unsupported.map(group))]
      : []),
  ];
  return {
    open: tableOf(
      'newest-releases',
      isSupported ? 'Releases of supported lines' : 'Newest releases, none of them supported',
      shown,
    ),
    closed: closed.filter((table) => table.groups.length > 0),
  };
}

/** A line of which nothing is left that one should use is not supported, whatever the policy says. */
export function isLineSupported(line: JudgedLine): boolean {
  return line.isSupported && line.releases.some((release) => !release.isDeprecated);
}

type Group = readonly JudgedRelease[];

function group(line: JudgedLine): Group {
  return line.releases.toReversed();
}

/**
 * The lines that fit into the first `limit` releases, and the others. Where already the first line is larger, it is
 * divided.
 */
function splitAfter(lines: readonly JudgedLine[], limit: number): [Group[], Group[]] {
  const groups = lines.map(group);
  let fitting = 0;
  for (let left = limit; fitting < groups.length; fitting += 1) {
    left -= groups[fitting]!.length;
    if (left < 0) break;
  }
  const [first, ...rest] = groups;
  if (fitting > 0 || !first) return [groups.slice(0, fitting), groups.slice(fitting)];
  return [[first.slice(0, limit)], [first.slice(limit), ...rest]];
}

function tableOf(id: string, caption: string, groups: readonly Group[]): ReleaseTable {
  const releases = groups.reduce((sum, members) => sum + members.length, 0);
  return {
    id,
    caption,
    size: counted(releases, 'release'),
    groups: groups.map((members) => ({ rows: members.map(rowOf) })),
  };
}

function rowOf(release: JudgedRelease): ReleaseRow {
  const { version, line, releaseTimestamp, isPrerelease, reasons, changelogUrl = '' } = release;
  return {
    anchor: releaseAnchor(version),
    version,
    line,
    day: releaseTimestamp === undefined ? '' : dayOf(releaseTimestamp),
    basis: basisOf(release.timestampKind),
    status: statusOf(release),
    isPrerelease,
    why: reasons.length > 0 ? reasons.map(reasonText).join(' ') : outlook(release.upcoming[0]),
    links: reasons.flatMap(({ url }) => url ?? []),
    changelogUrl,
  };
}

function reasonText({ text, from }: Reason): string {
  return `${endSentence(text)} ${from === undefined ? 'Since when is not stated.' : `Since ${from}.`}`;
}

/** What will happen to a release that one may still use. */
function outlook(next: Reason | undefined): string {
  if (!next) return 'No end stated.';
  if (next.rule === 'support policy') return `Leaves support on ${next.from}.`;
  return `Deprecated from ${next.from} on: ${endSentence(next.text)}`;
}
