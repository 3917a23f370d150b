import type { Config } from "./config";
import { inlineContents } from "./data-url";

/** Contents of a config, for a machine that has already booted: owned by root and fully inline. */
export interface Bundle {
    readonly entries: readonly BundleEntry[];
    /** Names of enabled units. */
    readonly units: readonly string[];
}

export interface BundleEntry {
    /** Absolute path; a directory's ends with a slash. */
    readonly path: string;
    readonly mode?: number;
    /** Base64. */
    readonly contents?: string;
    /** Target of a symbolic link. */
    readonly link?: string;
}

/**
 * Files, directories, links and units of a config.
 * @throws if it contains anything else, or contents that are not inline
 */
export function bundle({ ignition: _, storage = {}, systemd = {}, ...others }: Config): Bundle {
    const { files = [], directories = [], links = [], ...disks } = storage;
    const [unknown] = Object.keys({ ...others, ...disks });
    if (unknown !== undefined) {
        throw new Error(`a bundle's config may only have files, directories, links and units (got ${unknown})`);
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
                    throw new Error(`the contents of ${path} must be in the config (got ${contents?.source})`);
                }
                return { path, mode: mode ?? 0o644, contents: bytes.toString("base64") };
            }),
        ],
        units: units.filter(({ enabled }) => enabled).map(({ name }) => name),
    };
}
