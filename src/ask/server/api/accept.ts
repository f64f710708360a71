import { rejectRequest } from './respond.ts';

/** Whether a header such as Accept has a value with a weight above 0 (RFC 9110, section 12.4.2). */
export function isAccepted(header: string | null, value: string): boolean {
  return (parseWeights(header ?? '').get(value) ?? 0) > 0;
}

/** The media type that `Accept` prefers, the first of equals. Throws a `QuestionError` if it accepts none. */
export function chooseMediaType(request: Request, mediaTypes: readonly string[]): string {
  const weights = parseWeights(request.headers.get('accept') || '*/*');

  // The most exact range that includes a type takes precedence (RFC 9110, section 12.5.1).
  const findWeight = (type: string) =>
    weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
  const [preferred] = mediaTypes
    .filter((type) => findWeight(type) > 0)
    .sort((a, b) => findWeight(b) - findWeight(a));
  if (preferred === undefined) {
    const expected = mediaTypes.join(' or ');
    throw rejectRequest(406, `Accept: expected ${expected}`, { expected });
  }

  return preferred;
}

/** The weight of each value of a header: 0 for an invalid or negative weight, 1 for an absent or empty one. */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) || '1';
    weights.set(value, Math.max(0, Number(weight) || 0));
  }
  return weights;
}
