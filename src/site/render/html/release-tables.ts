import { ownReasonSentences, releaseStatus, shortReleaseVerdict } from '../../../decide/sentences.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import { counted } from '../../../core/text.ts';
import { releaseAnchor } from '../addresses.ts';

const maxOpenRows = 40;
/** More are a burden for a browser; `details/` has all. */
const maxRows = 300;

/**
 * Open lines first. Releases beyond a first look, and unsupported ones, are in closed tables. Each table has a group for each
 * line, newest first; `shown` is the number of releases in all.
 */
export function releaseTables(lines: readonly JudgedLine[]) {
  const newestFirst = lines.toReversed();
  const open = newestFirst.filter(isLineOpen);
  const others = newestFirst.filter((line) => !isLineOpen(line));
  const hasOpen = open.length > 0;
  const groups = { open: groupsOf(open), others: groupsOf(others) };
  const ofOpen = firstReleases(groups.open, maxRows);
  const ofOthers = firstReleases(groups.others, maxRows - sizeOf(ofOpen));
  const [shown, more] = splitAfter(hasOpen ? ofOpen : ofOthers, maxOpenRows);
  const notShown = sizeOf(hasOpen ? groups.open : groups.others) - sizeOf(shown);
  const hasPolicy = lines.some((line) => line.isSupported !== undefined);
  const [good, bad] = hasPolicy ? ['supported', 'unsupported'] : ['listed', 'deprecated'];
  const openCaption = hasOpen ? `Releases of ${good} lines` : 'Newest releases, all of them deprecated';
  const tables = [
    tableOf(openCaption, shown, sizeOf(shown)),
    tableOf(`Older releases of ${hasOpen ? good : bad} lines`, more, notShown),
    tableOf(`Releases of ${bad} lines`, hasOpen ? ofOthers : [], sizeOf(groups.others)),
  ] as const;
  const rows = tables.flatMap(({ groups }) => groups.flat());
  const [first, ...rest] = tables;
  return {
    open: first,
    closed: rest.filter((table) => table.groups.length > 0),
    shown: rows.length,
    anchors: new Set(rows.map(({ anchor }) => anchor)),
  };
}

type Group = readonly JudgedRelease[];

function groupsOf(lines: readonly JudgedLine[]): Group[] {
  return lines.map((line) => line.releases.toReversed());
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((sum, members) => sum + members.length, 0);
}

/** At most `limit` releases; the last line is cut if it does not fit. */
function firstReleases(groups: readonly Group[], limit: number): Group[] {
  let left = limit;
  return groups.flatMap((group) => {
    const fitting = group.slice(0, left);
    left -= fitting.length;
    return fitting.length > 0 ? [fitting] : [];
  });
}

/** The lines that fit into the first `limit` releases, and the others. A first line that is larger by itself is divided. */
function splitAfter(groups: readonly Group[], limit: number): [Group[], Group[]] {
  let fitting = 0;
  for (let left = limit; fitting < groups.length; fitting += 1) {
    left -= groups[fitting]!.length;
    if (left < 0) break;
  }
  const [first, ...rest] = groups;
  if (fitting > 0 || !first) return [groups.slice(0, fitting), groups.slice(fitting)];
  return [[first.slice(0, limit)], [first.slice(limit), ...rest]];
}

function tableOf(caption: string, groups: readonly Group[], total: number) {
  const size = sizeOf(groups);
  return {
    caption,
    size: size < total ? `${size} of ${counted(total, 'release')}` : counted(total, 'release'),
    groups: groups.map((group) => group.map(rowOf)),
  };
}

/** Unknown values are empty texts. */
function rowOf(release: JudgedRelease) {
  const { version, isPrerelease, releaseDay = '', timestampKind, reasons, changelogUrl = '' } = release;
  return {
    anchor: releaseAnchor(version),
    version,
    status: releaseStatus(release),
    isPrerelease,
    day: releaseDay,
    isObserved: timestampKind === 'observed',
    verdict: shortReleaseVerdict(release),
    why: ownReasonSentences(release),
    links: reasons.flatMap(({ url }) => url ?? []),
    changelogUrl,
  };
}
