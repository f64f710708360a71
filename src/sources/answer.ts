/** An answer of a source as a definition selects from it, with the facts that its list lacks. The sources have checked its values. */
import pLimit from 'p-limit';
import { uniteDigests } from '../core/digest.ts';
import { datasourceFacts } from '../core/datasources.ts';
import { addDays } from '../core/day.ts';
import { compilePattern, createRuleTest, type Pattern } from '../core/pattern.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import { formatList, toLine } from '../core/text.ts';
import {
  compareNames,
  isPrereleaseForm,
  keyText,
  keyVersion,
  parseVersion,
  type Version,
} from '../core/version.ts';
import { isAbsent, SourceError } from './http/failures.ts';
import { checkRelease } from './read-releases.ts';
import type { Asset, Datasource, SourceAnswer, SourceContext, SourceRelease } from './types.ts';

/** How a definition selects from what a source lists. */
type Selection = { datasource: string } & Partial<
  Omit<Source, 'datasource'> & Pick<Definition, 'prereleases'>
>;

/** `deprecated`: null where its source states that it is not. */
export type SelectedRelease = Omit<SourceRelease, 'deprecated' | 'assets'> & {
  deprecated?: string | null | undefined;
  /** As upstream spells it. */
  name: string;
};

/** An answer whose releases the definition admits. */
export interface SelectedAnswer extends Omit<SourceAnswer, 'releases'> {
  /** Oldest first, each version in one spelling. */
  releases: SelectedRelease[];
  /** The ranks of all listed versions, admitted or not. */
  listed: ReadonlySet<string>;
  /** Of these, the prereleases. */
  prereleases: ReadonlySet<string>;
  /** Some of them are left for the next run, which has to look them up. */
  isCut?: boolean;
  /** Other bytes under one version are usual. */
  rebuildsTags?: boolean | undefined;
  /** Another file of a release may follow. */
  filesFollow: boolean;
  /** The names of files that a release must have, for readers to have it under each of them. */
  fileNames: readonly string[];
  /** What upstream calls the files of the newest release. */
  assets: readonly string[] | undefined;
}

/** Selects the releases that the definition admits. */
export function selectAnswer(answer: SourceAnswer, selection: Selection): SelectedAnswer {
  const { datasource, extractVersion, allowedVersions } = selection;
  const pattern = extractVersion === undefined ? undefined : compilePattern(extractVersion);
  const isAllowed = allowedVersions === undefined ? () => true : createRuleTest(allowedVersions);
  const deprecated = answer.deprecated && (toLine(answer.deprecated, 500) || undefined);
  const { statesDeprecation, filesFollow = false } = datasourceFacts[datasource] ?? {};
  const unstated = statesDeprecation ? null : undefined;
  const chooseFiles = createFileChoice(selection.digestOf);
  const releases = new Map<string, SelectedRelease>();
  const assetsByVersion = new Map<string, readonly Asset[] | undefined>();
  const listed = new Set<string>();
  const prereleases = new Set<string>();
  const unreadable: string[] = [];

  for (const { assets, ...release } of answer.releases) {
    const version = extract(release.version, pattern);
    if (!version) {
      unreadable.push(toLine(release.version, 100));
      continue;
    }

    const key = keyVersion(version);
    listed.add(key);
    const hasForm = isPrereleaseForm(version);
    const isPrerelease = release.isPrerelease ?? hasForm;
    if (isPrerelease) {
      prereleases.add(key);
    }
    const isAdmitted = isAllowed(version) && (selection.prereleases || !isPrerelease);
    if (isAdmitted && !releases.has(key)) {
      releases.set(key, {
        ...release,
        ...chooseFiles(release, assets),
        name: release.version,
        version: version.text,
        isPrerelease: isPrerelease === hasForm ? undefined : isPrerelease,
        deprecated: release.deprecated ?? deprecated ?? unstated,
      });
      assetsByVersion.set(version.text, assets);
    }
  }
  const isEmpty = listed.size === 0 && !answer.lines && !answer.advisories;
  // A registry may lock all versions, and say so.
  if (isEmpty && deprecated === undefined) {
    throw new SourceError('lists no version');
  }

  const selected = [...releases.values()].sort((a, b) => compareNames(a.version, b.version));
  const leftOut =
    unreadable.length > 0 ? [`left out, no version: ${formatList(unreadable, 3)}`] : [];
  return {
    ...answer,
    deprecated,
    releases: selected,
    listed,
    prereleases,
    isPartial: Boolean(answer.isPartial || selection.onlyAdds),
    rebuildsTags: selection.rebuildsTags,
    filesFollow,
    fileNames: listFileNames(selection.digestOf, selected),
    assets: listAssetNames(assetsByVersion.get(selected.at(-1)?.version ?? '')),
    notes: [...answer.notes, ...leftOut],
  };
}

function listFileNames(
  digestOf: Selection['digestOf'],
  releases: readonly SelectedRelease[],
): string[] {
  return typeof digestOf === 'object'
    ? Object.keys(digestOf)
    : [...new Set(releases.flatMap(({ files = {} }) => Object.keys(files)))];
}

function listAssetNames(assets: readonly Asset[] | undefined): string[] | undefined {
  return assets?.map(({ name }) => name).sort();
}

