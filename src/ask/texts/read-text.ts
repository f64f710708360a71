import { repeatedKeys } from '../../core/text/repeated-keys.ts';
import { grouped, quote } from '../../core/text/text.ts';
import { knowsVersion, versionsToKnow, type NameSource } from '../answers/resolve.ts';
import { isMarkedBill, readBillOfMaterials, textLineFinder } from './bill-of-materials.ts';
import { openNames } from './find-names.ts';
import { findVersions } from './find-versions.ts';
import type { Entry, Item, ReadText } from './items.ts';

/** Greatest lengths of a text, in characters: on a page, for a tool, and of a file of the command. */
export const longestTexts = { page: 2 ** 20, tool: 64 * 2 ** 10, file: 20 * 2 ** 20 } as const;

/** The statements of a text about an index: of a bill of materials all, of another text those that name something of the index. */
export async function readText(
  index: Pick<NameSource, 'named' | 'packages' | 'details'>,
  text: string,
  longest: number,
): Promise<ReadText> {
  if (text.length > longest) {
    const problem = `expected at most ${longest} characters; got ${text.length}`;
    return { entries: [], problems: [problem], isTooLong: true };
  }

  const content = text.replace(/^\ufeff/, '');
  const bill = readBill(content);

  if (bill) {
    return bill;
  }

  const names = openNames(await index.named(), await index.packages());
  const { entries, otherLines, others, mostNames } = findVersions(content, names);

  if (mostNames !== undefined) {
    const problem = `expected at most ${grouped(mostNames)} names of the index in ${grouped(content.length)} characters; got more. Split the text`;
    return { entries: [], problems: [problem], isTooLong: true };
  }

  const ours: Entry[] = [];
  let unknown = 0;

  for (const entry of entries) {
    const [{ version, ifVersionOf }] = entry as readonly [Item];
    const isOurs =
      ifVersionOf === undefined ||
      (version !== undefined && (await hasVersion(index, ifVersionOf, version)));

    if (isOurs) {
      ours.push(entry);
    } else {
      unknown += Number(version !== undefined);
    }
  }

  return { entries: ours, problems: [], otherLines, others: others + unknown };
}

async function hasVersion(
  index: Pick<NameSource, 'details'>,
  component: string,
  version: string,
): Promise<boolean> {
  const details = version.includes('.') ? await index.details(component) : undefined;

  return (
    details !== undefined && versionsToKnow(version).some((each) => knowsVersion(details, each))
  );
}

/** The statements of a bill of materials; undefined for another text. */
function readBill(content: string): ReadText | undefined {
  if (/^\s*(?:<\?xml[^>]{0,200}>\s*)?<bom\b/.test(content.slice(0, 500))) {
    return rejected('XML is not supported; write the bill of materials as JSON');
  }

  if (!/^\s*\{/.test(content)) {
    return undefined;
  }

  const document = parseJson(content);

  const isNamedBill = /"(?:bomFormat|spdxVersion)"|spdx\.org\/rdf\/3/.test(content);

  if (document instanceof Error) {
    return isNamedBill ? rejected(document.message) : undefined;
  }

  if (!isNamedBill && !isMarkedBill(document)) {
    return undefined;
  }

  const problems = repeatedKeys(content).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );

  return problems.length > 0
    ? { entries: [], problems }
    : readBillOfMaterials(document, textLineFinder(content));
}

function parseJson(text: string): Record<string, unknown> | Error {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    return error as Error;
  }
}

function rejected(problem: string): ReadText {
  return { entries: [], problems: [problem] };
}
