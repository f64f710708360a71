import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'ini';
import { z } from 'zod';
import { show } from '../../core/schemas/problems.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { readIfThere } from '../../io/files/save.ts';

const Settings = z.record(z.string(), z.unknown());

/**
 * Each changed key of `site/site.json`, of the sources of definitions and of npm's configuration, in sentences: a change of them may
 * change no file yet.
 */
export function describeSettingChanges(before: Root, after: Root): string[] {
  const names = new Set([before, after].flatMap((root) => listComponents(root).names));
  const lines = [
    ...compareKeys(
      'site/site.json: ',
      readSettings(before, 'site/site.json'),
      readSettings(after, 'site/site.json'),
    ),
    ...compareKeys('.npmrc: ', readNpmSettings(before), readNpmSettings(after)),
  ];

  for (const name of [...names].sort()) {
    const file = `components/${name}.json`;
    const [was, now] = [before, after].map((root) => readSources(root, file));

    lines.push(...compareKeys(`${file}: `, was, now));
  }

  return lines;
}

function readSettings({ dir }: Root, file: string): Record<string, unknown> {
  const path = join(dir, file);
  return (existsSync(path) && readDocument(path, file, Settings).value) || {};
}

/** Names the registries of packages and the hosts that get a credential, never the credential. */
function readNpmSettings({ dir }: Root): Record<string, unknown> {
  const settings = parse(readIfThere(join(dir, '.npmrc'))?.toString() ?? '');

  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const isCredential = key.startsWith('//') && !/^\$\{\w+\??\}$/.test(String(value));
      return [key, isCredential ? 'a credential' : value];
    }),
  );
}

/** The sources by their places, so that each has a name. */
function readSources(root: Root, file: string): Record<string, unknown> {
  const { sources } = readSettings(root, file);
  const entries = Array.isArray(sources) ? (sources as unknown[]) : [];

  return Object.fromEntries(entries.map((source, place) => [`sources[${place}]`, source]));
}

function compareKeys(path: string, was: unknown, now: unknown): string[] {
  if (isDeepStrictEqual(was, now)) {
    return [];
  }

  const [past, present] = [Settings.safeParse(was ?? {}).data, Settings.safeParse(now ?? {}).data];
  if (past && present) {
    const prefix = path.endsWith(' ') ? path : `${path}.`;
    const keys = new Set([...Object.keys(past), ...Object.keys(present)]);

    return [...keys].flatMap((key) => compareKeys(`${prefix}${key}`, past[key], present[key]));
  }

  const [from, to] = [was, now].map((value) => (value === undefined ? 'none' : show(value)));

  return [`${path} is ${to} (before: ${from}).`];
}
