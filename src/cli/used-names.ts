import { formatRegistryPackage } from '../core/model/package-names.ts';
import type { Source } from '../core/schemas/definition/source.ts';
import { createIdWithRegistry, createSourceId } from '../core/schemas/definition/source-ids.ts';
import { fileProblem, InputError, throwErrors } from '../core/schemas/finding.ts';
import { quoteForShell } from '../core/text/foreign-text.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { definitionPath, listComponents, recordedPath, type Root } from '../io/files/root.ts';
import type { ComponentRequest } from '../record/add/add-component.ts';
import { spellComponentName } from '../record/add/derive-component-name.ts';
import { readDefinition } from '../record/read-definition.ts';
import { listComponentPackages } from '../record/sources/source-packages.ts';
import { documentDatasources, type ListedPackage } from './add-arguments.ts';

export type UsedNames = ReturnType<typeof readUsedNames>;

/** The owners of earlier names, and of source ids and package URLs. A name itself takes `pkg:generic/` and endoflife.date's product. */
export function readUsedNames(root: Root) {
  const byEarlierName = new Map<string, string>();
  const byPackage = new Map<string, string>();

  for (const name of listComponents(root).names) {
    const { renamedFrom = [], sources = [], aliases } = readDefinition(root, name).value ?? {};
    for (const oldName of renamedFrom) {
      byEarlierName.set(oldName, name);
    }
    const ids = [
      ...sources.flatMap(listPackageIds),
      ...listComponentPackages({ sources, aliases }).map(({ purl }) => purl),
      formatRegistryPackage('generic', name),
      createSourceId({ datasource: 'endoflife-date', packageName: name }),
    ];
    for (const id of ids) {
      byPackage.set(id, name);
    }
  }

  return { byEarlierName, byPackage };
}

/** The component that has a package, if any. */
export function findOwner({ byPackage }: UsedNames, entry: ListedPackage): string | undefined {
  return byPackage.get(createPackageId(entry));
}

/**
 * The ids that a source's package may have in a list. Lists rarely state the registry of a package that is not an image; an image
 * without one is of Docker Hub.
 */
function listPackageIds(source: Source): string[] {
  const id = createPackageId(source);
  return source.datasource === 'docker' ? [id] : [id, createSourceId(source)];
}

function createPackageId(source: Source): string {
  return createIdWithRegistry(source).replace(/\/+$/, '');
}

/** Throws an InputError for the name of an existing or removed component, unless it is replaced, and for an earlier name. */
export function checkNewName(
  root: Root,
  usedNames: UsedNames,
  request: ComponentRequest,
  isReplacing: boolean,
): void {
  const { name } = request;
  if (!isReplacing && !isAbsent(definitionPath(root, name))) {
    rejectName(`components/${name}.json`, 'exists already. To overwrite it: --replace.', request);
  }
  if (!isReplacing && !isAbsent(recordedPath(root, name))) {
    const reason = 'has releases of a component that is not defined. To keep them: --replace.';
    rejectName(`data/${name}.json`, reason, request);
  }

  const owner = usedNames.byEarlierName.get(name);
  if (owner !== undefined) {
    rejectName(`components/${owner}.json`, `has "${name}" as an earlier name.`, request);
  }

  // Only a missing folder matters here, not the names of other files.
  throwErrors(listComponents(root).findings.filter(({ subject }) => subject === 'components'));
}

function rejectName(file: string, reason: string, { name, source }: ComponentRequest): never {
  const { datasource, packageName, registryUrl } = source;
  const renaming =
    packageName === undefined
      ? '--name'
      : describeRenaming({ datasource, packageName, registryUrl }, name);
  const message = `${reason} Nothing was written; under another name: ${renaming}`;
  throw new InputError([fileProblem(file, message)]);
}

/** The command that adds a package under its whole name, else under one with its datasource. */
export function describeRenaming(entry: ListedPackage, name: string): string {
  const { datasource, packageName, registryUrl } = entry;
  const longName = spellComponentName(packageName);
  const isUsable = longName !== name && !documentDatasources.includes(datasource);
  const newName = isUsable ? longName : `${name}-${datasource}`;
  const registry = registryUrl === undefined ? '' : ` --registry-url ${quoteForShell(registryUrl)}`;
  return `npx release-index add ${datasource} ${quoteForShell(packageName)}${registry} --name ${newName}`;
}
