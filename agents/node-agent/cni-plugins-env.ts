import { cniPluginsEnvFile } from "./layout";
import type { Source } from "./plan";

export function renderCniPluginsEnv({ sha256, urls }: Source): string {
    return [`CNI_PLUGINS_SHA256=${sha256}`, `CNI_PLUGINS_URLS="${urls.join(" ")}"`, ""].join("\n");
}

export function parseCniPluginsEnv(text: string): Source {
    const [, sha256, urls] = /^CNI_PLUGINS_SHA256=(.+)\nCNI_PLUGINS_URLS="(.*)"\n$/.exec(text) ?? [];
    if (sha256 === undefined || urls === undefined) {
        throw new Error(`${cniPluginsEnvFile} must name the SHA-256 of an archive and its URLs, got ${text}`);
    }
    return { sha256, urls: urls.split(" ").filter(Boolean) };
}
