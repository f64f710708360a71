import { isObject, type Fields } from './document-entries.ts';
import { longestText, type Entry, type Item } from './items.ts';
import { versionOrRange } from './build-lines.ts';
import type { ReadText } from './items.ts';

type LineOf = (text: string) => number | undefined;

const dependencyKeys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
];

export function isPackageLock({ lockfileVersion, packages, dependencies }: Fields): boolean {
  return typeof lockfileVersion === 'number' && (isObject(packages) || isObject(dependencies));
}

export function isPackageJson(fields: Fields): boolean {
  return !isPackageLock(fields) && dependencyKeys.some((key) => isObject(fields[key]));
}

/** The dependencies of a project, by name. */
function dependenciesOf(project: Fields): [name: string, version: string][] {
  return dependencyKeys.flatMap((key) => {
    const dependencies = project[key];
    const pairs = isObject(dependencies) ? Object.entries(dependencies) : [];

    return pairs.map(([name, version]): [string, string] => [cut(name), cut(String(version))]);
  });
}

function cut(text: string): string {
  return text.slice(0, longestText);
}

export function readPackageJson(document: Fields, lineOf: LineOf): Entry[] {
  return dependenciesOf(document).map(([name, version]) =>
    dependencyEntry(name, version, lineOf(name)),
  );
}

/** A dependency as a manifest states it: a version, a range, another package, or another place than a registry. */
function dependencyEntry(name: string, requested: string, line: number | undefined): Entry {
  const [, other, of] = /^npm:(@?[^@]+)@?(.*)$/.exec(requested) ?? [];
  const text = `${name}@${requested}`;
  const asked = of ?? requested;

  if (other === undefined && /[/:]/.test(requested)) {
    return [{ text, line, name, range: requested }];
  }

  const { version, range } = versionOrRange(asked);

  return [npmItem(other ?? name, { text, line, version, range })];
}

function npmItem(fullName: string, item: Item): Item {
  const [, namespace, name = fullName] = /^(@[^/]+)\/(.+)$/.exec(fullName) ?? [];
  return { ...item, purl: { type: 'npm', namespace, name, version: item.version } };
}

/** The direct dependencies of a package-lock.json with their installed versions. */
export function readPackageLock({ packages, dependencies }: Fields, lineOf: LineOf): ReadText {
  if (!isObject(packages)) {
    return readOldPackageLock(isObject(dependencies) ? dependencies : {}, lineOf);
  }

  const entries: Entry[] = [];

  for (const [path, project] of Object.entries(packages)) {
    if (path.includes('node_modules/') || !isObject(project)) {
      continue;
    }

    for (const [name, version] of dependenciesOf(project)) {
      const installed = [path === '' ? '' : `${path}/`, ''].map(
        (folder) => packages[`${folder}node_modules/${name}`],
      );
      const locked = installed.find(isObject);
      const line = lineOf(`node_modules/${name}`);

      if (typeof locked?.['version'] === 'string') {
        const ownName = typeof locked['name'] === 'string' ? cut(locked['name']) : name;
        entries.push([lockedItem(ownName, locked['version'], locked['integrity'], line)]);
      } else {
        entries.push(dependencyEntry(name, version, line));
      }
    }
  }

  return { entries: distinctEntries(entries), problems: [], isDocument: true };
}

/** The first version of the format does not state which dependencies are direct. */
function readOldPackageLock(dependencies: Fields, lineOf: LineOf): ReadText {
  const entries = Object.entries(dependencies)
    .map(([name, locked]) =>
      isObject(locked) && typeof locked['version'] === 'string'
        ? [lockedItem(cut(name), locked['version'], locked['integrity'], lineOf(name))]
        : undefined,
    )
    .filter((entry) => entry !== undefined);

  return { entries, problems: [], isDocument: true, notes: [allRead(entries)] };
}

function allRead({ length }: readonly unknown[]): string {
  return `the lock file does not state which dependencies are direct; read all ${length}`;
}

function lockedItem(
  name: string,
  lockedVersion: string,
  integrity: unknown,
  line: number | undefined,
): Item {
  const version = cut(lockedVersion);
  const digests = typeof integrity === 'string' ? digestsIn(cut(integrity)) : [];

  return npmItem(name, {
    text: `${name}@${version}`,
    line,
    version,
    digests: digests.length > 0 ? digests : undefined,
  });
}

