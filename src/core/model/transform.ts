import jsonata from 'jsonata';

/** Why a text is no expression of JSONata, as in `transformTemplates` of Renovate's custom datasources; undefined if it is. */
export function whyNoTransform(text: string): string | undefined {
  try {
    jsonata(text);
    return undefined;
  } catch (error) {
    return `expected an expression of JSONata (${whyNot(error)})`;
  }
}

/** The message of what JSONata throws: objects, not errors, with the position in the expression from 1. */
export function whyNot(error: unknown): string {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const place = typeof position === 'number' ? `at character ${position}: ` : '';
  return `${place}${typeof message === 'string' ? message : String(error)}`;
}
