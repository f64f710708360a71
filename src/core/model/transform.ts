import jsonata from 'jsonata';

/** JSONata cannot run the expression. */
export class TransformError extends Error {
  override readonly name = 'TransformError';
}

/** An expression of JSONata, as in `transformTemplates` of Renovate's custom datasources. Throws a `TransformError`. */
export function compileTransform(text: string): jsonata.Expression {
  try {
    return jsonata(text);
  } catch (error) {
    throw new TransformError(`expected an expression of JSONata (${whyNot(error)})`, {
      cause: error,
    });
  }
}

/** The message of what JSONata throws: objects, not errors, with the position in the expression from 1. */
export function whyNot(error: unknown): string {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const at = typeof position === 'number' ? `at character ${position}: ` : '';
  return `${at}${typeof message === 'string' ? message : String(error)}`;
}
