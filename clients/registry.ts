import { createHash } from "node:crypto";

/** Manifests of an image for all architectures, and of one that has only one. */
const ACCEPT = [
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

const MANIFEST_MS = 20_000;

/** A manifest as its registry sent it, and the SHA-256 of that text, computed here. */
export interface Manifest {
    readonly text: string;
    readonly sha256: string;
}

/** Reads one repository of a registry, with a token where the registry requires one. */
export class RepositoryClient {
    private token?: string;

    /**
     * @param url - such as `https://registry.k8s.io/v2/pause`
     * @param query - appended to every URL: `?ns=registry.k8s.io` asks a mirror for that registry's images
     */
    constructor(
        private readonly url: string,
        private readonly query = "",
    ) {}

    /** @param reference - a tag, or `sha256:` and a digest, which must be the manifest's */
    async manifest(reference: string): Promise<Manifest> {
        const url = `${this.url}/manifests/${reference}${this.query}`;
        const first = await request(url, this.token);
        if (first.status === 401) this.token = await tokenFor(first);
        const response = first.status === 401 ? await request(url, this.token) : first;
        if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
        const text = await response.text();
        const sha256 = createHash("sha256").update(text).digest("hex");
        const said = reference.includes(":") ? reference : response.headers.get("docker-content-digest");
        if (said !== null && said !== `sha256:${sha256}`) {
            throw new Error(`${url} has SHA-256 ${sha256}, but its registry says ${said}`);
        }
        return { text, sha256 };
    }

    /** Where a configuration or layer is. Read a manifest first, for the token in the headers. */
    blob(digest: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
        return { url: `${this.url}/blobs/${digest}${this.query}`, headers: bearer(this.token) };
    }
}

/** The API of an image's repository. Docker Hub's registry has another name than its images. */
export function repositoryUrl(image: string): string {
    const [, host, repository] = /^([^/]+)\/(.+):[^:/]+$/.exec(image) ?? [];
    return `https://${host === "docker.io" ? "registry-1.docker.io" : host}/v2/${repository}`;
}

function request(url: string, token?: string): Promise<Response> {
    return fetch(url, { headers: { accept: ACCEPT, ...bearer(token) }, signal: AbortSignal.timeout(MANIFEST_MS) });
}

function bearer(token: string | undefined): Record<string, string> {
    return token ? { authorization: `Bearer ${token}` } : {};
}

/** A token to read public images, from where the registry says. Source: "Token Authentication" of distribution's docs. */
async function tokenFor(refusal: Response): Promise<string> {
    const header = refusal.headers.get("www-authenticate") ?? "";
    const fields = Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    if (!/^Bearer /i.test(header) || !fields.realm || !URL.canParse(fields.realm)) {
        throw new Error(`${refusal.url} requires a login: ${header || "it does not say which"}`);
    }
    const url = new URL(fields.realm);
    for (const name of ["service", "scope"]) if (fields[name]) url.searchParams.set(name, fields[name]);
    const response = await request(url.href);
    if (response.status !== 200) throw new Error(`${url.href} answers ${response.status}`);
    const body = (await response.json().catch(() => null)) as { token?: unknown; access_token?: unknown } | null;
    const token = body?.token ?? body?.access_token;
    if (typeof token !== "string") throw new Error(`${url.href} must answer with a token (got none)`);
    return token;
}
