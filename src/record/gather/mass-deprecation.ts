import { claimsOf } from '../../core/schemas/recorded.ts';
import { counted } from '../../core/text.ts';
import { rankOf } from './rank.ts';
import { rankKey, type Version } from '../../core/version.ts';
import { nameVersions, type Comparison } from './plausibility.ts';

/** A source may call at most this part of its versions deprecated at once before a person is asked. */
const tolerated = 1 / 5;

/** Versions that an answer newly calls deprecated, and why that is not believed; undefined where it is. */
export function massDeprecation(answer: Comparison): { versions: Version[]; reason: string } | undefined {
  const versions = newlyDeprecated(answer);
  const free = freeBefore(answer).size;
  const isNothingLeft = answer.releases.every(({ deprecated }) => deprecated !== undefined);
  const isMany = versions.length > 1 && versions.length > free * tolerated;
  if (versions.length === 0 || !(isNothingLeft || isMany)) return undefined;
  const what = `calls ${versions.length} of ${counted(free, 'version')} deprecated that ${free === 1 ? 'was' : 'were'} not (${nameVersions(versions)})`;
  return { versions, reason: isNothingLeft ? `${what}, which leaves none to use` : what };
}

/** Of what it listed before. */
function newlyDeprecated(answer: Comparison): Version[] {
  const free = freeBefore(answer);
  return answer.releases
    .filter(({ version, deprecated }) => deprecated !== undefined && free.has(rankKey(version)))
    .map(({ version }) => version);
}

/** Ranks of what the source listed before and nobody called deprecated, or it calls no longer so. */
function freeBefore({ id, settled, releases }: Comparison): Set<string> {
  const freed = new Set(
    releases.filter(({ deprecated }) => deprecated === undefined).map(({ version }) => rankKey(version)),
  );
  const ranks = settled
    .filter((entry) => claimsOf(entry).includes(id))
    .flatMap((entry) => {
      const rank = rankOf(entry);
      return rank !== undefined && (entry.deprecated === undefined || freed.has(rank)) ? [rank] : [];
    });
  return new Set(ranks);
}
