import * as z from 'zod';
import { isDay } from '../../core/day.ts';
import { readPurl, type Item } from '../../core/index/item.ts';
import { formatPackage } from '../../core/purl.ts';

export function textParameter(maxLength: number, expected: string, pattern?: RegExp) {
  const error = `expected ${expected}`;
  const text = z
    .string({ error })
    .max(maxLength, { error: `expected at most ${maxLength} characters` });
  return pattern ? text.regex(pattern, { error }) : text;
}

/** Values separated by commas or blanks, in repeated parameters, or both. */
export const listParameter = z
  .preprocess(
    (texts) =>
      String(texts)
        .split(/[\s,]+/)
        .filter(Boolean),
    z.array(z.string()),
  )
  .meta({ type: 'array', items: { type: 'string' } });

export const versionParameter = textParameter(200, 'a version such as 2025.3', /^[^\s\p{Cc}]+$/u);

/** A time up to now in milliseconds: nothing was published later. */
export const sinceParameter = z
  .preprocess(
    (text) => readPastTime(String(text), Date.now()),
    z.number({
      error:
        'expected now, or a time up to now: milliseconds since 1970, or ISO 8601 such as 2026-01-31',
    }),
  )
  .meta({ type: 'string', example: '0' });

function readPastTime(text: string, now: number): number | undefined {
  if (text === 'now') {
    return now;
  }

  // A shorter number is rather a year, a day or seconds.
  const isNumber = /^(?:0|\d{12,15})$/.test(text);
  const day = text.slice(0, 10);
  const isIso = isDay(day) && (text === day || text[10] === 'T');
  const time = isNumber ? Number(text) : Date.parse(text);
  return (isNumber || isIso) && time <= now ? time : undefined;
}

/** Of a package. A namespace is left out with its slash. */
export const packagePath = '/packages/{type}/{namespace?}/{name}/{version}';

export const packageSegments = {
  type: textParameter(
    200,
    'a type of package URLs, such as npm, maven or generic',
    /^[A-Za-z][A-Za-z0-9.-]*$/,
  ),
  namespace: textParameter(200, 'a namespace such as @scope').optional(),
  name: textParameter(200, 'the name of a package'),
  version: versionParameter,
};

/** The package that the segments of a path name. */
export function toItem({
  type,
  namespace,
  name,
  version,
}: z.output<z.ZodObject<typeof packageSegments>>): Item {
  const path = namespace ? `${namespace}/${name}` : name;
  return readPurl(formatPackage(type.toLowerCase(), path), version)[0]!;
}