/** `sha512-<base64>` as `sha512:<hexadecimal digits>`. */
function digestsIn(integrity: string): string[] {
  return Array.from(
    integrity.matchAll(/\b(sha\d+)-([A-Za-z\d+/]+={0,2})/g),
    ([, algorithm, value]) => {
      try {
        const bytes = Uint8Array.from(atob(value!), (letter) => letter.charCodeAt(0));
        return `${algorithm}:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      } catch {
        return `${algorithm}:${value}`;
      }
    },
  );
}

/** Several projects of a repository may have the same dependency. */
function distinctEntries(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry[0]!.text, entry])).values()];
}

/** A line of YAML with a key. */
const yamlKey = /^( *)(?:'([^']+)'|"([^"]+)"|([^\s'":#][^:]*?)):(?:\s+(.*))?$/;

interface YamlLine {
  /** The keys from the root to this line. */
  readonly path: readonly string[];
  /** Empty for a key with lines of its own below it. */
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

/** The lines with keys of a document that a package manager writes, with two spaces a level. */
function* yamlLines(text: string): Generator<YamlLine> {
  let path: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const [, indent, single, double, plain, value = ''] = yamlKey.exec(cut(raw)) ?? [];
    const key = single ?? double ?? plain;
    if (indent !== undefined && key !== undefined) {
      path = [...path.slice(0, indent.length / 2), key];
      yield { path, value: value.replace(/^(["'])(.*)\1$/, '$2'), line: index + 1 };
    }
  }
}

/** The direct dependencies of all projects in a pnpm-lock.yaml. */
export function readPnpmLock(text: string): Entry[] {
  const resolutions = new Map<string, { name: string; version: string; line: number }>();
  const integrities = new Map<string, string>();

  for (const { path, value, line } of yamlLines(text)) {
    const inProject = path[0] === 'importers' ? path.slice(2) : path;
    const [list = '', name, key] = inProject;

    if (dependencyKeys.includes(list) && name !== undefined && value !== '') {
      // Before version 6 of the format, the version stands behind the name.
      if (key === 'version' || key === undefined) {
        resolutions.set(`${path[0]} ${path[1]} ${name}`, { name, version: value, line });
      }
    }

    if (path[0] === 'packages' && path[2] === 'resolution' && path[1] !== undefined) {
      integrities.set(path[1].replace(/^\//, ''), /integrity: ([^,}]+)/.exec(value)?.[1] ?? '');
    }
  }

  return distinctEntries(
    Array.from(resolutions.values(), ({ name: alias, version: lockedVersion, line }) => {
      const plain = lockedVersion.replace(/\(.*$/, '').replace(/_.*$/, '');
      const [, name = alias, version = plain] = /^\/?(@?[^@]+)@(\d.*)$/.exec(plain) ?? [];
      if (/^(?:link|file|workspace|https?|git\S*):/.test(version)) {
        return [{ text: `${name}@${version}`, line, name, range: version }];
      }

      const integrity =
        integrities.get(`${name}@${version}`) ?? integrities.get(`${name}/${version}`);

      return [lockedItem(name, version, integrity, line)];
    }),
  );
}

interface YarnBlock {
  readonly descriptors: readonly string[];
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
  readonly dependencies: readonly (readonly [name: string, range: string])[];
}

/** The dependencies in a yarn.lock: direct ones where it names the projects, which version 1 does not. */
export function readYarnLock(text: string): ReadText {
  const blocks = yarnBlocks(text);
  const byDescriptor = new Map(
    blocks.flatMap((block) => block.descriptors.map((descriptor) => [descriptor, block] as const)),
  );
  const projects = blocks.filter(({ descriptors }) => descriptors[0]?.includes('@workspace:'));
  if (projects.length === 0) {
    const entries = blocks.flatMap((block) => yarnEntry(block) ?? []);
    return { entries, problems: [], isDocument: true, notes: [allRead(entries)] };
  }

  const entries = projects.flatMap(({ dependencies, line }) =>
    dependencies.map(([name, range]): Entry => {
      const block =
        byDescriptor.get(`${name}@${range}`) ?? byDescriptor.get(`${name}@npm:${range}`);
      return (block && yarnEntry(block)?.[0]) ?? dependencyEntry(name, range, line);
    }),
  );

  return { entries: distinctEntries(entries), problems: [], isDocument: true };
}

function yarnEntry({ descriptors, values, line }: YarnBlock): [Entry] | undefined {
  const [, alias = '', range = ''] = /^(@?[^@]+)@(.*)$/.exec(descriptors[0] ?? '') ?? [];
  const version = values.get('version');

  if (
    alias === '' ||
    alias === '__metadata' ||
    version === undefined ||
    range.startsWith('workspace:')
  ) {
    return undefined;
  }

  const name = /^npm:(@?[^@]+)@/.exec(range)?.[1] ?? alias;

  return [[lockedItem(name, version, values.get('integrity'), line)]];
}

function yarnBlocks(text: string): YarnBlock[] {
  const blocks: YarnBlock[] = [];
  let values = new Map<string, string>();
  let dependencies: [string, string][] = [];
  let group = '';

  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.slice(0, 10 * longestText);

    if (/^[^\s#]/.test(line)) {
      [values, dependencies] = [new Map(), []];

      const descriptors = line
        .replace(/:\s*$/, '')
        .split(/,\s*/)
        .map((descriptor) => descriptor.replaceAll('"', '').trim());

      blocks.push({ descriptors, line: index + 1, values, dependencies });
      continue;
    }

    const [, indent = '', key = '', value = ''] =
      /^( +)"?([^"\s:]+(?::[^"\s:]+)*)"?:?\s*"?([^"]*)"?$/.exec(cut(line)) ?? [];

    if (indent.length === 2) {
      group = key;
      values.set(key, value);
    } else if (indent.length > 2 && group === 'dependencies') {
      dependencies.push([key, value]);
    }
  }

  return blocks;
}