/** The SHA-256 of the files that are meant: of one, or of each that has a name. */
function createFileChoice(
  digestOf: Selection['digestOf'],
): (
  release: SourceRelease,
  assets?: readonly Asset[],
) => Pick<SourceRelease, 'digest' | 'digests' | 'files'> {
  if (digestOf === undefined) {
    return () => ({});
  }
  if (typeof digestOf === 'string') {
    const pattern = compilePattern(digestOf);
    return (_, assets) => ({ digest: findSha256(assets, pattern) ?? null });
  }

  const patterns = Object.entries(digestOf).map(
    ([name, text]) => [name, compilePattern(text)] as const,
  );
  return ({ digests = [] }, assets) => {
    const files: Record<string, string> = {};
    for (const [name, pattern] of patterns) {
      const digest = findSha256(assets, pattern);
      if (digest !== undefined) {
        files[name] = digest;
      }
    }
    return { digest: null, digests: uniteDigests([...Object.values(files), ...digests]), files };
  };
}

/** That of the file whose name a pattern fits; none where it fits several. */
function findSha256(assets: readonly Asset[] = [], { test }: Pattern): string | undefined {
  const [meant, ...others] = assets.filter(({ name }) => test(name));
  const digest = others.length === 0 ? meant?.digest : undefined;
  return digest?.startsWith('sha256:') ? digest : undefined;
}

/** The version in a listed name. */
function extract(name: string, pattern: Pattern | undefined): Version | undefined {
  if (!pattern) {
    return parseVersion(name);
  }
  const [groups] = pattern.matchAll(name.slice(0, 200));
  return parseVersion(groups?.['version'] ?? '');
}

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

/** What is known of a release; without it, of one that upstream lists but does not have. */
interface LookedUp {
  release?: SelectedRelease;
  notes: string[];
  /** The run had no time for it. */
  isLeft?: boolean;
}

/**
 * The releases with the facts that their list lacks, where they are unknown; without those that upstream lists but does not have. The
 * newest are looked up first: a moving tag such as `1.25` after all that it may stand for. What there was no time for is left out if it is
 * new.
 */
export async function lookUpFacts<Source>(
  { lookUp }: Datasource<Source>,
  source: Source,
  releases: SelectedRelease[],
  context: SourceContext,
): Promise<ReturnType<typeof cutOff>> {
  if (!lookUp) {
    return { releases, notes: [], isCut: false };
  }

  // A signal of none is never aborted.
  const { recorded, enough = AbortSignal.any([]) } = context;
  const settled = listSettled(context);
  let failures = 0;
  const newestFirst = releases.toReversed();
  const outcomes = await pLimit(8).map(newestFirst, async (release): Promise<LookedUp> => {
    const { name: version, releaseTimestamp, digests } = release;
    const isSettled = releaseTimestamp !== undefined || settled.has(keyText(release.version));
    if (isSettled || failures >= toleratedFailures) {
      return { release, notes: [] };
    }

    try {
      const facts = await orAbort(enough, () => lookUp(source, { version, digests }, context));
      failures = 0;
      if (facts === 'absent') {
        return { notes: [`lists ${version}, but has nothing to download. Left out.`] };
      }

      const checked = checkRelease({ version, digests, ...facts }, context.day);
      const stated = checked.release;
      return {
        release: { ...release, releaseTimestamp: stated.releaseTimestamp, digests: stated.digests },
        notes: checked.notes,
      };
    } catch (error) {
      if (error === enough.reason) {
        return { release, notes: [], isLeft: true };
      }
      // An absent document is an answer: it has no day.
      if (isAbsent(error)) {
        return { release, notes: [] };
      }
      if (!(error instanceof SourceError)) {
        throw error;
      }

      failures += 1;
      return {
        release,
        notes: [
          `the day of ${version} could not be asked for (${error.message}). The next run asks again.`,
        ],
      };
    }
  });

  const known = new Set(recorded?.releases.map(({ version }) => keyText(version)));
  return cutOff(outcomes, ({ version }) => known.has(keyText(version)));
}

/** All that follow what was left are left, too, unless they are known: a moving tag that was looked up may stand for one of these. */
function cutOff(
  newestFirst: readonly LookedUp[],
  isKnown: (release: SelectedRelease) => boolean,
): { releases: SelectedRelease[]; notes: string[]; isCut: boolean } {
  const firstLeft = newestFirst.findIndex(({ isLeft }) => isLeft);
  const kept = newestFirst.filter(
    ({ release }, index) =>
      firstLeft === -1 || index < firstLeft || (release !== undefined && isKnown(release)),
  );
  const left = newestFirst.length - kept.length;
  const cut = `${left} of ${newestFirst.length} releases could not be looked up in time. The next run goes on.`;
  return {
    releases: kept.flatMap(({ release }) => release ?? []).reverse(),
    notes: [...(left > 0 ? [cut] : []), ...kept.flatMap(({ notes }) => notes)],
    isCut: left > 0,
  };
}

/** What some work results in. Throws the reason of the signal if it is aborted before: then nothing is begun, or waited for. */
export async function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** The ranks of releases whose day is recorded, or that the source has listed for a week. */
function listSettled({ id = '', recorded, day }: SourceContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = (recorded?.releases ?? []).filter(({ timestampKind, firstSeen, sources }) => {
    const isOld = firstSeen === undefined || firstSeen < from;
    return timestampKind === 'published' || (isOld && sources.includes(id));
  });
  return new Set(settled.map(({ version }) => keyText(version)));
}
