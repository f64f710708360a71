import type { Day } from '../../core/model/dates.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { listSearchRows } from '../../core/query/rows.ts';
import type { Catalogue } from '../../core/query/selection.ts';
import type { SearchedComponent, SearchFile } from '../../core/schemas/published/search-file.ts';
import { formatCount } from '../../core/text/wording.ts';
import {
  readPublishedText,
  type AnswerIndex,
  type PublishedDocuments,
} from '../answers/answer-index.ts';
import { listDetailRows } from '../answers/component-on.ts';
import { knowsVersion, listIdentifyingTexts } from '../answers/find-release.ts';
import { keepLastValue, keepValue } from '../answers/memory.ts';
import { computeFreshnessOn } from '../answers/silence.ts';

/** The part of an index that answers any question of a person. */
export interface SearchableIndex extends AnswerIndex, ReturnType<typeof openSearch> {}

/** Opens the search in an index. A page needs no more: it leaves out the code for the rest. */
export function openSearch(
  documents: PublishedDocuments,
  { day, status, details }: AnswerIndex,
  maxSearched = Infinity,
) {
  const readComponents = keepValue(() => readSearchFiles(documents, maxSearched));
  // Kept, since a list may ask for many versions.
  const readContents = keepValue(async () => listContents(await readComponents()));
  // A host has little memory: only the catalogue of the last day is kept.
  const readAll = keepLastValue(readCatalogue);

  async function readCatalogue(today: Day): Promise<Catalogue> {
    const file = await status();
    return Array.from(await readComponents(), ([component, facts]) => {
      const freshness = computeFreshnessOn(file, component, today);
      return listSearchRows(facts, today, { component, freshness });
    }).flat();
  }

  async function readComponentRows(component: string, today: Day): Promise<Catalogue> {
    const document = await details(component);
    // The document of a former name holds the renamed component.
    return document?.component === component
      ? listDetailRows(document, computeFreshnessOn(await status(), component, today))
      : [];
  }

  return {
    /** The facts about the releases of each component, by component name. */
    readComponents,
    /** The components that have a version, or else its line. */
    async searchVersion(version: string) {
      return listOwners(version, await readContents());
    },
    /** The releases of all components, or of one: then it reads only the document of that component. */
    async catalogue(component?: string) {
      const today = await day();
      return component === undefined ? readAll(today) : readComponentRows(component, today);
    },
  };
}

/** The lines and the releases of each component. */
function listContents(components: ReadonlyMap<string, SearchedComponent>) {
  return Array.from(components, ([component, { lines }]) => {
    return { component, lines, releases: lines.flatMap(({ releases }) => releases) };
  });
}

/** The components with a version, or else with its line. */
function listOwners(version: string, contents: ReturnType<typeof listContents>): readonly string[] {
  for (const text of listIdentifyingTexts(version)) {
    const owners = contents.filter((each) => knowsVersion(each, text));
    if (owners.length > 0) {
      return owners.map(({ component }) => component);
    }
  }

  return [];
}

/** The components in `search.json` and in the parts that it names. */
async function readSearchFiles(
  documents: PublishedDocuments,
  maxSearched: number,
): Promise<ReadonlyMap<string, SearchedComponent>> {
  let length = 0;

  async function readFile(path: string): Promise<SearchFile> {
    const text = await readPublishedText(documents, path);
    length += text.length;
    if (length > maxSearched) {
      const limit = formatCount(maxSearched, 'character');
      throw new QuestionError(
        'too-large',
        `the search data has more than ${limit}, the limit here`,
      );
    }

    return JSON.parse(text) as SearchFile;
  }

  const firstFile = await readFile('search.json');
  const files = [firstFile];
  for (const path of firstFile.parts ?? []) {
    files.push(await readFile(path));
  }

  return new Map(files.flatMap(({ components }) => Object.entries(components)));
}
