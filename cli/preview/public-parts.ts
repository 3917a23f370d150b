import { isObject } from "./differences";
import { SECRET } from "./plain";

/** Whether a file's mode keeps it from everybody else. */
export function isForRootAlone(mode: number): boolean {
    return (mode & 0o004) === 0;
}

const passwords = ["passwordHash", "passwd", "hashed_passwd", "plain_text_passwd"];

/** Ignition has accounts under `passwd`, where cloud-init has a password. */
function isHidden(key: string, value: unknown): boolean {
    return key === "httpHeaders" || (passwords.includes(key) && !isObject(value));
}

/** Without passwords, headers of requests, and what addresses have for who may read there. */
export function withoutSecrets<T>(value: T): T {
    if (Array.isArray(value)) return value.map(withoutSecrets) as T;
    if (typeof value === "string") {
        return value
            .replace(/^(https?:\/\/)([^/?#]*@)?([^?#]*)\?.*$/s, `$1$3?${SECRET}`)
            .replace(/^(https?:\/\/)[^/?#]*@/, "$1") as T;
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, each]) => [
        key,
        isHidden(key, each) ? SECRET : withoutSecrets(each),
    ]);
    return Object.fromEntries(entries) as T;
}
