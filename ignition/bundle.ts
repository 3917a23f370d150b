import type { Config } from "./config";
import { inlineContents } from "./data-url";

/** What a config puts on a machine, for one that has booted already: owned by root, every byte in it. */
export interface Bundle {
    readonly entries: readonly BundleEntry[];
    /** Names of the units that are enabled. */
    readonly units: readonly string[];
}

export interface BundleEntry {
    /** Absolute; a directory's ends with a slash. */
    readonly path: string;
    readonly mode?: number;
    /** Base64. */
    readonly contents?: string;
    /** What a symbolic link leads to. */
    readonly link?: string;
}

/** Files, directories, links and units of a config. @throws when it has anything else, or contents that are elsewhere */
export function bundle({ ignition: _, storage = {}, systemd = {}, ...others }: Config): Bundle {
    const { files = [], directories = [], links = [], ...disks } = storage;
    const [unknown] = Object.keys({ ...others, ...disks });
    if (unknown !== undefined) {
        throw new Error(`a bundle's config must have files, directories, links and units alone, got ${unknown}`);
    }
    const units = systemd.units ?? [];
    return {
        entries: [
            ...directories.map(({ path, mode }) => ({ path: `${path}/`, mode: mode ?? 0o755 })),
            ...links.map(({ path, target }) => ({ path, link: target ?? "" })),
            ...units.map(({ name, contents }) => ({
                path: `/etc/systemd/system/${name}`,
                mode: 0o644,
                contents: Buffer.from(contents ?? "").toString("base64"),
            })),
            ...files.map(({ path, mode, contents }) => {
                const bytes = inlineContents(contents?.source ?? "", contents?.compression);
                if (bytes === undefined) {
                    throw new Error(`the contents of ${path} must be in the config, got ${contents?.source}`);
                }
                return { path, mode: mode ?? 0o644, contents: bytes.toString("base64") };
            }),
        ],
        units: units.filter(({ enabled }) => enabled).map(({ name }) => name),
    };
}
