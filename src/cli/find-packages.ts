import { basename } from 'node:path';
import type { PublishedIndex } from '../ask/answers/published-index.ts';
import { openOwners, readingsOf } from '../ask/texts/identify.ts';
import type { Entry, Item } from '../ask/texts/items.ts';
import { longestTexts, readText } from '../ask/texts/read-text.ts';
import { formatPurl, type Purl } from '../core/model/purl.ts';
import { renovatePackages } from '../site/render/renovate/pin-packages.ts';
import { lineCounter, withShortLines } from '../core/text/text.ts';
import { selects } from './renovate-patterns.ts';

/** A package of the index in a file that Renovate reads by itself. */
export interface FoundPackage {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly component: string;
  /** As written: a version or a range. */
  readonly version: string;
  /** The package URL, without the version. */
  readonly package: string;
  readonly manager: string;
  readonly datasource: string;
  /** As Renovate names it. */
  readonly packageName: string;
  readonly digest: string | undefined;
}

/** The files of Renovate's managers, and the types of packages in them (lib/modules/manager/<manager>/index.ts). */
const managers: readonly (readonly [
  manager: string,
  types: string,
  patterns: readonly string[],
])[] = [
  ['dockerfile', 'docker', ['/(^|/|\\.)([Dd]ocker|[Cc]ontainer)file[^/]*$/']],
  ['docker-compose', 'docker', ['/(^|/)(?:docker-)?compose[^/]*\\.ya?ml$/']],
  // It reads only files that a configuration names.
  ['kubernetes', 'docker', []],
  ['gitlabci', 'docker', ['/\\.gitlab-ci\\.ya?ml$/']],
  ['helm-values', 'docker', ['/(^|/)values\\.ya?ml$/']],
  ['helmv3', 'helm docker', ['/(^|/)Chart\\.ya?ml$/']],
  ['maven', 'maven', ['/(^|/|\\.)pom\\.xml$/', '/(^|/)\\.mvn/extensions\\.xml$/']],
  [
    'gradle',
    'maven',
    ['/\\.gradle(\\.kts)?$/', '/(^|/)gradle/.+\\.toml$/', '/\\.versions\\.toml$/'],
  ],
  ['npm', 'npm', ['/(^|/)package\\.json$/']],
  ['pip_requirements', 'pypi', ['/(^|/)[\\w-]*requirements([-._]\\w+)?\\.(txt|pip)$/']],
  ['pep621', 'pypi', ['/(^|/)pyproject\\.toml$/']],
  [
    'github-actions',
    'github docker',
    [
      '/(^|/)(workflow-templates|\\.(?:github|gitea|forgejo)/(?:workflows|actions))/.+\\.ya?ml$/',
      '/(^|/)action\\.ya?ml$/',
    ],
  ],
  ['terraform', 'helm docker', ['**/*.tf', '**/*.tofu']],
];

/**
 * Finds the packages of an index in the text of a file, by exact package URL. `patternsOf`: the patterns that a configuration adds
 * to those of a manager. `reject`: called for a file that is too long to be read.
 */
export async function packageFinder(index: Pick<PublishedIndex, 'named' | 'packages'>) {
  const ownersOf = await openOwners(index);

  return (
    file: string,
    text: string,
    patternsOf: (manager: string) => readonly string[],
    reject: (problem: string) => void,
  ): FoundPackage[] => {
    const [manager, types = ''] =
      managers.find(([name, , patterns]) =>
        [...patterns, ...patternsOf(name)].some((pattern) => selects([pattern], file)),
      ) ?? [];
    if (manager === undefined) {
      return [];
    }

    const packages: FoundPackage[] = [];
    for (const entry of entriesOf(file, text, reject)) {
      const { item } =
        readingsOf(entry, ownersOf).find(
          ({ item: { purl, version, range } }) =>
            purl && types.split(' ').includes(purl.type) && (version ?? range) !== undefined,
        ) ?? {};
      const [owner] = item ? ownersOf({ ...item, name: undefined }) : [];
      const [renovate] = item ? renovatePackages(item.purl!) : [];
      if (item && owner && renovate) {
        packages.push(packageOf(file, manager, owner.component, item, renovate));
      }
    }

    return packages;
  };
}

