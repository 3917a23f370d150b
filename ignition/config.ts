import type { Directory, File, Link } from "./storage";
import type { Dropin, Group, Ignition, Unit, User } from "./types";

/** The specification version of generated configs. */
export const specVersion = "3.5.0";

/** An Ignition config, specification 3.5. */
export type Config = Ignition;

/** The parts of a config. */
export interface Parts {
    files?: File[];
    directories?: Directory[];
    links?: Link[];
    units?: Unit[];
    users?: User[];
    groups?: Group[];
}

/** A config with the given parts; sections without parts are omitted. */
export function config({ files, directories, links, units, users, groups }: Parts = {}): Config {
    const storage = { ...some({ directories }), ...some({ files }), ...some({ links }) };
    const passwd = { ...some({ users }), ...some({ groups }) };
    return {
        ignition: { version: specVersion },
        ...(Object.keys(storage).length > 0 && { storage }),
        ...(units?.length && { systemd: { units } }),
        ...(Object.keys(passwd).length > 0 && { passwd }),
    };
}

function some<T extends Record<string, unknown[] | undefined>>(lists: T): Partial<T> {
    return Object.fromEntries(Object.entries(lists).filter(([, list]) => list?.length)) as Partial<T>;
}

/** Options of a systemd unit. */
export interface UnitOptions {
    /** @default - decided by the system's presets */
    enabled?: boolean;
    /** @default false */
    mask?: boolean;
    /** @default - the system's own unit */
    contents?: string;
    dropins?: Dropin[];
}

/** A systemd unit, such as `kubelet.service`. */
export function unit(name: string, options: UnitOptions = {}): Unit {
    return { name, ...options };
}

/** A drop-in of a unit, such as `10-limits.conf`. */
export function dropin(name: string, contents: string): Dropin {
    return { name, contents };
}

/** A user account. */
export function user(name: string, options: Omit<User, "name"> = {}): User {
    return { name, ...options };
}

/** A group. */
export function group(name: string, options: Omit<Group, "name"> = {}): Group {
    return { name, ...options };
}
