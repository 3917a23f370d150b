import { posix } from "node:path";
import type { Config } from "../config";
import type { File, Link } from "../storage";
import type { Node } from "../types";
import { mustBe, mustNotBe } from "./error";
import { resourceErrors } from "./resources";

/** Errors in files, directories and links, individually and together. */
export function nodeErrors({ storage = {}, systemd = {} }: Config): string[] {
    const { files = [], directories = [], links = [] } = storage;
    const unitFiles = pathsOfUnits(systemd.units);
    const directoryPaths = new Set(directories.map(({ path }) => path));
    const commonErrors = (node: Node & { mode?: number | null }, at: string) => [
        ...pathErrors(`${at}.path`, node.path),
        ...mustBe(
            typeof node.mode !== "number" || (node.mode >= 0 && node.mode <= 0o7777),
            `${at}.mode`,
            "from 0 to 0o7777",
            node.mode,
        ),
        ...ownerErrors(`${at}.user`, node.user),
        ...ownerErrors(`${at}.group`, node.group),
        ...mustNotBe(unitFiles.has(node.path), `${at}.path`, "a file that systemd.units writes", node.path),
        ...links.flatMap((link) =>
            mustNotBe(node.path.startsWith(`${link.path}/`), `${at}.path`, `below the link ${link.path}`, node.path),
        ),
    ];
    return [
        ...files.flatMap((file, i) => [
            ...commonErrors(file, `storage.files[${i}]`),
            ...fileErrors(file, `storage.files[${i}]`),
        ]),
        ...directories.flatMap((directory, i) => commonErrors(directory, `storage.directories[${i}]`)),
        ...links.flatMap((link, i) => [
            ...commonErrors(link, `storage.links[${i}]`),
            ...linkErrors(link, `storage.links[${i}]`, directoryPaths),
        ]),
    ];
}

/** A path must be absolute and as short as possible. */
export function pathErrors(at: string, path: string): string[] {
    const isClean =
        path.startsWith("/") &&
        !path.includes("\0") &&
        posix.normalize(path) === path &&
        (path === "/" || !path.endsWith("/"));
    return mustBe(isClean, at, "an absolute path without ., .. or redundant /", path);
}

function ownerErrors(at: string, owner: Node["user"]): string[] {
    const hasBoth = typeof owner?.id === "number" && !!owner.name;
    return mustBe(!hasBoth, at, "an id or a name", owner);
}

function fileErrors({ overwrite, contents, append = [] }: File, at: string): string[] {
    const isEmptied = overwrite === true && typeof contents?.source !== "string";
    return [
        ...mustBe(!isEmptied, `${at}.contents.source`, 'set where overwrite is true ("" for an empty file)', undefined),
        ...resourceErrors(`${at}.contents`, contents),
        ...append.flatMap((part, i) => resourceErrors(`${at}.append[${i}]`, part)),
    ];
}

function linkErrors({ path, target, hard }: Link, at: string, directories: Set<string>): string[] {
    if (!target) {
        return mustBe(false, `${at}.target`, "set", target);
    }
    const file = target.startsWith("/") ? posix.normalize(target) : posix.join(path, target);
    return mustBe(!hard || !directories.has(file), `${at}.target`, "a file, because the link is hard", target);
}

function pathsOfUnits(units: NonNullable<Config["systemd"]>["units"] = []): Set<string> {
    const folder = "/etc/systemd/system";
    return new Set(
        units.flatMap(({ name, contents, dropins = [] }) => [
            ...(contents ? [`${folder}/${name}`] : []),
            ...dropins.filter((dropin) => dropin.contents).map((dropin) => `${folder}/${name}.d/${dropin.name}`),
        ]),
    );
}
