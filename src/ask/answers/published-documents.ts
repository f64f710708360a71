import { QuestionError } from '../../core/query/question-error.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';

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
  /** Whether a file exists, where no list of digests says so. */
  has?(path: string): boolean;
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
    throw new QuestionError('unreadable', `${path} is missing in the index`);
  }

  return text;
}

export async function readPublishedJson<Document>(
  documents: PublishedDocuments,
  path: string,
): Promise<Document> {
  return JSON.parse(await readPublishedText(documents, path)) as Document;
}
