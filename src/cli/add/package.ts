/** A package of a registry, as a component. */
import { readNamedFile } from '../../core/files.ts';
import type { Definition, Source } from '../../core/schema/definition.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { decodeText, escapePattern, formatList } from '../../core/text.ts';
import { selectAnswer } from '../../sources/answer.ts';
import { createPrivacyTest, findDatasource } from '../../sources/index.ts';
import type { SourceContext } from '../../sources/types.ts';
import { draftDefinition, type Draft } from './draft.ts';
import { readReleaseList } from './list.ts';
import type { Package } from './read-package.ts';

export interface PackageOptions {
  title?: string;
  homepage?: string;
  changelog?: string;
  support?: Definition['support'];
}

/** Asks the registry of a package what it states. `run`: where, and as of which day. */
export async function draftPackage(
  named: Package,
  { title, homepage, changelog, support }: PackageOptions,
  defaults: Settings['defaults'],
  run: Pick<SourceContext, 'http' | 'root' | 'day'>,
): Promise<Draft> {
  const { datasource, packageName } = named;
  const context = { ...run, packages: [] };
  const list =
    datasource === 'static'
      ? readReleaseList(packageName, decodeText(readNamedFile(packageName)))
      : undefined;
  const source: Source = list
    ? { datasource, releases: list.releases }
    : { datasource, ...locate(named) };

  const described = await findDatasource(source).describe?.(source, context);
  const files = datasource === 'github-releases' ? await nameFiles(source, context) : undefined;
  const { definition, notes } = draftDefinition(
    packageName,
    { ...source, ...files?.keys },
    described ?? {},
    {
      title,
      homepage,
      changelogUrl: changelog,
      support: support ?? list?.support,
      defaults,
      isPrivate: createPrivacyTest()(source),
    },
  );
  return { definition, notes: [...(list?.notes ?? []), ...(files?.notes ?? []), ...notes] };
}

/** The keys of a source that say where it is. */
function locate({ datasource, packageName, registryUrl }: Package): Partial<Source> {
  if (datasource === 'json') {
    return /^https?:/.test(packageName) ? { url: packageName } : { file: packageName };
  }
  return { packageName, ...(registryUrl && { registryUrl }) };
}

/** A name for each file of the latest release whose own name has a usual platform, if there are several. */
async function nameFiles(source: Source, context: SourceContext) {
  const listed = await findDatasource(source).list(source, context);
  const { releases, assets = [] } = selectAnswer(listed, source);
  const { name: tag = '' } = releases.at(-1) ?? {};
  const digestOf = proposeFiles(assets, tag);
  const names = Object.keys(digestOf);
  if (names.length < 2) {
    return undefined;
  }

  return {
    keys: { digestOf },
    notes: [
      `digestOf: ${formatList(names, 10)}, from the names of the files of ${tag}. Take out what nobody downloads: a release waits until each has a digest`,
    ],
  };
}

const systems: Readonly<Record<string, RegExp>> = {
  linux: /linux/i,
  darwin: /darwin|mac-?os/i,
  windows: /windows|(?<![a-z])win(?:32|64)?(?![a-z])/i,
};
const machines: Readonly<Record<string, RegExp>> = {
  amd64: /amd64|x86[-_]64|x64/i,
  arm64: /arm64|aarch64/i,
};

/** Of several files for a platform, the first of these that there is once. */
const endings = [/\.tar\.gz$|\.tgz$/, /\.tar\.[a-z0-9]+$/, /\.zip$/, /\.exe$/, /[^.]{5,}$/];

/** By platform (`linux-amd64`), a pattern that fits one of the files of a release, whatever its version. */
function proposeFiles(assets: readonly string[], version: string): Record<string, string> {
  const platforms = Object.entries(systems).flatMap(([system, systemForm]) =>
    Object.entries(machines).map(([machine, machineForm]) => {
      return { platform: `${system}-${machine}`, forms: [systemForm, machineForm] };
    }),
  );
  const proposed = platforms.flatMap(({ platform, forms }) => {
    const candidates = assets.filter((asset) => forms.every((form) => form.test(asset)));
    const [asset] =
      endings
        .map((ending) => candidates.filter((candidate) => ending.test(candidate)))
        .find(({ length }) => length === 1) ?? [];
    if (asset === undefined) {
      return [];
    }

    // From the first word that names the platform: what is before it is mostly the version.
    const start = Math.min(...forms.map((form) => asset.search(form)));
    const parts = asset.slice(Math.max(start - 1, 0)).split(version.replace(/^v/, ''));
    const pattern = `${parts.map(escapePattern).join('.+')}$`;
    const fitting = assets.filter((each) => new RegExp(pattern).test(each));
    return fitting.length === 1 ? [[platform, pattern] as const] : [];
  });
  return Object.fromEntries(proposed);
}
