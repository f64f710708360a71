import { Refusal } from './refusal.ts';

const json = 'application/json';
const lines = 'application/x-ndjson';

/** The form of a list that `Accept` asks for (RFC 9110, section 12.5.1): an array, or an element a line. Throws a `Refusal`. */
export function acceptedForm(request: Request): typeof json | typeof lines {
  const ranges = rangesOf(request.headers.get('accept') || '*/*');
  const [array, eachInLine] = [preferenceOf(json, ranges), preferenceOf(lines, ranges)];
  if (array.weight === 0 && eachInLine.weight === 0)
    throw new Refusal(406, `Accept: expected ${json} or ${lines}`, { expected: `${json} or ${lines}` });
  if (array.weight !== eachInLine.weight) return array.weight > eachInLine.weight ? json : lines;
  return eachInLine.exactness > array.exactness ? lines : json;
}

/** A list in that form, as a body. */
export function listAs(form: ReturnType<typeof acceptedForm>, elements: readonly object[]): string {
  if (form === lines) return elements.map((element) => `${JSON.stringify(element)}\n`).join('');
  return `${JSON.stringify(elements, undefined, 2)}\n`;
}

interface Range {
  readonly name: string;
  readonly weight: number;
}

function rangesOf(header: string): Range[] {
  return header.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const [, weight = '1'] = /^q=(.+)$/.exec(parameters.find((text) => text.startsWith('q=')) ?? '') ?? [];
    return { name, weight: Number(weight) || 0 };
  });
}

/** What the range says of it that names it most exactly. */
function preferenceOf(type: string, ranges: readonly Range[]): { weight: number; exactness: number } {
  for (const [index, name] of [type, 'application/*', '*/*'].entries()) {
    const range = ranges.find((each) => each.name === name);
    if (range) return { weight: range.weight, exactness: -index };
  }
  return { weight: 0, exactness: -Infinity };
}
