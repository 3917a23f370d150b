import type { Config } from "./config";
import { decodeDataUrl } from "./data-url";
import { schemaErrors } from "./schema";
import type { Directory, File, Link } from "./storage";
import type { Resource } from "./types";

/** Specifications that are understood; older ones are read as the newest, which has all they have. */
const versions = /^3\.[3-5]\.0$/;
const unitName = /^[A-Za-z0-9:_.\\@-]+\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$/;
const hashes: Record<string, number> = { sha256: 64, sha512: 128 };
const schemes = ["data:", "http:", "https:", "s3:", "arn:", "gs:", "tftp:"];

/** Everything wrong with a config, each with its path: `storage.files[2].mode must be …, got …`. */
export function validate(config: Config): string[] {
    const errors = schemaErrors(config);
    if (errors.length > 0) {
        return errors;
    }
    const version = config.ignition.version;
    return [
        ...(versions.test(version) ? [] : [`ignition.version must be 3.3.0, 3.4.0 or 3.5.0, got ${version}`]),
        ...storageErrors(config),
        ...unitErrors(config),
        ...duplicates("passwd.users", config.passwd?.users ?? [], "name"),
        ...duplicates("passwd.groups", config.passwd?.groups ?? [], "name"),
    ];
}

/** Throws an error that lists everything wrong with a config. */
export function assertValid(config: Config): void {
    const errors = validate(config);
    if (errors.length > 0) {
        throw new Error(errors.join("; "));
    }
}

function storageErrors({ storage = {} }: Config): string[] {
    const { files = [], directories = [], links = [] } = storage;
    const nodes: (Partial<File & Directory & Link> & { path: string; at: string })[] = [
        ...files.map((node, index) => ({ ...node, at: `storage.files[${index}]` })),
        ...directories.map((node, index) => ({ ...node, at: `storage.directories[${index}]` })),
        ...links.map((node, index) => ({ ...node, at: `storage.links[${index}]` })),
    ];
    const taken = new Map<string, string>();
    return nodes.flatMap((node) => {
        const other = taken.get(node.path);
        taken.set(node.path, node.at);
        return [
            ...(isCleanPath(node.path)
                ? []
                : [`${node.at}.path must be an absolute path without . and .., got ${node.path || '""'}`]),
            ...(other ? [`${node.at}.path must be unique, got ${node.path}, which ${other} has`] : []),
            ...(node.mode ? modeErrors(node.at, node.mode) : []),
            ...(node.contents ? resourceErrors(`${node.at}.contents`, node.contents) : []),
            ...(node.append ?? []).flatMap((part, i) => resourceErrors(`${node.at}.append[${i}]`, part)),
            ...(node.at.includes("links") && !node.target ? [`${node.at}.target must be set, got nothing`] : []),
        ];
    });
}

function isCleanPath(path: string): boolean {
    return (
        path.startsWith("/") && path.split("/").every((part) => part !== "." && part !== "..") && !path.includes("\0")
    );
}

function modeErrors(at: string, mode: number | null | undefined): string[] {
    const isLegal = mode === null || mode === undefined || (mode >= 0 && mode <= 0o7777);
    return isLegal ? [] : [`${at}.mode must be from 0 to 0o7777, got ${mode}`];
}

function resourceErrors(at: string, { source, compression, verification }: Resource): string[] {
    const [, kind = "", digest = ""] = /^([a-z0-9]+)-([0-9a-fA-F]+)$/.exec(verification?.hash ?? "") ?? [];
    const hasBadHash = verification?.hash && digest.length !== hashes[kind];
    const hasBadSource = source && (!schemes.some((scheme) => source.startsWith(scheme)) || isBrokenData(source));
    const hasBadCompression = compression && compression !== "gzip";
    return [
        ...(hasBadSource ? [`${at}.source must be a URL of ${schemes.join(" ")}, got ${source.slice(0, 60)}`] : []),
        ...(hasBadCompression ? [`${at}.compression must be gzip, got ${compression}`] : []),
        ...(hasBadHash
            ? [
                  `${at}.verification.hash must be sha256-<64 hex digits> or sha512-<128 hex digits>, got ${verification.hash}`,
              ]
            : []),
    ];
}

function isBrokenData(source: string): boolean {
    try {
        return source.startsWith("data:") && decodeDataUrl(source) === undefined;
    } catch {
        return true;
    }
}

function unitErrors({ systemd }: Config): string[] {
    const units = systemd?.units ?? [];
    return [
        ...duplicates("systemd.units", units, "name"),
        ...units.flatMap(({ name, dropins = [] }, index) => [
            ...(unitName.test(name)
                ? []
                : [`systemd.units[${index}].name must be a unit's name with its type, got ${name || '""'}`]),
            ...duplicates(`systemd.units[${index}].dropins`, dropins, "name"),
            ...dropins.flatMap((part, i) =>
                part.name.endsWith(".conf")
                    ? []
                    : [`systemd.units[${index}].dropins[${i}].name must end in .conf, got ${part.name}`],
            ),
        ]),
    ];
}

function duplicates<K extends string>(at: string, list: readonly Record<K, string>[], key: K): string[] {
    return list.flatMap((item, index) =>
        list.findIndex((other) => other[key] === item[key]) < index
            ? [`${at}[${index}].${key} must be unique, got ${item[key]}`]
            : [],
    );
}
