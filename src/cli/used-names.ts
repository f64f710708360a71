import {
  formatRegistryPackage,
  listComponentPackages,
  normalisePackageText,
  renderPackageUrl,
} from '../core/model/package-names.ts';
import type { Source } from '../core/schemas/definition/source.ts';
import { createSourceId } from '../core/schemas/definition/source-ids.ts';
import { fileProblem, InputError, throwErrors } from '../core/schemas/finding.ts';
import { isAbsent } from '../io/files/file-system.ts';
import {
  definitionFile,
  definitionPath,
  listComponents,
  recordedFile,
  recordedPath,
  type Root,
} from '../io/files/root.ts';
import type { ComponentRequest } from '../record/add/add-component.ts';
import { readDefinition } from '../record/read-definition.ts';
import { describeRenaming } from './add-arguments.ts';

export type UsedNames = ReturnType<typeof readUsedNames>;

/** The owners of earlier names and of packages. */
export function readUsedNames(root: Root) {
  const byEarlierName = new Map<string, string>();
  /** By package URL, whatever the registry. The component `svc` also has `pkg:generic/svc`. */
  const byPackageUrl = new Map<string, string>();
  /** By the id of a package in a list. The component `svc` also has the product `svc` of endoflife.date. */
  const byPackageId = new Map<string, string>();

  for (const name of listComponents(root).names) {
    const { renamedFrom = [], sources = [], aliases = [] } = readDefinition(root, name).value ?? {};
    for (const oldName of renamedFrom) {
      byEarlierName.set(oldName, name);
    }

    const packages = listComponentPackages({ sources, aliases }).map(({ purl }) => purl);
    for (const purl of [...packages, formatRegistryPackage('generic', name)]) {
      byPackageUrl.set(purl, name);
    }

    const product = createSourceId({ datasource: 'endoflife-date', packageName: name });
    const aliasPackages = aliases.map(normalisePackageText);
    for (const id of [...sources.flatMap(listPackageIds), ...aliasPackages, product]) {
      byPackageId.set(id, name);
    }
  }

  return { byEarlierName, byPackageUrl, byPackageId };
}

/**
 * The ids that the package of a source may have in a list. Lists rarely state the registry of a package that is not an image; an
 * image without one is of Docker Hub.
 */
function listPackageIds(source: Source): string[] {
  const id = createPackageId(source);
  return source.datasource === 'docker'
    ? [id]
    : [id, createPackageId({ ...source, registryUrl: undefined })];
}

/** The id of a package in its registry, equal for all spellings of its name. Releases and tags of one repository are one package. */
export function createPackageId(source: Source): string {
  const { registryUrl } = source;
  const id = renderPackageUrl(source) ?? createSourceId(source);
  return registryUrl === undefined ? id : `${id} at ${registryUrl.replace(/\/+$/, '')}`;
}

/** Whether no component has a package, except the one with this name. */
export function isFree({ byPackageUrl }: UsedNames, packageUrl: string, name: string): boolean {
  const owner = byPackageUrl.get(normalisePackageText(packageUrl)) ?? name;
  return owner === name;
}

/**
 * Throws an InputError for the name of an existing or removed component, unless it is replaced, for an earlier name, and if the root
 * has no folder of components.
 */
export function checkNewName(
  root: Root,
  usedNames: UsedNames,
  request: ComponentRequest,
  isReplacing: boolean,
): void {
  const { name } = request;
  if (!isReplacing && !isAbsent(definitionPath(root, name))) {
    rejectName(definitionFile(name), 'exists already. To overwrite it: --replace.', request);
  }
  if (!isReplacing && !isAbsent(recordedPath(root, name))) {
    const reason = 'has releases of a component that is not defined. To keep them: --replace.';
    rejectName(recordedFile(name), reason, request);
  }

  const owner = usedNames.byEarlierName.get(name);
  if (owner !== undefined) {
    rejectName(definitionFile(owner), `has "${name}" as an earlier name.`, request);
  }

  // Only a missing folder matters here, not the names of other files.
  throwErrors(listComponents(root).findings.filter(({ subject }) => subject === 'components'));
}

function rejectName(file: string, reason: string, { name, source }: ComponentRequest): never {
  const { packageName } = source;
  const renaming =
    packageName === undefined ? '--name' : describeRenaming({ ...source, packageName }, name);
  const message = `${reason} Nothing was written; under another name: ${renaming}`;
  throw new InputError([fileProblem(file, message)]);
}
