import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { inputError, throwErrors, type Finding } from '../../core/schemas/finding.ts';
import { isAbsent, readIfThere } from '../../io/files/file-system.ts';
import { readFreshness, readRecordedData } from '../../io/files/recorded-files.ts';
import { lock } from '../../io/files/lock.ts';
import { formatDocument, saveUnlessChanged } from '../../io/files/save.ts';
import { recordedFolder, freshnessPath, recordedPath, type Root } from '../../io/files/root.ts';
import type { GatherInput } from './ask-sources.ts';
import { arrangeData } from './recorded-releases.ts';
import type { GatherResult } from './unite-answers.ts';
import { toRecordedFreshness } from '../../core/schemas/recorded/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';

/** The index to save in. */
export interface SaveTarget {
  root: Root;
  whyReject?: WhyReject;
}

/** Why these releases must not be saved, for instance because a file made from them is too large for the host. */
export type WhyReject = (
  component: string,
  releases: readonly RecordedRelease[],
) => string | undefined;

/** Merges the answers of a component's sources with its recorded data. */
export type Unite = (recorded: Recorded) => GatherResult;

type Recorded = RecordedData & Pick<GatherInput, 'freshness'>;

/** What follows the reason why a component was not saved. */
export const unsavedWords = 'Not saved; what was recorded before is unchanged.';

/** The components of a run wait here instead of polling the lock. */
const oneAtATime = pLimit(1);

/**
 * Merges the answers with the recorded data of a component, saves and returns the result. Reads the files under a lock, so
 * concurrent runs lose nothing. A run that was suspended for longer than its lock lasts replaces no file and tries again. Throws
 * an InputError rather than overwrite an unreadable file.
 */
export function saveGathered(
  target: SaveTarget,
  component: string,
  unite: Unite,
): Promise<GatherResult> {
  return oneAtATime(async () => {
    using _lock = await lock(target.root, 'data');
    for (;;) {
      const saved = trySave(target, component, unite);
      if (saved) {
        return saved;
      }
    }
  });
}

/** Undefined if another run has written meanwhile. */
function trySave(
  { root, whyReject }: SaveTarget,
  component: string,
  unite: Unite,
): GatherResult | undefined {
  const path = recordedPath(root, component);
  const freshnessFile = freshnessPath(root, component);
  // Read before what is made from them: a change between the two readings is noticed, too.
  const before = readIfThere(path);
  const freshnessBefore = readIfThere(freshnessFile);
  const recorded = readRecorded(root, component);
  const result = unite(recorded);
  const news = findNews(before && recorded, result);
  if (news) {
    throwIfRejected(component, news, whyReject);
  }

  const files = [{ path, before, content: news && formatDocument(news) }];
  // After the first publishing run, only such runs save freshness: branches with gathered data merge without conflicts.
  if (isAbsent(recordedFolder(root, 'runs')) && result.sources.length > 0) {
    const content = formatDocument(toRecordedFreshness(result.freshness));
    files.push({ path: freshnessFile, before: freshnessBefore, content });
  }

  return saveUnlessChanged(files) ? result : undefined;
}

/**
 * What is recorded of a component. Throws an InputError with the problems of all unreadable files, after those of its definition.
 */
export function readRecorded(
  root: Root,
  component: string,
  definitionFindings: readonly Finding[] = [],
): Recorded {
  const data = readRecordedData(root, component);
  const freshness = readFreshness(root, component);
  throwErrors([...definitionFindings, ...data.findings, ...freshness.findings]);
  return { ...unwrapResult(data), freshness: unwrapResult(freshness) };
}

/**
 * The data to save; undefined for the same data, so a file written by hand keeps its form and order. A first file has news even if no
 * source answered: readers ignore freshness without it.
 */
export function findNews(
  before: RecordedData | undefined,
  after: RecordedData,
): RecordedData | undefined {
  const arranged = arrangeData(after);
  // No later run could start with a file that the schema rejects.
  return before && isDeepStrictEqual(arrangeData(before), arranged)
    ? undefined
    : RecordedData.parse(arranged);
}

/** Throws an InputError for data that must not be saved. */
export function throwIfRejected(
  component: string,
  { releases }: RecordedData,
  whyReject: WhyReject | undefined,
): void {
  const rejection = whyReject?.(component, releases);
  if (rejection !== undefined) {
    throw inputError(component, `${rejection}. ${unsavedWords}`);
  }
}
