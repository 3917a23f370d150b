import type { Config } from "./config";
import { inlineContents } from "./data-url";

/** What a config puts on a machine, as readable text by path or unit: for a diff that a person reads. */
export function diffable({ storage = {}, systemd = {}, passwd = {} }: Config): Record<string, string> {
    const files = (storage.files ?? []).map(({ path, mode, contents }) => {
        const inline = contents?.source ? inlineContents(contents.source, contents.compression) : Buffer.from("");
        const text = inline?.toString("utf8") ?? `from ${contents?.source} (${contents?.verification?.hash})\n`;
        return [path, `mode ${octal(mode)}\n${text}`];
    });
    const directories = (storage.directories ?? []).map(({ path, mode }) => [`${path}/`, `mode ${octal(mode)}\n`]);
    const links = (storage.links ?? []).map(({ path, target }) => [path, `link to ${target}\n`]);
    const units = (systemd.units ?? []).flatMap(({ name, enabled, mask, contents, dropins = [] }) => [
        [name, `${mask ? "masked\n" : ""}${enabled ? "enabled\n" : ""}${contents ?? ""}`],
        ...dropins.map((part) => [`${name}.d/${part.name}`, part.contents ?? ""]),
    ]);
    const users = (passwd.users ?? []).map(({ name, ...account }) => [`user ${name}`, `${JSON.stringify(account)}\n`]);
    return Object.fromEntries([...files, ...directories, ...links, ...units, ...users]);
}

function octal(mode: number | null | undefined): string {
    return (mode ?? 0o644).toString(8).padStart(4, "0");
}
