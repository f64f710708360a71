import { join } from 'node:path';
import * as z from 'zod';
import { createDefinitionSchema } from '../core/schemas/definition/definition.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { checked, isPlainHttp } from '../core/schemas/scalars.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { readDocument, type ReadResult } from '../io/files/read-documents.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { definitionPath, isWritable, findPartFolder, type Root } from '../io/files/root.ts';
import { TypedSource } from './sources/index.ts';

/** A definition with the coordinates of every datasource. */
export const FullDefinition = createDefinitionSchema(TypedSource);
export type FullDefinition = z.infer<typeof FullDefinition>;

/** `components/<component>.json`, without values inherited from `defaults` of `site/site.json`. */
export const WrittenDefinition = FullDefinition.partial({ homepage: true, changelogUrl: true });
export type WrittenDefinition = z.infer<typeof WrittenDefinition>;

export interface ReadDefinition extends ReadResult<FullDefinition> {
  /** The keys that come from `defaults` of `site/site.json`. */
  inherited: readonly string[];
}

/** The valid definitions of several components. */
export function readDefinitions(root: Root, names: readonly string[]): Map<string, ReadDefinition> {
  const { value: config } = readSiteConfig(root);
  return new Map(names.map((name) => [name, readDefinition(root, name, config)]));
}

/** The valid definition, with inherited values. If the component waits, that of its last good commit. */
export function readDefinition(root: Root, component: string, config?: SiteConfig): ReadDefinition {
  const inherited: string[] = [];
  const site = config ?? readSiteConfig(root).value;
  const defaults = readFormerDefaults(root, component) ?? site?.defaults;
  const values = { defaults, plainHttpHosts: site?.plainHttpHosts };
  const schema = createDefinitionReader(component, values, inherited);
  const read = readDocument(
    definitionPath(root, component),
    `components/${component}.json`,
    schema,
  );
  return { ...read, inherited };
}

const WithDefaults = z.looseObject({ defaults: z.looseObject({}).optional() });

/** The defaults of the commit whose definition counts instead of the present one. */
function readFormerDefaults(root: Root, component: string): Defaults | undefined {
  if (isWritable(root, component, 'definition')) {
    return undefined;
  }

  const path = join(findPartFolder(root, component, 'definition'), 'site/site.json');
  return (
    (isAbsent(path) ? undefined : readDocument(path, 'site/site.json', WithDefaults).value)
      ?.defaults ?? {}
  );
}

/** The definition as written, without inherited values. */
export function readWrittenDefinition(
  root: Root,
  component: string,
): ReadResult<WrittenDefinition> {
  return readDocument(
    definitionPath(root, component),
    `components/${component}.json`,
    WrittenDefinition,
  );
}

/** `defaults` of `site/site.json`. */
export type Defaults = Readonly<Record<string, unknown>>;

/** The values of `site/site.json` that a definition depends on. */
interface SiteValues {
  defaults?: Defaults | undefined;
  plainHttpHosts?: readonly string[] | undefined;
}

/** Reads a written definition and adds inherited values, whose keys it puts into `inherited`. */
export function createDefinitionReader(
  component: string,
  { defaults, plainHttpHosts }: SiteValues = {},
  inherited: string[] = [],
): z.ZodType<FullDefinition> {
  const values = pickDefaults(component, defaults);
  const withDefaults = z.preprocess((written) => {
    if (typeof written !== 'object' || written === null) {
      return written;
    }

    inherited.splice(0, Infinity, ...Object.keys(values).filter((key) => !(key in written)));
    return { ...values, ...written };
  }, FullDefinition);

  return checked(withDefaults, ({ sources, support }, reject) => {
    for (const [path, source] of [
      ...[sources].flat().map((source, index) => [['sources', index], source] as const),
      [['support', 'source'], support?.source] as const,
    ]) {
      for (const [key, value] of Object.entries(Object(source))) {
        if (isPlainHttp(String(value), plainHttpHosts)) {
          reject([...path, key], plainHttpProblem);
        }
      }
    }
  });
}

const plainHttpProblem =
  'expected an https: address (plain http: for loopback, and for plainHttpHosts of site/site.json)';

/** The values that this component's definition inherits unless it states them. */
export function pickDefaults(component: string, defaults: Defaults = {}): Partial<FullDefinition> {
  const entries = Object.entries(defaults).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{component}', component) : value,
  ]);
  return Object.fromEntries(entries) as Partial<FullDefinition>;
}
