import jsonata from 'jsonata';

/** The text is no expression that JSONata can run. */
export class TransformError extends Error {
  override readonly name = 'TransformError';
}

/** An expression of JSONata, as Renovate's custom datasources have them in `transformTemplates`. Throws a `TransformError`. */
export function compileTransform(text: string): jsonata.Expression {
  try {
    return jsonata(text);
  } catch (error) {
    throw new TransformError(`expected an expression of JSONata (${whyNot(error)})`, { cause: error });
  }
}

/** What JSONata throws: objects that are no errors, with the place in the expression, counted from 1. */
export function whyNot(error: unknown): string {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const at = typeof position === 'number' ? `at character ${position}: ` : '';
  return `${at}${typeof message === 'string' ? message : String(error)}`;
}
