import { isLineSupported, type JudgedLine, type JudgedRelease } from '../../policy/judge.ts';
import { counted } from '../../text.ts';

export interface ReleaseTable {
  id: string;
  caption: string;
  /** How many releases, in words. */
  size: string;
  /** The releases of a line that stand together, newest first. */
  groups: readonly Group[];
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

export type Group = readonly JudgedRelease[];

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
    groups,
  };
}
