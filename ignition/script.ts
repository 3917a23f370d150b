import { commands } from "./cloud-init/commands";
import { type WrittenFile, writtenFiles } from "./cloud-init/files";
import { refuseForeign } from "./cloud-init/refuse";
import type { Config } from "./config";
import { gzip } from "./data-url";
import { assertValid } from "./validate";

/**
 * The same config as a shell script that root runs on an installed machine. It stops at the first failure and may run again.
 *
 * What cloud-init has no equivalent for is refused, and users too.
 */
export function toScript(config: Config): string {
    assertValid(config);
    refuseForeign(config);
    for (const key of ["users", "groups"] as const) {
        if (config.passwd?.[key]?.length) throw new Error(`passwd.${key} conflicts with a script`);
    }
    const files = writtenFiles(config);
    const names = files.some(({ path }) => path === "/etc/hostname") ? ["hostname -F /etc/hostname"] : [];
    const run = commands(config).map((each) => (typeof each === "string" ? each : each.map(quoted).join(" ")));
    return `${head}${[...files.map(written), ...names, ...run].join("\n")}\n`;
}

const head = `set -eu
[ "$(id -u)" = 0 ] || { echo "this must run as root" >&2; exit 1; }
# Of directories, which programs that are not root enter.
umask 022
# put FILE MODE OWNER: its contents are on standard input, compressed and in base64.
put() {
    mkdir -p "$(dirname "$1")"
    rm -f "$1.part"
    (umask 077 && base64 -d | gunzip >"$1.part")
    chown "$3" "$1.part"
    chmod "$2" "$1.part"
    mv "$1.part" "$1"
}
`;

function written({ path, permissions, owner = "root:root", append, content, encoding }: WrittenFile): string {
    if (append) throw new Error(`${path} must have contents of its own in a script`);
    const bytes =
        encoding === "gz+b64"
            ? Buffer.from(content, "base64")
            : gzip(encoding === "b64" ? Buffer.from(content, "base64") : content);
    const lines = bytes.toString("base64").match(/.{1,120}/g) ?? [];
    return `put ${[path, permissions, owner].map(quoted).join(" ")} <<'END'\n${lines.join("\n")}\nEND`;
}

function quoted(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
