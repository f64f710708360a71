import { UsageError } from '../core/errors.ts';
import { createProxyOptions } from '../core/proxies.ts';

/**
 * Sends the requests of `fetch` through the proxies in the environment variables. Node itself does so only from version 24.14 on. A proxy
 * without a scheme gets `http://`, as in curl. Throws a `UsageError` if a value is not a URL.
 */
export async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const names = Object.keys(env).filter((name) => /^https?_proxy$/i.test(name) && env[name]);
  for (const name of names) {
    // Programs that we start read the proxy from the environment, too.
    env[name] = readProxy(name, env[name]!.trim());
  }

  if (names.length > 0) {
    // undici is loaded only here, because loading it takes as long as a short command.
    const { EnvHttpProxyAgent, Pool, setGlobalDispatcher } = await import('undici');
    setGlobalDispatcher(new EnvHttpProxyAgent(createProxyOptions(Pool)));
  }
}

function readProxy(name: string, text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^(?:https?|socks5?):$/.test(URL.parse(address)?.protocol ?? '')) {
    // The message does not quote the value, because it may contain a password.
    throw new UsageError(
      `${name}: expected the address of a proxy, such as http://proxy.example.com:3128`,
    );
  }
  return address;
}
