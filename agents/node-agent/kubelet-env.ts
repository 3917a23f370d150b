import { kubeletEnvFile } from "./layout";
import type { Kubelet } from "./plan";

export function renderKubeletEnv({ version, sha256, urls, settings }: Kubelet): string {
    return [
        `KUBELET_VERSION=${version}`,
        `KUBELET_SHA256=${sha256}`,
        `KUBELET_URLS="${urls.join(" ")}"`,
        `KUBELET_SETTINGS=${settings}`,
        "",
    ].join("\n");
}

export function parseKubeletEnv(text: string): Kubelet {
    const [, version, sha256, urls, settings] =
        /^KUBELET_VERSION=(.+)\nKUBELET_SHA256=(.+)\nKUBELET_URLS="(.*)"\nKUBELET_SETTINGS=(.+)\n$/.exec(text) ?? [];
    if (version === undefined || sha256 === undefined || urls === undefined || settings === undefined) {
        throw new Error(`${kubeletEnvFile} must name a version, its SHA-256, its URLs and its settings, got ${text}`);
    }
    return { version, sha256, urls: urls.split(" ").filter(Boolean), settings };
}
