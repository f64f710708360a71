import { join } from 'node:path';
import * as z from 'zod';
import { isObject } from '../core/model/objects.ts';
import { createDefinitionSchema } from '../core/schemas/definition/definition.ts';
import { checked, type Fields } from '../core/schemas/keys.ts';
import { isUnsafeHttp } from '../core/schemas/urls.ts';
import { checkDocument, readDocument, type ReadResult } from '../io/files/read-documents.ts';
import { readSiteConfig } from '../io/files/settings-files.ts';
import {
  definitionFile,
  definitionPath,
  isWritable,
  findPartFolder,
  type Root,
} from '../io/files/root.ts';
import { TypedSource } from './sources/index.ts';

/** The schema of a definition, with the fields that each datasource has. */
export const FullDefinition = createDefinitionSchema(TypedSource);
export type FullDefinition = z.infer<typeof FullDefinition>;

/** `components/<component>.json`, without values inherited from `defaults` of `site/site.json`. */
export const WrittenDefinition = FullDefinition.partial({ homepage: true, changelogUrl: true });
export type WrittenDefinition = z.infer<typeof WrittenDefinition>;

/** A definition, or its problems. */
export interface DefinitionResult extends ReadResult<FullDefinition> {
  /** The keys that come from `defaults` of `site/site.json`. */
  inherited: readonly string[];
}

/** The definitions of several components, each valid or with its problems. */
export function readDefinitions(
  root: Root,
  names: readonly string[],
): Map<string, DefinitionResult> {
  const { value: config } = readSiteConfig(root);
  return new Map(names.map((name) => [name, readDefinition(root, name, config)]));
}

/** Reads a definition with inherited values. A last good definition has the defaults of its own commit. */
export function readDefinition(
  root: Root,
  component: string,
  config = readSiteConfig(root).value,
): DefinitionResult {
  const file = definitionFile(component);
  const { value: written, findings } = readDocument(
    definitionPath(root, component),
    file,
    z.unknown(),
  );
  if (findings.length > 0) {
    return { findings, inherited: [] };
  }

  const schema = createSchemaForHosts(config?.plainHttpHosts);
  if (!isObject(written)) {
    return { ...checkDocument(written, file, schema), inherited: [] };
  }

  const defaults = fillDefaults(component, readDefaults(root, component, config?.defaults));
  const inherited = Object.keys(defaults).filter((key) => !Object.hasOwn(written, key));
  return { ...checkDocument({ ...defaults, ...written }, file, schema), inherited };
}

const WithDefaults = z.looseObject({ defaults: z.looseObject({}).optional() });

/** The defaults that go with the definition: the present ones, or those of its last good commit. */
function readDefaults(
  root: Root,
  component: string,
  present: Fields | undefined,
): Fields | undefined {
  if (isWritable(root, component, 'definition')) {
    return present;
  }

  const path = join(findPartFolder(root, component, 'definition'), 'site/site.json');
  return readDocument(path, 'site/site.json', WithDefaults, { findings: [] }).value?.defaults;
}

/** The values that a component's definition inherits unless it states them. */
export function fillDefaults(component: string, defaults: Fields = {}): Partial<FullDefinition> {
  const entries = Object.entries(defaults).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{component}', component) : value,
  ]);
  return Object.fromEntries(entries) as Partial<FullDefinition>;
}

/** The schema of a definition with inherited values, whose sources and source of support may be at plain http: only on these hosts. */
export function createSchemaForHosts(
  plainHttpHosts: readonly string[] | undefined,
): z.ZodType<FullDefinition> {
  return checked(FullDefinition, ({ sources, support }, reject) => {
    // The values of an invalid definition may have any form.
    const list = Array.isArray(sources) ? sources : [];
    for (const [index, source] of list.entries()) {
      for (const key of listPlainHttpKeys(source, plainHttpHosts)) {
        reject(['sources', index, key], plainHttpProblem);
      }
    }
    for (const key of listPlainHttpKeys(support?.source, plainHttpHosts)) {
      reject(['support', 'source', key], plainHttpProblem);
    }
  });
}

function listPlainHttpKeys(source: unknown, hosts: readonly string[] | undefined): string[] {
  const entries = isObject(source) ? Object.entries(source) : [];
  return entries
    .filter(([, value]) => typeof value === 'string' && isUnsafeHttp(value, hosts))
    .map(([key]) => key);
}

const plainHttpProblem =
  'expected an https: address (plain http: for loopback, and for plainHttpHosts of site/site.json)';
