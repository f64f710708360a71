import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import type * as Answers from './answers.ts';

const read = new Map<string, Promise<unknown>>();

/** A document of the index that the page belongs to. It is fetched once; after a failure, the next call tries again. */
export function readDocument<Document>(path: string): Promise<Document> {
  const known = read.get(path);
  if (known) return known as Promise<Document>;
  const document = fetchDocument<Document>(path);
  read.set(path, document);
  document.catch(() => read.delete(path));
  return document;
}

export function readStatus(): Promise<StatusFile> {
  return readDocument('status.json');
}

async function fetchDocument<Document>(path: string): Promise<Document> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/** Why there is no answer, in a sentence. */
export function describeFailure({ name, message }: Error): string {
  if (name === 'TooMuchToSearchError') return `Too much to search: ${message}. Name one component exactly.`;
  return name === 'QueryError' ? `Not a query: ${message}` : `No answer, please try again: ${message}`;
}

/**
 * The query language and the verdicts on versions, which take more bytes than the rest of the script. They are a file of
 * their own, which is loaded with the first question, because most visitors ask none.
 */
export function loadAnswers(): Promise<typeof Answers> {
  // The build puts it beside this script. A variable keeps the bundler from resolving the path.
  const file = './ask.js';
  return import(file);
}
