/** Ways to build a schema. */
import * as z from 'zod';

/** A text of a form. */
export function matching(form: RegExp, expected: string, maxLength = 1000) {
  return z.string().max(maxLength, { abort: true }).regex(form, `expected ${expected}`);
}

/** Keys that may be absent. */
export function optional<S extends z.ZodRawShape>(shape: S) {
  return z.object(shape).partial().shape;
}

/** Reports a problem at a path below the value. */
export type Reject = (path: readonly PropertyKey[], message: string) => void;

/** Adds rules between the parts of a value. */
export function checked<S extends z.ZodType>(
  schema: S,
  check: (value: z.infer<S>, reject: Reject) => void,
) {
  return schema.superRefine((value, context) =>
    check(value, (path, message) => context.addIssue({ code: 'custom', path: [...path], message })),
  );
}

/** A text in which a reader finds no problem. */
export function readable(id: string, findProblem: (text: string) => string | undefined) {
  return checked(z.string().min(1).max(1000), (text, reject) => {
    const problem = findProblem(text);
    if (problem !== undefined) {
      reject([], problem);
    }
  }).meta({ id });
}
