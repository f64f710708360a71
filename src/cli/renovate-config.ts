import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedDocuments } from '../ask/answers/published-documents.ts';
import { inputError } from '../core/schemas/finding.ts';
import { isAmong } from './renovate-patterns.ts';
import type { PackageRule } from './renovate-rules.ts';

/** The configuration of Renovate in a folder, with the presets of an index that it extends. */
export interface RepositoryConfig {
  readonly extendsIndex: boolean;
  readonly separatesMajors: boolean;
  /** The rules of the presets for a component, then its own. */
  rulesFor(component: string): Promise<readonly PackageRule[]>;
  reads(file: string): boolean;
  /** The patterns of files that it adds to those of a manager. */
  patternsOf(manager: string): readonly string[];
}

interface WrittenConfig {
  readonly extends?: unknown;
  readonly ignorePaths?: unknown;
  readonly includePaths?: unknown;
  readonly separateMajorMinor?: unknown;
  readonly packageRules?: unknown;
  readonly [manager: string]: unknown;
}

const configNames = [
  'renovate.json',
  '.github/renovate.json',
  '.gitlab/renovate.json',
  '.renovaterc.json',
  '.renovaterc',
];

/** Renovate ignores these paths, unless a configuration states others. */
const ignoredPaths = ['**/{node_modules,bower_components}/**'];

/** These presets also ignore `ignoredByPresets`. */
const presetsWithPaths =
  /^(?:config:(?:recommended|best-practices|js-app|js-lib)|:ignoreModulesAndTests)$/;
const ignoredByPresets = ['**/{vendor,examples,__tests__,test,tests,__fixtures__}/**'];

/** Reads the first configuration of a folder, as far as it is plain JSON. `site`: the address of the index. */
export function readRepositoryConfig(
  folder: string,
  site: string,
  documents: PublishedDocuments,
): RepositoryConfig {
  const written = writtenConfig(folder);
  const presets = textsOf(written.extends) ?? [];
  const paths = presets
    .filter((preset) => preset.startsWith(`${site}/`))
    .map((preset) => preset.slice(site.length + 1));
  const isMain = (path: string) => path === 'renovate.json' || path.startsWith('renovate/only/');
  const extendsIndex = paths.some(isMain);
  // A folder without the preset is read as if it had it.
  const extended = extendsIndex ? paths : ['renovate.json', ...paths];
  const writtenRules = Array.isArray(written.packageRules)
    ? (written.packageRules as PackageRule[])
    : [];

  const rulesFor = async (component: string) => {
    const rules: PackageRule[] = [];
    for (const path of new Set(extended.map((each) => pathFor(each, component)))) {
      rules.push(...(path === undefined ? [] : await rulesAt(documents, path)));
    }

    return [...rules, ...writtenRules];
  };

  const ofPresets = presets.some((preset) => presetsWithPaths.test(preset)) ? ignoredByPresets : [];
  const ignored = textsOf(written.ignorePaths) ?? [...ignoredPaths, ...ofPresets];
  const included = textsOf(written.includePaths) ?? [];

  return {
    extendsIndex,
    separatesMajors: written.separateMajorMinor !== false,
    rulesFor,
    reads: (file) =>
      (included.length === 0 || included.includes(file) || isAmong(included, file)) &&
      !ignored.some((path) => file.includes(path)) &&
      !isAmong(ignored, file),
    patternsOf: (manager) => {
      const options = written[manager] as { managerFilePatterns?: unknown } | undefined;
      return textsOf(options?.managerFilePatterns) ?? [];
    },
  };
}

/** The preset that has the rules of a preset for a component: the one for this component, in place of that for all. */
function pathFor(path: string, component: string): string | undefined {
  const only = `renovate/only/${component}.json`;
  if (path === 'renovate.json' || path === only) {
    return only;
  }

  return path.startsWith('renovate/with/') ? path : undefined;
}

async function rulesAt(documents: PublishedDocuments, path: string): Promise<PackageRule[]> {
  const text = await documents.read(path);
  if (text === undefined) {
    throw inputError(path, 'The index has no such preset: Renovate stops where it is extended.');
  }

  return (JSON.parse(text) as { packageRules?: PackageRule[] }).packageRules ?? [];
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function writtenConfig(folder: string): WrittenConfig {
  const file = configNames.find((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
  );
  if (file === undefined) {
    return {};
  }

  try {
    return (JSON.parse(readFileSync(join(folder, file), 'utf8')) ?? {}) as WrittenConfig;
  } catch {
    return {};
  }
}
