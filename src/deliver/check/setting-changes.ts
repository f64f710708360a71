import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'ini';
import * as z from 'zod';
import { isObject } from '../../core/model/objects.ts';
import { isSecretKey, showValue } from '../../core/text/show.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { definitionFile, listComponents, type Root } from '../../io/files/root.ts';
import { accessFile } from '../../io/files/settings-files.ts';

const Settings = z.record(z.string(), z.unknown());

/**
 * Each changed key of `site/site.json`, of the access rules, of npm's configuration and of the sources of definitions, in sentences:
 * they take effect on the next run, even if no published file differs today.
 */
export function describeSettingChanges(before: Root, after: Root): string[] {
  const lines: string[] = [];
  for (const file of ['site/site.json', accessFile]) {
    lines.push(...compareFiles(file, readSettings(before, file), readSettings(after, file)));
  }

  lines.push(...describeNpmChanges(before, after));

  const names = new Set([...listComponents(before).names, ...listComponents(after).names]);
  for (const name of [...names].sort()) {
    const file = definitionFile(name);
    lines.push(...compareFiles(file, readSources(before, file), readSources(after, file)));
  }
  return lines;
}

/** Undefined for a file that cannot be read; an absent one has no keys. */
function readSettings({ dir }: Root, file: string): Record<string, unknown> | undefined {
  return readDocument(join(dir, file), file, Settings, { value: {}, findings: [] }).value;
}

/** Sources of releases, advisories and ends. */
function readSources(root: Root, file: string): object | undefined {
  const settings = readSettings(root, file);
  if (!settings) {
    return undefined;
  }

  const { sources, support } = settings;
  return { sources, support: isObject(support) ? { source: support['source'] } : undefined };
}

function compareFiles(file: string, former?: object, present?: object): string[] {
  return former && present ? compareValues(file, '', former, present) : [describeUnreadable(file)];
}

function describeUnreadable(file: string): string {
  return `${file}: one of the two states cannot be read, so any key may differ.`;
}

/** The start of a line up to a space that is a key, perhaps of a registry: no token consists of letters and hyphens alone. */
const npmKey = /^(?:\S+:)?_?[a-z-]+(?=\s|$)/i;

/** Names the changed keys of npm's configuration up to a space. A value, text behind a space, or a line without a key may be a credential. */
function describeNpmChanges(before: Root, after: Root): string[] {
  const past = readNpmSettings(before);
  const present = readNpmSettings(after);
  if (!past || !present) {
    return [describeUnreadable('.npmrc')];
  }

  const keys = Object.keys({ ...past, ...present });
  return keys
    .filter((key) => !isDeepStrictEqual(past[key], present[key]))
    .map((key) => `.npmrc: ${npmKey.exec(key)?.[0] ?? 'a line'} has changed.`);
}

/** Undefined for anything but a file: a link may lead to every file of the computer, and a secret there would pass for a key. */
function readNpmSettings({ dir }: Root): Record<string, unknown> | undefined {
  const path = join(dir, '.npmrc');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) {
    return {};
  }

  return stats.isFile() ? parse(readFileSync(path, 'utf8')) : undefined;
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
    const key = path.slice(1);
    const change = key.split(/[.[]/).some(isSecretKey)
      ? 'has changed'
      : `is ${describeValue(value)} (before: ${describeValue(former)})`;
    return [`${file}: ${key} ${change}.`];
  }

  return [...partPaths].flatMap((part) =>
    compareValues(file, path + part, formerParts.get(part), parts.get(part)),
  );
}

/** The parts of a list or an object by their paths in it; none of an absent value. Undefined for a value that is neither. */
function listParts(value: unknown = {}): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    return new Map(value.map((item: unknown, index) => [`[${index}]`, item]));
  }

  return isObject(value)
    ? new Map(Object.entries(value).map(([key, item]) => [`.${key}`, item]))
    : undefined;
}

function describeValue(value: unknown): string {
  return value === undefined ? 'none' : showValue(value);
}
