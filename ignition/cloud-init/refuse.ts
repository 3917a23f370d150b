import type { Config } from "../config";
import { isSomeone } from "./files";

/** Throws if a config uses something that cloud-init does not support. */
export function refuseForeign({ ignition, storage = {}, kernelArguments, passwd }: Config): void {
    refuse("ignition.config", ignition.config);
    refuse("ignition.proxy", ignition.proxy);
    refuse("ignition.security", ignition.security);
    refuse("kernelArguments", kernelArguments);
    refuse("storage.disks", storage.disks);
    refuse("storage.raid", storage.raid);
    refuse("storage.luks", storage.luks);
    refuse("storage.filesystems", storage.filesystems);
    for (const [index, { contents, append = [] }] of (storage.files ?? []).entries()) {
        refuseSource(`storage.files[${index}].contents.source`, contents?.source, /^(?:data|https?|tftp):/);
        for (const [i, { source }] of append.entries()) {
            refuseSource(`storage.files[${index}].append[${i}].source`, source, /^data:/);
        }
    }
    for (const [index, { overwrite }] of (storage.directories ?? []).entries()) {
        // Files are written before commands can empty a directory.
        refuse(`storage.directories[${index}].overwrite`, overwrite || undefined);
    }
    for (const [index, { user, group }] of (storage.links ?? []).entries()) {
        // Ubuntu 26.04's chown changes the owner of the target if that is a directory (uutils/coreutils#11887).
        if (isSomeone(user)) refuse(`storage.links[${index}].user`, user);
        if (isSomeone(group)) refuse(`storage.links[${index}].group`, group);
    }
    for (const [index, { passwordHash }] of (passwd?.groups ?? []).entries()) {
        refuse(`passwd.groups[${index}].passwordHash`, passwordHash);
    }
}

function refuse(path: string, value: unknown): void {
    if (!isEmpty(value)) {
        throw new Error(`${path} conflicts with cloud-init (got ${JSON.stringify(value)})`);
    }
}

function refuseSource(path: string, source: string | null | undefined, legal: RegExp): void {
    if (source && !legal.test(source)) {
        throw new Error(`${path} must be a URL that cloud-init's commands can fetch (got ${source})`);
    }
}

function isEmpty(value: unknown): boolean {
    if (typeof value === "object" && value !== null) {
        return Object.values(value).every(isEmpty);
    }
    return value === undefined || value === null || value === "";
}
