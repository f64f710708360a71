/** From the checked answer of a source, selects the releases that the definition allows. */
import { datasourceFacts } from '../core/datasources.ts';
import { uniteDigests } from '../core/digest.ts';
import { compilePattern, createRuleTest, type Pattern } from '../core/pattern.ts';
import type { Definition, Source } from '../core/schema/written.ts';
import { formatList, toLine } from '../core/text.ts';
import {
  compareVersions,
  isPrereleaseForm,
  parseVersion,
  keyVersion,
  type Version,
} from '../core/version.ts';
import { SourceError } from './http/failures.ts';
import type { Asset, SourceAnswer, SourceRelease } from './read-releases.ts';

/** The fields of a definition that select releases from a source's list. */
type Selection = { datasource: string } & Partial<
  Omit<Source, 'datasource'> & Pick<Definition, 'prereleases'>
>;

/** A release that the definition allows. `deprecated` is null if the source marks the release as not deprecated. */
export type SelectedRelease = Omit<SourceRelease, 'deprecated' | 'assets'> & {
  deprecated?: string | null | undefined;
  /** The listed name, such as a tag, as upstream spells it. */
  name: string;
};

/** The answer of a source, with only the releases that the definition allows. */
export type SelectedAnswer = ReturnType<typeof selectAnswer>;

/** Selects the releases that the definition allows. */
export function selectAnswer(answer: SourceAnswer, selection: Selection) {
  const { datasource, extractVersion, allowedVersions, digestOf } = selection;
  const pattern = extractVersion === undefined ? undefined : compilePattern(extractVersion);
  const isAllowed = allowedVersions === undefined ? () => true : createRuleTest(allowedVersions);
  const { statesDeprecation, filesFollow = false } = datasourceFacts[datasource] ?? {};
  const deprecated = answer.deprecated && (toLine(answer.deprecated, 500) || undefined);
  const chooseFiles = createFileChoice(digestOf);

  const listed = answer.releases.map((release) => {
    return { release, version: extract(release.version, pattern) };
  });
  const candidates = listed.flatMap(({ release, version }) => {
    if (!version) {
      return [];
    }
    const isPrerelease = release.isPrerelease ?? isPrereleaseForm(version);
    return { release, version, key: keyVersion(version), isPrerelease };
  });
  const isEmpty = candidates.length === 0 && !answer.lines && !answer.advisories;
  // An empty answer with `deprecated` is valid: a registry may lock all versions and give the reason.
  if (isEmpty && deprecated === undefined) {
    throw new SourceError('lists no version');
  }

  const admitted = candidates.filter(({ version, isPrerelease }) => {
    return isAllowed(version) && (selection.prereleases || !isPrerelease);
  });
  // If a version is listed in several spellings, the first one is used.
  const byKey = new Map(admitted.toReversed().map((candidate) => [candidate.key, candidate]));
  const selected = [...byKey.values()].sort((a, b) => compareVersions(a.version, b.version));
  const releases = selected.map(({ release, version, isPrerelease }): SelectedRelease => {
    const { assets, ...facts } = release;
    return {
      ...facts,
      ...chooseFiles(release),
      name: release.version,
      version: version.text,
      // Set only if the suffix of the version does not show whether it is a prerelease.
      isPrerelease: isPrerelease === isPrereleaseForm(version) ? undefined : isPrerelease,
      deprecated: release.deprecated ?? deprecated ?? (statesDeprecation ? null : undefined),
    };
  });

  // A tag without a digit, such as `latest`, is not reported, because such a tag was never meant as a version.
  const names = listed.flatMap(({ release, version }) => {
    return version || !/\d/.test(release.version) ? [] : toLine(release.version, 100);
  });
  const leftOut =
    names.length > 0 ? [`skipped names that are not versions: ${formatList(names, 3)}`] : [];
  return {
    ...answer,
    deprecated,
    /** The allowed releases, oldest first, each version in one spelling. */
    releases,
    /**
     * By version key (`keyVersion`): all spellings in which the source lists the version. Versions that the definition does not allow are
     * included.
     */
    listed: groupSpellings(candidates),
    /** The version keys of all prereleases that the source lists. Prereleases that the definition does not allow are included. */
    prereleases: new Set(candidates.flatMap(({ key, isPrerelease }) => (isPrerelease ? key : []))),
    isPartial: Boolean(answer.isPartial || selection.onlyAdds),
    /** Whether upstream often replaces the files of a version. */
    rebuildsTags: selection.rebuildsTags,
    /** Whether further files of a release may be published later. */
    filesFollow,
    /**
     * The names under which a release may have files, such as `linux-amd64`. `<component>/<name>.json` lists a release only once it has a
     * file for every name.
     */
    fileNames: listFileNames(digestOf, releases),
    /** The upstream names of the files of the newest release. */
    assets: selected
      .at(-1)
      ?.release.assets?.map(({ name }) => name)
      .sort(),
    notes: [...answer.notes, ...leftOut],
  };
}

function groupSpellings(
  candidates: readonly { readonly key: string; readonly version: Version }[],
): ReadonlyMap<string, readonly string[]> {
  const byKey = Map.groupBy(candidates, ({ key }) => key);
  return new Map(
    byKey.entries().map(([key, group]) => [key, group.map(({ version }) => version.text)]),
  );
}

/** Finds the version in a listed name. */
function extract(name: string, pattern: Pattern | undefined): Version | undefined {
  if (!pattern) {
    return parseVersion(name);
  }
  const [groups] = pattern.matchAll(name.slice(0, 200));
  return parseVersion(groups?.['version'] ?? '');
}

/** Returns a function that picks the SHA-256 of the files that `digestOf` selects: one file, or one for each name. */
function createFileChoice(
  digestOf: Selection['digestOf'],
): (release: SourceRelease) => Pick<SourceRelease, 'digest' | 'digests' | 'url' | 'files'> {
  if (digestOf === undefined) {
    return ({ assets = [], url }) => ({ url: assets.length === 1 ? assets[0]!.url : url });
  }
  if (typeof digestOf === 'string') {
    const pattern = compilePattern(digestOf);
    return ({ assets }) => ({ digest: null, ...findFile(assets, pattern) });
  }

  const patterns = Object.entries(digestOf).map(
    ([name, text]) => [name, compilePattern(text)] as const,
  );
  return ({ digests = [], assets }) => {
    const found = patterns.flatMap(([name, pattern]) => {
      const file = findFile(assets, pattern);
      return file ? [[name, file] as const] : [];
    });
    return {
      digest: null,
      digests: uniteDigests([...found.map(([, { digest }]) => digest), ...digests]),
      files: Object.fromEntries(found),
    };
  };
}

/** Finds the file whose name matches a pattern, if it has a SHA-256. Undefined if several files match. */
function findFile(assets: readonly Asset[] = [], { test }: Pattern) {
  const [meant, ...others] = assets.filter(({ name }) => test(name));
  const { digest = '', url } = meant ?? {};
  return others.length === 0 && digest.startsWith('sha256:') ? { digest, url } : undefined;
}

/**
 * Lists the names under which releases may have files. If `digestOf` is an object, its keys are these names. Otherwise, the keys of the
 * releases' `files` are these names.
 */
function listFileNames(
  digestOf: Selection['digestOf'],
  releases: readonly SelectedRelease[],
): string[] {
  return typeof digestOf === 'object'
    ? Object.keys(digestOf)
    : [
        ...new Set(
          releases.flatMap(({ files = {}, plannedFor }) =>
            plannedFor === undefined ? Object.keys(files) : [],
          ),
        ),
      ];
}
