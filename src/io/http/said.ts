import { toLine } from '../../core/text.ts';

const maxLength = 300;

/** Where the hosts that we ask put a sentence for people: npm, PyPI and GitHub, container registries, other programs. */
const keys = ['error', 'message', 'detail', 'title', 'reason', 'error_description'];

/** The host's own words in the body of an error answer, in one line; undefined for a web page, or where there are none. */
export function whatIsSaid(body: Buffer, contentType = ''): string | undefined {
  const text = body.toString('utf8');
  const said = /\bjson\b/i.test(contentType) ? sentenceIn(parse(text)) : plainText(text, contentType);
  return (said && toLine(said, maxLength)) || undefined;
}

function plainText(text: string, contentType: string): string | undefined {
  return /^text\/plain\b/i.test(contentType) ? text : undefined;
}

function sentenceIn(json: unknown): string | undefined {
  if (typeof json === 'string') return json;
  if (typeof json !== 'object' || json === null) return undefined;
  const { errors, ...rest } = json as Record<string, unknown>;
  // https://github.com/opencontainers/distribution-spec, "Error Codes"
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const found = keys.map((key) => rest[key]).find((value) => typeof value === 'string' && value !== '');
  return (found as string | undefined) ?? sentenceIn(first);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
