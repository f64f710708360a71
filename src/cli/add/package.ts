/** A package of a registry, as a component. */
import { readNamedFile } from '../../core/files.ts';
import type { Definition, Source } from '../../core/schema/definition.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { decodeText, formatList } from '../../core/text.ts';
import { selectAnswer } from '../../sources/answer.ts';
import { readNpmConfig } from '../../sources/http/authorization.ts';
import { findDatasource } from '../../sources/index.ts';
import type { SourceContext } from '../../sources/types.ts';
import { draftDefinition, type Draft } from './draft.ts';
import { proposeFiles } from './files.ts';
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
      isPrivate: readNpmConfig().isPrivate(source),
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
