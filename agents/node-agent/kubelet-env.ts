import { kubeletEnvFile } from "./layout";
import type { Kubelet } from "./plan";

export function renderKubeletEnv({ version, sha256, urls }: Kubelet): string {
    return `KUBELET_VERSION=${version}\nKUBELET_SHA256=${sha256}\nKUBELET_URLS="${urls.join(" ")}"\n`;
}

export function parseKubeletEnv(text: string): Kubelet {
    const [, version, sha256, urls] =
        /^KUBELET_VERSION=(.+)\nKUBELET_SHA256=(.+)\nKUBELET_URLS="(.*)"\n$/.exec(text) ?? [];
    if (version === undefined || sha256 === undefined || urls === undefined) {
        throw new Error(`${kubeletEnvFile} must name a version, its SHA-256 and its URLs, got ${text}`);
    }
    return { version, sha256, urls: urls.split(" ").filter(Boolean) };
}
