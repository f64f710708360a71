import { z } from 'zod';
import { definitionSchema } from '../core/schemas/definition/definition.ts';
import { fileProblem } from '../core/schemas/finding.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { parseDocument, readDocument, type ReadResult } from '../io/files/read-documents.ts';
import { GitError } from '../io/files/git.ts';
import { readHeld } from '../io/files/held-file.ts';
import { listRuns } from '../io/files/journal-files.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { definitionPath, type Root } from '../io/files/root.ts';
import { readAt } from './gate/last-good.ts';
import { TypedSource } from './sources/index.ts';

/** A definition with the coordinates of every datasource. */
export const FullDefinition = definitionSchema(TypedSource);
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

/** The valid definition, with inherited values: of a component that waits, the one that counts instead. */
export function readDefinition(root: Root, component: string, config?: SiteConfig): ReadDefinition {
  const { value, findings } = readHeld(root);
  if (!value) {
    return { findings, inherited: [] };
  }

  const waiting = value.held.find((one) => one.component === component && one.commit);
  if (waiting?.commit === undefined) {
    return readEditedDefinition(root, component, config);
  }

  try {
    return readDefinitionAt(root, component, waiting.commit);
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    const message = `cannot read the last accepted definition, which is used while the component waits: ${error.message}. Fetch the whole history: git fetch --unshallow`;

    return { findings: [fileProblem('data/held.json', message)], inherited: [] };
  }
}

/** The definition as of a commit that a run recorded; no other is trusted. A renamed component had another name then. */
function readDefinitionAt(root: Root, component: string, commit: string): ReadDefinition {
  if (!listRuns(root).runs.some((run) => run.commit === commit)) {
    throw new GitError(`no run recorded the commit ${commit}`);
  }

  const written = readWrittenAt(root, component, commit);
  const inherited: string[] = [];
  const Whole = wholeDefinition(component, readDefaultsAt(root, commit), inherited);
  const bytes = Buffer.from(JSON.stringify(written ?? {}));

  return { ...parseDocument(bytes, `components/${component}.json`, Whole), inherited };
}

const Written = z.looseObject({ renamedFrom: z.array(z.string()).optional() });

/** The file of a component as of a commit, under its name of then; undefined if there was none. */
export function readWrittenAt(root: Root, component: string, commit: string): unknown {
  const path = definitionPath(root, component);
  const { renamedFrom } = readDocument(path, component, Written).value ?? {};

  for (const name of [component, ...(renamedFrom ?? []).toReversed()]) {
    const written = readAt(root, commit, `components/${name}.json`, Written);
    if (written) {
      return renamedFrom ? { ...written, renamedFrom } : written;
    }
  }

  return undefined;
}

const WithDefaults = z.looseObject({ defaults: z.looseObject({}).optional() });

export function readDefaultsAt(root: Root, commit: string): Defaults {
  return readAt(root, commit, 'site/site.json', WithDefaults)?.defaults ?? {};
}

/** The definition as written, including held edits, with inherited values. */
export function readEditedDefinition(
  root: Root,
  component: string,
  config = readSiteConfig(root).value,
): ReadDefinition {
  const inherited: string[] = [];
  const Whole = wholeDefinition(component, config?.defaults, inherited);
  const read = readDocument(definitionPath(root, component), `components/${component}.json`, Whole);

  return { ...read, inherited };
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

/** Reads a written definition and adds inherited values, whose keys it puts into `inherited`. */
export function wholeDefinition(
  component: string,
  defaults: Defaults = {},
  inherited: string[] = [],
): z.ZodType<FullDefinition> {
  const values = defaultsFor(component, defaults);

  return z.preprocess((written) => {
    if (typeof written !== 'object' || written === null) {
      return written;
    }

    inherited.splice(0, Infinity, ...Object.keys(values).filter((key) => !(key in written)));

    return { ...values, ...written };
  }, FullDefinition);
}

/** The values that this component's definition inherits unless it states them. */
export function defaultsFor(component: string, defaults: Defaults = {}): Partial<FullDefinition> {
  const filled = Object.entries(defaults).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{component}', component) : value,
  ]);

  return Object.fromEntries(filled) as Partial<FullDefinition>;
}
