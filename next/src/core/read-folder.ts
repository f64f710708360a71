/** Definitions and settings of an index, from its folder. Problems of all files come at once. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { InputError, inputError, parseDocument, type Problem } from './errors.ts';
import { readJsonFile } from './files.ts';
import { findNameProblem } from './names.ts';
import { parseQuery, QueryError } from './query/parse.ts';
import { releaseFields } from './query/release-fields.ts';
import type { Policy } from './schema/documents.ts';
import { Definition } from './schema/definition.ts';
import { NamedPolicy, Settings } from './schema/settings.ts';

export function readSettings(root: string): Settings {
  const file = 'site/site.json';
  const document = readJsonFile(join(root, file), file);
  if (document === undefined) {
    throw inputError(
      file,
      'there is no such file. Is this the folder of an index? --root names it',
    );
  }

  return parseDocument(Settings, document, file);
}

/** By name. */
export function readDefinitions(
  root: string,
  { defaults = {} }: Settings,
): { definitions: Map<string, Definition>; problems: Problem[] } {
  const definitions = new Map<string, Definition>();
  const problems: Problem[] = [];
  for (const name of listNames(join(root, 'components'))) {
    const file = `components/${name}.json`;
    collect(problems, file, () => {
      const problem = findNameProblem(name);
      if (problem !== undefined) {
        throw inputError(file, problem);
      }

      const { support, ...links } = defaults;
      const own = readJsonFile(join(root, file), file);
      const filled = Object.entries(links).map(([key, url]) => [
        key,
        url?.replaceAll('{component}', name),
      ]);
      const usual = { ...Object.fromEntries(filled), ...(support && { support }) };
      const isObject = typeof own === 'object' && own !== null && !Array.isArray(own);
      definitions.set(name, parseDocument(Definition, isObject ? { ...usual, ...own } : own, file));
    });
  }
  return { definitions, problems };
}

/** Throws an `InputError` with all problems. */
export function requireDefinitions(root: string, settings: Settings): Map<string, Definition> {
  const { definitions, problems } = readDefinitions(root, settings);
  if (problems.length > 0) {
    throw new InputError(problems);
  }

  return definitions;
}

/** The built-in policies of the program, and those of the index. */
export function readPolicies(root: string, program: string): Policy[] {
  const builtIn = parseDocument(
    z.record(z.string(), NamedPolicy),
    readJsonFile(join(program, 'site/built-in-policies.json')),
    'built-in-policies.json',
  );
  const policies: Policy[] = Object.entries(builtIn).map(([name, policy]) => ({
    name,
    isBuiltIn: true,
    ...policy,
  }));
  const problems: Problem[] = [];
  for (const name of listNames(join(root, 'site/policies'))) {
    const file = `site/policies/${name}.json`;
    collect(problems, file, () => {
      const { $schema: _, ...policy } = parseDocument(
        NamedPolicy,
        readJsonFile(join(root, file), file),
        file,
      );
      try {
        parseQuery(policy.query, releaseFields, 0);
      } catch (error) {
        throw error instanceof QueryError ? inputError(file, `query: ${error.message}`) : error;
      }
      policies.push({ name, isBuiltIn: false, ...policy });
    });
  }
  if (problems.length > 0) {
    throw new InputError(problems);
  }
  return policies;
}

function collect(problems: Problem[], file: string, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    problems.push(...error.problems.map((problem) => ({ ...problem, file })));
  }
}

/** Without `.json`, sorted. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
