import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'ini';
import * as z from 'zod';
import { showValue } from '../../core/text/show.ts';
import { readIfThere } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { accessFile } from '../../io/files/settings-files.ts';

const Settings = z.record(z.string(), z.unknown());

/**
 * Each changed key of `site/site.json`, of the access rules, of npm's configuration and of the sources of definitions, in sentences:
 * they take effect on the next run, even if no published file differs today.
 */
export function describeSettingChanges(before: Root, after: Root): string[] {
  const lines: string[] = [];
  for (const file of ['site/site.json', accessFile]) {
    lines.push(...compareValues(file, '', readSettings(before, file), readSettings(after, file)));
  }

  lines.push(...describeNpmChanges(before, after));

  const names = new Set([...listComponents(before).names, ...listComponents(after).names]);
  for (const name of [...names].sort()) {
    const file = `components/${name}.json`;
    lines.push(...compareValues(file, '', readSources(before, file), readSources(after, file)));
  }
  return lines;
}

function readSettings({ dir }: Root, file: string): Record<string, unknown> {
  return readDocument(join(dir, file), file, Settings, { findings: [] }).value ?? {};
}

/** Sources of releases, advisories and ends. */
function readSources(root: Root, file: string): object {
  const { sources, support } = readSettings(root, file);
  const { source } = Settings.safeParse(support).data ?? {};
  return { sources, support: { source } };
}

/** Names the registries of packages and the hosts that get a credential, never the credential. */
function describeNpmChanges(before: Root, after: Root): string[] {
  const past = readNpmSettings(before);
  const present = readNpmSettings(after);
  const lines: string[] = [];
  for (const key of Object.keys({ ...past, ...present })) {
    const former = hideCredential(key, past[key]);
    const value = hideCredential(key, present[key]);
    if (former === value && past[key] !== present[key]) {
      lines.push(`.npmrc: ${key} is another credential.`);
    } else {
      lines.push(...compareValues('.npmrc', `.${key}`, former, value));
    }
  }
  return lines;
}

function readNpmSettings({ dir }: Root): Record<string, unknown> {
  const settings = parse(readIfThere(join(dir, '.npmrc'))?.toString() ?? '');
  return Object.fromEntries(listNpmSettings(settings, ''));
}

/** The settings of npm, also of sections, which npm ignores: `section.key`. */
function listNpmSettings(settings: object, prefix: string): [path: string, value: unknown][] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const path = prefix + key;
    const section = Settings.safeParse(value).data;
    return section ? listNpmSettings(section, `${path}.`) : [[path, value]];
  });
}

/**
 * Npm reads credentials from keys that begin with `//` or `_`, and from `key`. A section may hold them by mistake. A reference to a
 * variable of the environment is shown.
 */
function hideCredential(path: string, value: unknown): unknown {
  const isCredential =
    value !== undefined &&
    /(?:^|[.:])(?:\/\/|_|key$)/.test(path) &&
    !/^\$\{\w+\??\}$/.test(String(value));
  return isCredential ? 'a credential' : value;
}

/** `path`: of both values within the file, such as `.sources[0].url`. */
function compareValues(file: string, path: string, former: unknown, value: unknown): string[] {
  if (isDeepStrictEqual(former, value)) {
    return [];
  }

  const formerParts = listParts(former);
  const parts = listParts(value);
  const partPaths = new Set([...(formerParts?.keys() ?? []), ...(parts?.keys() ?? [])]);
  if (!formerParts || !parts || partPaths.size === 0) {
    return [
      `${file}: ${path.slice(1)} is ${describeValue(value)} (before: ${describeValue(former)}).`,
    ];
  }

  return [...partPaths].flatMap((part) =>
    compareValues(file, path + part, formerParts.get(part), parts.get(part)),
  );
}

/** The parts of a list or an object by their paths in it; none of an absent value. Undefined for a value that is neither. */
function listParts(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (value === undefined) {
    return new Map();
  }
  if (Array.isArray(value)) {
    return new Map(value.map((item: unknown, index) => [`[${index}]`, item]));
  }

  const settings = Settings.safeParse(value).data;
  return settings && new Map(Object.entries(settings).map(([key, item]) => [`.${key}`, item]));
}

function describeValue(value: unknown): string {
  return value === undefined ? 'none' : showValue(value);
}
