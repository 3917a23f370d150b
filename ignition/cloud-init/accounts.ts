import type { Config } from "../config";

type Command = string | string[];

/** Users, in addition to the OS's default user. */
export function users({ passwd }: Config): (string | object)[] {
    const added = (passwd?.users ?? []).filter(({ shouldExist }) => shouldExist !== false);
    return added.length > 0 ? ["default", ...added.map(cloudUser)] : [];
}

function cloudUser(user: NonNullable<NonNullable<Config["passwd"]>["users"]>[number]): object {
    const { name, passwordHash, sshAuthorizedKeys, uid, gecos, homeDir, primaryGroup, groups, system, shell } = user;
    const all = {
        name,
        gecos,
        uid,
        homedir: homeDir,
        shell,
        system,
        primary_group: primaryGroup,
        groups,
        no_create_home: user.noCreateHome,
        no_user_group: user.noUserGroup,
        no_log_init: user.noLogInit,
        passwd: passwordHash,
        // cloud-init locks passwords by default.
        lock_passwd: passwordHash ? false : undefined,
        ssh_authorized_keys: sshAuthorizedKeys,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

/** Early commands create the groups, because cloud-init's own have no id, and users need them. */
export function groupCommands({ passwd }: Config): Command[] {
    return (passwd?.groups ?? [])
        .filter(({ shouldExist }) => shouldExist !== false)
        .map(({ name, gid, system }) => {
            const options = [...(typeof gid === "number" ? ["-g", String(gid)] : []), ...(system ? ["-r"] : [])];
            return ["sh", "-c", 'getent group "$0" || groupadd "$@" "$0"', name, ...options];
        });
}

/** cloud-init leaves the password and groups of a user that the image has already; Ignition sets them. */
export function userCommands({ passwd }: Config): Command[] {
    return (passwd?.users ?? [])
        .filter(({ shouldExist }) => shouldExist !== false)
        .map(({ name, passwordHash, groups = [] }) => [
            ...(passwordHash ? ["-p", passwordHash] : []),
            ...(groups.length > 0 ? ["-G", groups.join(",")] : []),
            name,
        ])
        .filter((options) => options.length > 1)
        .map((options) => ["usermod", ...options]);
}

/** Accounts that must not exist. */
export function removalCommands({ passwd }: Config): Command[] {
    const remove = (kind: "user" | "group", name: string) => [
        ...["sh", "-c", `if getent ${kind === "user" ? "passwd" : "group"} "$0"; then ${kind}del "$0"; fi`, name],
    ];
    return [
        ...(passwd?.users ?? [])
            .filter(({ shouldExist }) => shouldExist === false)
            .map(({ name }) => remove("user", name)),
        ...(passwd?.groups ?? [])
            .filter(({ shouldExist }) => shouldExist === false)
            .map(({ name }) => remove("group", name)),
    ];
}
