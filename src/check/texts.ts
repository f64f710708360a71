import { XMLValidator } from 'fast-xml-parser';
import type { Report } from './opened-site.ts';

/** A document of XML is well-formed, and its links are `https:` or lead into the site. */
export function checkXml(path: string, text: string, baseUrl: string | undefined, report: Report): void {
  const valid = XMLValidator.validate(text);
  if (valid !== true) report(path, `line ${valid.err.line}, column ${valid.err.col}: ${valid.err.msg}`);
  for (const [, address] of text.matchAll(/(?:\shref="|<loc>|<uri>)([^"<]*)/g)) {
    if (!isAllowed(address!, baseUrl)) report(path, `expected an https: address; got "${address}"`);
  }
  const ids = new Set<string>();
  for (const [, id] of text.matchAll(/<id>([^<]*)<\/id>/g)) {
    if (ids.has(id!)) report(path, `the id "${id}" is not unique`);
    ids.add(id!);
  }
}

/** iCalendar (RFC 5545): lines end in CRLF and have at most 75 octets, blocks are closed, ids are unique. */
export function checkCalendar(path: string, text: string, baseUrl: string | undefined, report: Report): void {
  const lines = text.split('\r\n');
  if (lines.pop() !== '') report(path, 'expected a line break, CRLF, at the end');
  const open: string[] = [];
  const ids = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const where = `line ${index + 1}`;
    if (line.includes('\n') || line.includes('\r')) report(path, `${where}: expected lines that end in CRLF`);
    if (line.length * 3 > 75 && Buffer.byteLength(line) > 75) {
      report(path, `${where}: expected at most 75 octets; got ${Buffer.byteLength(line)}`);
    }
    if (line.startsWith('BEGIN:')) open.push(line.slice('BEGIN:'.length));
    else if (line.startsWith('END:') && open.pop() !== line.slice('END:'.length))
      report(path, `${where}: ${line} closes nothing`);
    else if (line.startsWith('UID:')) {
      if (ids.has(line)) report(path, `${where}: ${line} is not unique`);
      ids.add(line);
    } else if (line.startsWith('URL:') && !isAllowed(line.slice('URL:'.length), baseUrl)) {
      report(path, `${where}: expected an https: address; got "${line.slice('URL:'.length)}"`);
    }
  }
  if (lines[0] !== 'BEGIN:VCALENDAR' || open.length > 0) report(path, 'expected one whole VCALENDAR');
}

/** A site that was built for a try may live on plain loopback; all other links are `https:`. */
export function isAllowed(address: string, baseUrl: string | undefined): boolean {
  return address.startsWith('https://') || (baseUrl !== undefined && address.startsWith(baseUrl));
}
