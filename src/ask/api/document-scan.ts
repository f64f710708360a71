import { describeProblems } from '../../core/schemas/problems.ts';
import { ScanExceptions, type ScanException } from '../../core/schemas/scan-exceptions.ts';
import { defined, grouped, toLine } from '../../core/text.ts';
import { readEntries } from '../scan/bill-of-materials.ts';
import { applyExceptions } from '../scan/exceptions.ts';
import { mostScanWork, TooMuchToScanError } from '../scan/components.ts';
import { inFile, uniqueEntries, type Entry } from '../scan/items.ts';
import { defaultPolicies, scanEntries, worstResults } from '../scan/scan-items.ts';
import {
  defineEndpoint,
  jsonAnswer,
  problemAnswer as problem,
  type BodyField,
} from './endpoint.ts';
import { readDocumentBody, wrong, type ReadDocument } from './read-request.ts';
import {
  acceptedForm,
  answerList,
  currentJson,
  noteHeader,
  ProblemError,
  unacceptable,
} from './respond.ts';
import { findPolicy } from './scans.ts';

const mostBytes = 8_000_000;
/** An answer with 20,000 results has about 10 MB. */
const mostResults = 20_000;

/** The options of a scan of a document, as query parameters or as fields of the form. */
const documentFields: readonly BodyField[] = [
  {
    name: 'policy',
    description:
      'Names of policies with commas between them; policies.json lists them. By default supported and secure.',
    expected: 'names of policies with commas between them',
    schema: { type: 'string', maxLength: 1000, pattern: '^[a-z0-9-]+(?:,[a-z0-9-]+)*$' },
    example: 'supported',
  },
  {
    name: 'exceptions',
    description:
      'A list of exceptions as JSON, in the form of .release-index-exceptions.json: package, versions, policy, reason, until.',
    expected: 'a list of exceptions as JSON',
    schema: { type: 'string', maxLength: 100_000 },
  },
];

export const scanDocument = defineEndpoint({
  name: 'scan-document',
  method: 'POST',
  path: '/api/scan',
  summary: 'Checks each item of a bill of materials or a list against policies.',
  description:
    'The results of the command "scan --json" for a CycloneDX or SPDX document as JSON, or for a list. Send it as the body, or as the file "document" of a form. It has at most 8 MB; for a larger document, use the command.',
  parameters: documentFields.map((field) => ({ ...field, in: 'query', isList: true })),
  body: documentFields,
  isDocument: true,
  answers: {
    200: { ...jsonAnswer('policy-scans', 'The results, in an array'), isInLines: true },
    400: problem('The document is invalid or has nothing to judge, or a parameter is invalid.'),
    404: problem('There is no such policy.'),
    406: unacceptable,
    413: problem(
      'The body has more than 8 MB, or needs more than 20,000 results or too many comparisons.',
    ),
    415: problem('The body is compressed.'),
  },
  async handle({ request, stated, index }) {
    const form = acceptedForm(request);
    const read = await readDocumentBody(documentFields, request, mostBytes);
    const { policy = defaultPolicies.join(','), exceptions } = {
      ...read.stated,
      ...defined(stated),
    };
    const day = await index.day();
    const known = await index.policies();
    const policies = Array.from(new Set(policy.split(',')), (name) => findPolicy(known, name, day));
    const entries = entriesOf(read);
    if (entries.flat().length * policies.length > mostResults) {
      const limit = `document: expected at most ${grouped(mostResults)} results; use the command`;
      throw new ProblemError(413, limit);
    }
    const scanned = await scanWithin(entries, policies, { index, day, mostWork: mostScanWork });
    const applied = applyExceptions(scanned, exceptionsOf(exceptions), day);
    const scans = worstResults(applied.scanned).map(({ scan }) => scan);
    return answerList(currentJson, request, form, scans, await noteHeader(index));
  },
});

async function scanWithin(...args: Parameters<typeof scanEntries>): ReturnType<typeof scanEntries> {
  try {
    return await scanEntries(...args);
  } catch (error) {
    if (!(error instanceof TooMuchToScanError)) {
      throw error;
    }
    throw new ProblemError(413, `document: ${error.message}; use the command, or scan it in parts`);
  }
}

function entriesOf({ text, name }: ReadDocument): Entry[] {
  const { entries, problems } = parsed('document', text, readEntries);
  if (problems.length > 0) {
    throw new ProblemError(400, `document: ${problems.slice(0, 20).join('; ')}`);
  }
  if (entries.length === 0) {
    throw new ProblemError(400, 'document: has no items; correct the program that writes it');
  }
  const unique = uniqueEntries(entries);
  return name === undefined ? unique : unique.map((entry) => inFile(entry, toLine(name, 200)));
}

function exceptionsOf(text: string | undefined): readonly ScanException[] {
  if (text === undefined) {
    return [];
  }
  const document = parsed('exceptions', text, (json): unknown => JSON.parse(json));
  const problems = describeProblems(document, ScanExceptions);
  if (problems.length > 0) {
    throw new ProblemError(400, `exceptions: ${problems.join('; ')}`);
  }
  return document as ScanException[];
}

function parsed<Value>(name: string, text: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (error) {
    throw wrong(name, 'JSON', (error as Error).message);
  }
}