function packageOf(
  file: string,
  manager: string,
  component: string,
  { text, line = 1, version, range, purl, digests }: Item,
  { matchDatasources, matchPackageNames }: ReturnType<typeof renovatePackages>[number],
): FoundPackage {
  return {
    file,
    line,
    component,
    version: version ?? range!,
    package: formatPurl({ ...purl!, version: undefined }),
    manager,
    datasource: matchDatasources[0]!,
    // An image of another registry than Docker Hub has its host in the name.
    packageName: isImage(text)
      ? text.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
      : matchPackageNames[0]!,
    digest: digests?.[0],
  };
}

function isImage(text: string): boolean {
  return /^[^/\s]*[.:][^/\s]*\/[^\s]+$/.test(text);
}

/** The statements of a file, and those that stand on several lines. */
function entriesOf(file: string, text: string, reject: (problem: string) => void): Entry[] {
  const filled = file.endsWith('.toml') ? withVersions(text) : text;
  const { entries, problems, isTooLong } = readText(filled, longestTexts.page, basename(file));
  if (isTooLong) {
    reject(problems.join('; '));
  }

  const short = withShortLines(text);

  return [...entries, ...imagesIn(short), ...chartsIn(short), ...actionsIn(short)];
}

/** A version catalog of Gradle with `version = "1.0"` in place of `version.ref = "name"`. */
function withVersions(text: string): string {
  const versions = new Map(
    Array.from(text.matchAll(/^([\w.-]+)\s*=\s*"([^"\n]*)"/gm), ([, name, version]) => [
      name,
      version,
    ]),
  );

  return text.replaceAll(
    /\bversion\.ref\s*=\s*"([^"\n]*)"/g,
    (written, name: string) => `version = "${versions.get(name) ?? written}"`,
  );
}

/** `uses: owner/action/path@v1.0`, or a commit with the version in a comment behind it. */
function actionsIn(text: string): Entry[] {
  const lineAt = lineCounter(text);
  const form =
    /^[ \t-]*uses:[ \t]*["']?([\w.-]+\/[\w.-]+)(?:\/[^@\s]*)?@(?:([\da-f]{40})["']?[ \t]+#[ \t]*(?:tag=)?)?(v?\d[\w.-]*)/gm;

  return Array.from(
    text.matchAll(form),
    ({ 0: all, 1: path = '', 2: commit, 3: version, index }) => [
      {
        text: all.trim(),
        line: lineAt(index),
        purl: purlOf('github', path),
        version,
        digests: commit === undefined ? undefined : [commit],
      },
    ],
  );
}

/** `repository: example/image` above `tag: 1.0`. */
function imagesIn(text: string): Entry[] {
  const lineAt = lineCounter(text);
  const form =
    /^([ \t]*)repository:[ \t]*["']?([\w./:-]+)["']?[ \t]*\n(?:\1[^\n]*\n){0,5}?\1tag:[ \t]*["']?([\w.-]+)/gm;

  return Array.from(text.matchAll(form), ({ 2: path = '', 3: version, index }) => [
    {
      text: `${path}:${version}`,
      line: lineAt(index),
      purl: purlOf('docker', path),
      version,
    },
  ]);
}

/** A chart of a `helm_release` of Terraform. */
function chartsIn(text: string): Entry[] {
  const lineAt = lineCounter(text);
  const form = /resource\s+"helm_release"\s+"[^"\n]*"\s*\{([^{}]{0,2000})/g;

  return Array.from(text.matchAll(form), ({ 0: all, 1: block = '', index }) => {
    const value = (key: string) =>
      new RegExp(`^\\s*${key}\\s*=\\s*"([^"\\n]*)"`, 'm').exec(block)?.[1];
    const [name = '', version] = [value('chart'), value('version')];

    return [
      {
        text: all,
        line: lineAt(index),
        purl: name === '' ? undefined : purlOf('helm', name),
        version,
      },
    ];
  });
}

function purlOf(type: string, path: string): Purl {
  const slash = path.lastIndexOf('/');
  const namespace = slash < 0 ? undefined : path.slice(0, slash).replace(/^docker\.io\//, '');

  return { type, namespace, name: path.slice(slash + 1) };
}
