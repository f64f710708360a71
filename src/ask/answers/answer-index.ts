import { toDay, type Day } from '../../core/model/dates.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { componentName } from '../../core/schemas/definition/component-name.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { computeDetailsOn, type DetailsOn } from './component-on.ts';
import type { IndexNames, NamedComponent, Owner } from './match-names.ts';
import { keepPromises, keepValue } from './memory.ts';
import { describeStaleness, findSilence, type Silence } from './silence.ts';

/** The part of an index that verdicts need, as of today. Each document is read when it is first needed. */
export interface AnswerIndex {
  /** Today, but never before the day of the build. */
  day(): Promise<Day>;
  /** A warning if the index was built too long ago. */
  staleness(): Promise<string | undefined>;
  /** The sources of a component that had not answered before the build, and the day of the build if it is too old. */
  silence(component: string): Promise<Silence>;
  /** As of the day of the build. */
  status(): Promise<StatusFile>;
  /** As of today. Undefined if the component does not exist; a former name gives the renamed component. */
  details(component: string): Promise<DetailsOn | undefined>;
  /** The names of all components and packages. */
  names(): Promise<IndexNames>;
}

/** Opens the part of an index that verdicts need. */
export function openAnswerIndex(
  documents: PublishedDocuments,
  today = () => toDay(new Date()),
): AnswerIndex {
  const status = keepValue(
    async () =>
      documents.status?.() ?? (await readPublishedJson<StatusFile>(documents, 'status.json')),
  );

  const day = async () => {
    const { asOf } = await status();
    const clockDay = today();
    return clockDay > asOf ? clockDay : asOf;
  };

  return {
    day,
    staleness: async () => describeStaleness(await status(), await day()),
    silence: async (component) => findSilence(await status(), component, await day()),
    status,
    names: keepValue(async () => readNames(await status())),
    async details(component) {
      if (!componentName.test(component)) {
        return undefined;
      }

      const text = await documents.read(`details/${component}.json`);
      return text === undefined
        ? undefined
        : computeDetailsOn(JSON.parse(text) as DetailsFile, await day());
    },
  };
}

/** The number of releases in an index. */
export function countReleases({ components }: StatusFile): number {
  return Object.values(components).reduce((sum, { releases }) => sum + releases, 0);
}

/** The component in `replacedBy` of another. */
export async function readReplacement(
  index: Pick<AnswerIndex, 'details'>,
  { replacedBy }: DetailsOn,
) {
  return replacedBy === undefined ? undefined : index.details(replacedBy);
}

function readNames(status: StatusFile): IndexNames {
  const components: NamedComponent[] = [];
  const owners = new Map<string, Owner[]>();
  for (const [name, { title, aliases, packages = [] }] of Object.entries(status.components)) {
    components.push({ name, title, aliases });
    for (const { purl, extractVersion } of packages) {
      owners.set(purl, [...(owners.get(purl) ?? []), { component: name, extractVersion }]);
    }
  }

  return { components, packages: owners };
}

/** A folder with a file for each year. */
export type RecordedFolder = 'changes' | 'builds';

/** The documents of an index: in a folder, at an address, in the assets of the Worker, or made from a checkout when read. */
export interface PublishedDocuments {
  /** A file as text; undefined if the file does not exist. Throws if it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** The instant at which they were published, in milliseconds since 1970; undefined if unknown. */
  publishedAt?(): Promise<number | undefined>;
  /** `status.json`, where each of its values is computed when it is read. */
  status?(): StatusFile;
  /** The paths in a folder, where no list of digests says so. */
  paths?(folder: RecordedFolder): Iterable<string>;
}

/** Throws a QuestionError if the index lacks the document. */
export async function readPublishedText(
  documents: PublishedDocuments,
  path: string,
): Promise<string> {
  const text = await documents.read(path);
  if (text === undefined) {
    throw createMissingDocumentError(path);
  }

  return text;
}

export function createMissingDocumentError(path: string): QuestionError {
  return new QuestionError('unreadable', `${path} is missing in the index`);
}

export async function readPublishedJson<Document>(
  documents: PublishedDocuments,
  path: string,
): Promise<Document> {
  return JSON.parse(await readPublishedText(documents, path)) as Document;
}

/** The number of components that are kept: a host has little memory. */
const maxKept = 20;

/** An index that reads the details of a component once for all versions of a text. A failed read is repeated. */
export function keepDetails<Index extends Pick<AnswerIndex, 'details'>>(index: Index): Index {
  return { ...index, details: keepPromises(index.details, maxKept) };
}
