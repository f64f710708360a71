import { UsageError } from '../core/errors.ts';

/**
 * Sends what `fetch` asks through the proxies of the environment, as all other clients do that we use: Node has a function for it only
 * since 24.14. Without a scheme, a proxy speaks http, as curl takes it. Throws a `UsageError` for what is no address.
 */
export async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const names = Object.keys(env).filter((name) => /^https?_proxy$/i.test(name) && env[name]);
  for (const name of names) {
    // Other programs that we start read it from there, too.
    env[name] = readProxy(name, env[name]!.trim());
  }

  if (names.length > 0) {
    // It takes as long to load as a small question takes to be answered.
    const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
    setGlobalDispatcher(new EnvHttpProxyAgent());
  }
}

function readProxy(name: string, text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^(?:https?|socks5?):$/.test(URL.parse(address)?.protocol ?? '')) {
    // Not the value, which may hold a password.
    throw new UsageError(
      `${name}: expected the address of a proxy, such as http://proxy.example.com:3128`,
    );
  }
  return address;
}
