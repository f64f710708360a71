import { describeProblems } from '../../core/schemas/problems.ts';
import { ScanExceptions, type ScanException } from '../../core/schemas/scan-exceptions.ts';
import { defined, grouped, toLine } from '../../core/text.ts';
import { readEntries } from '../scan/bill-of-materials.ts';
import { applyExceptions } from '../scan/exceptions.ts';
import { inFile, uniqueEntries, type Entry } from '../scan/items.ts';
import { scanEntries } from '../scan/scan-items.ts';
import type { Question } from './endpoint.ts';
import { documentFields } from './parameters.ts';
import { readDocumentBody, type ReadDocument } from './read-body.ts';
import { wrong } from './read-parameters.ts';
import { acceptedForm, currentJson, listAs, noteHeader, ProblemError } from './respond.ts';
import { findPolicy, headersOf } from './scan-package.ts';

const mostBytes = 8_000_000;
/** The answer of so many has about 10 MB. */
const mostResults = 20_000;

/** `POST /api/scan`. */
export async function answerDocumentScan({ request, stated, index }: Question): Promise<Response> {
  const form = acceptedForm(request);
  const read = await readDocumentBody(documentFields, request, mostBytes);
  const { policy = 'supported', exceptions } = { ...read.stated, ...defined(stated) };
  const day = await index.day();
  const known = await index.policies();
  const policies = Array.from(new Set(policy.split(',')), (name) => findPolicy(known, name, day));
  const entries = entriesOf(read);
  if (entries.length * policies.length > mostResults)
    throw new ProblemError(
      413,
      `document: expected at most ${grouped(mostResults)} results; use the command`,
    );
  const scanned = await scanEntries(entries, policies, { index, day });
  const applied = applyExceptions(scanned, exceptionsOf(exceptions), day);
  const scans = applied.scanned.map(({ scan }) => scan);
  const headers = { ...headersOf(form), ...(await noteHeader(index)) };
  return currentJson(request, listAs(form, scans), headers);
}

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
