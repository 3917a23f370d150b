import { structuredPatch } from "diff";
import { isUnknown } from "../../clients/pulumi-unknown";

/** A changed value, by its path. */
interface Difference {
    /** Readable path: `spec.containers[kube-apiserver].command`. */
    readonly path: string;
    /** Lines as in `diff -u`, each after `+`, `-` or a space; `…` stands for omitted ones. */
    readonly lines: readonly string[];
}

interface Place {
    /** The path in Pulumi's notation. */
    readonly engine: string;
    readonly path: string;
}

/**
 * The differences between two values. Lists of named objects are compared by name; JSON and base64 strings by their contents.
 *
 * @param changed - paths that Pulumi reports as changed; for secrets there is no other way to find out
 */
export function differences(before: unknown, after: unknown, changed: readonly string[] = []): Difference[] {
    return compare(before, after, { engine: "", path: "" }, changed);
}

function compare(before: unknown, after: unknown, place: Place, changed: readonly string[]): Difference[] {
    const [from, to] = [unfolded(before), unfolded(after)];
    const isWithin = (inner: Place, old: unknown, next: unknown) => compare(old, next, inner, changed);
    if (from === SECRET && to === SECRET) {
        return changed.some((path) => covers(path, place.engine) || covers(place.engine, path))
            ? [{ path: place.path, lines: [`~${SECRET}, changed`] }]
            : [];
    }
    if (to === UNKNOWN) {
        return [{ path: place.path, lines: [...shortLine(from).map((line) => `-${line}`), `+${UNKNOWN}`] }];
    }
    if (isTexts(from) && isTexts(to)) {
        const lines = (list: readonly unknown[]) => list.map((each) => `${each}\n`).join("");
        return lineDifference(place.path, lines(from), lines(to));
    }
    if (Array.isArray(from) && Array.isArray(to)) {
        const keys = namesOf(from, to) ?? Array.from({ length: Math.max(from.length, to.length) }, (_, index) => index);
        const at = (list: readonly unknown[], key: string | number) =>
            typeof key === "number" ? list[key] : list.find((each) => nameOf(each) === key);
        return keys.flatMap((key) => {
            const index = typeof key === "number" ? key : to.findIndex((each) => nameOf(each) === key);
            const inner = { engine: `${place.engine}[${index}]`, path: `${place.path}[${key}]` };
            return isWithin(inner, at(from, key), at(to, key));
        });
    }
    if (isObject(from) && isObject(to)) {
        const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
        return keys.flatMap((key) => isWithin(inside(place, key), from[key], to[key]));
    }
    return lineDifference(place.path, textOf(from), textOf(to));
}

/** The changed lines of two texts, with context. */
export function lineDifference(path: string, before: string, after: string, context = 2): Difference[] {
    if (before === after) return [];
    // Otherwise the last line would change whenever a line is appended.
    const ends = before.endsWith("\n") || after.endsWith("\n") ? "" : "\n";
    const { hunks } = structuredPatch("", "", `${before}${before && ends}`, `${after}${after && ends}`, "", "", {
        context,
    });
    const lines = hunks.flatMap((hunk, index) => [
        ...(index > 0 || hunk.oldStart > 1 ? [" …"] : []),
        // The marker for a missing newline at the end.
        ...hunk.lines.filter((line) => !line.startsWith("\\")),
    ]);
    return [{ path, lines }];
}

/** A value as text. */
export function textOf(value: unknown): string {
    if (value === undefined) return "";
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A value as a single line, if it is short; long values are of no use next to an unknown one. */
function shortLine(value: unknown): string[] {
    const text = textOf(value);
    return text === "" || text.includes("\n") || text.length > 200 ? [] : [text];
}

function inside({ engine, path }: Place, key: string): Place {
    const isPlain = /^[\w$-]+$/.test(key);
    const join = (to: string) => (isPlain ? `${to}${to && "."}${key}` : `${to}["${key}"]`);
    return { engine: join(engine), path: join(path) };
}

/** Whether a path changed or leads to a changed one. */
function covers(path: string, other: string): boolean {
    return other === path || path === "" || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);
}

/** Names by which two lists can be compared, those of the new list first. */
function namesOf(from: readonly unknown[], to: readonly unknown[]): string[] | undefined {
    const names = [...to, ...from].map(nameOf);
    const isUnique = (list: readonly unknown[]) => new Set(list.map(nameOf)).size === list.length;
    return names.every((name) => name !== undefined) && isUnique(from) && isUnique(to)
        ? ([...new Set(names)] as string[])
        : undefined;
}

function nameOf(value: unknown): string | undefined {
    const name = isObject(value) ? value.name : undefined;
    return typeof name === "string" ? name : undefined;
}

function isTexts(value: unknown): value is unknown[] {
    return Array.isArray(value) && value.every((each) => !isObject(each) && !Array.isArray(each));
}

export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Placeholder for a hidden value. */
export const SECRET = "[secret]";
/** Placeholder for a value that is only known after `up`. */
export const UNKNOWN = "[known after up]";

/** Pulumi's marker of special values, and of secrets among them. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** A value from Pulumi, with secrets hidden, encrypted or not. */
export function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (isUnknown(value)) return UNKNOWN;
    if (value === null || typeof value !== "object") return value;
    if (isSecret(value)) return SECRET;
    // Assets and references without Pulumi's marker.
    const entries = Object.entries(value).filter(([key]) => key !== signature && !key.startsWith("__"));
    return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}

/** Whether this is a secret's envelope; it has a `plaintext` in JSON if secrets were requested. */
export function isSecret(value: unknown): value is { readonly plaintext?: string } {
    return typeof value === "object" && value !== null && Reflect.get(value, signature) === secretSignature;
}

/** Whether only root can read a file with this mode. */
export function isForRootAlone(mode: number): boolean {
    return (mode & 0o004) === 0;
}

const passwords = ["passwordHash", "passwd", "hashed_passwd", "plain_text_passwd"];

/** Ignition stores accounts under `passwd`, where cloud-init stores a password. */
function isHidden(key: string, value: unknown): boolean {
    return key === "httpHeaders" || (passwords.includes(key) && !isObject(value));
}

/** Removes passwords, request headers, and credentials in URLs. */
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

/** Parses JSON, and decodes base64 of text; returns any other value unchanged. */
export function unfolded(value: unknown): unknown {
    if (typeof value !== "string") return value;
    const text = decoded(value) ?? value;
    if (!/^\s*[{[]/.test(text)) return text;
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

/** Only long texts: `kube-system` could also be base64. */
const base64 = /^(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decoded(value: string): string | undefined {
    if (!base64.test(value)) return undefined;
    const bytes = Buffer.from(value, "base64");
    const text = bytes.toString("utf8");
    const isText = Buffer.from(text).equals(bytes) && /^[\P{C}\t\r\n]*$/u.test(text);
    return isText ? text : undefined;
}
