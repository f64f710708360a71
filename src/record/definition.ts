import { z } from 'zod';
import { definitionSchema } from '../core/schemas/definition.ts';
import { DaySchema, Line } from '../core/schemas/scalars.ts';
import type { SiteConfig } from '../core/schemas/site-config.ts';
import { readDocument, type ReadResult } from '../io/files/documents.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { definitionPath, heldPath, type Root } from '../io/files/root.ts';
import { Source } from './sources/index.ts';

/** A definition with the coordinates of every datasource. */
export const Definition = definitionSchema(Source);
export type Definition = z.infer<typeof Definition>;

/** `components/<component>.json`, which need not state what it inherits from `defaults` of `site/site.json`. */
export const WrittenDefinition = Definition.partial({ homepage: true, changelogUrl: true });
export type WrittenDefinition = z.infer<typeof WrittenDefinition>;

/** `data/held/<component>.json`: the definition that counts while an edit of it waits for a person, and why. */
export const HeldEdit = z.strictObject({ since: DaySchema, reason: Line, definition: Definition });
export type HeldEdit = z.infer<typeof HeldEdit>;

export interface ReadDefinition extends ReadResult<Definition> {
  /** The keys that come from `defaults` of `site/site.json`. */
  inherited: readonly string[];
  /** The edit that waits. */
  held?: HeldEdit;
}

/** The definitions that count, of several components. */
export function readDefinitions(root: Root, names: readonly string[]): Map<string, ReadDefinition> {
  const { value: config } = readSiteConfig(root);
  return new Map(names.map((name) => [name, readDefinition(root, name, config)]));
}

/** The definition that counts: with everything that it inherits, or the one before an edit that waits. */
export function readDefinition(root: Root, component: string, config?: SiteConfig): ReadDefinition {
  const edited = readEditedDefinition(root, component, config);
  const held = readHeldEdit(root, component);
  if (!held || !edited.value) return edited;
  return held.value
    ? { ...edited, value: held.value.definition, held: held.value }
    : { findings: held.findings, inherited: [] };
}

/** As people have written it, with everything that it inherits. */
export function readEditedDefinition(
  root: Root,
  component: string,
  config = readSiteConfig(root).value,
): ReadDefinition {
  const inherited: string[] = [];
  const Whole = wholeDefinition(component, config, inherited);
  const read = readDocument(definitionPath(root, component), `components/${component}.json`, Whole);
  return { ...read, inherited };
}

/** Without what it inherits. */
export function readWrittenDefinition(root: Root, component: string): ReadResult<WrittenDefinition> {
  return readDocument(definitionPath(root, component), `components/${component}.json`, WrittenDefinition);
}

/** Undefined where no edit waits. */
export function readHeldEdit(root: Root, component: string): ReadResult<HeldEdit> | undefined {
  const path = heldPath(root, component);
  return isAbsent(path) ? undefined : readDocument(path, `data/held/${component}.json`, HeldEdit);
}

/** Reads a written definition, adds what it inherits, and lists the keys of that. */
export function wholeDefinition(
  component: string,
  config: SiteConfig | undefined,
  inherited: string[] = [],
): z.ZodType<Definition> {
  const defaults: Readonly<Record<string, unknown>> = defaultsFor(component, config);
  return z.preprocess((written) => {
    if (typeof written !== 'object' || written === null) return written;
    inherited.splice(0, Infinity, ...Object.keys(defaults).filter((key) => !(key in written)));
    return { ...defaults, ...written };
  }, Definition);
}

/** The values that a definition of this component inherits where it does not state them. */
export function defaultsFor(component: string, config: SiteConfig | undefined): Partial<Definition> {
  const filled = Object.entries(config?.defaults ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{component}', component) : value,
  ]);
  return Object.fromEntries(filled) as Partial<Definition>;
}
