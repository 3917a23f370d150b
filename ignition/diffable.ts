import { createHash } from "node:crypto";
import type { Config } from "./config";
import { inlineContents } from "./data-url";
import type { Node, Resource } from "./types";

/** Contents of a config as readable text by path or unit, for diffs. */
export function diffable({ ignition, storage = {}, systemd = {}, passwd = {}, kernelArguments }: Config) {
    const { files = [], directories = [], links = [], ...disks } = storage;
    const { version: _, ...rest } = ignition;
    const texts: [string, string][] = [
        ...files.map((file): [string, string] => [
            file.path,
            [
                head(file, 0o644),
                text(file.contents),
                ...(file.append ?? []).map((part) => `append\n${text(part)}`),
            ].join(""),
        ]),
        ...directories.map((directory): [string, string] => [`${directory.path}/`, head(directory, 0o755)]),
        ...links.map(({ path, target, hard }): [string, string] => [path, `${hard ? "hard " : ""}link to ${target}\n`]),
        ...(systemd.units ?? []).flatMap(({ name, enabled, mask, contents, dropins = [] }): [string, string][] => [
            [name, `${mask ? "masked\n" : ""}${state(enabled)}${contents ?? ""}`],
            ...dropins.map((dropin): [string, string] => [`${name}.d/${dropin.name}`, dropin.contents ?? ""]),
        ]),
        ...(passwd.users ?? []).map(({ name, ...account }) => entry(`user ${name}`, account)),
        ...(passwd.groups ?? []).map(({ name, ...group }) => entry(`group ${name}`, group)),
        ...Object.entries({ ...rest, ...disks, kernelArguments })
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => entry(name, value)),
    ];
    return Object.fromEntries(texts) as Record<string, string>;
}

function head({ mode, user, group }: Node & { mode?: number | null }, usual: number): string {
    const owner = [user, group].map((each) => each?.name || (each?.id ?? "root")).join(":");
    const shownOwner = owner === "root:root" ? "" : ` owner ${owner}`;
    return `mode ${(mode ?? usual).toString(8).padStart(4, "0")}${shownOwner}\n`;
}

function text({ source, compression, verification }: Resource = {}): string {
    const bytes = inlineContents(source ?? "", compression);
    if (!bytes) {
        return source ? `from ${source} (${verification?.hash ?? "any contents"})\n` : "";
    }
    const decoded = bytes.toString("utf8");
    const isText = !decoded.includes("\0") && Buffer.from(decoded).equals(bytes);
    return isText ? decoded : `${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}\n`;
}

function state(enabled: boolean | null | undefined): string {
    return typeof enabled === "boolean" ? `${enabled ? "enabled" : "disabled"}\n` : "";
}

function entry(name: string, value: unknown): [string, string] {
    return [name, `${JSON.stringify(value, undefined, 2)}\n`];
}
