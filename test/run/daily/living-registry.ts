import { onTestFinished } from 'vitest';
import { addDays, type Day } from '../../../src/core/model/dates.ts';
import { packument } from '../../harness/npm-registry.ts';
import { answer, startUpstream } from '../../harness/upstream.ts';

interface Version {
  at: string;
  integrity: string;
  deprecated?: string;
}

type LivingPackage = ReturnType<typeof livingPackage>;

/** A registry of npm packages that live through bad days. */
export async function livingRegistry() {
  const packages = new Map<string, LivingPackage>();
  const upstream = await startUpstream(() => (request, response) => {
    const { trouble, today } = registry;
    if (trouble === 'closes') {
      return void request.socket.destroy();
    }
    response.setHeader('date', new Date(`${today}T04:23:00Z`).toUTCString());
    if (typeof trouble === 'number') {
      return answer(response, trouble, 'application/json', '{}');
    }
    if (trouble === 'page') {
      return answer(response, 200, 'text/html', '<!doctype html><p>Welcome</p>');
    }
    const document = registry.documents.get(request.url!);
    if (document) {
      return answer(response, 200, 'application/json', JSON.stringify(document));
    }
    const name = request.url!.slice(1);
    const found = packages.get(name);
    if (!found) {
      return answer(response, 404, 'application/json', '{"error":"not found"}');
    }
    answer(response, 200, 'application/json', JSON.stringify(packument(name, found.listed(today))));
  });
  onTestFinished(() => upstream.close());
  const registry = {
    url: upstream.url,
    /** The day of its clock. */
    today: '' as Day,
    /** Whether it closes each connection, answers with this status, or with a page. */
    trouble: undefined as 'closes' | 'page' | number | undefined,
    /** What it answers, by path, beside its packages. */
    documents: new Map<string, object>(),
    packageOf(name: string) {
      const known = packages.get(name) ?? livingPackage();
      packages.set(name, known);
      return known;
    },
  };
  return registry;
}

function livingPackage() {
  const history = new Map<string, Day>();
  const published = new Map<string, Version>();
  let [extra, bounds]: [readonly string[], readonly number[]] = [[], []];
  return {
    /** Each version that it meant to publish, with its day. */
    history,
    /** The next version: three minor ones, then a major one. `stated`: another day than this one. */
    publish(day: Day, stated = day) {
      const count = history.size;
      const version = `${1 + Math.floor(count / 4)}.${count % 4}.0`;
      history.set(version, day);
      published.set(version, { at: `${stated}T02:00:00.000Z`, integrity: integrityOf(version) });
    },
    /** A version a month. */
    publishBefore(day: Day) {
      for (let month = 0; month < 8 && history.size < 8; month += 1) {
        this.publish(addDays(day, 30 * month - 250));
      }
    },
    /** Lists versions of a day long ago. */
    listLate(versions: readonly string[], day: Day) {
      for (const version of versions) {
        history.set(version, day);
        published.set(version, { at: `${day}T02:00:00.000Z`, integrity: integrityOf(version) });
      }
    },
    deprecate(which: 'all' | 'latest') {
      for (const version of [...published.values()].slice(which === 'all' ? 0 : -1)) {
        version.deprecated = 'Broken';
      }
    },
    restore() {
      for (const version of published.values()) {
        delete version.deprecated;
      }
    },
    /** Other bytes under the same version; those of the version itself are the first ones. */
    republish: (version: string, bytes: string) =>
      void (published.get(version)!.integrity = integrityOf(bytes)),
    /** Lists only a part, from the oldest to the newest. */
    keep: (...slice: number[]) => void (bounds = slice),
    /** Lists further versions. */
    disturb: (versions: readonly string[]) => void (extra = versions),
    /** Lists what it published. */
    mend: () => void ([extra, bounds] = [[], []]),
    listed(day: Day): Record<string, Version> {
      const more = extra.map((version): [string, Version] => [
        version,
        { at: `${addDays(day, -1)}T02:00:00.000Z`, integrity: integrityOf(version) },
      ]);
      return Object.fromEntries([...[...published].slice(...bounds), ...more]);
    },
  };
}

function integrityOf(text: string): string {
  return `sha512-${Buffer.from(text.padEnd(64, '.')).toString('base64')}`;
}
