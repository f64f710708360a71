/** Reads the settings and definitions of an index. Problems of all files are reported at once. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inputError, type Problem, readEach, throwAll } from './errors.ts';
import { readJsonFile } from './files.ts';
import {
  isLinkMessage,
  isRecorded,
  listIndexFiles,
  listLinkProblems,
  listLinks,
  listNames,
} from './index-files.ts';
import { isObject } from './objects.ts';
import { parseDocument } from './parse-document.ts';
import { findNameProblem } from './schema/names.ts';
import { Definition, Settings } from './schema/written.ts';
import { formatList } from './text.ts';

export function readSettings(root: string): Settings {
  // Throws if the index contains symbolic links.
  listIndexFiles(root);
  const file = 'site/site.json';
  const document = readJsonFile(join(root, file), file);
  if (document === undefined) {
    const above = findAbove(resolve(root), file);
    const advice = above
      ? `The index is in ${above}. Change to this folder, or add: --root ${above}`
      : 'Is this the folder of an index? Name another by --root';
    throw inputError(file, `is missing. ${advice}`);
  }

  return parseDocument(Settings, document, file);
}

/** Returns the nearest folder above that contains this file. Commands never use it by themselves, because it may belong to a stranger. */
function findAbove(folder: string, file: string): string | undefined {
  const parent = dirname(folder);
  if (parent === folder) {
    return undefined;
  }
  return existsSync(join(parent, file)) ? parent : findAbove(parent, file);
}

/** What people wrote about a component. `own`: the content of its own file. `defaults`: settings that apply to all components. */
export interface Written extends Pick<Settings, 'defaults'> {
  own: unknown;
}

/**
 * Reads all definitions, and lists the problems of all files.
 * - `former`: maps components to earlier definitions. An earlier definition is read instead of the file of its component. A component with
 *   the value `undefined` is left out.
 */
export function readDefinitions(
  root: string,
  settings: Pick<Settings, 'defaults'>,
  former: ReadonlyMap<string, Written | undefined> = new Map(),
) {
  const links = listLinks(root);
  const names = listNames(join(root, 'components')).filter(
    (name) => !former.has(name) || former.get(name),
  );
  const { results, problems } = readEach(names, (name) => {
    const file = `components/${name}.json`;
    if (links.includes(file) && !former.has(name)) {
      throw inputError(file, isLinkMessage);
    }
    const written = former.get(name) ?? { ...settings, own: readJsonFile(join(root, file), file) };
    return [name, parseDefinition(name, file, written)] as const;
  });
  // A link in place of a definition, such as `components/agent.json`, was already reported above. All other links below `components/` are
  // reported here.
  const strays = links.filter((path) => {
    const name = basename(path, '.json');
    return !names.includes(name) && !former.has(name);
  });
  const definitions = new Map(results);
  const wrong = results.flatMap(([name, definition]) => findWrongNames(name, definition, names));
  const shared = findSharedNames(root, names, definitions);
  return { definitions, problems: [...problems, ...listLinkProblems(strays), ...wrong, ...shared] };
}

/** Parses a definition. Does not check the names of other components that it contains. */
export function parseDefinition(
  name: string,
  file: string,
  { own, defaults }: Written,
): Definition {
  const problem = findNameProblem(name);
  if (problem !== undefined) {
    throw inputError(file, problem);
  }

  return parseDocument(
    Definition,
    isObject(own) ? { ...fillDefaults(name, defaults), ...own } : own,
    file,
  );
}

/** Returns the `defaults` of the settings for a component. The component's name replaces `{component}`. */
export function fillDefaults(name: string, defaults: Settings['defaults'] = {}): object {
  // Replacing the text in JSON is safe, because a name contains no character that JSON escapes.
  return JSON.parse(JSON.stringify(defaults).replaceAll('{component}', name)) as object;
}

function findWrongNames(
  name: string,
  { replacedBy, splitInto = [], renamedFrom = [] }: Definition,
  names: readonly string[],
): Problem[] {
  const messages = renamedFrom.flatMap((former) => {
    const problem = findNameProblem(former);
    return problem === undefined ? [] : `renamedFrom: ${problem}; got "${former}"`;
  });
  const isOther = (text: string) => text !== name && names.includes(text);
  if (replacedBy !== undefined && !isOther(replacedBy)) {
    messages.push(`replacedBy: expected another component; got "${replacedBy}"`);
  }
  for (const [index, part] of splitInto.entries()) {
    if (!isOther(part) || splitInto.indexOf(part) < index) {
      messages.push(`splitInto[${index}]: expected another component, each once; got "${part}"`);
    }
  }
  if (replacedBy !== undefined && splitInto.length > 0) {
    messages.push('expected either replacedBy or splitInto, not both');
  }
  return messages.map((message) => ({ subject: `components/${name}.json`, message }));
}

/** Finds names, former names and aliases that two components share. Both would publish files at the same paths. */
function findSharedNames(
  root: string,
  names: readonly string[],
  definitions: ReadonlyMap<string, Definition>,
): Problem[] {
  const owners = new Map<string, string[]>();
  for (const name of names) {
    const { renamedFrom = [], aliases = [] } = definitions.get(name) ?? {};
    const texts = [name, ...renamedFrom, ...aliases].map((text) => text.toLowerCase());
    for (const key of new Set(texts)) {
      owners.set(key, [...(owners.get(key) ?? []), name]);
    }
  }

  const shared = [...owners].filter(([, sharing]) => sharing.length > 1);
  return shared.map(([text, sharing]) => {
    // Reports the problem for the component that should give up the shared name. The first rule that fits decides:
    // - Only some of the components are new (without recorded data): a new component gives up the name.
    // - The name is the file name of one component and an alias of another component: the component with the alias gives up the name.
    const added = sharing.filter((name) => !isRecorded(root, name));
    const candidates = added.length > 0 ? added : sharing;
    const wrong = candidates.findLast((name) => name !== text) ?? candidates[0];
    const message = `several components share the name "${text}": ${formatList(sharing, 5)}`;
    return { subject: `components/${wrong}.json`, message };
  });
}

/** Reads all definitions. Throws an `InputError` with all problems. */
export function requireDefinitions(root: string, settings: Settings) {
  const { definitions, problems } = readDefinitions(root, settings);
  throwAll(problems);
  return definitions;
}
