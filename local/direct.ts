import { existsSync, readFileSync } from "node:fs";

/** A local cluster's machines and this one, which a proxy of the user's environment cannot reach. */
function direct(machineCidr: string | undefined): string[] {
    return ["localhost", "127.0.0.1", ...(machineCidr ? [machineCidr] : [])];
}

/**
 * What to add to the environment of programs that call the API; nothing if no proxy is set.
 *
 * @param machineCidr - block of the cluster's machines. @default none is chosen yet
 */
export function directTo(env: NodeJS.ProcessEnv, machineCidr: string | undefined): Readonly<Record<string, string>> {
    const has = (name: string) => Boolean(env[name] || env[name.toLowerCase()]);
    if (!["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].some(has)) return {};
    const given = env.NO_PROXY || env.no_proxy;
    const hosts = [...new Set([...(given?.split(",") ?? []), ...direct(machineCidr)])].join(",");
    // Programs differ in which of the two they read.
    return { NO_PROXY: hosts, no_proxy: hosts };
}

/** The block in a stack's configuration file, read without loading a YAML parser. */
export function machineCidrIn(config: string): string | undefined {
    const text = existsSync(config) ? readFileSync(config, "utf8") : "";
    return /tradewind:machineCidr: *["']?([0-9./]+)/.exec(text)?.[1];
}
