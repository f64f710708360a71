import { quote } from '../../../core/text/foreign-text.ts';
import { createParameterError } from './read-request.ts';

/** Whether a header such as Accept has a value with a weight above 0 (RFC 9110, section 12.4.2). */
export function isAccepted(header: string | null, value: string): boolean {
  return (parseWeights(header ?? '').get(value) ?? 0) > 0;
}

/** The media type that `Accept` prefers, the first of equals. Throws a `QuestionError` if it accepts none. */
export function chooseMediaType(request: Request, mediaTypes: readonly string[]): string {
  const header = request.headers.get('accept') || '*/*';
  const weights = parseWeights(header);

  // The most exact range that includes a type takes precedence (RFC 9110, section 12.5.1).
  const findWeight = (type: string) =>
    weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
  const [preferred] = mediaTypes
    .filter((type) => findWeight(type) > 0)
    .sort((a, b) => findWeight(b) - findWeight(a));
  if (preferred === undefined) {
    throw createParameterError('Accept', mediaTypes.join(' or '), quote(header), { status: 406 });
  }

  return preferred;
}

/** The weight of each value of a header, from 0 to 1: 0 for an invalid weight, 1 for an absent or empty one. */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) || 1);
    weights.set(value, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}
