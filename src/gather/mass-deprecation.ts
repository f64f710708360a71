import { counted } from '../text.ts';
import { rankKey, type Version } from '../version.ts';
import { nameVersions, type Comparison } from './plausibility.ts';

/** A source may call at most this part of its versions deprecated at once before a person is asked. */
const tolerated = 1 / 5;

/** Versions that an answer newly calls deprecated, and why that is not believed; undefined where it is. */
export function massDeprecation(answer: Comparison): { versions: Version[]; reason: string } | undefined {
  const versions = newlyDeprecated(answer);
  const isFree = new Set(answer.before.map(rankKey).filter((rank) => isUndeprecated(answer, rank)));
  const isNothingLeft = answer.releases.every(({ deprecated }) => deprecated !== undefined);
  const isMany = versions.length > 1 && versions.length > isFree.size * tolerated;
  if (versions.length === 0 || !(isNothingLeft || isMany)) return undefined;
  const what = `calls ${versions.length} of ${counted(isFree.size, 'version')} deprecated that ${isFree.size === 1 ? 'was' : 'were'} not (${nameVersions(versions)})`;
  return { versions, reason: isNothingLeft ? `${what}, which leaves none to use` : what };
}

/** Of what it listed before. */
export function newlyDeprecated(answer: Comparison): Version[] {
  const before = new Set(answer.before.map(rankKey));
  return answer.releases
    .filter(({ version, deprecated }) => {
      const rank = rankKey(version);
      return deprecated !== undefined && before.has(rank) && isUndeprecated(answer, rank);
    })
    .map(({ version }) => version);
}

function isUndeprecated({ byRank }: Comparison, rank: string): boolean {
  return byRank.get(rank)?.deprecated === undefined;
}
