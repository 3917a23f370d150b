import type { HttpProxy } from "../model";
import { proxyVariables } from "../proxy";
import type { EnvVar } from "./pod";

/** The cluster's proxy for a container: Node.js uses it only on request. */
export function proxyEnv({ proxy }: { readonly proxy?: HttpProxy }): EnvVar[] {
    if (proxy === undefined) return [];
    const variables = { NODE_USE_ENV_PROXY: "1", ...proxyVariables(proxy) };
    return Object.entries(variables).map(([name, value]) => ({ name, value }));
}
