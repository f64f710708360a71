import { csvCell, csvRecord } from './documents/csv.ts';
import { ages } from '../../core/query/ages.ts';
import { fields } from '../../core/query/fields.ts';
import type { ComponentOfDay } from '../../core/query/rows.ts';
import type { SiteFile } from './site-context.ts';

/** Hosts accept files up to 25 MiB, so a longer document is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/** Documents with an entry for every component: `all.json`, `search.json`. */
export const documentsInParts = ['all', 'search'] as const;
export type DocumentInParts = (typeof documentsInParts)[number];

/** The format of a document that may be too long for one file. */
interface Form {
  readonly name: string;
  readonly ending: string;
  /** The text of a file or part with these members. */
  join(members: readonly string[]): string;
  /** The text of a document that lists its parts. */
  listParts(paths: readonly string[]): string;
}

/**
 * Writes one document if everything fits, otherwise the parts `<name>/1.<ending>`, `<name>/2.<ending>` … and a document that
 * lists them. Writes each part as soon as it is full, because all parts together may exceed the memory.
 */
function openForm(form: Form, write: (file: SiteFile) => void, limit: number) {
  const { name, ending } = form;
  const whole = `${name}.${ending}`;
  const parts: string[] = [];
  let members: string[] = [];
  let length = 0;

  const close = (path: string) => {
    write({ path, body: form.join(members) });
    members = [];
    length = 0;
  };

  const closePart = () => {
    const path = `${name}/${parts.length + 1}.${ending}`;
    parts.push(path);
    close(path);
  };

  return {
    add(member: string): void {
      const bytes = Buffer.byteLength(member);
      if (length + bytes > limit && members.length > 0) {
        closePart();
      }

      members.push(member);
      length += bytes;
    },
    finish(): void {
      if (parts.length === 0) {
        return close(whole);
      }

      closePart();
      write({ path: whole, body: form.listParts(parts) });
    },
  };
}

/** `all.json` or `search.json`, with an entry under the name of each component. */
export function openParts(
  document: DocumentInParts,
  write: (file: SiteFile) => void,
  limit = maxPartLength,
) {
  const listParts = (parts: readonly string[]) =>
    `${JSON.stringify({ isComplete: false, parts, components: {} })}\n`;

  const { add, finish } = openForm(
    { name: document, ending: 'json', join: joinComponents, listParts },
    write,
    limit,
  );

  return {
    /** Call in the order of names. `body`: the entry of a component. */
    add: (name: string, body: string) => add(memberOf(name, body)),
    finish,
  };
}

/** A document with an entry for every component, whatever its length. */
export function wholeDocument(entries: readonly (readonly [name: string, body: string])[]): string {
  return joinComponents(entries.map(([name, body]) => memberOf(name, body)));
}

function joinComponents(members: readonly string[]): string {
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}

function memberOf(name: string, body: string): string {
  return `\n${JSON.stringify(name)}: ${body.trimEnd()}`;
}

/** Without ages and freshness: they would change the whole table every day. */
const tableFields = fields.filter(({ name }) => name !== 'freshness' && !(name in ages));

/** The columns of `releases.csv`. */
export const tableColumns = [
  ...tableFields.map(({ name, type, isOfDay }) => ({
    name: isOfDay ? `onBuildDay.${name}` : name,
    type,
  })),
  { name: 'onBuildDay.moveTo', type: 'String' as const },
];

/** `releases.csv` (RFC 4180): one release per line, by component, then in version order. */
export function openTable(write: (file: SiteFile) => void, limit = maxPartLength) {
  const { add, finish } = openForm(
    {
      name: 'releases',
      ending: 'csv',
      join: (members) =>
        `${csvRecord(tableColumns.map(({ name }) => name))}\r\n${members.join('')}`,
      listParts: (paths) => ['part', ...paths].map((path) => `${csvRecord([path])}\r\n`).join(''),
    },
    write,
    limit,
  );

  return {
    /** Adds the releases of a component, all to the same part. `moveTargets`: what to move to, by version. */
    add(component: ComponentOfDay, moveTargets: ReadonlyMap<string, string>): void {
      const records: string[] = [];
      const ofComponent = tableFields.map((field) => csvCell(field.ofComponent?.(component)));

      for (const line of component.lines) {
        const cells = tableFields.map((field, place) =>
          field.ofLine ? csvCell(field.ofLine(line, component.day)) : ofComponent[place]!,
        );

        for (const release of line.releases) {
          for (const { place, read } of releaseFields) {
            cells[place] = csvCell(read(release, component));
          }

          records.push(`${cells.join(',')},${csvCell(moveTargets.get(release.version))}\r\n`);
        }
      }

      add(records.join(''));
    },
    finish,
  };
}

/** The columns with a value for each release. */
const releaseFields = tableFields
  .map(({ ofRelease: read }, place) => ({ place, read }))
  .filter(({ read }) => read !== undefined) as readonly ReleaseField[];

interface ReleaseField {
  readonly place: number;
  readonly read: NonNullable<(typeof tableFields)[number]['ofRelease']>;
}
