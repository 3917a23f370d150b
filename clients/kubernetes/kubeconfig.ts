import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { shownValue } from "../shown-value";
import { parseYaml } from "../yaml";
import type { ApiClient, Credentials } from "./api-client";
import { CheckedClient } from "./checked-client";

type Properties = Record<string, unknown>;

/** Address of the API server, and credentials for it. */
export interface Connection {
    readonly server: string;
    /** Name of the cluster in the kubeconfig. Kubeconfigs of Tradewind have the cluster's own. */
    readonly cluster: string;
    readonly namespace: string;
    readonly ca?: Buffer;
    readonly certificate?: Buffer;
    readonly key?: Buffer;
    readonly token?: string;
    readonly basic?: string;
    readonly serverName?: string;
    readonly isInsecure: boolean;
}

interface Choice {
    readonly context?: string;
    readonly cluster?: string;
    readonly namespace?: string;
}

/** Reads a kubeconfig from its contents or path; the provider's argument may be either. */
export function loadKubeconfig(textOrPath = ambientPath()): { config: Properties; folder: string } {
    const isPath = !textOrPath.includes("\n") && !textOrPath.trimStart().startsWith("{");
    const path = textOrPath.replace(/^~(?=\/)/, homedir());
    if (isPath && !existsSync(path)) throw new Error(`kubeconfig must be its contents or a file (got ${textOrPath})`);
    const config = parseYaml("kubeconfig", isPath ? readFileSync(path, "utf8") : textOrPath);
    if (!isObject(config)) throw new Error("kubeconfig must be a YAML or JSON object");
    return { config, folder: isPath ? dirname(resolve(path)) : process.cwd() };
}

/** The entries selected by the context. */
export function activeEntries(
    config: Properties,
    { context, cluster }: Choice,
): Record<"context" | "cluster" | "user", Properties> {
    const contextName = context ?? config["current-context"];
    const contextEntry = entry(config, "contexts", "context", contextName);
    return {
        context: contextEntry ?? {},
        cluster: entry(config, "clusters", "cluster", cluster ?? contextEntry?.cluster) ?? {},
        user: entry(config, "users", "user", contextEntry?.user) ?? {},
    };
}

/** @throws if it has no server or needs an unsupported authentication method */
export function connectionOf(textOrPath: string | undefined, choice: Choice): Connection {
    const { config, folder } = loadKubeconfig(textOrPath);
    const { context, cluster, user } = activeEntries(config, choice);
    if (choice.context !== undefined && !entry(config, "contexts", "context", choice.context)) {
        const names = (Array.isArray(config.contexts) ? config.contexts : []).map((each) => each?.name).join(", ");
        throw new Error(`context must be one of ${names || "none"} (got ${choice.context})`);
    }
    if (!cluster.server) throw new Error("kubeconfig must name a context whose cluster has a server");
    const server = String(cluster.server);
    if (!server.startsWith("https://") || !URL.canParse(server)) {
        throw new Error(`kubeconfig must have a server that is an https:// URL (got ${shownValue(server)})`);
    }
    if (cluster["proxy-url"]) {
        const proxy = shownValue(`${cluster["proxy-url"]}`);
        throw new Error(`kubeconfig must have no proxy-url, which is unsupported (got ${proxy})`);
    }
    if (user.exec || user["auth-provider"]) {
        throw new Error("kubeconfig must hold a token or a client certificate: exec and auth-provider are unsupported");
    }
    const contents = (entries: Properties, name: string) => data(entries, name, folder);
    return {
        server: server.replace(/\/+$/, ""),
        cluster: String(choice.cluster ?? context.cluster),
        namespace: choice.namespace ?? String(context.namespace ?? "default"),
        ca: contents(cluster, "certificate-authority"),
        certificate: contents(user, "client-certificate"),
        key: contents(user, "client-key"),
        token: token(user, folder),
        basic: user.username ? `${user.username}:${user.password}` : undefined,
        serverName: cluster["tls-server-name"] as string | undefined,
        isInsecure: cluster["insecure-skip-tls-verify"] === true,
    };
}

function ambientPath(): string {
    const paths = process.env.KUBECONFIG?.split(delimiter).filter(Boolean) ?? [];
    const found = paths.filter((path) => existsSync(path));
    if (found.length > 1) throw new Error(`KUBECONFIG must name one file (got ${found.join(", ")})`);
    return found[0] ?? paths[0] ?? join(homedir(), ".kube", "config");
}

function entry(config: Properties, list: string, kind: string, name: unknown): Properties | undefined {
    const entries = config[list];
    const found = Array.isArray(entries) ? entries.find((candidate) => candidate?.name === name) : undefined;
    return isObject(found?.[kind]) ? found[kind] : undefined;
}

function isObject(value: unknown): value is Properties {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function data(entries: Properties, name: string, folder: string): Buffer | undefined {
    const inline = entries[`${name}-data`];
    if (inline) return Buffer.from(String(inline), "base64");
    return entries[name] ? readFileSync(resolve(folder, String(entries[name]))) : undefined;
}

function token(user: Properties, folder: string): string | undefined {
    const found = user.token || (user.tokenFile && readFileSync(resolve(folder, String(user.tokenFile)), "utf8"));
    if (!found) return undefined;
    const text = String(found).trim();
    // It is sent in a header.
    if (!/^[!-~]+$/.test(text)) throw new Error("kubeconfig must have a token of printable ASCII without spaces");
    return text;
}

export function clientOf(connection: Connection, userAgent: string): ApiClient {
    const credentials = credentialsOf(connection);
    return new CheckedClient(connection.server, () => credentials, userAgent);
}

/** Credentials of a connection for the API client. */
export function credentialsOf({ ca, certificate, key, token, serverName, isInsecure }: Connection): Credentials {
    const text = (pem: Buffer | undefined) => pem?.toString("utf8");
    return {
        ca: text(ca),
        cert: text(certificate),
        key: text(key),
        token,
        ...(serverName && { servername: serverName }),
        ...(isInsecure && { rejectUnauthorized: false }),
    };
}
