import type { Item } from '../core/index/item.ts';
import type { Match } from '../core/index/verdicts.ts';

/** Both absent where an item states nothing, or what is recorded. */
interface Comparison {
  readonly contradiction?: string;
  /** Why it could not be compared. */
  readonly gap?: string;
}

/** The bytes and the repository that an item states, held against those that are recorded. */
export function compareProvenance(item: Item, match: Match) {
  const comparisons = [compareDigests(item, match), compareRepositories(item, match)];
  return {
    contradictions: comparisons.flatMap(({ contradiction }) => contradiction ?? []),
    gaps: comparisons.flatMap(({ gap }) => gap ?? []),
  };
}

function compareDigests({ digests = [] }: Item, { version, release }: Match): Comparison {
  const recorded = release?.digests ?? [];
  if (digests.length === 0 || digests.some((digest) => recorded.includes(digest))) {
    return {};
  }

  const algorithms = recorded.map(readAlgorithm);
  const other = digests.find((digest) => algorithms.includes(readAlgorithm(digest)));
  return other === undefined
    ? { gap: `No such digest of ${version} is recorded.` }
    : { contradiction: `${other} is not a digest that is recorded for ${version}.` };
}

function readAlgorithm(digest: string): string | undefined {
  return digest.split(':')[0];
}

function compareRepositories(
  { repositoryUrl }: Item,
  { component, sourceRepository }: Match,
): Comparison {
  if (!repositoryUrl) {
    return {};
  }
  if (!sourceRepository) {
    return { gap: `The source repository of ${component} is not recorded.` };
  }

  return normaliseAddress(repositoryUrl) === normaliseAddress(sourceRepository)
    ? {}
    : {
        contradiction: `${component} is built from ${sourceRepository}, not from ${repositoryUrl}.`,
      };
}

/** `github.com/example/agent` for its addresses on the web and in git. */
function normaliseAddress(address: string): string {
  const url = URL.parse(
    address
      // git@host:path
      .replace(/^git@([^/:]+):/, 'ssh://$1/')
      // git+https://host/path
      .replace(/^git\+/, '')
      // host/path
      .replace(/^(?!\w+:\/\/)/, 'https://'),
  );
  if (!url) {
    return address;
  }

  // The port of git says nothing of the repository.
  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  return `${host}${url.pathname}`.toLowerCase().replaceAll(/^www\.|(?:\.git)?\/?$/g, '');
}
