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
    /** Knows the package by another name only. */
    move(from: string, to: string) {
      packages.set(to, packages.get(from)!);
      packages.delete(from);
    },
  };
  return registry;
}

function livingPackage() {
  const history = new Map<string, string>();
  const listed = new Map<string, Version>();
  let disturbance: { versions: readonly string[]; keeps: number } | undefined;
  return {
    /** Each version that it meant to publish, with its time. */
    history,
    /** The next version: three minor ones, then a major one. */
    publish(day: Day) {
      const count = history.size;
      const version = `${1 + Math.floor(count / 4)}.${count % 4}.0`;
      const at = `${day}T02:00:00.000Z`;
      history.set(version, at);
      listed.set(version, { at, integrity: integrityOf(version) });
    },
    latest: () => [...listed.keys()].at(-1)!,
    pull: (version: string) => void listed.delete(version),
    deprecate: (version: string) => void (listed.get(version)!.deprecated = 'Broken'),
    /** Other bytes under the same version; those of the version itself are the first ones. */
    republish: (version: string, bytes = 'other') =>
      void (listed.get(version)!.integrity = integrityOf(bytes)),
    /** Lists a version again that it pulled. */
    relist(version: string) {
      listed.set(version, { at: history.get(version)!, integrity: integrityOf(version) });
    },
    /** Lists further versions until it is mended, and of its own only the first `keeps`. */
    disturb: (versions: readonly string[], keeps = Infinity) =>
      void (disturbance = { versions, keeps }),
    mend: () => void (disturbance = undefined),
    listed(day: Day): Record<string, Version> {
      const { versions, keeps } = disturbance ?? { versions: [], keeps: Infinity };
      const more = versions.map((version): [string, Version] => [
        version,
        { at: `${addDays(day, -1)}T02:00:00.000Z`, integrity: integrityOf(version) },
      ]);
      return Object.fromEntries([...[...listed].slice(0, keeps), ...more]);
    },
  };
}

function integrityOf(text: string): string {
  return `sha512-${Buffer.from(text.padEnd(64, '.')).toString('base64')}`;
}
