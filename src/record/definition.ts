import { z } from 'zod';
import { definitionSchema } from '../core/schemas/definition.ts';
import { fileProblem } from '../core/schemas/finding.ts';
import type { Held } from '../core/schemas/held.ts';
import type { SiteConfig } from '../core/schemas/site-config.ts';
import { parseDocument, readDocument, type ReadResult } from '../io/files/documents.ts';
import { GitError, readAtCommit } from '../io/files/git.ts';
import { readHeld } from '../io/files/held.ts';
import { listRuns } from '../io/files/journal.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { definitionPath, type Root } from '../io/files/root.ts';
import { sha256 } from '../io/files/sha256.ts';
import { Source } from './sources/index.ts';

/** A definition with the coordinates of every datasource. */
export const Definition = definitionSchema(Source);
export type Definition = z.infer<typeof Definition>;

/** `components/<component>.json`, without values inherited from `defaults` of `site/site.json`. */
export const WrittenDefinition = Definition.partial({ homepage: true, changelogUrl: true });
export type WrittenDefinition = z.infer<typeof WrittenDefinition>;

export interface ReadDefinition extends ReadResult<Definition> {
  /** The keys that come from `defaults` of `site/site.json`. */
  inherited: readonly string[];
}

/** The valid definitions of several components. */
export function readDefinitions(root: Root, names: readonly string[]): Map<string, ReadDefinition> {
  const { value: config } = readSiteConfig(root);
  return new Map(names.map((name) => [name, readDefinition(root, name, config)]));
}

/** The valid definition: with inherited values, and without held edits. */
export function readDefinition(root: Root, component: string, config?: SiteConfig): ReadDefinition {
  const { value, findings } = readHeld(root);
  if (!value) {
    return { findings, inherited: [] };
  }
  const edits = value.held.flatMap((one) => (one.instead ? { ...one, instead: one.instead } : []));
  if (edits.length === 0) {
    return readEditedDefinition(root, component, config);
  }
  try {
    return readWithout(root, component, config ?? readSiteConfig(root).value, edits);
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }
    const message = `cannot read the definition before a held edit: ${error.message}. Fetch the whole history: git fetch --unshallow`;
    return { findings: [fileProblem('data/held.json', message)], inherited: [] };
  }
}

function readWithout(
  root: Root,
  component: string,
  config: SiteConfig | undefined,
  edits: readonly (Held & { instead: Instead })[],
): ReadDefinition {
  const counted = structuredClone(config);
  for (const edit of edits) {
    if (edit.cause !== 'site/site.json' || edit.key === undefined || !counted) {
      continue;
    }
    const { defaults = {} } = JSON.parse(readInstead(root, edit.cause, edit.instead)) as Pick<
      SiteConfig,
      'defaults'
    >;
    const { [edit.key]: _, ...others } = (counted.defaults ?? {}) as Record<string, unknown>;
    const before = (defaults as Record<string, unknown>)[edit.key];
    counted.defaults = (
      before === undefined ? others : { ...others, [edit.key]: before }
    ) as SiteConfig['defaults'];
  }
  const edited = readEditedDefinition(root, component, counted);
  const file = `components/${component}.json`;
  const edit = edits.find(({ cause }) => cause === file);
  if (!edit || !edited.value) {
    return edited;
  }
  const inherited: string[] = [];
  const Whole = wholeDefinition(component, counted, inherited);
  return {
    ...parseDocument(Buffer.from(readInstead(root, file, edit.instead)), file, Whole),
    inherited,
  };
}

type Instead = NonNullable<Held['instead']>;

/** The file before a held edit. Only commits that a run recorded are trusted. */
export function readInstead(root: Root, file: string, { commit, digest }: Instead): string {
  if (!listRuns(root).runs.some((run) => run.commit === commit)) {
    throw new GitError(`no run recorded the commit ${commit}`);
  }
  const content = readAtCommit(root.dir, commit, file);
  if (content === undefined || sha256(content) !== digest) {
    throw new GitError(`${file} of commit ${commit} is not the file that was held`);
  }
  return content;
}

/** The definition as written, including held edits, with inherited values. */
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

/** Reads a written definition and adds inherited values, whose keys it puts into `inherited`. */
export function wholeDefinition(
  component: string,
  config: SiteConfig | undefined,
  inherited: string[] = [],
): z.ZodType<Definition> {
  const defaults: Readonly<Record<string, unknown>> = defaultsFor(component, config);
  return z.preprocess((written) => {
    if (typeof written !== 'object' || written === null) {
      return written;
    }
    inherited.splice(0, Infinity, ...Object.keys(defaults).filter((key) => !(key in written)));
    return { ...defaults, ...written };
  }, Definition);
}

/** The values that this component's definition inherits unless it states them. */
export function defaultsFor(
  component: string,
  config: SiteConfig | undefined,
): Partial<Definition> {
  const filled = Object.entries(config?.defaults ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{component}', component) : value,
  ]);
  return Object.fromEntries(filled) as Partial<Definition>;
}
