import { describeProblems } from '../../core/schemas/problems.ts';
import { ScanExceptions, type ScanException } from '../../core/schemas/scan-exceptions.ts';
import { defined, grouped, toLine } from '../../core/text.ts';
import { readEntries } from '../scan/bill-of-materials.ts';
import { applyExceptions } from '../scan/exceptions.ts';
import { inFile, uniqueEntries, type Entry } from '../scan/items.ts';
import { scanEntries } from '../scan/scan-items.ts';
import { jsonAnswer, problemAnswer as problem, type BodyField, type StatedEndpoint } from './endpoint.ts';
import { readDocumentBody, wrong, type ReadDocument } from './read-request.ts';
import { acceptedForm, answerList, currentJson, noteHeader, ProblemError, unacceptable } from './respond.ts';
import { findPolicy } from './scan-package.ts';

const mostBytes = 8_000_000;
/** The answer of so many has about 10 MB. */
const mostResults = 20_000;

/** The options of a scan of a document, as query parameters or as fields of the form. */
const documentFields: readonly BodyField[] = [
  {
    name: 'policy',
    description:
      'Names of policies with commas between them; policies.json lists them. supported where absent.',
    expected: 'names of policies with commas between them',
    schema: { type: 'string', maxLength: 1000, pattern: '^[a-z0-9-]+(?:,[a-z0-9-]+)*$' },
    example: 'supported',
  },
  {
    name: 'exceptions',
    description:
      'A list of exceptions as JSON, as .release-index-exceptions.json has it: package, versions, policy, reason, until.',
    expected: 'a list of exceptions as JSON',
    schema: { type: 'string', maxLength: 100_000 },
  },
];

export const scanDocument: StatedEndpoint = {
  name: 'scan-document',
  method: 'POST',
  path: '/api/scan',
  summary: 'Checks each item of a bill of materials or a list against policies.',
  description:
    'As the command "scan --json": a document of CycloneDX, SPDX or Syft as JSON, or a list, as the body or as the file document of a form. It has at most 8 MB; for larger ones, use the command.',
  parameters: documentFields.map((field) => ({ ...field, in: 'query', isList: true })),
  body: documentFields,
  isDocument: true,
  answers: {
    200: { ...jsonAnswer('policy-scans', 'The results, in an array'), isInLines: true },
    400: problem(
      'The document cannot be read, has nothing to judge, or a parameter is not what was expected.',
    ),
    404: problem('There is no such policy.'),
    406: unacceptable,
    413: problem('The body is larger than 8 MB, or has more than 20,000 things to judge.'),
    415: problem('The body is compressed.'),
  },
  async handle({ request, stated, index }) {
    const form = acceptedForm(request);
    const read = await readDocumentBody(documentFields, request, mostBytes);
    const { policy = 'supported', exceptions } = { ...read.stated, ...defined(stated) };
    const day = await index.day();
    const known = await index.policies();
    const policies = Array.from(new Set(policy.split(',')), (name) => findPolicy(known, name, day));
    const entries = entriesOf(read);
    if (entries.length * policies.length > mostResults) {
      const limit = `document: expected at most ${grouped(mostResults)} results; use the command`;
      throw new ProblemError(413, limit);
    }
    const scanned = await scanEntries(entries, policies, { index, day });
    const applied = applyExceptions(scanned, exceptionsOf(exceptions), day);
    const scans = applied.scanned.map(({ scan }) => scan);
    return answerList(currentJson, request, form, scans, await noteHeader(index));
  },
};

function entriesOf({ text, name }: ReadDocument): Entry[] {
  const { entries, problems } = parsed('document', text, readEntries);
  if (problems.length > 0) throw new ProblemError(400, `document: ${problems.slice(0, 20).join('; ')}`);
  if (entries.length === 0)
    throw new ProblemError(400, 'document: has nothing to judge; correct what writes it');
  const unique = uniqueEntries(entries);
  return name === undefined ? unique : unique.map((entry) => inFile(entry, toLine(name, 200)));
}

function exceptionsOf(text: string | undefined): readonly ScanException[] {
  if (text === undefined) return [];
  const document = parsed('exceptions', text, (json): unknown => JSON.parse(json));
  const problems = describeProblems(document, ScanExceptions);
  if (problems.length > 0) throw new ProblemError(400, `exceptions: ${problems.join('; ')}`);
  return document as ScanException[];
}

function parsed<Value>(name: string, text: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (error) {
    throw wrong(name, 'JSON', (error as Error).message);
  }
}
