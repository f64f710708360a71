import { formatJson, rejectRequest } from './respond.ts';

/** Whether a header such as Accept has a value with a weight above 0 (RFC 9110, section 12.4.2). */
export function isAccepted(header: string | null, value: string): boolean {
  return parseRanges(header ?? '').some(({ name, weight }) => name === value && weight > 0);
}

/** The values of a header such as Accept with their weights; an invalid or negative weight is 0, and an absent or empty one is 1. */
function parseRanges(header: string): { readonly name: string; readonly weight: number }[] {
  return header.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) || '1';
    return { name, weight: Math.max(0, Number(weight) || 0) };
  });
}

const json = 'application/json';
const ndjson = 'application/x-ndjson';

/** The media types in which a list is answered. */
export const listTypes = [json, ndjson] as const;
type ListType = (typeof listTypes)[number];

/** The media type of a list by `Accept` (RFC 9110, section 12.5.1). Throws a `QuestionError` if it accepts neither. */
export function chooseListType(request: Request): ListType {
  const ranges = parseRanges(request.headers.get('accept') || '*/*');

  // The most exact range that includes a type takes precedence.
  const find = (type: string) => ranges.find(({ name }) => name === type);
  const wildcard = find('application/*') ?? find('*/*');
  const weigh = (type: string) => (find(type) ?? wildcard)?.weight ?? 0;
  const jsonWeight = weigh(json);
  const ndjsonWeight = weigh(ndjson);
  if (jsonWeight + ndjsonWeight === 0) {
    const expected = listTypes.join(' or ');
    throw rejectRequest(406, `Accept: expected ${expected}`, { expected });
  }

  // If the client prefers neither, it gets JSON, unless its header names NDJSON alone.
  if (jsonWeight === ndjsonWeight) {
    return find(ndjson) && !find(json) ? ndjson : json;
  }

  return jsonWeight > ndjsonWeight ? json : ndjson;
}

/** A list as JSON array or as NDJSON, with the headers that say so. */
export function formatList(type: ListType, elements: readonly object[]) {
  const body =
    type === ndjson
      ? elements.map((element) => `${JSON.stringify(element)}\n`).join('')
      : formatJson(elements);
  return { body, headers: { 'Content-Type': type, Vary: 'Accept' } };
}
