import { stringify } from "yaml";
import type { Config } from "./config";
import { inlineContents } from "./data-url";
import type { File } from "./storage";
import { assertValid } from "./validate";

const systemd = "/etc/systemd/system";

/**
 * The same config as `#cloud-config` for an OS without Ignition.
 *
 * cloud-init writes files after most units have started, so units are started by a command at the end.
 * Disks, filesystems, RAID and kernel arguments have no equal there and are refused.
 */
export function toCloudInit(config: Config): string {
    assertValid(config);
    refuseDisks(config);
    const { storage = {}, systemd: { units = [] } = {}, passwd = {} } = config;
    const files = storage.files ?? [];
    const unitFiles = units.flatMap(({ name, contents, dropins = [] }) => [
        ...(contents ? [{ path: `${systemd}/${name}`, permissions: "0644", content: contents }] : []),
        ...dropins.map((part) => ({
            path: `${systemd}/${name}.d/${part.name}`,
            permissions: "0644",
            content: part.contents ?? "",
        })),
    ]);
    const document = {
        ...some("users", (passwd.users ?? []).map(cloudUser)),
        ...some(
            "groups",
            (passwd.groups ?? []).map(({ name }) => name),
        ),
        ...some("write_files", [...files.flatMap(inlineFile), ...unitFiles]),
        ...some("runcmd", [
            ...(storage.directories ?? []).map(({ path, mode, user, group }) => [
                ...["install", "-d", "-m", octal(mode ?? 0o755), "-o", owner(user), "-g", owner(group), path],
            ]),
            ...files.flatMap(remoteFile),
            ...(storage.links ?? []).map(({ path, target, hard }) => [
                "ln",
                hard ? "-fT" : "-sfnT",
                target ?? "",
                path,
            ]),
            ["systemctl", "daemon-reload"],
            ["systemd-sysctl"],
            ...units.filter(({ mask }) => mask).map(({ name }) => ["systemctl", "mask", "--now", name]),
            ...units
                .filter(({ enabled }) => enabled === false)
                .map(({ name }) => ["systemctl", "disable", "--now", name]),
            ...units.filter(({ enabled }) => enabled).map(({ name }) => ["systemctl", "enable", name]),
            // Restarted, since a unit that already runs may have got a drop-in.
            ...units.filter(({ enabled }) => enabled).map(({ name }) => ["systemctl", "restart", "--no-block", name]),
        ]),
    };
    return `#cloud-config\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function refuseDisks({ storage = {}, kernelArguments }: Config): void {
    const { disks, raid, luks, filesystems } = storage;
    const sections = {
        "storage.disks": disks,
        "storage.raid": raid,
        "storage.luks": luks,
        "storage.filesystems": filesystems,
        kernelArguments,
    };
    for (const [section, value] of Object.entries(sections)) {
        if (value && (!Array.isArray(value) || value.length > 0)) {
            throw new Error(`${section} must be empty for cloud-init, got ${JSON.stringify(value)}`);
        }
    }
}

function inlineFile({ path, mode, user, group, contents }: File): object[] {
    const bytes = contents?.source ? inlineContents(contents.source, contents.compression) : Buffer.from("");
    if (!bytes) {
        return [];
    }
    const text = bytes.toString("utf8");
    const isText = Buffer.from(text).equals(bytes);
    const content = isText ? { content: text } : { content: bytes.toString("base64"), encoding: "b64" };
    const owned = user || group ? { owner: `${owner(user)}:${owner(group)}` } : {};
    return [{ path, permissions: octal(mode ?? 0o644), ...owned, ...content }];
}

/** A download that is put in place only with the right hash. */
function remoteFile({ path, mode, user, group, contents }: File): string[][] {
    const { source, compression, verification } = contents ?? {};
    if (!source || source.startsWith("data:")) {
        return [];
    }
    const [, kind, digest] = /^(sha\d+)-(.*)$/.exec(verification?.hash ?? "") ?? [];
    const script = [
        'mkdir -p "$(dirname "$1")"',
        'curl -fsSL --retry 5 -o "$1.part" "$2"',
        ...(compression === "gzip" ? ['gunzip -c < "$1.part" > "$1.unpacked"', 'mv "$1.unpacked" "$1.part"'] : []),
        ...(kind ? [`echo "${digest}  $1.part" | ${kind}sum --check --status`] : []),
        `install -m ${octal(mode ?? 0o644)} -o ${owner(user)} -g ${owner(group)} "$1.part" "$1"`,
        'rm "$1.part"',
    ];
    return [["sh", "-eu", "-c", script.join("\n"), "fetch", path, source]];
}

function cloudUser(user: NonNullable<NonNullable<Config["passwd"]>["users"]>[number]): object {
    const { name, passwordHash, sshAuthorizedKeys, uid, gecos, homeDir, primaryGroup, groups, system, shell } = user;
    const all = {
        name,
        ...{ passwd: passwordHash, ssh_authorized_keys: sshAuthorizedKeys, uid, gecos, homedir: homeDir },
        ...{ primary_group: primaryGroup, groups, system, shell },
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

function owner(value: { id?: number | null; name?: string | null } | undefined): string {
    return String(value?.name ?? value?.id ?? "root");
}

function octal(mode: number): string {
    return mode.toString(8).padStart(4, "0");
}

function some<T>(key: string, list: T[]): Record<string, T[]> {
    return list.length > 0 ? { [key]: list } : {};
}
