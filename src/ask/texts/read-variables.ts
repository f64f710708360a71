import type { Statement } from './read-line.ts';
import { hasOpenEnd, readNumber } from './read-number.ts';

/** Values by the name of their variable. */
export type Values = ReadonlyMap<string, string>;

/** An element with a text, such as `<svc.version>1.0</svc.version>`. */
const elementForm = /<([\w.-]{1,99})>([^<\n]{1,200})<\//;
/** A key with a value, also behind the keyword of a shell, a Dockerfile or Gradle. */
const keyForm =
  /^[ \t]*(?:(?:ARG|ENV|export|def|val|var|set)[ \t]+|ext\.)?["']?([\w.-]{1,99})["']?[ \t]*[:=][ \t]*["']?((?:\$\{|[^\s"',;{[]){1,200})/;
const assignment = new RegExp(`${elementForm.source}|${keyForm.source}`, 'gm');

/** The values of variables, in all usual forms. Several values of a variable leave it as a reference to itself. */
export function readVariables(text: string): Values {
  const values = new Map<string, string>();
  for (const [, element, content, key = '', value = ''] of text.matchAll(assignment)) {
    const name = element ?? key;
    const text = content ?? value;
    const isSame = (values.get(name) ?? text) === text;
    values.set(name, isSame ? text : `\${${name}}`);
  }
  return values;
}

/** `version.ref = "agent"`, for a key of `[versions]`. */
const catalogueForm = /^version\.ref["']?\s?[:=]\s?["'](.+)["']$/;
/** `${TAG}`, `${TAG:-1.20}` and `$TAG`. */
const reference = /\$(?:\{([\w.-]+)(?::-([^}]*))?\}|(\w+))/g;

/** A longer value is no version. */
const maxValueLength = 100;

/** The version or range of `${TAG}`, `1.${MINOR}` or `version.ref = "agent"`. Values may name others in turn. */
export function readVariable(written: string, values: Values): Statement {
  let value = written.replace(catalogueForm, '${$1}');
  // Each level can make a text a hundred times as long, so it stops at the first value that is too long.
  for (let level = 0; level < 4 && value.length <= maxValueLength; level += 1) {
    value = value.replaceAll(
      reference,
      (whole, braced: string | undefined, fallback: string | undefined, plain = '') =>
        values.get(braced ?? plain) ?? fallback ?? whole,
    );
  }

  if (value.length > maxValueLength) {
    return { range: written };
  }

  const version = hasOpenEnd(value) ? undefined : readNumber(value, 0, value);
  return version === undefined ? { range: value } : { version };
}
